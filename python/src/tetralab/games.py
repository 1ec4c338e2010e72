# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole games, and what their scores say."""

from __future__ import annotations

import ctypes
import threading
import time
from typing import Any

import numpy as np

from ._calls import Advance, Progress, Watch
from ._library import TetralabError, callback, constant, lib, struct, whole
from ._results import Result
from .player import Player
from .rules import Rules, RulesLike
from .strategy import StrategyLike

_SCORE = np.dtype(struct("score"))


def play(
    strategy: StrategyLike | Player,
    rules: RulesLike = None,
    *,
    games: int = 100,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
) -> Result:
    """Plays whole games, numbers 0, 1, ... of a seed. The same numbers are the same games whoever plays them, on any
    number of threads (0: one for each core), and the same as `tetralab play` plays. The result has

    lines, pieces  arrays: of each game; ended: lost, or else stopped before that, by max_pieces or by hand
    mean_lines     all lines / lost games; infinite if no game was lost
    ci95           its 95 % interval, for exponential scores, which good players have
    ci95_rule      mean (1 ± 2 / sqrt(games)), as in the papers
    ci95_normal    from the spread of the scores; right for any scores, given enough games
    sd_lines, median_lines   of the scores; median_is_bound: too few games were lost, the true median is larger

    >>> result = play("bcts", "10x8", games=50)
    >>> result
    strategy bcts, board 10x8, mean_lines 745.08, ci95 575.08 .. 1003.85, median_lines 541.5
    >>> result.lines[:5]
    array([ 506,  212, 1020,   41,  308], dtype=uint64)
    >>> result.to_dict()["mean_lines"]
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


def summarise(player: Player, seed: int, scores: Any, seconds: float) -> Result:
    """Mean, interval and the rest of scores."""
    summary = struct("summary")()
    lib.summarise(np.ascontiguousarray(scores).ctypes.data, len(scores), ctypes.byref(summary))
    games = {name: scores[name].copy() for name in ("lines", "pieces", "ended")}

    def interval(name: str) -> tuple[float, float]:
        found = getattr(summary, name)
        return found.low, found.high

    values = {
        "strategy": player.strategy.name,
        **{name.replace("-", "_"): value for name, value in player.rules.to_dict().items() if name != "pieces"},
        "piece_source": player.rules["pieces"],
        "seed": seed,
        **games,
        "mean_lines": summary.mean,
        "ci95": interval("exact"),
        "ci95_rule": interval("rule"),
        "ci95_normal": interval("normal"),
        "sd_lines": summary.sd,
        "median_lines": summary.median,
        "median_is_bound": summary.median_is_bound,
        "seconds": seconds,
    }
    return Result(values, ("strategy", "board", "mean_lines", "ci95", "median_lines"), games)


def pieces(count: int, rules: RulesLike = None, *, seed: int = 1, game: int = 0) -> str:
    """The first pieces of a game of a seed, as letters: those that `play` plays it with.

    >>> pieces(12)
    'OTTIZOIOOOJT'
    """
    rules, letters = Rules.of(rules), ctypes.create_string_buffer(whole("count", count, 2**40) + 1)
    lib.pieces(rules._handle, whole("seed", seed), whole("game", game), count, letters)
    return letters.value.decode()
