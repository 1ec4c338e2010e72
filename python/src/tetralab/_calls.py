# SPDX-License-Identifier: GPL-3.0-or-later
"""What long calls have in common: settings by name, progress, Ctrl-C."""

from __future__ import annotations

import ctypes
import importlib
import os
import signal
import sys
import threading
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence, Union

import numpy as np

from ._library import TetralabError, callback, lib, struct, text


@dataclass(frozen=True)
class Advance:
    """How far a long call has come; what a function given as `progress` gets.

    unit       what is counted: "games", "repetitions", "pieces", "pairs", "matches", "vectors", ...
    done       so many of them
    wanted     of so many, which may be a guess; 0: not known
    pieces     played so far
    value      what would come out now; NaN: not known
    precision  of a mean, as a fraction; NaN or infinite: not known
    seconds    since the call began
    subject    compare: the number of the player that is being measured
    """

    unit: str
    done: int
    wanted: int
    pieces: int
    value: float
    precision: float
    seconds: float
    subject: int = 0


#: None: a bar by tqdm, if that is installed, on a terminal or in a notebook. True: a bar, False: none. A function:
#: is called about twenty times a second; if it returns False the call stops and returns what it knows.
Progress = Union[None, bool, Callable[[Advance], Any]]
#: The value of a setting: as on the command line, or as Python has it.
Setting = Union[str, int, float, bool, Sequence[str], Sequence[float], "os.PathLike[str]", None]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a long call. `result` is what was known by then, None if that is nothing.

    >>> import tetralab
    >>> issubclass(tetralab.Interrupted, KeyboardInterrupt)
    True
    """

    __module__ = "tetralab"

    def __init__(self, result: Any = None):
        super().__init__(
            "interrupted" if result is None else "interrupted; .result has what was known by then"
        )
        self.result = result


class Settings:
    """Settings of a task for the library; a context manager around the handle."""

    def __init__(self, task: str, given: Mapping[str, Any]):
        self.handle = lib.settings_new(task.encode())
        try:
            for name, value in given.items():
                if value is not None:
                    lib.settings_set(self.handle, name.encode(), _setting(name, value).encode())
        except BaseException:
            lib.settings_free(self.handle)
            raise

    def __enter__(self) -> int:
        return int(self.handle)

    def __exit__(self, *_: Any) -> None:
        lib.settings_free(self.handle)


def _setting(name: str, value: Any) -> str:
    """A setting as the library takes it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if name == "precision" and not isinstance(value, str):
        if not 0 < value < 1:
            raise TetralabError(f'precision: {value} is no fraction between 0 and 1; give 0.05, or "5%".')
        return f"{100 * float(value):.12g}%"
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return ",".join(_setting("", one) for one in value)
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def settings(task: str) -> dict[str, str]:
    """The settings of a task with what they mean: they are the keyword arguments of the function of this name,
    and the options of this command of the program. "-" in a name is written "_". Values are as on the command
    line, or as Python has them: numbers, True and False, lists; a precision is a fraction, 0.05, or "5%".

    task  "measure", "compare", "test" (compare with sprt), "versus", "evaluate", "learn" or "solve"

    >>> settings("measure")["precision"]
    'Measure until the 95 % interval is within P % of the mean on both sides (default 5%).'
    """
    found: dict[str, str] = {}
    one = struct("setting")()
    handle = lib.settings_new(task.encode())
    try:
        while lib.settings_describe(handle, len(found), ctypes.byref(one)):
            preset = f" (default {text(one.preset)})." if one.preset else "."
            found[text(one.name)] = text(one.help).rstrip(".") + preset
    finally:
        lib.settings_free(handle)
    return found


# ---- progress and Ctrl-C


def _in_front_of_a_person() -> bool:
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)


class _Bar:
    """A bar by tqdm; does nothing without it."""

    def __init__(self, title: str):
        try:
            tqdm: Any = importlib.import_module("tqdm.auto").tqdm
        except ImportError:
            tqdm = None
        # On a terminal a short call shows no bar at all.
        self.bar: Any = tqdm(desc=title, delay=0.5, leave=False, unit="") if tqdm else None

    def show(self, advance: Advance) -> None:
        if self.bar is None:
            return
        self.bar.unit = f" {advance.unit}"
        self.bar.total = max(advance.wanted, advance.done) or None
        if advance.value == advance.value:
            near = f" ±{100 * advance.precision:.1f} %" if 0 < advance.precision < 10 else ""
            self.bar.set_postfix_str(f"{advance.value:.6g}{near}", refresh=False)
        self.bar.update(advance.done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


class Watch:
    """Watches a long call: shows progress, notices Ctrl-C and exceptions in functions of the user.

    with Watch(progress, "measure") as watch:
        lib.run(b"measure", ..., watch.function, None, error)
    result = ...
    watch.check(result)       # raises what happened meanwhile
    """

    def __init__(self, progress: Progress, title: str, news: Callable[[bytes], Any] | None = None):
        self.news = news
        if progress is None:
            progress = _in_front_of_a_person()
        self.user = progress if callable(progress) else None
        self.bar = _Bar(title) if progress is True else None
        self.interrupted = False
        self.stopped = False
        self.problem: BaseException | None = None
        self.function = callback("watch")(self._watched)
        self._before: Any = None

    def _watched(self, _context: Any, pointer: Any) -> bool:
        made = pointer.contents
        if made.news and self.news:
            self.guard(lambda: self.news(made.news) if self.news else None)
        return self.see(
            Advance(
                text(made.unit),
                made.done,
                made.wanted,
                made.pieces,
                made.value,
                made.precision,
                made.seconds,
                made.subject,
            )
        )

    def see(self, advance: Advance) -> bool:
        """<- False: stop."""
        return self.guard(lambda: self._show(advance))

    def _show(self, advance: Advance) -> Any:
        if self.bar:
            self.bar.show(advance)
        return self.user(advance) if self.user else None

    def guard(self, call: Callable[[], Any]) -> bool:
        """Calls a function of the user. <- False: stop, since it said so, failed, or Ctrl-C was pressed."""
        try:
            if not (self.interrupted or self.stopped or self.problem) and call() is False:
                self.stopped = True
        except KeyboardInterrupt:
            self.interrupted = True
        except BaseException as problem:  # noqa: B902: everything is raised again after the call
            self.problem = problem
        return not (self.interrupted or self.stopped or self.problem)

    def __enter__(self) -> Watch:
        # Python's own handler would raise in the midst of a callback. Another one is the user's and stays.
        if threading.current_thread() is threading.main_thread():
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                self._before = signal.signal(signal.SIGINT, self._pressed)
        return self

    def _pressed(self, *_: Any) -> None:
        self.interrupted = True

    def __exit__(self, kind: Any, problem: Any, _trace: Any) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self.bar:
            self.bar.close()
        if kind is not None and issubclass(kind, TetralabError):  # perhaps since it was stopped
            self.check(None)

    def check(self, result: Any) -> None:
        """Raises what happened during the call."""
        if self.problem:
            raise self.problem
        if self.interrupted:
            raise Interrupted(result)
