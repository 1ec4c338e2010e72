# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparing players."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from ._library import TetralabError, lib, struct
from ._tasks import Progress, Result, Setting, Settings, Watch, span, take_json, values
from .measuring import Measurement, PlayerLike, measurement, players_of
from .rules import RulesLike


@dataclass(frozen=True)
class Comparison(Result):
    """Players and the ratios of their means. Player k is at [k].

    measurements  of each
    rank          0: the best
    reference     the number of the player that ratios refer to: of two the first, of more the best
    ratio         mean / mean of the reference; NaN: not known
    low, high     95 % interval of the ratio
    details       all that `tetralab compare --json` says
    """

    names: list[str]
    measurements: list[Measurement]
    rank: npt.NDArray[np.int64]
    reference: int
    ratio: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    details: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def _rows(self) -> Any:
        return [
            {
                **{
                    key: value
                    for key, value in measured.to_dict().items()
                    if key not in ("rules", "interval")
                },
                "mean_low": measured.interval[0],
                "mean_high": measured.interval[1],
                "rank": int(self.rank[k]),
                "ratio": self.ratio[k],
                "ratio_low": self.low[k],
                "ratio_high": self.high[k],
            }
            for k, measured in enumerate(self.measurements)
        ]

    def __str__(self) -> str:
        wide = max(len(name) for name in self.names)
        lines = []
        for k in np.argsort(self.rank, kind="stable"):
            of = (
                ""
                if k == self.reference
                else f"  {self.ratio[k]:.4g} times ({span(self.low[k], self.high[k])})"
            )
            lines.append(f"{self.names[k]:{wide}}  {self.measurements[k].mean:.6g} lines{of}")
        return "\n".join(lines)

    __repr__ = __str__


@dataclass(frozen=True)
class Verdict(Result):
    """What a sequential test decided.

    decision        "h0": b makes r0 times as many lines as a; "h1": r1 times; "undecided"
    test            "exponential", or "sign": the scores are not near exponential
    ratio           mean of b / mean of a, as the pairs show it; stopping early bends it
    interval        95 % of the ratio
    wins            share of the pairs that b won, ties half
    sum             of the log likelihood ratios; decided at the bounds lower and upper
    """

    names: list[str]
    decision: str
    test: str
    ratio: float
    interval: tuple[float, float]
    mean_a: float
    mean_b: float
    wins: float
    sum: float
    lower: float
    upper: float
    pairs: int
    pieces: int
    seconds: float
    interrupted: bool
    details: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __str__(self) -> str:
        return (
            f"{self.names[1]} makes {self.ratio:.4g} times as many lines as {self.names[0]} "
            f"({span(*self.interval)}): {self.decision} after {self.pairs} pairs of games"
        )

    __repr__ = __str__


def compare(
    strategies: Sequence[PlayerLike],
    rules: RulesLike = None,
    *,
    sprt: str | tuple[float, float] | None = None,
    progress: Progress = None,
    **settings: Setting,
) -> Comparison | Verdict:
    """Measures players and divides their means; with `sprt` plays pairs of games until it is known whether the second
    player makes r0 or r1 times as many lines as the first. The same as `tetralab compare`.

    strategies  two or more
    sprt        (r0, r1), such as (1, 1.1), for two players: the result is a Verdict
    settings    `tetralab.settings("compare")` lists them

    >>> compare(["dellacherie", "bcts"], "10x6", precision=0.2)
    bcts         82.668 lines  1.062 times (0.889917 .. 1.26682)
    dellacherie  77.8583 lines
    >>> compare(["dellacherie", "bcts"], "10x6", sprt=(1, 1.5)).decision
    'h0'
    """
    players, handles = players_of(strategies, rules)
    names, text = [player.strategy.name for player in players], ctypes.c_void_p()
    watch = Watch(progress, "compare")
    result: Comparison | Verdict
    if sprt is not None:
        if len(players) != 2:
            raise TetralabError(
                f"A sequential test is between two players, not {len(players)}: leave out sprt."
            )
        verdict = struct("verdict")()
        with watch, Settings("compare", {**settings, "sprt": sprt}) as given:
            lib.test(*handles, given, ctypes.byref(verdict), ctypes.byref(text), watch.function, None)
        result = Verdict(names, **values(verdict), details=take_json(text.value))
    else:
        made = (struct("comparison") * len(players))()
        with watch, Settings("compare", settings) as given:
            lib.compare(handles, len(players), given, made, ctypes.byref(text), watch.function, None)
        result = Comparison(
            names=names,
            measurements=[measurement(player, one.measurement, {}) for player, one in zip(players, made)],
            rank=np.array([one.rank for one in made]),
            reference=made[0].reference,
            ratio=np.array([one.ratio for one in made]),
            low=np.array([one.interval.low for one in made]),
            high=np.array([one.interval.high for one in made]),
            details=take_json(text.value),
        )
    watch.check(result)
    return result
