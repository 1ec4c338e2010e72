# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards in both forms, their features, moves on them."""

import numpy as np
import pytest
import tetralab
from tetralab._library import constant, lib


def random_boards(count, rules, seed=1):
    """Boards without full rows: one column of each is empty."""
    random = np.random.default_rng(seed)
    columns = random.integers(0, 2 ** (rules.height - 2), (count, rules.width)).astype(np.uint32)
    columns[np.arange(count), random.integers(0, rules.width, count)] = 0
    return columns


@pytest.mark.parametrize("size", ["10x20", "4x4", "14x27", "5x9"])
def test_columns_and_cells_are_the_same_boards(size):
    rules = tetralab.Rules(size)
    columns = random_boards(60, rules).reshape(3, 20, rules.width)
    cells = tetralab.as_cells(columns, rules)
    assert cells.shape == (3, 20, rules.height, rules.width) and cells.dtype == bool
    for form in (cells, cells.astype(np.uint8), cells.astype(np.int8) * 7):
        assert (tetralab.as_columns(form, rules) == columns).all()
    text = tetralab.as_text(columns[1, 2], rules)
    assert [[letter == "#" for letter in row] for row in text.split()] == cells[1, 2].tolist()
    assert (tetralab.as_columns(text, rules) == columns[1, 2]).all()


def test_features_of_many_boards_are_those_of_single_calls():
    rules = tetralab.Rules("9x13")
    columns = random_boards(70, rules)
    names = [one.name for one in tetralab.list_features()]
    found = tetralab.features(columns, names, rules)
    labels = tetralab.feature_labels(names, rules)
    assert found.shape == (70, len(labels))
    room = np.zeros(constant("MAX_VALUES"))
    for board, row in zip(columns, found):
        single = []
        for name in names:
            count = lib.feature_values(
                rules._handle, name.encode(), board.ctypes.data, None, room.ctypes.data
            )
            single += room[:count].tolist()
        assert np.allclose(row, single, rtol=0, atol=1e-12)
    assert (
        tetralab.features(tetralab.as_cells(columns, rules), "holes", rules)
        == found[:, labels.index("holes")]
    ).all()


def test_a_board_that_cannot_be_is_named():
    columns = np.zeros((30, 10), np.uint32)
    columns[17] = 1
    with pytest.raises(tetralab.TetralabError, match="Board 17: Row 0 of the board is full"):
        tetralab.features(columns)


@pytest.mark.parametrize("name", ["dellacherie", "bcts-2", "bcts-ahead"])
def test_the_first_ranked_move_is_the_one_that_is_chosen(name):
    player = tetralab.Player(name, "10x12")
    for number, board in enumerate(random_boards(10, tetralab.Rules("10x8"), seed=3)):
        piece = "OISZLJT"[number % 7]
        ranked = player.rank(board, piece, "T")
        chosen = player.choose(board, piece, "T")
        assert ranked[0].chosen and not any(move.chosen for move in ranked[1:])
        assert (ranked[0].orientation, ranked[0].column) == (chosen.orientation, chosen.column)
        everything = tetralab.placements(board, piece, player.rules)
        assert {(m.orientation, m.column) for m in ranked} == {(m.orientation, m.column) for m in everything}


def test_a_game_of_single_moves_is_the_game_that_is_played():
    player, rules = tetralab.Player("bcts", "10x8"), tetralab.Rules("10x8")
    played = tetralab.play(player, games=1)
    board, lines, count = np.zeros(10, np.uint32), 0, 0
    for piece in tetralab.pieces(int(played.pieces[0]) + 1, rules):
        move = player.choose(board, piece)
        if not move.placed:
            break
        board, made = tetralab.place(board, piece, move.orientation, move.column, rules)
        lines, count = lines + made.lines, count + 1
    assert (lines, count) == (played.lines[0], played.pieces[0])
