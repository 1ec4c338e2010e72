# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches between players."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from ._library import lib, struct
from ._tasks import Progress, Result, Setting, Settings, Watch, take_json, values
from .measuring import PlayerLike, players_of
from .rules import RulesLike


@dataclass(frozen=True)
class Contest(Result):
    """Matches between players. Player k is at [k] of the arrays; means are of a match.

    games       matches that ended
    wins        of each player
    low, high   95 % interval of the probability to win
    draws       matches that nobody won, since the last players were lost in the same round
    undecided   or since max-rounds was reached, or the pieces were used up
    sent        attack rows; received likewise
    moves       [k, i]: moves that removed i + 1 rows, in all matches
    late        matches lost by taking longer than move-time
    chance      two players: how often wins shared as unevenly come by chance between equal players
    """

    names: list[str]
    games: int
    wins: npt.NDArray[np.int64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    draws: int
    undecided: int
    mean_rounds: float
    chance: float
    pieces: npt.NDArray[np.float64]
    lines: npt.NDArray[np.float64]
    sent: npt.NDArray[np.float64]
    received: npt.NDArray[np.float64]
    moves: npt.NDArray[np.int64]
    late: npt.NDArray[np.int64]
    seconds_per_move: npt.NDArray[np.float64]
    seconds: float
    interrupted: bool
    details: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def _rows(self) -> Any:
        columns = ("wins", "low", "high", "pieces", "lines", "sent", "received", "late", "seconds_per_move")
        return {"name": self.names, **{name: getattr(self, name) for name in columns}}

    def __str__(self) -> str:
        won = ", ".join(f"{name} {count}" for name, count in zip(self.names, self.wins))
        return f"{self.games} matches: {won}; {self.draws} draws, {self.undecided} undecided"

    __repr__ = __str__


def versus(
    strategies: Sequence[PlayerLike],
    rules: RulesLike = None,
    *,
    progress: Progress = None,
    **settings: Setting,
) -> Contest:
    """Matches between players that send each other rows. The same as `tetralab versus`.

    settings  `tetralab.settings("versus")` lists them: games=100, seed=1, ...

    >>> contest = versus(["dellacherie", "bcts"], "10x10", games=20)
    >>> contest
    20 matches: dellacherie 5, bcts 15; 0 draws, 0 undecided
    >>> contest.wins
    array([ 5, 15])
    """
    players, handles = players_of(strategies, rules)
    made, seats, text = struct("contest")(), (struct("contestant") * len(players))(), ctypes.c_void_p()
    watch = Watch(progress, "versus")
    with watch, Settings("versus", settings) as given:
        lib.versus(
            handles, len(players), given, ctypes.byref(made), seats, ctypes.byref(text), watch.function, None
        )
    result = Contest(
        names=[player.strategy.name for player in players],
        **values(made),
        wins=np.array([one.wins for one in seats]),
        low=np.array([one.interval.low for one in seats]),
        high=np.array([one.interval.high for one in seats]),
        pieces=np.array([one.mean_pieces for one in seats]),
        lines=np.array([one.mean_lines for one in seats]),
        sent=np.array([one.mean_sent for one in seats]),
        received=np.array([one.mean_received for one in seats]),
        moves=np.array([list(one.moves) for one in seats]),
        late=np.array([one.late for one in seats]),
        seconds_per_move=np.array([one.seconds_per_move for one in seats]),
        details=take_json(text.value),
    )
    watch.check(result)
    return result
