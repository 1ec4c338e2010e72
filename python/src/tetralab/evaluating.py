# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores of weight vectors, for optimisers."""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any

import numpy as np
import numpy.typing as npt

from ._calls import Progress, Setting, Settings, Watch
from ._library import TetralabError, lib, names, struct, whole_numbers
from ._results import Result
from .rules import Rules, RulesLike
from .strategy import Strategy, StrategyLike

_EVALUATION = np.dtype(struct("evaluation"))
_SAMPLING = np.dtype(struct("sampling"))


class Evaluator:
    """Scores weight vectors, again and again: what `tetralab evaluate` is for other programs. Its threads wait between
    calls. The score is to be made large; optimisers that minimise take its negative.

    settings  `tetralab.settings("evaluate")` lists them: features="dellacherie", objective="games", games=10, seed=1,
              ...

    >>> evaluator = Evaluator("10x8", features="dellacherie", games=20)
    >>> evaluator
    Evaluator(Rules('10x8'), features='dellacherie', games=20)
    >>> evaluator.labels
    ['landing-height', 'eroded-cells', 'row-transitions', 'column-transitions', 'holes', 'cumulative-wells']
    >>> evaluator([[-1, 1, -1, -1, -4, -1], [-1, 1, -1, -1, -2, -1]]).mean.round(1)
    array([460., 232.])
    """

    def __init__(self, rules: RulesLike = None, **settings: Setting):
        self.rules = Rules.of(rules)
        self._settings = settings
        self._open()

    def _open(self) -> None:
        with Settings("evaluate", self._settings) as given:
            self._handle: int = lib.evaluator_new(self.rules._handle, given)
        weakref.finalize(self, _free, self._handle, os.getpid())
        self._process = os.getpid()

    def _own(self) -> int:
        """The handle; a new one in a process that was forked, where there are no threads behind the old one."""
        if self._process != os.getpid():
            self._open()
        return self._handle

    @property
    def labels(self) -> list[str]:
        """What the numbers of a vector are for.

        >>> Evaluator("4x6", features="column-heights").labels
        ['column-heights[1]', 'column-heights[2]', 'column-heights[3]', 'column-heights[4]']
        """
        handle = self._own()
        return names(lambda index: lib.evaluator_label(handle, index))

    @property
    def size(self) -> int:
        """How many numbers a vector has.

        >>> Evaluator(features="dellacherie").size
        6
        """
        return int(lib.evaluator_size(self._own()))

    def strategy(self, vector: npt.ArrayLike, name: str = "vector") -> Strategy:
        """A vector as a strategy.

        >>> Evaluator(features="dellacherie").strategy([-1, 1, -1, -1, -4, -1], name="mine")
        <Strategy mine: greedy, 6 weights>
        """
        given = self._vectors(vector)
        if len(given) != 1:
            raise TetralabError(f"One vector is wanted here, not {len(given)}.")
        return Strategy._from_handle(lib.evaluator_strategy(self._own(), given.ctypes.data, name.encode()))

    def vector(self, strategy: StrategyLike) -> npt.NDArray[np.float64]:
        """The weights of a strategy as a vector.

        >>> Evaluator(features="dellacherie").vector("dellacherie")
        array([-1.,  1., -1., -1., -4., -1.])
        """
        found, given = np.empty(self.size), Strategy.of(strategy)
        lib.evaluator_vector(self._own(), given._handle, found.ctypes.data)
        return found

    def _vectors(self, given: npt.ArrayLike) -> npt.NDArray[np.float64]:
        vectors = np.ascontiguousarray(np.atleast_2d(np.asarray(given, np.float64)))
        if vectors.ndim != 2 or vectors.shape[1] != self.size:
            raise TetralabError(
                f"A vector has {self.size} numbers here ({', '.join(self.labels)}); "
                f"the array given has the shape {np.shape(given)}."
            )
        return vectors

    def __call__(
        self,
        vectors: npt.ArrayLike,
        *,
        seed: npt.ArrayLike | None = None,
        first: npt.ArrayLike = 0,
        games: npt.ArrayLike | None = None,
        progress: Progress = False,
    ) -> Result:
        """Scores vectors, one or a matrix with one in each row.

        seed, first, games  the samples: games (or repetitions) number first ... first + games - 1 of a seed, the same
                            pieces whoever plays; one number, or one for each vector. Left out: as the evaluator's
                            settings say.
        progress            a function must not call the same evaluator: it would wait for itself

        The result has for each vector, and that of vector k is at [k]:

        score    to be made large: mean lines, or ln(mean lines) by splitting; NaN: it was stopped before
        error    standard error of the score; NaN: there is only one sample
        mean     mean lines that the score stands for
        pieces   played for it
        seconds  of work for it, on whichever threads
        samples  the values behind the score, a row: lines of games, or losses per line of repetitions

        >>> evaluator = Evaluator("10x8", features="dellacherie", games=20)
        >>> bool(evaluator([-1, 1, -1, -1, -4, -1]).score == evaluator([-1, 1, -1, -1, -4, -1], first=0).score)
        True
        """
        given = self._vectors(vectors)
        count = len(given)
        samplings = np.zeros(count, _SAMPLING)
        preset = struct("sampling")()
        lib.evaluator_sampling(self._own(), ctypes.byref(preset))
        samplings["seed"] = preset.seed if seed is None else whole_numbers("seed", seed)
        samplings["first"] = whole_numbers("first", first)
        samplings["games"] = preset.games if games is None else whole_numbers("games", games)
        found = np.zeros(count, _EVALUATION)
        samples = np.full(int(samplings["games"].sum()), np.nan)
        watch = Watch(progress, "evaluate")
        with watch:
            lib.evaluate(
                self._own(),
                given.ctypes.data,
                count,
                samplings.ctypes.data,
                found.ctypes.data,
                samples.ctypes.data,
                watch.function,
                None,
            )
        same = count and (samplings["games"] == samplings["games"][0]).all()
        columns = {name: found[name].copy() for name in found.dtype.names or ()}
        result = Result(
            {**columns, "samples": samples.reshape(count, -1) if same else samples}, list(columns), columns
        )
        watch.check(result)
        return result

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.rules, self._settings)

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self._settings.items())
        return f"Evaluator({self.rules!r}{given})"


def _again(rules: Rules, settings: dict[str, Any]) -> Evaluator:
    return Evaluator(rules, **settings)


def _free(handle: int, process: int) -> None:
    if process == os.getpid():  # a forked process has no threads to end
        lib.evaluator_free(handle)


def evaluate(
    vectors: npt.ArrayLike, rules: RulesLike = None, *, progress: Progress = None, **settings: Setting
) -> Result:
    """Scores weight vectors, one or a matrix with one in each row, for an optimiser that makes scores large. Who
    does this again and again makes an `Evaluator` once.

    settings  `tetralab.settings("evaluate")` lists them

    >>> import numpy as np
    >>> vectors = np.array([[-1, 1, -1, -1, -4, -1], [-1, 1, -1, -1, -1, -1]])
    >>> evaluate(vectors, "10x8", features="dellacherie", objective="games", games=20).mean
    array([457.9 , 132.85])
    """
    return Evaluator(rules, **settings)(vectors, progress=progress)
