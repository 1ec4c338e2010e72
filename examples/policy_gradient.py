#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A player learned by policy gradient, in numpy, on the vector environment of tetralab.

The policy draws a move with probability proportional to exp(theta . phi), where phi are features of the move and of
the board after it. Hundreds of games are played for some moves; a least-squares fit tells how much more the moves
were worth than the boards on which they were made, and the step goes along that natural gradient (Kakade 2002, who
tried it on Tetris; the fit is that of Peters & Schaal's episodic natural actor-critic), as far as the policy changes
by a given divergence.

    python3 examples/policy_gradient.py --board 10x10 --iterations 60

prints a line for each iteration: mean lines of the games that ended in it. At the end the greedy player with the
weights that were learned is written as a strategy, which every command takes: tetralab measure learned.json
"""

import argparse
import json

import gymnasium
import numpy as np

import tetralab

FEATURES = [
    "landing-height",
    "eroded-cells",
    "row-transitions",
    "column-transitions",
    "holes",
    "cumulative-wells",
    "hole-depth",
    "rows-with-holes",
]


def probabilities(theta, features, mask):
    """Of every move; those that are not possible have none."""
    values = np.where(mask, features @ theta, -np.inf)
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def draw(rng, chances):
    """One move for each game."""
    below = chances.cumsum(axis=1)
    return (below < rng.random((len(chances), 1)) * below[:, -1:]).sum(axis=1)


class Learner:
    """Games under way, and the weights so far."""

    def __init__(self, board="10x10", games=128, seed=1, max_pieces=1000):
        self.envs = gymnasium.make_vec(
            "tetralab/Tetris-v0",
            num_envs=games,
            rules={"board": board, "max_pieces": max_pieces},
            observation="move_features",
            features=FEATURES,
            autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
        )
        self.features, infos = self.envs.reset(seed=seed)
        self.mask = infos["action_mask"].astype(bool)
        self.rng = np.random.default_rng(seed)
        self.theta = np.zeros(len(FEATURES))
        self.scores = []  # lines of the games that ended

        spread = self.features[self.mask]
        self.scale = spread.std(axis=0) + 0.1  # how much the features of moves differ

    def step(self):
        """One move in every game: its score function, the mean features, the reward, and whether the game ended."""
        chances = probabilities(self.theta, self.features, self.mask)
        actions = draw(self.rng, chances)
        mean = np.einsum("na,naf->nf", chances, self.features)
        score = self.features[np.arange(len(actions)), actions] - mean
        self.features, rewards, terminated, truncated, infos = self.envs.step(actions)
        self.mask = infos["action_mask"].astype(bool)
        ended = terminated | truncated
        if ended.any():
            self.scores += infos["final_info"]["lines"][ended].tolist()
        return score, mean, rewards, ended

    def iterate(self, moves=48, discount=0.9, divergence=0.1, length=0.5):
        """Plays, and takes one step. Returns the mean lines of the games that ended meanwhile."""
        self.scores = []
        steps = [self.step() for _ in range(moves)]
        worth = np.zeros(len(steps[0][2]))
        worths = []
        for _, _, rewards, ended in reversed(steps):  # what came after each move
            worth = rewards + discount * worth * ~ended
            worths.append(worth)
        scores = np.concatenate([step[0] for step in steps])
        boards = np.concatenate([step[1] for step in steps])
        late = np.repeat(discount ** np.arange(moves)[::-1], len(worth))  # the last moves have seen little
        inputs = np.column_stack([scores, boards, late, np.ones(len(scores))])
        # A little ridge: a policy that hardly draws any more says little about the other moves.
        square = inputs.T @ inputs + 1e-3 * len(inputs) * np.diag(np.concatenate([self.scale, self.scale, [1, 1]]) ** 2)
        direction = np.linalg.solve(square, inputs.T @ np.concatenate(worths[::-1]))[: len(FEATURES)]
        change = ((scores @ direction) ** 2).mean() / 2  # the divergence of a step of length 1
        longest = np.linalg.norm(direction * self.scale)
        if change > 0:  # else no row was removed at all
            self.theta += direction * min(np.sqrt(divergence / change), length / longest)
        return np.mean(self.scores) if self.scores else np.nan

    def strategy(self):
        """The greedy player with these weights."""
        weights = dict(zip(FEATURES, self.theta.tolist()))
        return tetralab.Strategy.of({"name": "policy-gradient", "weights": weights})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", default="10x10")
    parser.add_argument("--games", type=int, default=128, help="played side by side")
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="file for the player that was learned")
    given = parser.parse_args()
    learner = Learner(given.board, given.games, given.seed)
    for iteration in range(given.iterations):
        print(f"iteration {iteration + 1:3}  mean lines of its games {learner.iterate():10.2f}", flush=True)
    print(json.dumps(dict(zip(FEATURES, learner.theta.round(3).tolist())), indent=2))
    if given.out:
        with open(given.out, "w", encoding="utf-8") as file:
            file.write(learner.strategy().to_json())


if __name__ == "__main__":
    main()
