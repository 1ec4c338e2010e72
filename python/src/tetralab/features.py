# SPDX-License-Identifier: GPL-3.0-or-later
"""Features: what strategies look at, as numbers of boards."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Sequence

import numpy as np
import numpy.typing as npt

from ._library import lib, names, text
from .boards import BoardLike, as_columns
from .rules import Rules, RulesLike


@dataclass(frozen=True)
class Feature:
    """A feature: its name, its family and its definition. Those of the family "move" describe a move, all others
    the board after it."""

    name: str
    family: str
    meaning: str


def list_features() -> list[Feature]:
    """All features.

    >>> list_features()[2]
    Feature(name='holes', family='holes', meaning='empty cells with a filled cell anywhere above')
    """
    return [
        Feature(name, text(lib.feature_family(index)), text(lib.feature_meaning(index)))
        for index, name in enumerate(names(lib.feature_name))
    ]


def _of_boards() -> list[str]:
    return [one.name for one in list_features() if one.family != "move"]


def _names(given: str | Sequence[str] | None) -> list[str]:
    return _of_boards() if given is None else [given] if isinstance(given, str) else list(given)


def _array(given: list[str]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * len(given))(*(name.encode() for name in given))


def feature_labels(features: str | Sequence[str] | None = None, rules: RulesLike = None) -> list[str]:
    """What the numbers are that `features` returns for a board, in its order. A feature with a number for each column
    or pair of columns has that many labels.

    >>> feature_labels(["holes", "column-differences"], "4x6")
    ['holes', 'column-differences[1]', 'column-differences[2]', 'column-differences[3]']
    """
    rules = Rules.of(rules)
    labels: list[str] = []
    for name in _names(features):
        count = lib.features_of_boards(rules._handle, _array([name]), 1, None, 0, None)
        labels += [name] if count == 1 else [f"{name}[{index + 1}]" for index in range(count)]
    return labels


def features(
    boards: BoardLike, features: str | Sequence[str] | None = None, rules: RulesLike = None
) -> npt.NDArray[np.float64]:
    """The values of features on boards, as they are, without a move.

    boards    one board or an array of any number of them, as columns or as cells (see `as_columns`)
    features  names; one name alone: a feature with one number then adds no dimension; None: all that describe boards
    result    float64: the shape of the array of boards, and one more dimension for the numbers (`feature_labels`)

    >>> import numpy as np
    >>> features("#..#\\n##.#", ["holes", "max-height"], "4x6")
    array([0., 2.])
    >>> boards = np.array([[1, 0, 1, 0], [2, 0, 1, 3], [0, 0, 0, 0]], np.uint32)
    >>> features(boards, "holes", "4x6")
    array([0., 1., 0.])
    >>> features(boards, ["holes", "column-heights"], "4x6")
    array([[0., 1., 0., 1., 0.],
           [1., 2., 0., 1., 2.],
           [0., 0., 0., 0., 0.]])
    """
    rules = Rules.of(rules)
    columns = as_columns(boards, rules)
    wanted = _names(features)
    array = _array(wanted)
    numbers = lib.features_of_boards(rules._handle, array, len(wanted), None, 0, None)
    count = columns.size // rules.width
    found = np.empty((count, numbers), np.float64)
    lib.features_of_boards(rules._handle, array, len(wanted), columns.ctypes.data, count, found.ctypes.data)
    shape = (
        columns.shape[:-1] if isinstance(features, str) and numbers == 1 else (*columns.shape[:-1], numbers)
    )
    return found.reshape(shape)
