#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feeds the samples and scores of `test_cmaes trace` to Debian's python3-cmaes and compares, after every
generation, mean, step size, both paths and covariance matrix. Each run goes through to its end on that side:
it gets nothing of our state but the start.

That program has negative weights (active CMA), which ours leaves out: they are set to 0 here. The modern
constants are its own, unless the parents are not half of the population; Boumaza's are set from formulas.
Its h_sigma counts one generation more than were made: its counter is set back by one. The classic variant
has no h_sigma: its runs are such that the path never gets long enough for it, which is checked.

Usage: test_cmaes trace | tests/check_cmaes.py
"""
import json
import math
import sys

import numpy
from cmaes import CMA

TOLERANCE = 1e-10


def matrix(triangle, n):
    c = numpy.zeros((n, n))
    c[numpy.tril_indices(n)] = triangle
    return c + numpy.tril(c, -1).T


def classic(cma, n, parents):
    """The constants of Boumaza's program (Hansen & Kern 2004)."""
    w = numpy.array([math.log(parents + 1) - math.log(i) for i in range(1, parents + 1)])
    w /= w.sum()
    mu = 1 / (w**2).sum()
    c_cov = 2 / (n + math.sqrt(2)) ** 2 / mu + (1 - 1 / mu) * min(1, (2 * mu - 1) / ((n + 2) ** 2 + mu))
    cma._mu_eff, cma._c_sigma, cma._cc = mu, (mu + 2) / (n + mu + 3), 4 / (n + 4)
    cma._c1, cma._cmu = c_cov / mu, c_cov * (1 - 1 / mu)
    return w


def modern_few(cma, n, parents, population):
    """The modern constants when the number of parents is not half of the population."""
    w = numpy.array([math.log((population + 1) / 2) - math.log(i) for i in range(1, parents + 1)])
    w /= w.sum()
    mu = 1 / (w**2).sum()
    cma._mu_eff, cma._c_sigma = mu, (mu + 2) / (n + mu + 5)
    cma._cc = (4 + mu / n) / (n + 4 + 2 * mu / n)
    cma._c1 = 2 / ((n + 1.3) ** 2 + mu)
    cma._cmu = min(1 - cma._c1, 2 * (mu - 2 + 1 / mu) / ((n + 2) ** 2 + mu))
    return w


def make(head):
    start = head["start"]
    n, population, parents = start["dimension"], start["population"], start["parents"]
    state = start["state"]
    cma = CMA(mean=numpy.array(state["mean"]), sigma=state["sigma"][0], population_size=population)
    if head["classic"]:
        w = classic(cma, n, parents)
    elif parents != population // 2:
        w = modern_few(cma, n, parents, population)
    else:
        w = cma._weights[:parents]
    cma._mu = parents
    cma._weights = numpy.concatenate([w, numpy.zeros(population - parents)])
    if head["classic"] or parents != population // 2:
        excess = math.sqrt((cma._mu_eff - 1) / (n + 1)) - 1
        cma._d_sigma = 1 + 2 * max(0, excess) + cma._c_sigma
    return cma


def path_is_long(cma, updates):
    """Does h_sigma of the modern variant hold the covariance matrix back?"""
    norm = numpy.linalg.norm(cma._p_sigma) / math.sqrt(1 - (1 - cma._c_sigma) ** (2 * updates))
    return norm >= (1.4 + 2 / (cma._n_dim + 1)) * cma._chi_n


def difference(cma, after):
    """The largest relative difference, each vector and the matrix by its norm."""
    state, n = after["state"], cma._n_dim
    pairs = [
        (cma._mean, numpy.array(state["mean"])),
        (numpy.array([cma._sigma]), numpy.array(state["sigma"])),
        (cma._p_sigma, numpy.array(state["p_sigma"])),
        (cma._pc, numpy.array(state["p_c"])),
        (cma._C, matrix(state["c"], n)),
    ]
    return max(numpy.linalg.norm(a - b) / max(numpy.linalg.norm(a), 1e-300) for a, b in pairs)


class Run:
    def __init__(self, head):
        self.head, self.cma = head, make(head)
        self.generations, self.largest, self.held, self.narrow = 0, 0.0, 0, 0

    def advance(self, line):
        cma, classic_run = self.cma, self.head["classic"]
        samples = numpy.array(line["batch"]).reshape(-1, cma._n_dim)
        cma._g = 10**9 if classic_run else self.generations - 1
        cma.tell([(x, -score) for x, score in zip(samples, line["score"])])
        self.generations += 1
        long = path_is_long(cma, 10**9 if classic_run else self.generations)
        if classic_run and long:
            sys.exit(f"{self.head['case']}: h_sigma acts in the reference; the classic variant has none")
        self.held += long
        self.narrow += not classic_run and long != path_is_long(cma, self.generations + 1)
        self.largest = max(self.largest, difference(cma, line["after"]))

    def finish(self):
        case = self.head["case"]
        size = f"largest difference {self.largest:.1e}"
        print(f"{case}: {self.generations} generations, {size}, h_sigma = 0 in {self.held}")
        if not self.largest < TOLERANCE:
            sys.exit(f"{case}: the difference is above {TOLERANCE:g}")


def main():
    runs = []
    for text in sys.stdin:
        line = json.loads(text)
        if "case" in line:
            runs.append(Run(line))
        else:
            runs[-1].advance(line)
    for run in runs:
        run.finish()
    if not any(run.narrow for run in runs):
        sys.exit("no run tells whether h_sigma counts the generations right")
    print(f"{len(runs)} runs agree.")


main()
