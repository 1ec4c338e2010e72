# SPDX-License-Identifier: GPL-3.0-or-later
"""What is read from tetralab.h is what a C compiler reads; objects have all that the library has."""

import ctypes
import inspect
import pickle
import shutil
import subprocess

import pytest
import tetralab
from tetralab._library import _header_path, header, lib, names


def test_structs_lie_in_memory_as_the_c_compiler_has_them(tmp_path):
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("there is no C compiler")
    lines = [f'#include "{_header_path}"']
    for name, struct in header.structs.items():
        lines.append(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(struct)}, "{name}");')
        for member, *_ in struct._fields_:
            offset = getattr(struct, member).offset
            lines.append(f'_Static_assert(offsetof({name}, {member}) == {offset}, "{name}.{member}");')
    lines += [
        f'_Static_assert((int){name} == {value}, "{name}");' for name, value in header.constants.items()
    ]
    assert len(lines) > 50
    (tmp_path / "layout.c").write_text("\n".join(lines) + "\n")
    subprocess.run([compiler, "-std=c11", "-fsyntax-only", str(tmp_path / "layout.c")], check=True)


def test_rules_have_every_setting_of_the_library():
    given = [name.replace("_", "-") for name in inspect.signature(tetralab.Rules).parameters]
    assert given == names(lib.rules_setting)


def test_rules_take_python_values():
    weighted = tetralab.Rules((8, 12), pieces={"S": 3, "O": 1}, max_pieces=500)
    assert weighted.to_dict()["board"] == "8x12"
    assert weighted["max-pieces"] == "500"
    assert set(tetralab.pieces(300, weighted)) == {"S", "O"}
    assert eval(repr(weighted), {"Rules": tetralab.Rules}) == weighted


@pytest.mark.parametrize(
    "made",
    [
        tetralab.Rules("10x16", max_pieces=100),
        tetralab.Strategy("bdu"),
        tetralab.Strategy({"holes": -1, "column-heights": [-1.5] * 10}, name="mine"),
    ],
    ids=str,
)
def test_objects_survive_pickling(made):
    assert pickle.loads(pickle.dumps(made)) == made


def test_a_player_that_was_pickled_makes_the_same_moves():
    player = tetralab.Player("bcts", "10x12")
    again = pickle.loads(pickle.dumps(player))
    assert again.rank([0] * 10, "S") == player.rank([0] * 10, "S")


def test_a_built_in_strategy_can_get_another_name_and_other_weights(tmp_path):
    renamed = tetralab.Strategy("bcts", name="mine")
    assert (renamed.name, renamed.weights) == ("mine", tetralab.Strategy("bcts").weights)
    renamed.save(tmp_path / "mine.json")
    assert tetralab.Strategy(tmp_path / "mine.json") == renamed
    renamed.weights["holes"] = 0  # a copy: nothing happens
    assert renamed.weights["holes"] == -13.08335


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: tetralab.Rules("10x3"), "10x3"),
        (lambda: tetralab.Rules(overflow="touchy"), "touch"),
        (lambda: tetralab.Player("bcts", kernel="avx3"), "did you mean"),
        (lambda: tetralab.Player("bdu", "8x20"), "columns"),
        (lambda: tetralab.Player("bcts").choose([0] * 10, "X"), "There is no piece"),
        (lambda: tetralab.Player("bcts").choose([0] * 9, "T"), "10 whole numbers"),
        (lambda: tetralab.Player("bcts").choose([1] * 10, "T"), "is full"),
        (lambda: tetralab.place([0] * 10, "O", 1, 0), "has 1 orientation"),
        (lambda: tetralab.play("bcts", games=0), "0 games"),
        (lambda: tetralab.measure("bcts", presicion=0.1), 'did you mean "precision"'),
        (lambda: tetralab.measure("bcts", precision=5), "no fraction"),
        (lambda: tetralab.compare(["bcts"]), "two players"),
        (lambda: tetralab.evaluate([1, 2, 3], features="dellacherie"), "6 numbers"),
        (lambda: tetralab.evaluate([float("nan")] * 6, features="dellacherie"), "finite"),
        (lambda: tetralab.features([0] * 10, "hoels"), 'did you mean "holes"'),
        (lambda: tetralab.settings("mesure"), "measure"),
    ],
)
def test_mistakes_are_exceptions_with_a_sentence(call, words):
    with pytest.raises(tetralab.TetralabError, match=words):
        call()
