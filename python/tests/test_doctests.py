# SPDX-License-Identifier: GPL-3.0-or-later
"""Every call has a docstring with an example, and every example prints what it says."""

import dataclasses
import doctest
import importlib
import importlib.util
import inspect
import pkgutil

import pytest
import tetralab

#: Modules that need another package than numpy.
NEEDS = {"environment": "gymnasium"}


def modules():
    yield pytest.param(tetralab, id="tetralab")
    for found in pkgutil.iter_modules(tetralab.__path__):
        if found.name == "libtetralab":
            continue
        if found.name in NEEDS and not importlib.util.find_spec(NEEDS[found.name]):
            reason = f"{NEEDS[found.name]} is not installed"
            yield pytest.param(None, id=found.name, marks=pytest.mark.skip(reason))
        else:
            yield pytest.param(importlib.import_module(f"tetralab.{found.name}"), id=found.name)


@pytest.mark.parametrize("module", list(modules()))
def test_examples_print_what_they_say(module):
    assert doctest.testmod(module).failed == 0


def public_calls():
    for name in tetralab.__all__:
        found = getattr(tetralab, name)
        if not dataclasses.is_dataclass(found):  # those are described by what returns them
            yield name, found
        if inspect.isclass(found):
            for inner, member in vars(found).items():
                if not inner.startswith("_") and (
                    callable(member) or isinstance(member, (property, classmethod))
                ):
                    yield f"{name}.{inner}", getattr(found, inner)


def test_every_call_has_an_example():
    missing = [name for name, found in public_calls() if ">>>" not in (inspect.getdoc(found) or "")]
    assert missing == []
