# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/policy_gradient.py really learns. Skipped where Gymnasium is not installed."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gymnasium")

PATH = Path(__file__).parents[2] / "examples" / "policy_gradient.py"


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("policy_gradient", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_dozen_iterations_make_ten_lines_more(example):
    """From moves at random, which remove hardly a row; fixed seeds, so that it always comes out the same."""
    learner = example.Learner("10x10", games=128, seed=3)
    means = [learner.iterate() for _ in range(12)]
    assert means[0] < 1 and means[-1] > means[0] + 10
    assert learner.strategy().weights["eroded-cells"] > 0


def test_moves_are_drawn_by_their_probability_and_only_possible_ones(example):
    rng = np.random.default_rng(1)
    mask = np.array([[True, False, True, True]])
    chances = example.probabilities(np.array([1.0]), np.log([[[1.0], [9.0], [2.0], [3.0]]]), mask)
    assert np.allclose(chances, [[1 / 6, 0, 2 / 6, 3 / 6]])
    drawn = np.bincount(example.draw(rng, np.repeat(chances, 60000, axis=0)), minlength=4)
    assert np.allclose(drawn / 60000, chances[0], atol=0.01) and drawn[1] == 0
