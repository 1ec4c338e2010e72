# SPDX-License-Identifier: GPL-3.0-or-later
"""The optimum of small boards."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

from ._library import lib, struct
from ._tasks import Progress, Result, Setting, Settings, Watch, take_json, values
from .rules import Rules, RulesLike


@dataclass(frozen=True)
class Solution(Result):
    """The best player of a small board.

    mean         its mean lines; interrupted: only a lower bound
    bound        the optimum is at most so much more
    states       boards that can be reached
    values       values that are kept
    memory       bytes that were needed
    check_mean   with check_games: mean lines of so many games with the table, with a 95 % interval and the distance
                 from the optimum in standard errors
    """

    rules: dict[str, str]
    mean: float
    bound: float
    states: int
    values: int
    sweeps: int
    memory: int
    seconds: float
    interrupted: bool
    check_games: int
    check_mean: float
    check_interval: tuple[float, float]
    check_deviation: float
    details: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __str__(self) -> str:
        return (
            f"the best player on {self.rules['board']}: {self.mean:.10g} lines "
            f"(error at most {self.bound:.2g}); {self.states} boards"
        )

    __repr__ = __str__


def solve(rules: RulesLike = None, *, progress: Progress = None, **settings: Setting) -> Solution:
    """The best player of a small board (at most 30 cells), exactly. The same as `tetralab solve`.

    settings  `tetralab.settings("solve")` lists them; out="NAME" writes the player, NAME.json, with its table

    >>> solve("4x4")
    the best player on 4x4: 9.787658792 lines (error at most 3.2e-07); 5588 boards
    """
    rules = Rules.of(rules)
    made, text = struct("solution")(), ctypes.c_void_p()
    watch = Watch(progress, "solve")
    with watch, Settings("solve", settings) as given:
        lib.solve(rules._handle, given, ctypes.byref(made), ctypes.byref(text), watch.function, None)
    result = Solution(rules.to_dict(), **values(made), details=take_json(text.value))
    watch.check(result)
    return result
