# SPDX-License-Identifier: GPL-3.0-or-later
"""Tetralab: a laboratory for artificial Tetris players. docs/python.md has the first five minutes.

>>> import tetralab
>>> tetralab.play("bcts", "10x8", games=50)
bcts on 10x8: 745.08 lines (575.08 .. 1003.85), median 541.5; 50 games
"""

from ._library import TetralabError, lib as _lib, names as _names, text as _text
from .batch import Batch
from ._tasks import Advance, Interrupted, settings
from .boards import as_cells, as_columns, as_text
from .comparing import Comparison, Verdict, compare
from .evaluating import Evaluation, Evaluator, evaluate
from .features import Feature, feature_labels, features, list_features
from .games import Games, pieces, play
from .learning import Generation, Learned, learn
from .matches import Contest, versus
from .measuring import Measurement, measure
from .player import Contribution, Move, Player, RankedMove, moves, place, placements
from .rules import Rules
from .solving import Solution, solve
from .strategy import Strategy, strategies

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
    "Comparison",
    "Contest",
    "Contribution",
    "Evaluation",
    "Evaluator",
    "Feature",
    "Games",
    "Generation",
    "Interrupted",
    "Learned",
    "Measurement",
    "Move",
    "Player",
    "RankedMove",
    "Rules",
    "Solution",
    "Strategy",
    "TetralabError",
    "Verdict",
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
