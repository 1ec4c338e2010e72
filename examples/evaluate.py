#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small evolution strategy that lets `tetralab evaluate` score its vectors, with nothing but the standard library.

Usage: evaluate.py [TETRALAB [GENERATIONS]]
"""
import json
import math
import random
import subprocess
import sys

program = sys.argv[1] if len(sys.argv) > 1 else "tetralab"
generations = int(sys.argv[2]) if len(sys.argv) > 2 else 30
tetralab = subprocess.Popen([program, "evaluate", "--features", "du", "--board", "10x10"], text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def ask(requests):
    """Sends all requests, so that they are scored at once, and reads as many answers, in any order."""
    tetralab.stdin.writelines(json.dumps(request) + "\n" for request in requests)
    tetralab.stdin.flush()
    return [json.loads(tetralab.stdout.readline()) for _ in requests]


def unit(vector):
    length = math.sqrt(sum(x * x for x in vector)) or 1
    return [x / length for x in vector]


labels = ask([{"describe": True}])[0]["labels"]
rng = random.Random(1)
mean, sigma = unit([rng.gauss(0, 1) for _ in labels]), 0.5
for generation in range(generations):
    vectors = [unit([x + sigma * rng.gauss(0, 1) for x in mean]) for _ in range(16)]
    answers = ask([{"id": k, "weights": v, "seed": generation} for k, v in enumerate(vectors)])
    best = sorted(answers, key=lambda answer: -answer["score"])[:4]
    mean = unit([sum(column) for column in zip(*(vectors[answer["id"]] for answer in best))])
    sigma *= 0.93
    print(f"generation {generation}: best {best[0]['mean_lines']:.0f} lines")

answer = ask([{"weights": mean, "seed": 12345, "games": 20}])[0]
print(f"the mean vector makes {answer['mean_lines']:.0f} lines:")
for label, weight in zip(labels, mean):
    print(f"  {label:20} {weight:8.4f}")
tetralab.stdin.close()
sys.exit(tetralab.wait())
