# SPDX-License-Identifier: GPL-3.0-or-later
"""Tetralab: a laboratory for artificial Tetris players. docs/python.md has the first five minutes.

>>> import tetralab
>>> tetralab.play("bcts", "10x8", games=50)
strategy bcts, board 10x8, mean_lines 745.08, ci95 575.08 .. 1003.85, median_lines 541.5
"""

from ._library import TetralabError, lib as _lib, names as _names, text as _text
from .batch import Batch
from ._calls import Advance, Interrupted, settings
from ._results import Result, Rows
from .boards import as_cells, as_columns, as_text
from .evaluating import Evaluator, evaluate
from .features import Feature, feature_labels, features, list_features
from .games import pieces, play
from .player import Contribution, Move, Player, RankedMove, moves, place, placements
from .rules import Rules
from .strategy import Strategy, strategies
from .tasks import compare, learn, measure, solve, versus

try:
    from . import environment as environment  # registers tetralab/Tetris-v0
except ImportError:  # no Gymnasium, or one before 1.1; `import tetralab.environment` says which
    pass

__version__ = _text(_lib.version())


def kernels() -> list[str]:
    """The kernels that this machine can run, slowest first.

    >>> kernels()[0]
    'reference'
    """
    return _names(_lib.kernel)


__all__ = [
    "Advance",
    "Batch",
    "Contribution",
    "Evaluator",
    "Feature",
    "Interrupted",
    "Move",
    "Player",
    "RankedMove",
    "Result",
    "Rows",
    "Rules",
    "Strategy",
    "TetralabError",
    "as_cells",
    "as_columns",
    "as_text",
    "compare",
    "evaluate",
    "feature_labels",
    "features",
    "kernels",
    "learn",
    "list_features",
    "measure",
    "moves",
    "pieces",
    "place",
    "placements",
    "play",
    "settings",
    "solve",
    "strategies",
    "versus",
]
