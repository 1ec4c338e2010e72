# SPDX-License-Identifier: GPL-3.0-or-later
"""Strategies: what makes a player, as data."""

from __future__ import annotations

import ctypes
import json
import os
import weakref
from typing import Any, Mapping, Union

from ._library import lib, names, text

#: A weight: a number, or one for each column or pair of columns.
Weight = Union[float, "list[float]"]
#: What functions take as a strategy: an object, a built-in name or file, weights, or a whole description.
StrategyLike = Union["Strategy", str, "os.PathLike[str]", Mapping[str, Any]]

_DESCRIBING = ("weights", "hidden", "player")  # keys by which a description is told from weights


class Strategy:
    """A strategy: built-in by name, from a file (JSON, or .dat of mdptetris), from weights or from a description.

    >>> Strategy("bcts")
    <Strategy bcts: greedy, 8 weights>
    >>> mine = Strategy({"holes": -4, "landing-height": -1, "row-transitions": -1})
    >>> print(mine)
    strategy: greedy, ties first
                  holes  -4
         landing-height  -1
        row-transitions  -1
    >>> Strategy({"player": "expectimax", "depth": 2, "weights": mine.weights}, name="mine-ahead")
    <Strategy mine-ahead: expectimax, 3 weights>
    >>> Strategy({"hoels": -4})
    Traceback (most recent call last):
        ...
    tetralab.TetralabError: strategy:1:14: "hoels" is not a feature; did you mean "holes"?
    """

    __slots__ = ("_handle", "_description", "__weakref__")

    def __init__(self, given: StrategyLike, *, name: str | None = None):
        if isinstance(given, Strategy):
            given = given.to_dict()
        if not isinstance(given, Mapping):
            handle = lib.strategy_load(os.fsencode(given))
            if name is not None:
                given = _describe(handle)
                lib.strategy_free(handle)
        if isinstance(given, Mapping):
            handle = _parse(given, name)
        self._hold(handle)

    def _hold(self, handle: int) -> None:
        self._handle = handle
        weakref.finalize(self, lib.strategy_free, handle)
        self._description = _describe(handle)

    @classmethod
    def _from_handle(cls, handle: int) -> Strategy:
        """Takes over a handle of the library."""
        made = cls.__new__(cls)
        made._hold(handle)
        return made

    @classmethod
    def of(cls, given: StrategyLike) -> Strategy:
        """The strategy that is meant, whatever form it has.

        >>> bcts = Strategy("bcts")
        >>> Strategy.of(bcts) is bcts
        True
        """
        return given if isinstance(given, Strategy) else cls(given)

    @property
    def name(self) -> str:
        """Its name.

        >>> Strategy({"holes": -1}, name="mine").name
        'mine'
        """
        return text(lib.strategy_name(self._handle))

    @property
    def source(self) -> str:
        """Where it was published; "" if that is not said.

        >>> Strategy("dt-10").source
        'Scherrer et al., JMLR 16, 2015: DT-10'
        """
        return text(lib.strategy_source(self._handle))

    @property
    def weights(self) -> dict[str, Weight]:
        """The weights by feature; empty where a strategy has none, or has hidden units. A copy.

        >>> Strategy("dellacherie").weights["holes"]
        -4
        """
        copy: dict[str, Weight] = self.to_dict().get("weights", {})
        return copy

    def to_dict(self) -> dict[str, Any]:
        """The whole description, as in a strategy file.

        >>> Strategy("bcts").to_dict()["player"]
        'greedy'
        >>> Strategy(Strategy("bcts").to_dict()) == Strategy("bcts")
        True
        """
        copy: dict[str, Any] = json.loads(json.dumps(self._description))
        return copy

    def to_json(self) -> str:
        """The description as the text of a strategy file.

        >>> print(Strategy({"holes": -1}, name="mine").to_json())
        {
          "name": "mine",
          "player": "greedy",
          "ties": "first",
          "rating": "linear",
          "weights": {
            "holes": -1
          }
        }
        """
        return json.dumps(self._description, indent=2)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a strategy file, which `Strategy(path)` and the command line read.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Strategy("bcts").save(folder + "/mine.json")
        ...     Strategy(folder + "/mine.json") == Strategy("bcts")
        True
        """
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_json() + "\n")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Strategy) and self._description == other._description

    def __hash__(self) -> int:
        return hash(json.dumps(self._description))

    def __reduce__(self) -> tuple[Any, ...]:
        return Strategy, (self._description,)

    def __repr__(self) -> str:
        count = sum(len(one) if isinstance(one, list) else 1 for one in self.weights.values())
        return f"<Strategy {self.name}: {self._description['player']}, {count} weight{'s' * (count != 1)}>"

    def __str__(self) -> str:
        rest = [
            f"{key} {value}"
            for key, value in self._description.items()
            if key not in ("name", "source", "player", "weights", "hidden")
            and (key, value) != ("rating", "linear")
        ]
        lines = [f"{self.name}: {', '.join([self._description['player'], *rest])}"]
        if self.source:
            lines.append(f"    from {self.source}")
        wide = max((len(name) for name in self.weights), default=0)
        for name, one in self.weights.items():
            shown = ", ".join(f"{value:g}" for value in one) if isinstance(one, list) else f"{one:g}"
            lines.append(f"    {name:>{wide}}  {shown}")
        for unit in self._description.get("hidden", []):
            lines.append(f"    unit: {json.dumps(unit)}")
        return "\n".join(lines)


def strategies() -> list[str]:
    """The names of the built-in strategies.

    >>> strategies()[:3]
    ['dellacherie', 'dellacherie-first', 'bcts']
    """
    return names(lib.strategy_builtin)


def _describe(handle: int) -> dict[str, Any]:
    address = lib.strategy_to_json(handle)
    try:
        description: dict[str, Any] = json.loads(ctypes.string_at(address))
        return description
    finally:
        lib.free(address)


def _parse(given: Mapping[str, Any], name: str | None) -> int:
    """A handle for a description, or for weights."""
    described: dict[str, Any] = (
        dict(given) if any(key in given for key in _DESCRIBING) else {"weights": dict(given)}
    )
    if name is not None:
        described["name"] = name
    written = json.dumps(described, default=_number).encode()
    handle: int = lib.strategy_parse((name or "strategy").encode(), written, len(written))
    return handle


def _number(value: Any) -> Any:
    """Numpy's numbers and arrays as JSON."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"A strategy is described by numbers, texts and lists, not by {type(value).__name__}.")
