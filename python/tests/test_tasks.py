# SPDX-License-Identifier: GPL-3.0-or-later
"""Long calls: the results of the program, progress, stopping, Ctrl-C, threads, frames."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import tetralab
from tetralab._calls import Watch
from tetralab._library import callback, lib, struct
from tetralab._results import make_result

PROGRAM = os.environ.get("TETRALAB_PROGRAM")
needs_program = pytest.mark.skipif(not PROGRAM, reason="TETRALAB_PROGRAM does not name the program")


def program(*arguments, given=None):
    """What the program prints as JSON."""
    return subprocess.run(
        [PROGRAM, *arguments], input=given, stdout=subprocess.PIPE, check=True, encoding="utf-8"
    ).stdout


@needs_program
def test_play_gives_the_programs_scores():
    made = json.loads(
        program("play", "bcts", "--board", "10x8", "--games", "40", "--seed", "7", "--json", "-")
    )
    mine = tetralab.play("bcts", "10x8", games=40, seed=7, threads=3)
    assert mine.lines.tolist() == made["scores"]
    assert mine.mean_lines == pytest.approx(made["mean_lines"], rel=1e-12)


@needs_program
def test_measure_and_compare_give_the_programs_json():
    wanted = json.loads(program("measure", "bcts", "--board", "10x9", "--precision", "20%", "--json", "-"))
    found = tetralab.measure("bcts", "10x9", precision=0.2)
    assert found.precise and not found.interrupted
    assert without_times(found.to_dict()) == without_times(wanted)
    wanted = program("compare", "dellacherie", "bcts", "--board", "10x7", "--precision", "20%", "--json", "-")
    compared = tetralab.compare(["dellacherie", "bcts"], "10x7", precision="20%")
    assert without_times(compared.to_dict()) == without_times(json.loads(wanted))
    assert compared.measurements.ratio.tolist() == [1, compared.ratio]


def without_times(made):
    if isinstance(made, list):
        return [without_times(one) for one in made]
    if isinstance(made, float):
        return float(f"{made:.15g}")  # as the program writes it
    if isinstance(made, dict):
        return {key: without_times(one) for key, one in made.items() if "second" not in key}
    return made


def test_what_is_not_known_is_not_a_number_and_what_never_ends_infinite():
    made = {"mean_lines": None, "ci95": [5, None], "lambda": None, "note": None, "lambdas": [1, None]}
    result = make_result("measure", made)
    assert result.mean_lines == np.inf and result.ci95 == (5, np.inf) and np.isnan(result.__dict__["lambda"])
    assert result.note is None and np.isnan(result.lambdas[1])
    check = make_result("solve", {"check": {"ci95": [None, None]}, "strategy": None})
    assert np.isnan(check.check.ci95).all() and check.strategy is None
    again = pickle.loads(pickle.dumps(check))
    assert again.to_dict().keys() == check.to_dict().keys()
    with pytest.raises(AttributeError, match="it has check, strategy"):
        check.mean


@needs_program
def test_evaluate_gives_the_programs_scores():
    vectors = np.random.default_rng(5).normal(size=(6, 8))
    lines = "\n".join(json.dumps(vector.tolist()) for vector in vectors) + "\n"
    answers = program(
        "evaluate", "--board", "10x8", "--objective", "games", "--ordered", given=lines
    ).splitlines()
    wanted = [answer["score"] for answer in map(json.loads, answers) if "score" in answer]
    found = tetralab.evaluate(vectors, "10x8", objective="games")
    assert found.score.tolist() == wanted
    assert (found.samples.mean(axis=1) == found.mean).all()


@needs_program
def test_learn_gives_the_programs_player(tmp_path):
    options = {"features": "dellacherie", "generations": 2, "population": 6, "objective": "games", "games": 3}
    flags = [text for key, value in options.items() for text in (f"--{key}", str(value))]
    program("learn", "--board", "10x6", "--out", str(tmp_path / "run"), *flags)
    seen = []
    found = tetralab.learn("10x6", each=lambda generation: seen.append(generation.generation), **options)
    assert found.strategy.weights == tetralab.Strategy(tmp_path / "run" / "best.json").weights
    assert seen == [1, 2] == [one.generation for one in found.generations]
    evaluator = tetralab.Evaluator("10x6", features="dellacherie")
    assert evaluator.labels == found.labels


def test_numbers_do_not_depend_on_threads_and_kernels():
    one, two = (tetralab.play("bcts", "10x8", games=30, threads=threads) for threads in (1, 4))
    assert (one.lines == two.lines).all()
    slow = tetralab.play(tetralab.Player("bcts", "10x8", kernel="plain"), games=30)
    assert (slow.lines == one.lines).all()


def test_a_function_that_says_no_stops_and_keeps_the_results():
    seen = []

    def enough(advance):
        seen.append(advance)
        return advance.pieces < 100_000

    played = tetralab.play("bcts", games=10**5, progress=enough)
    assert 0 < len(played.lines) < 10**5 and not played.ended.all()
    assert seen[-1].pieces >= 100_000 and seen[-1].unit == "games"
    known = lambda advance: advance.value == advance.value  # noqa: E731
    measured = tetralab.measure(
        "dellacherie", "10x10", method="games", precision=0.001, progress=lambda advance: not known(advance)
    )
    assert measured.interrupted and measured.mean_lines > 0 and not measured.precise


def test_an_exception_in_a_function_comes_through():
    def broken(advance):
        raise ZeroDivisionError("mine")

    for call in (
        lambda: tetralab.play("bcts", games=10**5, progress=broken),
        lambda: tetralab.measure("bcts", precision=0.001, progress=broken),
        lambda: tetralab.learn("10x8", each=broken),
    ):
        with pytest.raises(ZeroDivisionError, match="mine"):
            call()


LONG_CALLS = {
    "play": 'tetralab.play("bcts", "10x12", games=10**6, progress=ready)',
    "measure": 'tetralab.measure("dellacherie", "10x10", method="games", precision=0.001, progress=ready)',
    "learn": 'tetralab.learn("10x8", generations=10**6, progress=ready)',
    "evaluate": 'tetralab.evaluate([[-1] * 8] * 1000, "10x12", games=1000, objective="games", progress=ready)',
}


@pytest.mark.parametrize("call", LONG_CALLS)
def test_control_c_ends_a_long_call_with_what_is_known(call):
    code = f"""
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # who started the tests may have ignored it
import tetralab
told = []
def ready(advance):
    if not told and (advance.value == advance.value or advance.unit == "vectors" and advance.pieces > 0):
        told.append(print("ready", flush=True))
