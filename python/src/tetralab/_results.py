# SPDX-License-Identifier: GPL-3.0-or-later
"""Results: the JSON object of a task, or arrays of the library, with attributes."""

from __future__ import annotations

import ctypes
import functools
import importlib
import json
import math
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Sequence, TypeVar

import numpy as np

from ._library import lib, struct, text
from .strategy import Strategy


class Member(NamedTuple):
    """What the library says of a member of a result."""

    name: str
    unit: str | None
    meaning: str
    first: bool
    infinite: bool


@functools.lru_cache(maxsize=None)
def members(task: str) -> dict[str, Member]:
    found: dict[str, Member] = {}
    one = struct("member")()
    while lib.result_describe(task.encode(), len(found), ctypes.byref(one)):
        unit = None if one.unit is None else text(one.unit)
        found[text(one.name)] = Member(text(one.name), unit, text(one.meaning), one.first, one.infinite)
    return found


Function = TypeVar("Function", bound=Callable[..., Any])


def returns(task: str) -> Callable[[Function], Function]:
    """Adds to the docstring what the result of a task has."""

    def describe(function: Function) -> Function:
        lines = [f"    {one.name}: {one.meaning}" for one in members(task).values()]
        function.__doc__ = "\n".join([function.__doc__ or "", f"    Result of {task}:", *lines])
        return function

    return describe


def plain(value: Any) -> Any:
    """Numbers, texts, lists and dicts instead of numpy arrays and objects."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, Rows)):
        return [plain(one) for one in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


def span(low: float, high: float) -> str:
    """An interval as people read it."""
    return f"{low:.6g} .. {high:.6g}"


def _shown(name: str, value: Any) -> str:
    """A member in a line for people; "": it says nothing."""
    if value is None or isinstance(value, str) and not value:
        return ""
    if isinstance(value, Rows):
        return "".join(f"\n  {row}" for row in value)
    if isinstance(value, Result):
        return f"{name} ({value})"
    if isinstance(value, tuple):
        return f"{name} {span(*value)}"
    if isinstance(value, float):
        return f"{name} {value:.6g}"
    return f"{name} {value if isinstance(value, str) else repr(value)}"


class Result:
    """What a long call found. Its members are attributes: numbers, texts, pairs for intervals, numpy arrays for lists,
    results for what has members itself. A number that is not known is NaN.

    >>> import tetralab
    >>> result = tetralab.measure("bcts", "10x6", precision=0.3)
    >>> result.method, round(result.mean_lines), result.scores[:3]
    ('games', 85, array([ 62, 291,   2]))
    """

    def __init__(self, values: Mapping[str, Any], first: Sequence[str], frame: Any = None):
        vars(self).update(values)
        self._first = tuple(first)
        self._frame = frame

    def __getattr__(self, name: str) -> Any:  # what there is has been found before
        there = ", ".join(known for known in vars(self) if known[0] != "_")
        raise AttributeError(f"This result has no {name!r}; it has {there}.")

    def to_dict(self) -> dict[str, Any]:
        """The members as numbers, texts, lists and dicts, as the module json writes them. A mean may be infinite, and
        what is not known NaN: json writes Infinity and NaN, which other readers of JSON may refuse.

        >>> import tetralab
        >>> tetralab.solve("4x4").to_dict()["states"]
        5588
        """
        return {name: plain(value) for name, value in vars(self).items() if name[0] != "_"}

    def to_frame(self) -> Any:
        """A pandas DataFrame; needs pandas. It has a row for each game, player, vector or generation, or one.

        >>> import tetralab
        >>> tetralab.play("bcts", "10x6", games=3).to_frame().shape  # doctest: +SKIP
        (3, 3)
        """
        try:
            pandas = importlib.import_module("pandas")
        except ImportError:
            raise ImportError("to_frame() needs pandas: pip install pandas") from None
        return pandas.DataFrame(self._rows() if self._frame is None else self._frame)

    def _rows(self) -> list[dict[str, Any]]:
        for value in vars(self).values():
            if isinstance(value, Rows):
                return [row._flat() for row in value]
        return [self._flat()]

    def _flat(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in vars(self).items():
            if isinstance(value, tuple) and name[0] != "_":
                found[f"{name}_low"], found[f"{name}_high"] = value
            elif name[0] != "_" and not isinstance(value, (np.ndarray, Result, Rows)):
                found[name] = value
        return found

    def __str__(self) -> str:
        shown = [_shown(name, vars(self)[name]) for name in self._first if name in vars(self)]
        lines = [one for one in shown if one[:1] == "\n"]
        return ", ".join(one for one in shown if one and one not in lines) + "".join(lines)

    __repr__ = __str__


class Rows(Sequence[Result]):
    """Results of the same kind, such as those of the players of a match. Their members are arrays, too.

    >>> import tetralab
    >>> players = tetralab.versus(["dellacherie", "bcts"], "10x10", games=20).players
    >>> players[1].wins, players.wins
    (15, array([ 5, 15]))
    """

    def __init__(self, rows: Sequence[Result]):
        self._list = list(rows)

    def __len__(self) -> int:
        return len(self._list)

    def __getitem__(self, index: Any) -> Any:
        return self._list[index]

    def __iter__(self) -> Iterator[Result]:
        return iter(self._list)

    def __getattr__(self, name: str) -> Any:
        if name[0] == "_":
            raise AttributeError(name)
        return np.array([getattr(row, name) for row in self._list])

    def __repr__(self) -> str:
        return "\n".join(map(str, self._list))


def _value(task: str, path: str, value: Any) -> Any:
    member = members(task).get(path)
    unknown = math.inf if member and member.infinite else math.nan
    if isinstance(value, dict):
        return Strategy(value) if path.endswith("strategy") else make_result(task, value, path + ".")
    if path.endswith("ci95"):
        low, high = value or (None, None)
        return (math.nan, math.nan) if low is None else (low, unknown if high is None else high)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return Rows([make_result(task, one, path + ".") for one in value])
    if isinstance(value, list) and not (value and isinstance(value[0], str)):
        return np.array([math.nan if one is None else one for one in value])
    return unknown if value is None and member and member.unit is not None else value


def make_result(task: str, made: Mapping[str, Any], prefix: str = "") -> Result:
    """A result from the JSON object of a task, or from the part of it that begins with the prefix."""
    first = [name[len(prefix) :] for name, one in members(task).items() if one.first and name.startswith(prefix)]
    return Result({name: _value(task, prefix + name, value) for name, value in made.items()}, first)


def take_result(task: str, address: int) -> Result:
    """The result of a task from its JSON text, which is released."""
    try:
        return make_result(task, json.loads(ctypes.string_at(address)))
    finally:
        lib.free(address)
