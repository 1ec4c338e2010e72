# SPDX-License-Identifier: GPL-3.0-or-later
"""Measuring, comparing, matches, optima: what the commands of the program answer."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Callable, Sequence, Union

from ._calls import Progress, Setting, Settings, Watch
from ._library import TetralabError, lib
from ._results import Result, Rows, make_result, returns, take_result
from .player import Player
from .rules import Rules, RulesLike
from .strategy import StrategyLike

PlayerLike = Union[Player, StrategyLike]


def _run(
    task: str,
    strategies: Sequence[PlayerLike],
    rules: RulesLike,
    progress: Progress,
    settings: dict[str, Any],
    news: Callable[[bytes], Any] | None = None,
    complete: Callable[[Result], None] | None = None,
) -> Result:
    players = [Player.of(one, rules) for one in strategies]
    handles = (ctypes.c_void_p * len(players))(*(player._handle for player in players))
    own = None if players else Rules.of(rules)
    watch = Watch(progress, " ".join([task, *(player.strategy.name for player in players[:2])]), news)
    with watch, Settings(task, settings) as given:
        text = lib.run(
            task.encode(), own and own._handle, handles, len(players), given, watch.function, None
        )
    result = take_result(task, text)
    if complete:
        complete(result)
    watch.check(result)
    return result


@returns("measure")
def measure(
    strategy: PlayerLike, rules: RulesLike = None, *, progress: Progress = None, **settings: Setting
) -> Result:
    """The mean lines of a player, however strong, to a precision: by whole games, or by splitting where games are too
    long to be played out. The same as `tetralab measure`.

    settings  `tetralab.settings("measure")` lists them: precision=0.05, seed=1, method="games", jobs=2, ...

    >>> measure("bcts", "10x6", precision=0.2)
    strategy bcts, board 10x6, method games, mean_lines 77.4331, ci95 65.5517 .. 92.8838, precision 0.199537
    """
    return _run("measure", [strategy], rules, progress, settings)


def _several(strategies: Sequence[PlayerLike]) -> Sequence[PlayerLike]:
    if isinstance(strategies, (str, Player)) or len(strategies) < 2:
        raise TetralabError("Give a list of two players at least.")
    return strategies


@returns("test")
@returns("compare")
def compare(
    strategies: Sequence[PlayerLike],
    rules: RulesLike = None,
    *,
    sprt: str | tuple[float, float] | None = None,
    progress: Progress = None,
    **settings: Setting,
) -> Result:
    """Measures players and divides their means; with `sprt` plays pairs of games until it is known whether the second
    player makes r0 or r1 times as many lines as the first. The same as `tetralab compare`.

    strategies  two or more
    sprt        (r0, r1), such as (1, 1.1), for two players: the result is that of the task test
    settings    `tetralab.settings("compare")` lists them; with `sprt`, `tetralab.settings("test")`

    >>> compare(["dellacherie", "bcts"], "10x6", precision=0.2)
    strategy bcts, reference dellacherie, ratio 1.06178, ci95 0.889917 .. 1.26682, decision undecided, board 10x6
      strategy dellacherie, mean_lines 77.8583, ratio 1, ci95 1 .. 1, decision reference
      strategy bcts, mean_lines 82.668, ratio 1.06178, ci95 0.889917 .. 1.26682, decision undecided
    >>> compare(["dellacherie", "bcts"], "10x6", sprt=(1, 1.5)).decision
    'h0'
    """
    task = "compare" if sprt is None else "test"
    given = settings if sprt is None else {**settings, "sprt": sprt}
    return _run(task, _several(strategies), rules, progress, given)


@returns("versus")
def versus(
    strategies: Sequence[PlayerLike],
    rules: RulesLike = None,
    *,
    progress: Progress = None,
    **settings: Setting,
) -> Result:
    """Matches between players that send each other rows. The same as `tetralab versus`.

    settings  `tetralab.settings("versus")` lists them: games=100, seed=1, ...

    >>> versus(["dellacherie", "bcts"], "10x10", games=20).players.wins
    array([ 5, 15])
    """
    return _run("versus", _several(strategies), rules, progress, settings)


@returns("solve")
def solve(rules: RulesLike = None, *, progress: Progress = None, **settings: Setting) -> Result:
    """The best player of a small board (at most 30 cells), exactly. The same as `tetralab solve`.

    settings  `tetralab.settings("solve")` lists them; out="NAME" writes the player, NAME.json, with its table

    >>> solve("4x4")
    mean_lines 9.78766, error_bound 3.21545e-07, states 5588, board 4x4
    """
    return _run("solve", [], rules, progress, settings)


@returns("learn")
def learn(
    rules: RulesLike = None,
    *,
    each: Callable[[Result], Any] | None = None,
    progress: Progress = None,
    **settings: Setting,
) -> Result:
    """Learns a player, as `tetralab learn` does: the same settings give the same player.

    each      called with every generation when it is complete, in this thread; if it returns False the learning stops
    settings  `tetralab.settings("learn")` lists them: method="cmaes", features="du", objective="splitting",
              generations=20, time="60s" (the default), runs=3, seed=1, out="FOLDER", resume="FOLDER" ...

    >>> learned = learn("10x8", features="dellacherie", generations=3, seed=1)
    >>> learned.strategy
    <Strategy learned-cmaes-dellacherie-10x8-seed1: greedy, 6 weights>
    >>> len(learned.generations), learned.weights.shape
    (3, (6,))
    """
    generations: list[Result] = []

    def complete(result: Result) -> None:
        rows = [{**one._flat(), **dict(zip(result.labels, one.answer))} for one in generations]
        vars(result).update(generations=Rows(generations), _frame=rows)

    def news(text: bytes) -> Any:
        generations.append(make_result("learn", json.loads(text), "generations."))
        return each(generations[-1]) if each else None

    return _run("learn", [], rules, progress, settings, news, complete)