try:
    {LONG_CALLS[call]}
except KeyboardInterrupt as problem:
    print(type(problem).__name__, problem.result is not None)
print(tetralab.play("bcts", "10x6", games=3).mean_lines > 0)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, encoding="utf-8") as process:
        try:
            assert process.stdout.readline() == "ready\n"
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    first, last = rest.splitlines()
    assert last == "True" and first.startswith("Interrupted")
    assert call == "learn" or first == "Interrupted True"


def test_other_threads_run_meanwhile():
    """Without progress functions, which would let them run anyway, and without taking turns by the clock: the other
    thread runs only if the call itself lets it."""
    counted, stop = [0], threading.Event()
    player, scores = tetralab.Player("bcts", "10x8"), (struct("score") * 300)()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0)

    thread, turn = threading.Thread(target=count), sys.getswitchinterval()
    thread.start()
    sys.setswitchinterval(1000)
    try:
        before = counted[0]
        lib.raw_play(player._handle, 1, 300, 1, scores, None, callback("progress")(0), None, None)
        after = counted[0]
    finally:
        sys.setswitchinterval(turn)
        stop.set()
        thread.join()
    assert scores[299].ended and after > before


def test_an_exception_while_waiting_stops_the_games(monkeypatch):
    def broken(watch, advance):
        raise ZeroDivisionError("mine")

    monkeypatch.setattr(Watch, "see", broken)
    with pytest.raises(ZeroDivisionError, match="mine"):
        tetralab.play("bcts", games=10**6)
    assert "tetralab play" not in [thread.name for thread in threading.enumerate()]


def test_calls_from_several_threads_do_not_disturb_each_other():
    evaluator = tetralab.Evaluator("10x6", features="dellacherie", objective="games", games=5)
    vector, found = [-1, 1, -1, -1, -4, -1], {}

    def work(number):
        found[number] = (
            evaluator(vector).score[0],
            tetralab.play("bcts", "10x6", games=20, seed=number).mean_lines,
        )

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({score for score, _ in found.values()}) == 1
    assert all(mean == tetralab.play("bcts", "10x6", games=20, seed=n).mean_lines for n, (_, mean) in found.items())


def test_evaluators_go_on_in_forked_processes():
    if not hasattr(os, "fork"):
        pytest.skip("this system does not fork")
    code = """
import os, tetralab
evaluator = tetralab.Evaluator("10x6", features="dellacherie", objective="games", games=5)
here = evaluator([-1, 1, -1, -1, -4, -1]).score[0]
child = os.fork()
there = evaluator([-1, 1, -1, -1, -4, -1]).score[0]
if child == 0:
    os._exit(0 if here == there else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=60)


def test_samples_are_chosen_for_each_vector():
    evaluator = tetralab.Evaluator("10x6", features="dellacherie", objective="games", games=4)
    vectors = [[-1, 1, -1, -1, -4, -1]] * 3
    whole = evaluator(vectors[:1], games=12)
    parts = evaluator(vectors, first=[0, 4, 8])
    assert parts.samples.reshape(-1).tolist() == whole.samples.reshape(-1).tolist()
    uneven = evaluator(vectors[:2], games=[1, 5])
    assert uneven.samples.shape == (6,)
    assert evaluator.strategy(vectors[0]).weights == tetralab.Strategy("dellacherie").weights


def test_results_become_plain_values_and_frames():
    pandas = pytest.importorskip("pandas")
    results = {
        "play": (tetralab.play("bcts", "10x6", games=5), 5),
        "measure": (tetralab.measure("bcts", "10x6", precision=0.3), 1),
        "compare": (tetralab.compare(["bcts", "dellacherie"], "10x6", precision=0.3), 2),
        "sprt": (tetralab.compare(["bcts", "dellacherie"], "10x6", sprt=(1, 2)), 1),
        "versus": (tetralab.versus(["bcts", "dellacherie"], "10x10", games=4), 2),
        "evaluate": (tetralab.evaluate([[-1] * 6] * 3, "10x6", features="dellacherie"), 3),
        "learn": (tetralab.learn("10x6", features="dellacherie", generations=2, population=4), 2),
    }
    for name, (result, rows) in results.items():
        json.dumps(result.to_dict())
        frame = result.to_frame()
        assert isinstance(frame, pandas.DataFrame) and len(frame) == rows, name
        assert str(result) and len(str(result)) < 1000, name
