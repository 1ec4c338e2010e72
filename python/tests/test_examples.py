# SPDX-License-Identifier: GPL-3.0-or-later
"""Other people's optimisers learn from our scores, with tiny budgets; docs say what happens."""

import doctest
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tetralab

ROOT = Path(__file__).parents[2]


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "package, budget",
    [("cma", {"generations": 6}), ("nevergrad", {"budget": 100}), ("optuna", {"trials": 60})],
)
def test_an_optimiser_of_others_finds_a_player_that_removes_rows(package, budget):
    """Vectors at random remove hardly one."""
    pytest.importorskip(package)
    strategy = load(f"with_{package}").learn("10x8", games=5, seed=1, **budget)
    random = tetralab.evaluate(
        np.random.default_rng(1).normal(size=(30, 6)),
        "10x8",
        features="dellacherie",
        objective="games",
        games=5,
    )
    assert tetralab.play(strategy, "10x8", games=50).mean_lines > 10 * max(1, np.median(random.mean))


def test_the_notebook_learns_measures_and_draws(tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "learned.png"
    made = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "learn_and_plot.py"), str(picture), "10x6", "3"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    assert picture.read_bytes()[:4] == b"\x89PNG" and picture.stat().st_size > 10_000
    assert made.stdout.count(", mean_lines ") == 4


def test_what_the_documentation_shows_happens(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    part = tmp_path / "python.md"  # without the environments: test_gymnasium.py
    part.write_text(document.split("\n## Environments for")[0], encoding="utf-8")
    found = doctest.testfile(
        str(part), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert found.attempted > 20 and found.failed == 0


def test_the_programs_of_the_first_hour_print_what_it_shows(tmp_path):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    program = os.environ.get("TETRALAB_PROGRAM")
    if not program:
        pytest.skip("TETRALAB_PROGRAM does not say where the program is")
    tutorial = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    learn = re.search(r"^\$ tetralab (learn .* --out cmaes)$", tutorial, re.M)
    subprocess.run([program, *learn[1].split()], cwd=tmp_path, stdout=subprocess.DEVNULL, check=True)
    shown = re.findall(r"^```python (\w+\.py)\n(.*?)^```$.*?^```text\n\$ python \1\n(.*?)^```$", tutorial, re.M | re.S)
    assert [name for name, _, _ in shown] == ["own_search.py", "own_plot.py"]
    for name, code, output in shown:
        (tmp_path / name).write_text(code, encoding="utf-8")
        made = subprocess.run(
            [sys.executable, name], cwd=tmp_path, stdout=subprocess.PIPE, encoding="utf-8", check=True
        )
        assert output in made.stdout
    assert (tmp_path / "own_plot.png").stat().st_size > 10_000
