# SPDX-License-Identifier: GPL-3.0-or-later
"""Measuring players."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, Sequence, Union

from ._library import TetralabError, lib, struct
from ._tasks import Progress, Result, Setting, Settings, Watch, span, take_json, values
from .player import Player
from .rules import RulesLike
from .strategy import StrategyLike

PlayerLike = Union[Player, StrategyLike]


@dataclass(frozen=True)
class Measurement(Result):
    """The mean lines of a player.

    mean         infinite: never lost
    interval     95 % interval of the mean
    precision    its larger side, as a fraction of the mean
    method       "games", "splitting" or "heights"
    count        games or repetitions of splitting
    pieces       played in all
    precise      the precision that was asked for is reached
    interrupted  it was stopped
    note         a sentence on what one must know to read the numbers; "": nothing
    details      all that `tetralab measure --json` says
    """

    strategy: str
    rules: dict[str, str]
    mean: float
    interval: tuple[float, float]
    precision: float
    method: str
    count: int
    pieces: int
    seconds: float
    precise: bool
    interrupted: bool
    note: str
    details: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __str__(self) -> str:
        note = f"\n{self.note}" if self.note else ""
        return (
            f"{self.strategy} on {self.rules['board']}: {self.mean:.6g} lines ± {100 * self.precision:.3g} % "
            f"({span(*self.interval)}) by {self.count} {_counted(self.method)}{note}"
        )

    __repr__ = __str__


def _counted(method: str) -> str:
    return "repetitions of splitting" if method == "splitting" else "games"


def measurement(player: Player, made: Any, details: dict[str, Any]) -> Measurement:
    return Measurement(player.strategy.name, player.rules.to_dict(), **values(made), details=details)


def measure(
    strategy: PlayerLike, rules: RulesLike = None, *, progress: Progress = None, **settings: Setting
) -> Measurement:
    """The mean lines of a player, however strong, to a precision: by whole games, or by splitting where games are too
    long to be played out. The same as `tetralab measure`.

    settings  `tetralab.settings("measure")` lists them: precision=0.05, seed=1, method="games", jobs=2, ...

    >>> measure("bcts", "10x6", precision=0.2)
    bcts on 10x6: 77.4331 lines ± 20 % (65.5517 .. 92.8838) by 127 games
    """
    player = Player.of(strategy, rules)
    made, text = struct("measurement")(), ctypes.c_void_p()
    watch = Watch(progress, f"measure {player.strategy.name}")
    with watch, Settings("measure", settings) as given:
        lib.measure(player._handle, given, ctypes.byref(made), ctypes.byref(text), watch.function, None)
    result = measurement(player, made, take_json(text.value))
    watch.check(result)
    return result


def players_of(strategies: Sequence[PlayerLike], rules: RulesLike) -> tuple[list[Player], Any]:
    if isinstance(strategies, (str, Player)) or len(strategies) < 2:
        raise TetralabError("Give a list of two players at least.")
    players = [Player.of(one, rules) for one in strategies]
    return players, (ctypes.c_void_p * len(players))(*(player._handle for player in players))
