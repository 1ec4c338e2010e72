# SPDX-License-Identifier: GPL-3.0-or-later
"""Players: a strategy under rules. Their moves, and whole games."""

from __future__ import annotations

import ctypes
import weakref
from dataclasses import asdict, dataclass
from typing import Any

from ._library import TetralabError, constant, lib, names, struct, text
from .boards import BoardLike, Columns, one_board
from .rules import Rules, RulesLike
from .strategy import Strategy, StrategyLike

_Move = struct("move")
_Ranked = struct("ranked") * constant("MAX_MOVES")
_Contribution = struct("contribution") * constant("MAX_CONTRIBUTIONS")
_Placements = _Move * constant("MAX_MOVES")


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


@dataclass(frozen=True)
class RankedMove(Move):
    """A move as a player values it.

    value          what the player compares: the rating of the move, or what it expects after it; NaN: it has none
    rating         of the move by itself: the sum of its contributions; NaN: it is not rated
    visits         how often a UCT player planned with it
    chosen         the player's own move
    contributions  what every feature gives to the rating (if they were asked for)
    """

    value: float
    rating: float
    visits: int
    chosen: bool
    contributions: tuple[Contribution, ...] = ()


@dataclass(frozen=True)
class Contribution:
    """What one value of a feature gives to the rating of a move: weight x value.

    index  which of its values, for a feature with one for each column; else 0
    """

    feature: str
    index: int
    value: float
    weight: float
    contribution: float


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

    @classmethod
    def of(cls, given: StrategyLike | Player, rules: RulesLike = None) -> Player:
        """The player that is meant: itself, which has its own rules, or a strategy under rules.

        >>> Player.of("bcts", "10x16").rules
        Rules('10x16')
        """
        if not isinstance(given, Player):
            return cls(given, rules)
        if rules is not None and Rules.of(rules) != given.rules:
            raise TetralabError(f"{given!r} has other rules than {Rules.of(rules)!r}: give rules once.")
        return given

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

    def rank(
        self, board: BoardLike, piece: str, next: str | None = None, *, contributions: bool = False
    ) -> list[RankedMove]:
        """All moves of a piece, those that the player prefers first, with their values and, if asked for, with what
        every feature gives. `next`: the letters of the pieces that are known to follow.

        >>> best, *others = Player("bcts").rank([3, 3, 0, 0, 2, 2, 2, 3, 3, 3], "O", contributions=True)
        >>> best.column, best.chosen, len(others)
        (2, True, 8)
        >>> best.contributions[4]
        Contribution(feature='column-transitions', index=0, value=10.0, weight=-19.77356, contribution=-197.7356)
        >>> round(sum(one.contribution for one in best.contributions) - best.rating, 6)
        0.0
        """
        columns, found = one_board(board, self.rules), _Ranked()
        count = lib.rank(
            self._handle, columns.ctypes.data, _letter(piece), None if next is None else next.encode(), found
        )
        ranked = []
        for made in found[:count]:
            move = _move(made.move)
            parts = self.contributions(columns, move) if contributions else ()
            ranked.append(
                RankedMove(
                    **vars(move),
                    value=made.value,
                    rating=made.rating,
                    visits=made.visits,
                    chosen=bool(made.chosen),
                    contributions=parts,
                )
            )
        return ranked

    def contributions(self, board: BoardLike, move: Move) -> tuple[Contribution, ...]:
        """What every feature gives to the rating of a move.

        >>> player = Player("dellacherie")
        >>> move = player.choose([0] * 10, "I")
        >>> {one.feature: one.contribution for one in player.contributions([0] * 10, move)}["landing-height"]
        0.0
        """
        columns, found = one_board(board, self.rules), _Contribution()
        given = _Move(piece=_letter(move.piece), orientation=move.orientation, column=move.column)
        count = lib.contributions(self._handle, columns.ctypes.data, ctypes.byref(given), found)
        return tuple(
            Contribution(text(one.feature), one.index, one.value, one.weight, one.contribution)
            for one in found[:count]
        )

    def flush(self) -> None:
        """Puts what a player with a database has learned on the disk.

        >>> Player("bcts").flush()
        """
        lib.player_flush(self._handle)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.strategy, self.rules, self.kernel)

    def __repr__(self) -> str:
        return f"Player({self.strategy.name!r}, {self.rules!r})"


def _again(strategy: Strategy, rules: Rules, kernel: str) -> Player:
    """A player that was pickled; with the fastest kernel where this machine has not got its own."""
    return Player(strategy, rules, kernel=kernel if kernel in names(lib.kernel) else None)


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


def placements(
    board: BoardLike, piece: str, rules: RulesLike = None, *, next: str | None = None
) -> list[Move]:
    """All placements of a piece, orientation by orientation, from the left.

    >>> [(move.orientation, move.column) for move in placements([0] * 4, "I", "4x6")]
    [(0, 0), (1, 0), (1, 1), (1, 2), (1, 3)]
    """
    rules = Rules.of(rules)
    columns, found = one_board(board, rules), _Placements()
    count = lib.placements(rules._handle, columns.ctypes.data, _letter(piece), _letter(next), found)
    return [_move(one) for one in found[:count]]


def moves(
    strategy: StrategyLike | Player,
    board: BoardLike,
    piece: str,
    rules: RulesLike = None,
    *,
    next: str | None = None,
    contributions: bool = True,
) -> list[RankedMove]:
    """All moves of a piece as a strategy values them, the best first; see `Player.rank`, which is faster for many
    boards.

    >>> best = moves("bcts", "########..\\n########..", "O")[0]
    >>> best.column, best.lines, round(best.value, 2)
    (8, 2, -519.87)
    """
    return Player.of(strategy, rules).rank(board, piece, next, contributions=contributions)
