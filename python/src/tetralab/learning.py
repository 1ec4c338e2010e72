# SPDX-License-Identifier: GPL-3.0-or-later
"""Learning players."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Callable

import numpy as np
import numpy.typing as npt

from ._calls import Progress, Setting, Settings, Watch
from ._library import callback, lib, names, struct, text
from ._results import Result, Rows
from .rules import Rules, RulesLike
from .strategy import Strategy


def _generation(made: Any) -> Result:
    def vector(address: int | None) -> npt.NDArray[np.float64]:
        if not address:
            return np.full(made.size, np.nan)
        pointer = ctypes.cast(address, ctypes.POINTER(ctypes.c_double))
        return np.ctypeslib.as_array(pointer, (made.size,)).copy()

    values = {name: getattr(made, name) for name, _ in made._fields_ if name != "size"}
    for name in ("answer", "best_vector", "deviation"):
        values[name] = vector(values[name])
    return Result({**values, "stopped": text(made.stopped)}, ("run", "generation", "best", "mean", "curve"))


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

    The result has what `tetralab learn --json` says, and

    strategy      the player; with several runs the mean of their answers; strategies: the answers of the runs
    labels        what the numbers of a vector are for
    vector        of the player; vectors: of the runs, one row each. With scale="spread" not its weights, but these times
                  the spread of their features
    generations   all of this call, in the order in which they were complete

    A generation has run (from 0), generation (1, 2, ...), evaluations, pieces and seconds so far; best, mean and worst
    score of its candidates, lower and upper quartile; curve, the score of the answer that it began with on samples of its
    own (NaN: none was made); sigma, how far the method still looks around; answer, the player so far as a vector;
    best_vector and deviation, the best candidate and the spread of the search; stopped, a sentence at the run's end.

    >>> learned = learn("10x8", features="dellacherie", generations=3, seed=1)
    >>> learned.strategy
    <Strategy learned-cmaes-dellacherie-10x8-seed1: greedy, 6 weights>
    >>> len(learned.generations), learned.vector.shape
    (3, (6,))
    """
    rules = Rules.of(rules)
    watch = Watch(progress, "learn")

    def completed(_context: Any, pointer: Any) -> bool:
        return watch.guard(lambda: each(_generation(pointer.contents)) if each else None)

    function = callback("each_generation")(completed)
    with watch, Settings("learn", settings) as given:
        handle = lib.learn(rules._handle, given, function, watch.function, None)
    try:
        result = _learned(handle)
    finally:
        lib.learned_free(handle)
    watch.check(result)
    return result


def _learned(handle: int) -> Result:
    size, runs = lib.learned_size(handle), range(lib.learned_runs(handle))
    generations: list[Result] = []
    made = struct("generation")()
    while lib.learned_generation(handle, len(generations), ctypes.byref(made)):
        generations.append(_generation(made))

    def vector(run: int) -> npt.NDArray[np.float64]:
        pointer = ctypes.cast(lib.learned_vector(handle, run), ctypes.POINTER(ctypes.c_double))
        return np.ctypeslib.as_array(pointer, (size,)).copy()

    labels = names(lambda index: lib.learned_label(handle, index))
    values = {
        **json.loads(ctypes.string_at(told := lib.learned_json(handle))),
        "strategy": Strategy._from_handle(lib.learned_strategy(handle, -1)),
        "strategies": [Strategy._from_handle(lib.learned_strategy(handle, run)) for run in runs],
        "labels": labels,
        "vector": vector(-1),
        "vectors": np.array([vector(run) for run in runs]),
        "generations": Rows(generations),
    }
    lib.free(told)
    frame = [{**one._flat(), **dict(zip(labels, one.answer))} for one in generations]
    return Result(values, ("strategy", "method", "objective", "seed"), frame)
