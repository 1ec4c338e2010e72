# SPDX-License-Identifier: GPL-3.0-or-later
"""Learning players."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np
import numpy.typing as npt

from ._library import callback, lib, names, struct, text
from ._tasks import Progress, Result, Setting, Settings, Watch, take_json
from .rules import Rules, RulesLike
from .strategy import Strategy


@dataclass(frozen=True)
class Generation(Result):
    """One generation of one run.

    run          from 0
    generation   1, 2, ...
    evaluations  games or repetitions of this run so far
    pieces       so far
    seconds      since the learning began
    best, mean, worst, lower, upper  scores of this generation's candidates, and their quartiles
    curve        score of the answer that this generation began with, on samples of its own; NaN: none was made
    sigma        how far the method still looks around
    answer       the player so far, as a vector; best_vector, deviation: the best candidate, the spread of the search
    stopped      a sentence if the run is at its end, else ""
    """

    run: int
    generation: int
    evaluations: int
    pieces: int
    seconds: float
    best: float
    mean: float
    worst: float
    lower: float
    upper: float
    curve: float
    sigma: float
    answer: npt.NDArray[np.float64]
    best_vector: npt.NDArray[np.float64]
    deviation: npt.NDArray[np.float64]
    stopped: str


def _generation(made: Any) -> Generation:
    def vector(address: int | None) -> npt.NDArray[np.float64]:
        if not address:
            return np.full(made.size, np.nan)
        pointer = ctypes.cast(address, ctypes.POINTER(ctypes.c_double))
        return np.ctypeslib.as_array(pointer, (made.size,)).copy()

    fields = {name: getattr(made, name) for name, _ in made._fields_ if name != "size"}
    for name in ("answer", "best_vector", "deviation"):
        fields[name] = vector(fields[name])
    return Generation(**{**fields, "stopped": text(made.stopped)})


@dataclass(frozen=True)
class Learned(Result):
    """What was learned.

    strategy      the player; with several runs the mean of their answers
    strategies    the answers of the runs
    labels        what the numbers of a vector are for
    vector        of the player; vectors: of the runs, one row each. With scale="spread" not its weights, but these times
                  the spread of their features
    generations   all of this call, in the order in which they were complete
    details       all that `tetralab learn --json` says
    """

    strategy: Strategy
    strategies: list[Strategy]
    labels: list[str]
    vector: npt.NDArray[np.float64]
    vectors: npt.NDArray[np.float64]
    generations: list[Generation] = field(repr=False)
    interrupted: bool
    details: dict[str, Any] = field(repr=False, compare=False)

    def _rows(self) -> Any:
        vectors = ("answer", "best_vector", "deviation")
        return [
            {
                **{key: value for key, value in one._items() if key not in vectors},
                **dict(zip(self.labels, one.answer)),
            }
            for one in self.generations
        ]

    def __str__(self) -> str:
        last = self.generations[-1] if self.generations else None
        done = f" after generation {last.generation}, best score {last.best:.6g}" if last else ""
        return f"learned{done}: {self.strategy}"

    __repr__ = __str__


def learn(
    rules: RulesLike = None,
    *,
    each: Callable[[Generation], Any] | None = None,
    progress: Progress = None,
    **settings: Setting,
) -> Learned:
    """Learns a player, as `tetralab learn` does: the same settings give the same player.

    each      called with every generation when it is complete, in this thread; if it returns False the learning stops
    settings  `tetralab.settings("learn")` lists them: method="cmaes", features="du", objective="splitting",
              generations=20, time="60s" (the default), runs=3, seed=1, out="FOLDER", resume="FOLDER" ...

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


def _learned(handle: int) -> Learned:
    size, runs = lib.learned_size(handle), range(lib.learned_runs(handle))
    generations: list[Generation] = []
    made = struct("generation")()
    while lib.learned_generation(handle, len(generations), ctypes.byref(made)):
        generations.append(_generation(made))

    def vector(run: int) -> npt.NDArray[np.float64]:
        pointer = ctypes.cast(lib.learned_vector(handle, run), ctypes.POINTER(ctypes.c_double))
        return np.ctypeslib.as_array(pointer, (size,)).copy()

    return Learned(
        strategy=Strategy._from_handle(lib.learned_strategy(handle, -1)),
        strategies=[Strategy._from_handle(lib.learned_strategy(handle, run)) for run in runs],
        labels=names(lambda index: lib.learned_label(handle, index)),
        vector=vector(-1),
        vectors=np.array([vector(run) for run in runs]),
        generations=generations,
        interrupted=bool(lib.learned_interrupted(handle)),
        details=take_json(lib.learned_json(handle)),
    )
