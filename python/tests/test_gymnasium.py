# SPDX-License-Identifier: GPL-3.0-or-later
"""The environments, by Gymnasium's own checks and against each other. Skipped where Gymnasium is not installed."""

import doctest
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import tetralab

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv  # noqa: E402

ID = "tetralab/Tetris-v0"
#: Every rule, every way to observe, every option.
CASES = [
    {},
    {"rules": {"board": "10x6", "overflow": "strict"}, "observation": "columns"},
    {"rules": {"board": "6x5", "overflow": "touch", "pieces": "sz"}, "observation": "board", "reward": "uct"},
    {"rules": {"board": "10x8", "rules": "original", "pieces": "bag"}, "observation": "image", "previews": 3},
    {"rules": {"board": "8x6", "pieces": "S:3,Z:3,O:1"}, "observation": "features", "features": "du"},
    {
        "rules": {"board": "7x7", "max_pieces": 6},
        "observation": ("move_features", "queue", "action_mask"),
        "features": ["holes", "column-heights"],
    },
    {"rules": "5x5", "previews": 0},
]
ids = [str(number) for number in range(len(CASES))]


def same(one, other):
    """Are they the same values? Of dicts, tuples, arrays of objects and numbers."""
    if isinstance(one, dict):
        return set(one) == set(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (tuple, list)) or (isinstance(one, np.ndarray) and one.dtype == object):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other))
    return np.array_equal(one, other)


def possible(rng, mask):
    """One action for each row of a mask, at random; 0 where there is none."""
    return (mask * rng.random(mask.shape)).argmax(axis=-1)


