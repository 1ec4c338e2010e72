# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of a batch as texts and as pictures."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from ._library import lib
from .batch import Batch
from .rules import Rules

LETTERS = "OISZLJT"
#: Colours of the pieces (those of `tetralab draw`), of the pile, of empty cells and of what is around them.
_PIECES = (
    (0xE8, 0xC2, 0x1A),
    (0x27, 0xB3, 0xD6),
    (0x4C, 0xAF, 0x50),
    (0xD9, 0x40, 0x3A),
    (0xF0, 0x8A, 0x24),
    (0x3F, 0x68, 0xD1),
    (0x9B, 0x4F, 0xC4),
)
_PILE, _EMPTY, _AROUND = (120, 128, 140), (24, 26, 32), (52, 56, 66)
_CELL = 16  # pixels


def shape(piece: int) -> npt.NDArray[np.uint8]:
    """The cells of a piece as it appears, the upper row first.

    >>> shape(2).tolist()  # S
    [[0, 1, 1], [1, 1, 0]]
    """
    columns = (ctypes.c_uint32 * 4)()
    width = lib.piece_shape(LETTERS[piece].encode(), 0, columns)
    rows = max(int(column).bit_length() for column in columns)
    return np.array([[columns[x] >> y & 1 for x in range(width)] for y in reversed(range(rows))], np.uint8)


def piece_images(rules: Rules) -> npt.NDArray[np.uint8]:
    """A picture of each piece, of the size of the board: at the top, in the middle. The eighth is empty.

    >>> piece_images(Rules("4x4"))[2].tolist()
    [[0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    """
    images = np.zeros((8, rules.height, rules.width), np.uint8)
    for piece in range(7):
        cells = shape(piece)
        left = (rules.width - cells.shape[1]) // 2
        images[piece, : cells.shape[0], left : left + cells.shape[1]] = cells
    return images


def _queue(batch: Batch, game: int) -> list[int]:
    return [int(piece) for piece in batch["queue"][game] if piece < 7]


def as_words(batch: Batch, game: int) -> str:
    """A game as a text.

    >>> print(as_words(Batch(1, "4x4"), 0))
    O in hand, next T
    | . . . .|
    | . . . .|
    | . . . .|
    | . . . .|
    +--------+
    0 lines, 0 pieces
    """
    queue = [LETTERS[piece] for piece in _queue(batch, game)]
    hand = f"{queue[0]} in hand" if queue else "no piece in hand"
    rows = ["|" + "".join(" #" if cell else " ." for cell in row) + "|" for row in batch["cells"][game]]
    counts = f"{batch['lines'][game]} lines, {batch['pieces'][game]} pieces"
    first = ", next ".join([hand, " ".join(queue[1:])] if queue[1:] else [hand])
    return "\n".join([first, *rows, "+" + "--" * batch.rules.width + "+", counts])


def _block(picture: npt.NDArray[np.uint8], x: int, y: int, colour: Any) -> None:
    """A cell with its upper left corner at pixel (x, y): lighter above, darker below."""
    cell = picture[y : y + _CELL - 1, x : x + _CELL - 1]
    cell[:] = colour
    cell[:2] = np.minimum(np.array(colour) + 40, 255)
    cell[-2:] = np.array(colour) * 7 // 10


def _draw_piece(picture: npt.NDArray[np.uint8], x: int, y: int, piece: int) -> None:
    cells = shape(piece)
    for row, column in zip(*np.nonzero(cells)):
        _block(picture, x + int(column) * _CELL, y + int(row) * _CELL, _PIECES[piece])


def as_picture(batch: Batch, game: int) -> npt.NDArray[np.uint8]:
    """A game as a picture: the piece in hand above the board, those after it on the right.

    >>> as_picture(Batch(1, "10x20"), 0).shape
    (388, 256, 3)
    """
    width, height, queue = batch.rules.width, batch.rules.height, _queue(batch, game)
    shown = queue[1:]
    margin = _CELL // 2
    side = 4 * _CELL + 2 * margin if batch["queue"].shape[1] > 1 else margin
    rows = max(height + 3, 3 * len(batch["queue"][game]))
    size = (rows * _CELL + 2 * margin + 4, margin + width * _CELL + margin + side, 3)
    picture = np.full(size, _AROUND, np.uint8)
    top = margin + 3 * _CELL
    picture[top - 1 : top + height * _CELL, margin - 1 : margin + width * _CELL] = _EMPTY
    for row, column in zip(*np.nonzero(batch["cells"][game])):
        _block(picture, margin + int(column) * _CELL, top + int(row) * _CELL, _PILE)
    if queue:
        _draw_piece(picture, margin + (width - shape(queue[0]).shape[1]) // 2 * _CELL, margin, queue[0])
    for place, piece in enumerate(shown):
        _draw_piece(picture, 2 * margin + width * _CELL, top + 3 * place * _CELL, piece)
    return picture
