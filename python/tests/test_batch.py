# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches from Python: the games of the library, arrays that are views of it, and what is refused."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
import tetralab


def test_random_moves_keep_the_cells_in_balance():
    rng = np.random.default_rng(1)
    for board, overflow, pieces in (
        ("10x20", "lenient", "uniform"),
        ("7x9", "touch", "bag"),
        ("5x5", "strict", "sz"),
    ):
        batch = tetralab.Batch(50, tetralab.Rules(board, overflow=overflow, pieces=pieces), previews=0)
        for _ in range(100):
            mask = batch["mask"]
            batch.step((mask * rng.random(mask.shape)).argmax(axis=1))
            cells = batch["cells"].sum(axis=(1, 2))
            assert (cells == 4 * batch["pieces"] - batch.rules.width * batch["lines"]).all()
            bits = batch["columns"][:, None, :] >> np.arange(batch.rules.height)[::-1, None] & 1
            assert (bits == batch["cells"]).all()


def test_one_seed_is_the_games_of_the_command_line():
    batch = tetralab.Batch(4, tetralab.Rules(pieces="bag"), previews=6)
    batch.reset(seeds=12)
    for bag in batch["queue"]:
        assert sorted(bag) == list(range(7))
    again = tetralab.Batch(4, tetralab.Rules(pieces="bag"), previews=6)
    again.reset(seeds=[12] * 4, numbers=range(4))
    assert (again["queue"] == batch["queue"]).all()


def test_arrays_are_written_in_place():
    batch = tetralab.Batch(2)
    pieces = batch["pieces"]
    batch.play("bcts")
    assert pieces.tolist() == [1, 1] and batch["pieces"] is pieces


def test_features_of_moves_choose_as_the_library_does():
    """The greedy player of bcts' weights, chosen in numpy from the features of all moves."""
    names = "landing-height,eroded-cells,row-transitions,column-transitions,holes,cumulative-wells,hole-depth,rows-with-holes"
    weights = [-12.629, 6.601974, -9.215815, -19.77356, -13.08335, -10.48747, -1.611863, -24.04087]
    batch = tetralab.Batch(20, features=names)
    for _ in range(200):
        values = batch["move-features"].astype(float) @ weights
        values[~batch["safe"]] = -np.inf
        assert (values.argmax(axis=1) == batch.choose("bcts")).all()
        batch.play("bcts")


def test_weights_that_change_choose_anew(tmp_path):
    """Dicts that live for one call only may have the same address; a file keeps its name."""
    batch = tetralab.Batch(30, "10x16")
    for _ in range(30):
        batch.play("bcts")
    wanted = [batch.choose(tetralab.Strategy({"holes": sign})).tolist() for sign in (-1, 1)]
    assert wanted[0] != wanted[1]
    for _ in range(20):
        assert [batch.choose({"holes": sign}).tolist() for sign in (-1, 1)] == wanted
    for sign, right in zip((-1, 1), wanted):
        tetralab.Strategy({"holes": sign}).save(tmp_path / "mine.json")
        assert batch.choose(str(tmp_path / "mine.json")).tolist() == right
    assert batch.player("bcts") is batch.player("bcts")


def test_batches_are_not_copied():
    batch = tetralab.Batch(1)
    for call in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="neither be copied nor pickled"):
            call(batch)
    assert copy.copy(tetralab.Player("bcts", kernel="plain")).kernel == "plain"


def test_what_is_wrong_is_said():
    batch = tetralab.Batch(2)
    for call, words in (
        (lambda: batch["colums"], '"columns"'),
        (lambda: batch["features"], "choose features"),
        (lambda: batch.step([1]), "one action for each of 2 games"),
        (lambda: batch.reset(seeds=[1, 2, 3]), "each of 2 games"),
        (lambda: batch.play(tetralab.Player("bcts", "10x16")), "other rules"),
        (lambda: batch.reset(seeds=[-1, 2]), "seeds: -1 is not a whole number"),
        (lambda: batch.reset(seeds=[2**64, 2]), "seeds: 18446744073709551616 is not"),
        (lambda: batch.reset(seeds=1, numbers=[0, -2]), "numbers: -2 is not"),
        (lambda: batch.step([0.5, 1.0]), "type float64"),
        (lambda: tetralab.play("bcts", seed=2**64), "seed: "),
        (lambda: tetralab.play("bcts", games=10**7 + 1), "1 to 10000000"),
        (lambda: tetralab.pieces(5, seed=-1), "seed: -1 is not"),
        (lambda: tetralab.Batch(0), "1 to 1000000 games"),
        (lambda: tetralab.Batch(1, autoreset="never"), "autoreset: "),
    ):
        with pytest.raises(tetralab.TetralabError, match=words):
            call()


def test_the_document_lists_every_array():
    document = Path(__file__).parents[2] / "docs" / "api.md"
    text = document.read_text(encoding="utf-8")
    assert [name for name in tetralab.Batch(1).arrays if f"`{name}`" not in text] == []