@pytest.mark.parametrize("options", CASES, ids=ids)
def test_the_environment_passes_the_checks_of_gymnasium_without_a_warning(options):
    for render_mode in (None, "ansi", "rgb_array"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(gymnasium.make(ID, render_mode=render_mode, **options).unwrapped)


@pytest.mark.parametrize("options", CASES, ids=ids)
def test_what_is_observed_is_in_its_space(options):
    rng = np.random.default_rng(1)
    env, envs = gymnasium.make(ID, **options), gymnasium.make_vec(ID, 5, **options)
    observation, info = env.reset(seed=3)
    observations, infos = envs.reset(seed=3)
    assert (
        envs.single_observation_space == env.observation_space
        and envs.single_action_space == env.action_space
    )
    for _ in range(60):
        assert observation in env.observation_space and observations in envs.observation_space
        assert env.action_space.sample(info["action_mask"]) in env.action_space
        action = possible(rng, info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        assert type(reward) is float and type(terminated) is bool and type(truncated) is bool
        assert (info["action_mask"] == env.unwrapped.action_masks()).all()
        observations, _, _, _, infos = envs.step(possible(rng, infos["action_mask"]))
        if terminated or truncated:
            observation, info = env.reset()


def compare(envs, model, steps, mode, rng):
    """Steps both with the same actions; every result must be the same."""
    assert isinstance(envs, VectorEnv) and envs.metadata["autoreset_mode"] == mode
    assert same(envs.reset(seed=8), model.reset(seed=8))
    ended = np.zeros(envs.num_envs, bool)
    mask = envs.action_masks()
    for _ in range(steps):
        actions = possible(rng, mask)
        actions[rng.random(envs.num_envs) < 0.02] = (
            4 * envs.unwrapped.rules.width - 1
        )  # possible for no piece
        result, expected = envs.step(actions), model.step(actions)
        mask = result[4]["action_mask"]
        ended = result[2] | result[3]
        if (
            mode == AutoresetMode.NEXT_STEP
        ):  # a game alone has no possible action at its end; here any will do
            assert (mask[ended] == 1).all() and (expected[4]["action_mask"][ended] == 0).all()
            expected[4]["action_mask"][ended] = 1
            if isinstance(expected[0], dict) and "action_mask" in expected[0]:
                expected[0]["action_mask"][ended] = 1
        assert all(same(one, other) for one, other in zip(result, expected))
        if mode == AutoresetMode.DISABLED and ended.any():
            with pytest.raises(tetralab.TetralabError, match="is over"):
                envs.step(actions)
            reset = [some.reset(options={"reset_mask": ended.copy()}) for some in (envs, model)]
            assert same(reset[0][0], reset[1][0])
            for name in ("action_mask", "lines", "game", "seed"):
                assert same(reset[0][1][name][ended], reset[1][1][name][ended])
                assert same(reset[0][1]["_" + name], reset[1][1]["_" + name])
            mask = reset[0][1]["action_mask"]


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("options", CASES, ids=ids)
def test_the_vector_environment_is_the_single_ones_side_by_side(options, mode):
    envs = gymnasium.make_vec(ID, 6, autoreset_mode=mode, **options)
    model = SyncVectorEnv([lambda: gymnasium.make(ID, **options).unwrapped] * 6, autoreset_mode=mode)
    compare(envs, model, 60, mode, np.random.default_rng(4))


def test_a_seed_and_a_number_are_the_game_that_tetralab_plays():
    envs = gymnasium.make_vec(ID, 30, rules="10x6", autoreset_mode=AutoresetMode.SAME_STEP)
    envs.reset(seed=[5] * 30, options={"game": np.arange(30)})
    scores, left = {}, set(range(30))
    while left:
        *_, infos = envs.play("dellacherie")
        for game in np.flatnonzero(infos.get("_final_info", [])):
            if game in left:
                left.remove(game)
                scores[int(game)] = int(infos["final_info"]["lines"][game])
    env = gymnasium.make(ID, rules="10x6").unwrapped
    for game in range(30):
        env.reset(seed=5, options={"game": game})
        while not env.step(env.choose("dellacherie"))[2]:
            pass
        assert env._info()["lines"] == scores[game]
    assert len(set(scores.values())) > 10


def test_actions_chosen_by_a_strategy_are_the_moves_it_plays():
    one, other = (gymnasium.make_vec(ID, 10, rules="8x8") for _ in range(2))
    one.reset(seed=1), other.reset(seed=1)
    for _ in range(200):
        assert same(one.play("xtris")[0], other.step(other.choose("xtris"))[0])


def test_without_a_seed_every_environment_has_games_of_its_own():
    seeds = [gymnasium.make(ID).reset()[1]["seed"] for _ in range(3)]
    seeds += gymnasium.make_vec(ID, 3).reset()[1]["seed"].tolist()
    assert len(set(seeds)) == 6


def test_places_without_a_seed_draw_one_once():
    envs = gymnasium.make_vec(ID, 4)
    first = envs.reset(seed=[None, 5, None, None], options={"reset_mask": np.array([1, 1, 1, 0], bool)})[1]
    seeds = first["seed"].tolist()
    assert seeds[1] == 5 and len(set(seeds[:3])) == 3 and 1 not in seeds[:3]
    assert first["game"].tolist()[:3] == [0, 0, 0]
    second = envs.reset()[1]
    assert second["seed"].tolist()[:3] == seeds[:3] and second["seed"][3] not in seeds
    assert second["game"].tolist() == [1, 1, 1, 0]


def test_numbers_that_do_not_fit_are_refused():
    for env in (gymnasium.make(ID), gymnasium.make_vec(ID, 2)):
        for options in ({"seed": 2**64}, {"options": {"game": -1}}, {"seed": 1, "options": {"game": -1}}):
            with pytest.raises(tetralab.TetralabError, match="is not a whole number"):
                env.reset(**options)


def test_the_rest_works_with_a_gymnasium_that_is_too_old():
    code = """
import gymnasium.vector
del gymnasium.vector.AutoresetMode  # new in 1.1
import tetralab
print(tetralab.pieces(3), hasattr(tetralab, "environment"))
"""
    said = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True, encoding="utf-8")
    assert said.stdout == "OTT False\n"


def test_the_next_game_follows_and_a_list_may_keep_seeds():
    envs = gymnasium.make_vec(ID, 3, stride=3)
    envs.reset(seed=[4, 5, 6])
    infos = envs.reset(seed=[9, None, 6])[1]
    assert infos["seed"].tolist() == [9, 5, 6] and infos["game"].tolist() == [0, 3, 0]
    assert envs.reset()[1]["game"].tolist() == [3, 6, 3]


def test_losing_terminates_and_limits_truncate():
    env = gymnasium.make(ID, rules={"board": "4x4", "pieces": "O:1"}, reward="uct")
    env.reset(seed=1)
    assert [env.step(0)[1:4] for _ in range(3)] == [(0, False, False), (0, False, False), (-1, True, False)]
    env.reset()
    assert env.step(15)[1:4] == (-1, True, False)  # not possible: it loses the game
    env = gymnasium.make(ID, rules={"max_pieces": 2})
    env.reset(seed=1)
    assert [env.step(0)[1:4] for _ in range(2)] == [(0, False, False), (0, False, True)]
    envs = gymnasium.make_vec(ID, 2, max_episode_steps=2)
    envs.reset(seed=1)
    assert [envs.step([0, 0])[3].all() for _ in range(2)] == [False, True]
    env = gymnasium.make(ID, illegal="refuse")
    env.reset(seed=1)
    with pytest.raises(tetralab.TetralabError, match="there is no action 40"):
        env.unwrapped.step(40)
    with pytest.raises(tetralab.TetralabError, match="There is no action 18446744073709551616"):
        env.unwrapped.step(2**64)


def test_a_file_of_pieces_ends_its_game(tmp_path):
    (tmp_path / "pieces").write_text("OOO")
    env = gymnasium.make(ID, rules={"pieces": str(tmp_path / "pieces")}, previews=2)
    observation, _ = env.reset(seed=1)
    assert observation["queue"].tolist() == [0, 0, 0]
    steps = [env.step(3 * place) for place in range(3)]
    assert steps[0][0]["queue"].tolist() == [0, 0, 7] and [step[3] for step in steps] == [False, False, True]


def test_pictures_show_the_cells():
    env = gymnasium.make(ID, render_mode="rgb_array", previews=2).unwrapped
    env.reset(seed=3)
    for _ in range(20):
        observation = env.step(env.choose("bcts"))[0]
    picture = env.render()
    cells = picture[3 * 16 + 8 + 8 :: 16, 8 + 8 :: 16][:20, :10]  # the middle of each cell
    assert ((cells == (120, 128, 140)).all(axis=2) == observation["board"]).all()
    text = gymnasium.make(ID, render_mode="ansi").unwrapped
    text.reset(seed=3)
    for _ in range(20):
        observation = text.step(text.choose("bcts"))[0]
    rows = [line for line in text.render().splitlines() if line.startswith("|")]
    assert [[cell == "#" for cell in row[2::2]] for row in rows] == observation["board"].astype(bool).tolist()


def test_arrays_are_copies_unless_asked_otherwise():
    for copy in (True, False):
        envs = gymnasium.make_vec(ID, 2, copy=copy)
        first, _ = envs.reset(seed=1)
        second = envs.step([0, 0])[0]
        assert np.shares_memory(first["board"], second["board"]) is not copy


def test_what_is_wrong_is_said():
    for make, words in (
        (lambda: gymnasium.make(ID, observation="bored"), "nothing called 'bored'"),
        (lambda: gymnasium.make(ID, observation="features"), "name them"),
        (lambda: gymnasium.make(ID, rules="10x99"), "10x99"),
        (lambda: gymnasium.make_vec(ID, 2, render_mode="human"), "render mode 'human'"),
        (lambda: gymnasium.make_vec(ID, 2).reset(seed=[1]), "1 seeds for 2 games"),
        (lambda: gymnasium.make_vec(ID, 2).reset(options={"reset_mask": [True, False]}), "reset_mask"),
    ):
        with pytest.raises(tetralab.TetralabError, match=words):
            make()


def test_the_document_says_what_happens(tmp_path):
    document = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    part = tmp_path / "environments.md"
    part.write_text(document.split("\n## Environments for reinforcement learning\n")[1], encoding="utf-8")
    failed, tried = doctest.testfile(str(part), module_relative=False, encoding="utf-8")
    assert failed == 0 and tried > 10
