# SPDX-License-Identifier: GPL-3.0-or-later
"""Optuna learns a player: a study that maximises, asked for a batch of trials at a time.

Usage: python with_optuna.py [BOARD] [TRIALS]
"""

import sys

import numpy as np
import optuna
import tetralab


def learn(board="10x10", trials=200, games=10, seed=1, batch=10):
    evaluator = tetralab.Evaluator(board, features="dellacherie", objective="games", games=games)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    for _ in range(0, trials, batch):
        asked = [study.ask() for _ in range(batch)]
        vectors = [[trial.suggest_float(name, -1, 1) for name in evaluator.labels] for trial in asked]
        for trial, score in zip(asked, evaluator(vectors).score):
            study.tell(trial, float(np.log(score + 1)))
    best = [study.best_params[name] for name in evaluator.labels]
    return evaluator.strategy(best, name="from-optuna")


if __name__ == "__main__":
    board = sys.argv[1] if len(sys.argv) > 1 else "10x10"
    strategy = learn(board, int(sys.argv[2]) if len(sys.argv) > 2 else 200)
    print(strategy)
    print(tetralab.measure(strategy, board, precision=0.05))
