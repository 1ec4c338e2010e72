# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared library, loaded; its failures as exceptions.

``lib`` has the functions of tetralab.h under their names without ``tetralab_``. Those whose last parameter is an
error raise TetralabError instead, and are called without it. ctypes releases the GIL while they run.
"""

from __future__ import annotations

import ctypes
import operator
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable

import numpy as np
import numpy.typing as npt

from ._header import Header


class TetralabError(ValueError):
    """What the library refuses, in its own words: what was wrong, where, and what would be right.

    >>> import tetralab
    >>> tetralab.Strategy("bctz")
    Traceback (most recent call last):
        ...
    tetralab.TetralabError: "bctz" is neither a built-in strategy nor a file; did you mean "bcts"? (tetralab strategies lists the built-in ones)
    """

    __module__ = "tetralab"


def _find() -> tuple[Path, Path]:
    """The library and its header: beside this file, or those of the checkout that this file is in.
    TETRALAB_LIBRARY names another library."""
    here = Path(__file__).resolve().parent
    name = "libtetralab.dylib" if sys.platform == "darwin" else "libtetralab.so"
    library, header = here / name, here / "tetralab.h"
    if not library.exists():
        checkout = here.parents[2]
        library, header = checkout / "build" / name, checkout / "include" / "tetralab.h"
    library = Path(os.environ.get("TETRALAB_LIBRARY", library))
    if not library.exists():
        raise ImportError(f"{library} is not there: install the package with `pip install .`, or run `make`.")
    return library, header


def _raising(function: Any, failed: Callable[[Any], bool]) -> Callable[..., Any]:
    """The function with an error of its own as the last argument; raises what that says."""
    error_type = header.structs["tetralab_error"]
    byref = ctypes.byref

    def call(*arguments: Any) -> Any:
        error = error_type()
        result = function(*arguments, byref(error))
        if failed(result):
            raise TetralabError(error.text.decode("utf-8", "replace"))
        return result

    return call


def _load() -> SimpleNamespace:
    names = SimpleNamespace()
    for name, (result, parameters) in header.functions.items():
        function: Any = getattr(_dll, name)
        function.restype, function.argtypes = result, parameters
        short = name[len("tetralab_") :]
        setattr(names, "raw_" + short, function)
        if name in _failing:
            failed = {ctypes.c_bool: lambda r: not r, ctypes.c_int: lambda r: r < 0}.get(
                result, lambda r: r is None
            )
            function = _raising(function, failed)
        setattr(names, short, function)
    return names


_path, _header_path = _find()
header = Header(_header_path)
#: Functions whose last parameter is a tetralab_error.
_failing = header.failing
try:
    _dll = ctypes.CDLL(str(_path))
except OSError as problem:
    raise ImportError(
        f"{_path} cannot be loaded: {problem}. If a library is missing, install it; the README names what "
        "Tetralab needs."
    ) from None
lib: Any = _load()


def struct(name: str) -> Any:
    """The ctypes struct tetralab_NAME; numpy takes it as a dtype too."""
    return header.structs["tetralab_" + name]


def callback(name: str) -> Any:
    """The ctypes function type tetralab_NAME."""
    return header.callbacks["tetralab_" + name]


def constant(name: str) -> int:
    """TETRALAB_NAME."""
    return header.constants["TETRALAB_" + name]


def text(given: bytes | None) -> str:
    """A text of the library."""
    return "" if given is None else given.decode("utf-8", "replace")


def names(function: Callable[[int], bytes | None]) -> list[str]:
    """All texts of a function that counts 0, 1, 2, ... until NULL."""
    found: list[str] = []
    while (one := function(len(found))) is not None:
        found.append(text(one))
    return found


def whole(name: str, given: Any, most: int = 2**64 - 1) -> int:
    """A number that the library takes; ctypes would cut off what is too large."""
    try:
        number = operator.index(given)
    except TypeError:
        number = -1
    if not 0 <= number <= most:
        raise TetralabError(f"{name}: {given!r} is not a whole number from 0 to {most}.")
    return number


def whole_numbers(name: str, given: npt.ArrayLike, most: int = 2**64 - 1) -> npt.NDArray[np.uint64]:
    """The same for arrays; numpy would turn the sign into 2 ** 63 or more."""
    array = np.asarray(given)
    if array.dtype.kind not in "iu":  # numpy makes floats of whole numbers that no type of its own can hold
        array = np.asarray(given, object)
        checked = [whole(name, one, most) for one in array.flat]
        return np.array(checked, np.uint64).reshape(array.shape)
    if array.size:
        whole(name, int(array.min()), most)
        whole(name, int(array.max()), most)
    return array.astype(np.uint64)
