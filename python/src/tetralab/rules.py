# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules: the variant of the game."""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any, Mapping, Union

from ._library import constant, lib, names, text

#: What functions take as rules: an object, a board such as "10x16", settings by name, or None for the default.
RulesLike = Union["Rules", str, Mapping[str, Any], None]


class Rules:
    """The variant of the game. What is not given is as on the command line; objects do not change.

    board       width x height, as "10x16" or (10, 16); 4x4 to 14x27
    overflow    "lenient", "strict" or "touch": what ends the game
    gameover    "avoid" or "evaluate": how moves that end the game are valued
    rules       "simplified" or "original" (the piece must get to its place)
    pieces      "uniform", "hard", "sz", "bag", weights as "S:3,Z:3,O:1" or {"S": 3, ...}, or a file of letters
    max_pieces  every game of `play` stops there; None: no limit

    >>> rules = Rules("10x16", pieces="bag")
    >>> rules
    Rules('10x16', pieces='bag')
    >>> rules.width, rules.height
    (10, 16)
    >>> print(rules)
    10x16, overflow lenient, gameover avoid, rules simplified, pieces bag, max-pieces none
    >>> Rules("10x40")
    Traceback (most recent call last):
        ...
    tetralab.TetralabError: board: The board "10x40" is not possible: give WIDTHxHEIGHT with a width of 4 to 14 and a height of 4 to 27, as in 10x20.
    """

    __slots__ = ("_settings", "_handle", "__weakref__")

    def __init__(
        self,
        board: str | tuple[int, int] | None = None,
        *,
        overflow: str | None = None,
        gameover: str | None = None,
        rules: str | None = None,
        pieces: str | os.PathLike[str] | Mapping[str, float] | None = None,
        max_pieces: int | None = None,
    ):
        given = {
            "board": board,
            "overflow": overflow,
            "gameover": gameover,
            "rules": rules,
            "pieces": pieces,
            "max-pieces": max_pieces,
        }
        self._settings = {name: _word(value) for name, value in given.items() if value is not None}
        self._handle: int = lib.rules_new()
        weakref.finalize(self, lib.rules_free, self._handle)
        for name, value in self._settings.items():
            lib.rules_set(self._handle, name.encode(), value.encode())

    @classmethod
    def of(cls, given: RulesLike) -> Rules:
        """The rules that are meant: those given, a board, settings by name, or the default.

        >>> Rules.of("10x16") == Rules.of({"board": "10x16"}) == Rules(board=(10, 16))
        True
        """
        if isinstance(given, Rules):
            return given
        if given is None or isinstance(given, str):
            return cls(given)
        return cls(**{name.replace("-", "_"): value for name, value in given.items()})

    @property
    def width(self) -> int:
        """Columns of the board.

        >>> Rules().width
        10
        """
        return int(lib.rules_width(self._handle))

    @property
    def height(self) -> int:
        """Rows of the board.

        >>> Rules().height
        20
        """
        return int(lib.rules_height(self._handle))

    def __getitem__(self, name: str) -> str:
        value = ctypes.create_string_buffer(constant("MAX_VALUE"))
        lib.rules_get(self._handle, name.encode(), value)
        return text(value.value)

    def to_dict(self) -> dict[str, str]:
        """All settings, under the names of the command line.

        >>> Rules("10x16").to_dict()["overflow"]
        'lenient'
        """
        return {name: self[name] for name in names(lib.rules_setting)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.to_dict().items()))

    def __repr__(self) -> str:
        parts = [
            repr(value) if name == "board" else f"{name.replace('-', '_')}={_shown(name, value)}"
            for name, value in self._settings.items()
        ]
        return f"Rules({', '.join(parts)})"

    def __str__(self) -> str:
        return ", ".join(
            value if name == "board" else f"{name} {value}" for name, value in self.to_dict().items()
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Rules.of, ({name: _plain(name, value) for name, value in self._settings.items()},)


def _word(value: Any) -> str:
    """A setting as the library takes it."""
    if isinstance(value, tuple):
        return "x".join(str(part) for part in value)
    if isinstance(value, Mapping):
        return ",".join(f"{piece}:{weight!r}" for piece, weight in value.items())
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _plain(name: str, value: str) -> str | int:
    return int(value) if name == "max-pieces" and value.isdigit() else value


def _shown(name: str, value: str) -> str:
    return repr(_plain(name, value))
