# SPDX-License-Identifier: GPL-3.0-or-later
"""Tetralab: a laboratory for artificial Tetris players. docs/python.md has the first five minutes.

>>> import tetralab
>>> tetralab.Player("bcts", "10x16").choose([0] * 10, "T")
Move(piece='T', orientation=2, column=0, row=0, lines=0, placed=True, ends=False)
"""

import importlib.util as _util

from ._library import TetralabError, lib as _lib, names as _names, text as _text
from .batch import Batch
from .boards import as_cells, as_columns, as_text
from .player import Move, Player, place
from .rules import Rules
from .strategy import Strategy, strategies

if _util.find_spec("gymnasium"):
    from . import environment as environment  # registers tetralab/Tetris-v0

__version__ = _text(_lib.version())


def kernels() -> list[str]:
    """The kernels that this machine can run, slowest first.

    >>> kernels()[0]
    'reference'
    """
    return _names(_lib.kernel)


__all__ = [
    "Batch",
    "Move",
    "Player",
    "Rules",
    "Strategy",
    "TetralabError",
    "as_cells",
    "as_columns",
    "as_text",
    "kernels",
    "place",
    "strategies",
]
