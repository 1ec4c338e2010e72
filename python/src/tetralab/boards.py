# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards as numpy arrays, in two forms that every function takes.

columns  uint32, one number for each column from the left; bit 0 is the floor. What functions return.
cells    bool or 8-bit numbers (not 0: filled), rows from the top, height x width: a picture of the board.

The type of the array decides: wider whole numbers are columns. An array of boards has more dimensions in front.
"""

from __future__ import annotations

import ctypes
from typing import Union

import numpy as np
import numpy.typing as npt

from ._library import TetralabError, lib
from .rules import Rules, RulesLike

#: One board: a text of rows, columns of bits, or cells.
BoardLike = Union[str, npt.ArrayLike]
Columns = npt.NDArray[np.uint32]


def as_columns(boards: BoardLike, rules: RulesLike = None) -> Columns:
    """Boards in any form as columns of bits: the shape is (..., width). A text is one board: rows from the top,
    '#' filled and '.' empty; empty rows on top may be left out.

    Arrays of bool, int8 and uint8 are cells, those of wider whole numbers are columns.

    >>> as_columns("##.#\\n####.", "5x5")
    Traceback (most recent call last):
        ...
    tetralab.TetralabError: board:1:5: expected 5 cells in the row, found 4; --board sets the width.
    >>> as_columns("##.#.\\n####.", "5x5")
    array([3, 3, 1, 3, 0], dtype=uint32)
    >>> import numpy as np
    >>> cells = np.zeros((5, 5), bool)
    >>> cells[4, :3] = True                      # three cells on the floor
    >>> as_columns(cells, "5x5")
    array([1, 1, 1, 0, 0], dtype=uint32)
    """
    rules = Rules.of(rules)
    width, height = rules.width, rules.height
    if isinstance(boards, str):
        columns: Columns = np.zeros(width, np.uint32)
        lib.board_parse(rules._handle, boards.encode(), columns.ctypes.data)
        return columns
    array = np.asarray(boards)
    if array.dtype.kind == "b" or (array.dtype.kind in "iu" and array.dtype.itemsize == 1):
        if array.shape[-2:] != (height, width):
            raise TetralabError(
                f"The cells of a {width}x{height} board are {height} rows of {width}; this has the shape {array.shape}."
            )
        bits = np.uint32(1) << np.arange(height - 1, -1, -1, dtype=np.uint32)
        return np.ascontiguousarray(bits @ (array != 0).astype(np.uint32), dtype=np.uint32)
    if array.ndim < 1 or array.shape[-1] != width or array.dtype.kind not in "iu":
        raise TetralabError(
            f"A {width}x{height} board is {width} whole numbers, one for each column, or {height} rows of {width} "
            f"cells as bool; this has the shape {array.shape} and the type {array.dtype}."
        )
    if array.size and (array.min() < 0 or array.max() >= 2**32):
        raise TetralabError("A column is a number of 32 bits, of which bit 0 is the floor.")
    return np.ascontiguousarray(array, dtype=np.uint32)


def as_cells(boards: BoardLike, rules: RulesLike = None) -> npt.NDArray[np.bool_]:
    """Boards in any form as cells: bool, the shape is (..., height, width), the first row is the top.

    >>> as_cells("##.#.\\n####.", "5x5").astype(int)
    array([[0, 0, 0, 0, 0],
           [0, 0, 0, 0, 0],
           [0, 0, 0, 0, 0],
           [1, 1, 0, 1, 0],
           [1, 1, 1, 1, 0]])
    """
    rules = Rules.of(rules)
    columns = as_columns(boards, rules)
    bits = np.arange(rules.height - 1, -1, -1, dtype=np.uint32)
    cells: npt.NDArray[np.bool_] = (columns[..., np.newaxis, :] >> bits[:, np.newaxis] & np.uint32(1)).astype(
        bool
    )
    return cells


def as_text(board: BoardLike, rules: RulesLike = None) -> str:
    """One board as a text: all rows from the top, '#' filled and '.' empty.

    >>> as_text([3, 3, 1, 3, 0], "5x5").split()
    ['.....', '.....', '.....', '##.#.', '####.']
    """
    rules = Rules.of(rules)
    columns = one_board(board, rules)
    text = ctypes.create_string_buffer((rules.width + 1) * rules.height + 1)
    lib.board_print(rules._handle, columns.ctypes.data, text)
    return text.value.decode()


def one_board(board: BoardLike, rules: Rules) -> Columns:
    """A single board as columns."""
    columns = as_columns(board, rules)
    if columns.ndim != 1:
        raise TetralabError(
            f"One board is wanted here, not an array of the shape {columns.shape[:-1]} of boards."
        )
    return columns
