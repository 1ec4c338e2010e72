# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole games, and what their scores say."""

from __future__ import annotations

import ctypes
import threading
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._library import TetralabError, callback, constant, lib, struct, whole
from ._tasks import Advance, Progress, Result, Watch, span, values
from .player import Player
from .rules import Rules, RulesLike
from .strategy import StrategyLike

_SCORE = np.dtype(struct("score"))


@dataclass(frozen=True)
class Games(Result):
    """Games that were played. Game k is at [k] of the arrays.

    lines, pieces  of each game
    ended          lost; False: stopped before that, by max_pieces or by hand
    mean           mean lines: all lines / lost games; infinite if no game was lost
    interval       95 % interval of the mean, for exponential scores, which good players have
    rule           95 %, mean (1 ± 2 / sqrt(games)), as in the papers
    normal         95 %, from the spread of the scores; right for any scores, given enough games
    sd, median     of the scores; median_is_bound: too few games were lost, the true median is larger
    """

    strategy: str
    rules: dict[str, str]
    seed: int
    lines: npt.NDArray[np.uint64]
    pieces: npt.NDArray[np.uint64]
    ended: npt.NDArray[np.bool_]
    mean: float
    interval: tuple[float, float]
    rule: tuple[float, float]
    normal: tuple[float, float]
    sd: float
    median: float
    median_is_bound: bool
    seconds: float

    def _rows(self) -> Any:
        return {"lines": self.lines, "pieces": self.pieces, "ended": self.ended}

    def __str__(self) -> str:
        more = "" if self.ended.all() else f", {int((~self.ended).sum())} of them not lost"
        return (
            f"{self.strategy} on {self.rules['board']}: {self.mean:.6g} lines ({span(*self.interval)}), "
            f"median {'> ' * self.median_is_bound}{self.median:g}; {len(self.lines)} games{more}"
        )

    __repr__ = __str__


def play(
    strategy: StrategyLike | Player,
    rules: RulesLike = None,
    *,
    games: int = 100,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
) -> Games:
    """Plays whole games, numbers 0, 1, ... of a seed. The same numbers are the same games whoever plays them, on any
    number of threads (0: one for each core), and the same as `tetralab play` plays.

    >>> result = play("bcts", "10x8", games=50)
    >>> result
    bcts on 10x8: 745.08 lines (575.08 .. 1003.85), median 541.5; 50 games
    >>> result.lines[:5]
    array([ 506,  212, 1020,   41,  308], dtype=uint64)
    >>> result.to_dict()["mean"]
    745.08
    """
    player = Player.of(strategy, rules)
    seed, threads = whole("seed", seed), whole("threads", threads, 2**31 - 1)
    if not 0 < games <= constant("MAX_GAMES"):
        raise TetralabError(f"{games} games cannot be played: give 1 to {constant('MAX_GAMES')}.")
    scores = np.zeros(games, _SCORE)
    played = ctypes.c_uint64()
    begin = time.perf_counter()
    watch = Watch(progress, f"play {player.strategy.name}")
    with watch:
        _in_a_thread(
            watch,
            lambda function: lib.play(
                player._handle, seed, games, threads, scores.ctypes.data, ctypes.byref(played), function, None
            ),
        )
    scores = scores[: played.value]
    result = summarise(player, seed, scores, time.perf_counter() - begin) if len(scores) else None
    watch.check(result)
    if result is None:
        raise TetralabError("It was stopped before a game was played.")
    return result


def _in_a_thread(watch: Watch, call: Any) -> None:
    """tetralab_play asks whichever of its threads has time whether to go on. So that progress and Ctrl-C are this
    thread's business, the call is made by another one, and this one waits."""
    status: list[Advance] = []
    problem: list[BaseException] = []
    begin = time.perf_counter()
    going_on = True

    def seen(_context: Any, pointer: Any) -> bool:
        made = pointer.contents
        value = made.lines / made.done if made.done else float("nan")
        seconds = time.perf_counter() - begin
        status[:] = [Advance("games", made.done, made.games, made.pieces, value, float("nan"), seconds)]
        return going_on

    function = callback("progress")(seen)

    def work() -> None:
        try:
            call(function)
        except BaseException as what:  # noqa: B902: raised again below
            problem.append(what)

    thread = threading.Thread(target=work, name="tetralab play")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.05)
            if status and thread.is_alive():
                going_on = watch.see(status[0])
    except BaseException:  # from a signal handler of the user, say
        going_on = False
        thread.join()
        raise
    if problem:
        raise problem[0]


def summarise(player: Player, seed: int, scores: Any, seconds: float) -> Games:
    """Mean, interval and the rest of scores."""
    summary = struct("summary")()
    lib.summarise(np.ascontiguousarray(scores).ctypes.data, len(scores), ctypes.byref(summary))
    made = values(summary)
    return Games(
        strategy=player.strategy.name,
        rules=player.rules.to_dict(),
        seed=seed,
        lines=scores["lines"].copy(),
        pieces=scores["pieces"].copy(),
        ended=scores["ended"].copy(),
        mean=made["mean"],
        interval=made["exact"],
        rule=made["rule"],
        normal=made["normal"],
        sd=made["sd"],
        median=made["median"],
        median_is_bound=made["median_is_bound"],
        seconds=seconds,
    )


def pieces(count: int, rules: RulesLike = None, *, seed: int = 1, game: int = 0) -> str:
    """The first pieces of a game of a seed, as letters: those that `play` plays it with.

    >>> pieces(12)
    'OTTIZOIOOOJT'
    """
    rules, letters = Rules.of(rules), ctypes.create_string_buffer(whole("count", count, 2**40) + 1)
    lib.pieces(rules._handle, whole("seed", seed), whole("game", game), count, letters)
    return letters.value.decode()
