# SPDX-License-Identifier: GPL-3.0-or-later
"""pycma learns a player: CMA-ES asks, Tetralab scores a generation at once on all cores, CMA-ES is told.

Usage: python with_cma.py [BOARD] [GENERATIONS]
"""

import sys

import cma
import numpy as np
import tetralab


def learn(board="10x10", generations=30, games=10, seed=1):
    evaluator = tetralab.Evaluator(board, features="dellacherie", objective="games", games=games)
    search = cma.CMAEvolutionStrategy(np.zeros(evaluator.size), 0.5, {"seed": seed, "verbose": -9})
    for generation in range(generations):
        vectors = search.ask()
        # The same games for all vectors of a generation, others in the next one; pycma minimises.
        scores = evaluator(vectors, first=generation * games).score
        search.tell(vectors, -np.log(scores + 1))
    return evaluator.strategy(search.result.xfavorite, name="from-pycma")  # the mean: not the luckiest vector


if __name__ == "__main__":
    board = sys.argv[1] if len(sys.argv) > 1 else "10x10"
    strategy = learn(board, int(sys.argv[2]) if len(sys.argv) > 2 else 30)
    print(strategy)
    print(tetralab.compare(["dellacherie", strategy], board, precision=0.05))
