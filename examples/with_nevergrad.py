# SPDX-License-Identifier: GPL-3.0-or-later
"""nevergrad learns a player: any of its optimisers, by name; as many vectors at a time as it has workers.

Usage: python with_nevergrad.py [BOARD] [BUDGET] [OPTIMISER]
"""

import sys

import nevergrad
import numpy as np
import tetralab


def learn(board="10x10", budget=400, optimiser="TwoPointsDE", games=10, seed=1, workers=20):
    evaluator = tetralab.Evaluator(board, features="dellacherie", objective="games", games=games)
    weights = nevergrad.p.Array(shape=(evaluator.size,))
    weights.random_state.seed(seed)
    search = nevergrad.optimizers.registry[optimiser](weights, budget=budget, num_workers=workers)
    while search.num_tell < budget:
        asked = [search.ask() for _ in range(min(workers, budget - search.num_tell))]
        scores = evaluator([one.value for one in asked]).score
        for one, score in zip(asked, scores):
            search.tell(one, -float(np.log(score + 1)))  # nevergrad minimises
    return evaluator.strategy(search.provide_recommendation().value, name=f"from-{optimiser}")


if __name__ == "__main__":
    board = sys.argv[1] if len(sys.argv) > 1 else "10x10"
    strategy = learn(
        board,
        int(sys.argv[2]) if len(sys.argv) > 2 else 400,
        sys.argv[3] if len(sys.argv) > 3 else "TwoPointsDE",
    )
    print(strategy)
    print(tetralab.measure(strategy, board, precision=0.05))
