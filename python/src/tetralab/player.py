# SPDX-License-Identifier: GPL-3.0-or-later
"""Players: a strategy under rules. Their moves, and whole games."""

from __future__ import annotations

import ctypes
import weakref
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ._library import lib, struct, text
from .boards import BoardLike, Columns, one_board
from .rules import Rules, RulesLike
from .strategy import Strategy, StrategyLike

_Move = struct("move")


@dataclass(frozen=True)
class Move:
    """A placement of a piece, and what it does.

    piece        its letter
    orientation  0 is how the piece appears; each next one is turned counter-clockwise; -1: no move
    column       of its leftmost cell, from 0
    row          of its lowest cell, from 0, before full rows are removed
    lines        rows that are removed
    placed       the piece is put down and counts
    ends         the game is over
    """

    piece: str
    orientation: int
    column: int
    row: int
    lines: int
    placed: bool
    ends: bool

    def to_dict(self) -> dict[str, Any]:
        """The same as a dict.

        >>> Player("bcts").choose([0] * 10, "I").to_dict()["column"]
        0
        """
        return asdict(self)


def _move(made: Any) -> Move:
    return Move(
        made.piece.decode(),
        made.orientation,
        made.column,
        made.row,
        made.lines,
        bool(made.placed),
        bool(made.ends),
    )


class Player:
    """A strategy under rules, ready to be asked for moves again and again.

    kernel  how features are computed: one of `kernels()`; None: the fastest. Never changes a move.

    >>> player = Player("bcts", "10x16")
    >>> player
    Player('bcts', Rules('10x16'))
    >>> player.choose("########.#\\n########.#\\n####.###.#", "I")
    Move(piece='I', orientation=1, column=8, row=0, lines=2, placed=True, ends=False)
    """

    __slots__ = ("strategy", "rules", "_handle", "__weakref__")

    def __init__(self, strategy: StrategyLike, rules: RulesLike = None, *, kernel: str | None = None):
        self.strategy = Strategy.of(strategy)
        self.rules = Rules.of(rules)
        self._handle: int = lib.player_new(
            self.strategy._handle, self.rules._handle, None if kernel is None else kernel.encode()
        )
        weakref.finalize(self, lib.player_free, self._handle)

    @property
    def kernel(self) -> str:
        """How its features are computed.

        >>> Player("bcts", kernel="reference").kernel
        'reference'
        """
        return text(lib.player_kernel(self._handle))

    def choose(self, board: BoardLike, piece: str, next: str | None = None) -> Move:
        """The move that the player makes with a piece on a board; `next` is the piece after it, if it is known.

        >>> Player("bcts").choose([0] * 10, "O").column
        0
        """
        columns, move = one_board(board, self.rules), _Move()
        lib.choose(self._handle, columns.ctypes.data, _letter(piece), _letter(next), ctypes.byref(move))
        return _move(move)

    def flush(self) -> None:
        """Puts what a player with a database has learned on the disk.

        >>> Player("bcts").flush()
        """
        lib.player_flush(self._handle)

    def __reduce__(self) -> tuple[Any, ...]:
        return Player, (self.strategy, self.rules)

    def __repr__(self) -> str:
        return f"Player({self.strategy.name!r}, {self.rules!r})"


def _letter(piece: str | None) -> bytes:
    if piece is None:
        return b"\0"
    given = piece.encode()
    return given if len(given) == 1 else b"?"


def place(
    board: BoardLike,
    piece: str,
    orientation: int,
    column: int,
    rules: RulesLike = None,
    *,
    next: str | None = None,
) -> tuple[Columns, Move]:
    """Makes a move: the board after it, as columns, and what happened. The board given stays as it is.

    >>> board, move = place([1, 1, 0, 0, 1], "O", 0, 2, "5x5")
    >>> board, move.lines
    (array([0, 0, 1, 1, 0], dtype=uint32), 1)
    """
    rules = Rules.of(rules)
    columns = one_board(board, rules).copy()
    move = _Move(piece=_letter(piece), orientation=orientation, column=column)
    lib.place(rules._handle, columns.ctypes.data, ctypes.byref(move), _letter(next))
    return columns, _move(move)
