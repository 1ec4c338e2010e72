# SPDX-License-Identifier: GPL-3.0-or-later
"""The game as environments of Gymnasium: one action is one placement. docs/python.md is the way in.

>>> import gymnasium, tetralab
>>> env = gymnasium.make("tetralab/Tetris-v0")
>>> observation, info = env.reset(seed=1)
>>> observation["board"].shape, "OISZLJT"[observation["queue"][0]]
((20, 10), 'O')
>>> observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
"""

from __future__ import annotations

import ctypes
from typing import Any, Sequence, Union

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ._library import TetralabError, lib, text, whole_numbers
from .batch import Batch, PlayerLike
from .drawing import as_picture, as_words, piece_images
from .rules import Rules, RulesLike

#: What can be observed, and the array of the batch that has it.
_PARTS = {
    "board": "cells",
    "columns": "columns",
    "queue": "queue",
    "features": "features",
    "move_features": "move-features",
    "action_mask": "mask",
    "image": "cells",
}
_DICT = ("board", "queue")
_LARGEST = 2**24  # no feature is larger, on any board
_MODES = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}
#: What info tells, and the array of the batch that has it.
_INFO = {"lines": "lines", "pieces": "pieces", "seed": "seed", "game": "number"}

Observation = Union["npt.NDArray[Any]", "dict[str, npt.NDArray[Any]]"]


class _View:
    """What is observed of the games of a batch: the space of one, and the arrays of all."""

    def __init__(self, batch: Batch, observation: str | Sequence[str], previews: int):
        self.batch = batch
        self.single = isinstance(observation, str) and observation != "dict"
        given = (observation,) if isinstance(observation, str) else tuple(observation)
        self.names: tuple[str, ...] = _DICT if given == ("dict",) else given
        for name in self.names:
            if name not in _PARTS:
                raise TetralabError(
                    f"There is nothing called {name!r} to observe: give dict, or one or several of {', '.join(_PARTS)}."
                )
        if batch.settings()["features"] == "none" and {"features", "move_features"} & set(self.names):
            raise TetralabError('To observe features, name them: features="du", or ["holes", "max-height"].')
        self.width, self.height, self.previews = batch.rules.width, batch.rules.height, previews
        self.images = piece_images(batch.rules) if "image" in self.names else None
        parts = {name: self._space(name) for name in self.names}
        self.space: spaces.Space[Any] = parts[self.names[0]] if self.single else spaces.Dict(parts)

    def _space(self, name: str) -> spaces.Space[Any]:
        if name == "queue":
            return spaces.MultiDiscrete([8] * (1 + self.previews), dtype=np.uint8)
        if name == "image":
            return spaces.Box(0, 1, (2 + self.previews, self.height, self.width), np.uint8)
        shape = self.batch[_PARTS[name]].shape[1:]
        if name == "columns":
            return spaces.Box(0, 2**self.height - 1, shape, np.uint32)
        if name in ("features", "move_features"):
            return spaces.Box(-_LARGEST, _LARGEST, shape, np.float32)
        return spaces.Box(0, 1, shape, np.int8 if name == "action_mask" else np.uint8)

    def array(self, name: str, final: str = "") -> npt.NDArray[Any]:
        """Of all games; `final`: how they ended."""
        array = self.batch[final + _PARTS[name]]
        if name == "action_mask":
            return array.view(np.int8)
        if self.images is not None and name == "image":
            return np.concatenate([array[:, None], self.images[self.batch[final + "queue"]]], axis=1)
        return array

    def all(self, copy: bool = True) -> Observation:
        """What is observed of all games."""
        arrays = {name: self.array(name) for name in self.names}
        if copy:
            arrays = {name: array if name == "image" else array.copy() for name, array in arrays.items()}
        return arrays[self.names[0]] if self.single else arrays

    def final(self, game: int) -> Observation:
        """What was observed of a game that has ended."""
        arrays = {name: self.array(name, "final-")[game].copy() for name in self.names}
        return arrays[self.names[0]] if self.single else arrays


def _rules(rules: RulesLike, max_episode_steps: int | None) -> Rules:
    """One step is one piece: a limit on steps is one on pieces."""
    made = Rules.of(rules)
    if max_episode_steps is None:
        return made
    given = made.to_dict()
    limit = given["max-pieces"]
    given["max-pieces"] = str(max_episode_steps if limit == "none" else min(int(limit), max_episode_steps))
    return Rules.of(given)


class TetrisEnv(gymnasium.Env[Any, Any]):
    """One game; `gymnasium.make("tetralab/Tetris-v0", ...)` makes it. All arguments have defaults.

    rules        the variant: Rules, a board such as "10x16", or settings by name, {"pieces": "bag", ...}
    observation  "dict" (board and queue); or one of board, columns, queue, features, move_features, action_mask and
                 image, as an array; or several of them, as a dict
    features     for features and move_features: names with commas between them, or a set such as "du"
    previews     pieces that are shown after the one in hand
    reward       "lines": rows removed; "uct": 0.1, 0.3, 0.6 and 1 for one to four rows, -1 for a lost game
    illegal      an action that is not possible: "end" loses the game, "refuse" raises TetralabError
    render_mode  "ansi", a text, or "rgb_array", a picture

    An action is orientation * width + column; info["action_mask"] has 1 for the possible ones.
    `reset(seed=S)` starts game 0 of seed S, the one that `tetralab play --seed S` plays first, and each
    `reset()` after it the next one; options={"game": k} starts game k.

    >>> env = TetrisEnv("10x16", observation="columns", previews=3)
    >>> env.reset(seed=7)[0]
    array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], dtype=uint32)
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        rules: RulesLike = None,
        *,
        observation: str | Sequence[str] = "dict",
        features: str | Sequence[str] | None = None,
        previews: int = 1,
        reward: str = "lines",
        illegal: str = "end",
        render_mode: str | None = None,
    ):
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise TetralabError(f"There is no render mode {render_mode!r}: give ansi or rgb_array.")
        self.render_mode = render_mode
        self._batch = Batch(
            1,
            rules,
            autoreset="disabled",
            reward=reward,
            illegal=illegal,
            previews=previews,
            features=features,
        )
        self.rules = self._batch.rules
        self._view = _View(self._batch, observation, previews)
        self.observation_space = self._view.space
        self.action_space = spaces.Discrete(4 * self.rules.width)
        self._seed: int | None = None
        self._look()

    def _look(self) -> None:
        """What every step needs, within reach."""
        batch = self._batch
        self._mask: npt.NDArray[np.int8] = batch["mask"].view(np.int8)[0]
        self._lines, self._pieces, self._game = (
            ctypes.c_int64.from_address(batch[name].ctypes.data) for name in ("lines", "pieces", "number")
        )
        self._reward = ctypes.c_double.from_address(batch["reward"].ctypes.data)
        self._terminated = ctypes.c_bool.from_address(batch["terminated"].ctypes.data)
        self._truncated = ctypes.c_bool.from_address(batch["truncated"].ctypes.data)
        self._action = ctypes.c_int64(0)
        self._arguments = (batch._handle, ctypes.byref(self._action), ctypes.byref(batch._error))
        plain = "image" not in self._view.names
        self._arrays: list[tuple[str, npt.NDArray[Any]]]
        self._arrays = [(name, self._view.array(name)[0]) for name in self._view.names] if plain else []

    def _observe(self) -> Observation:
        if not self._arrays:  # images are put together anew
            made = self._view.all()
            return {name: array[0] for name, array in made.items()} if isinstance(made, dict) else made[0]
        if self._view.single:
            return self._arrays[0][1].copy()
        return {name: array.copy() for name, array in self._arrays}

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self._mask.copy(),
            "lines": self._lines.value,
            "pieces": self._pieces.value,
            "seed": self._seed,
            "game": self._game.value,
        }

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts the next game of the seed, game 0 of a new one, or the one that options={"game": k} says.

        >>> env = TetrisEnv()
        >>> env.reset(seed=5)[1]["game"], env.reset()[1]["game"], env.reset(options={"game": 9})[1]["game"]
        (0, 1, 9)
        """
        super().reset(seed=seed)
        game = (options or {}).get("game")
        if seed is None and self._seed is None:  # nobody gave one: info tells which it is
            seed = int(self.np_random.integers(2**63))
        if seed is not None:
            self._batch.reset([seed], [game or 0])
            self._seed = seed
        else:
            self._batch.reset(None, None if game is None else [game])
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One placement.

        >>> env = TetrisEnv("4x8")
        >>> _ = env.reset(seed=2)
        >>> env.step(0)[1:4]
        (0.0, False, False)
        """
        self._action.value = number = int(action)
        if self._action.value != number:
            raise TetralabError(f"There is no action {number}: give one that the mask shows.")
        if not lib.raw_batch_step(*self._arguments):
            raise TetralabError(text(self._batch._error.text))
        return (
            self._observe(),
            self._reward.value,
            self._terminated.value,
            self._truncated.value,
            self._info(),
        )

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The possible actions, as sb3-contrib's MaskablePPO asks for them.

        >>> env = TetrisEnv()
        >>> _ = env.reset(seed=1)
        >>> int(env.action_masks().sum())  # O, which is 2 wide
        9
        """
        return self._mask.astype(np.bool_)

    def choose(self, player: PlayerLike) -> int:
        """What a player or strategy would do.

        >>> env = TetrisEnv()
        >>> _ = env.reset(seed=1)
        >>> env.choose("bcts")
        0
        """
        return int(self._batch.choose(player)[0])

    def render(self) -> Any:
        """The game as a text or as a picture, as render_mode says.

        >>> env = TetrisEnv("5x4", render_mode="ansi")
        >>> _ = env.reset(seed=1)
        >>> _ = env.step(1)
        >>> print(env.render())
        T in hand, next T
        | . . . . .|
        | . . . . .|
        | . # # . .|
        | . # # . .|
        +----------+
        0 lines, 1 pieces
        """
        draw = {"ansi": as_words, "rgb_array": as_picture}.get(self.render_mode or "")
        return None if draw is None else draw(self._batch, 0)


class TetrisVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many games, stepped together in C; `gymnasium.make_vec("tetralab/Tetris-v0", num_envs=N, ...)` makes it.

    The arguments are those of TetrisEnv, and
    autoreset_mode     of gymnasium.vector.AutoresetMode; NEXT_STEP by default
    threads            that share the games; 0: one for each core
    stride             how much larger the number of the game is that follows by itself
    copy               False: observations and masks are the same arrays again and again, written by every step
    max_episode_steps  a limit on pieces

    Like SyncVectorEnv, `reset(seed=S)` gives place i the seed S + i; a list gives each its own. reset_mask in the
    options starts only the games that it marks, and "game" the games of those numbers:
    `reset(seed=[1] * N, options={"game": numpy.arange(N)})` starts the games of `tetralab play --seed 1`.

    >>> import gymnasium
    >>> envs = gymnasium.make_vec("tetralab/Tetris-v0", num_envs=1000, rules="10x16")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["board"].shape, infos["action_mask"].shape
    ((1000, 16, 10), (1000, 40))
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: RulesLike = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observation: str | Sequence[str] = "dict",
        features: str | Sequence[str] | None = None,
        previews: int = 1,
        reward: str = "lines",
        illegal: str = "end",
        threads: int = 1,
        stride: int = 1,
        copy: bool = True,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
    ):
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {**TetrisEnv.metadata, "autoreset_mode": mode}
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise TetralabError(f"There is no render mode {render_mode!r}: give ansi or rgb_array.")
        self.num_envs, self.render_mode, self.copy, self._mode = num_envs, render_mode, copy, mode
        self._batch = batch = Batch(
            num_envs,
            _rules(rules, max_episode_steps),
            autoreset=_MODES[mode],
            reward=reward,
            illegal=illegal,
            previews=previews,
            features=features,
            threads=threads,
            stride=stride,
        )
        self.rules = batch.rules
        self._view = _View(batch, observation, previews)
        self.single_observation_space = self._view.space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = spaces.Discrete(4 * self.rules.width)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seeded = np.zeros(num_envs, np.bool_)
        self._everybody = np.ones(num_envs, np.bool_)
        self._mask = batch["mask"].view(np.int8)
        for name in ("reward", "terminated", "truncated", *_INFO.values()):
            batch[name]
        if mode == AutoresetMode.SAME_STEP:
            for name in (*self._view.names, "action_mask"):
                self._view.array(name, "final-")
            for name in _INFO.values():
                batch["final-" + name]

    def _infos(self, chosen: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """-> chosen  the games that infos are about"""
        arrays = {"action_mask": self._mask, **{name: self._batch[array] for name, array in _INFO.items()}}
        infos: dict[str, Any] = {}
        for name, array in arrays.items():
            infos[name] = array.copy() if self.copy else array
            infos["_" + name] = chosen
        return infos

    def _final_infos(self, ended: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """How games ended that others have followed already, as SyncVectorEnv tells it."""
        observations = np.full(self.num_envs, None, dtype=object)
        for game in np.flatnonzero(ended):
            observations[game] = self._view.final(int(game))
        info: dict[str, Any] = {}
        arrays = {"action_mask": self._view.array("action_mask", "final-")}
        arrays.update({name: self._batch["final-" + array] for name, array in _INFO.items()})
        for name, array in arrays.items():
            info[name] = np.where(ended.reshape((-1,) + (1,) * (array.ndim - 1)), array, 0).astype(
                array.dtype
            )
            info["_" + name] = ended
        return {"final_obs": observations, "_final_obs": ended, "final_info": info, "_final_info": ended}

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts all games, or those that options={"reset_mask": ...} marks.

        >>> envs = TetrisVectorEnv(3)
        >>> envs.reset(seed=7)[1]["seed"].tolist()
        [7, 8, 9]
        """
        super().reset(seed=seed if isinstance(seed, (int, np.integer)) else None)
        options = options or {}
        chosen = options.get("reset_mask")
        if chosen is None:
            chosen = self._everybody
        elif not (
            isinstance(chosen, np.ndarray) and chosen.shape == (self.num_envs,) and chosen.dtype == np.bool_
        ):
            raise TetralabError(f"reset_mask must be an array of {self.num_envs} of type bool.")
        game = options.get("game")
        if seed is None and (self._seeded | ~chosen).all():
            self._batch.reset(None, game, chosen)
        else:
            seeds, numbers = self._seeds(seed)
            self._batch.reset(seeds, numbers if game is None else game, chosen)
        self._seeded |= chosen
        return self._view.all(self.copy), self._infos(chosen)

    def _seeds(
        self, seed: int | Sequence[int | None] | None
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """Of each game its seed and its number in it: 0, but the next one where the seed stays."""
        given: Sequence[int | None]
        if isinstance(seed, (int, np.integer)):
            given = range(int(seed), int(seed) + self.num_envs)
        else:
            given = [None] * self.num_envs if seed is None else seed
        if len(given) != self.num_envs:
            raise TetralabError(
                f"There are {len(given)} seeds for {self.num_envs} games: give as many, or one."
            )
        missing = np.array([one is None for one in given])
        kept = missing & self._seeded
        seeds = whole_numbers("seed", [0 if one is None else one for one in given])
        seeds[kept] = self._batch["seed"][kept]
        if (missing & ~kept).any():  # nobody gave one: infos tell which it is
            drawn = self.np_random.integers(2**63, size=self.num_envs, dtype=np.uint64)
            seeds[missing & ~kept] = drawn[missing & ~kept]
        stride = int(self._batch.settings()["stride"])
        return seeds, np.where(kept, self._batch["number"] + stride, 0)

    def _result(self) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        batch = self._batch
        terminated, truncated = batch["terminated"].copy(), batch["truncated"].copy()
        infos = self._infos(self._everybody)
        if self._mode == AutoresetMode.SAME_STEP:
            ended = terminated | truncated
            if ended.any():
                infos.update(self._final_infos(ended))
        return self._view.all(self.copy), batch["reward"].copy(), terminated, truncated, infos

    def step(self, actions: npt.ArrayLike) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """One placement in each game.

        >>> envs = TetrisVectorEnv(3)
        >>> observations, infos = envs.reset(seed=7)
        >>> envs.step([0, 0, 0])[1]
        array([0., 0., 0.])
        """
        self._batch.step(actions)
        return self._result()

    def play(self, player: PlayerLike) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """The same with the moves of a player or strategy, which chooses them inside the library.

        >>> envs = TetrisVectorEnv(100)
        >>> _ = envs.reset(seed=7)
        >>> for move in range(50):
        ...     observations, rewards, terminations, truncations, infos = envs.play("bcts")
        >>> int(infos["pieces"].sum())
        5000
        """
        self._batch.play(player)
        return self._result()

    def choose(self, player: PlayerLike) -> npt.NDArray[np.int64]:
        """What a player or strategy would do, as actions.

        >>> envs = TetrisVectorEnv(2)
        >>> _ = envs.reset(seed=7)
        >>> _ = envs.step(envs.choose("bcts"))
        """
        return self._batch.choose(player)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The possible actions of each game.

        >>> TetrisVectorEnv(2).action_masks().shape
        (2, 40)
        """
        return self._mask.astype(np.bool_)

    def render(self) -> Any:
        """The games as texts or as pictures, as render_mode says.

        >>> envs = TetrisVectorEnv(2, "4x4", render_mode="rgb_array")
        >>> _ = envs.reset(seed=1)
        >>> len(envs.render())
        2
        """
        draw = {"ansi": as_words, "rgb_array": as_picture}.get(self.render_mode or "")
        return None if draw is None else tuple(draw(self._batch, game) for game in range(self.num_envs))


gymnasium.register(
    "tetralab/Tetris-v0",
    entry_point="tetralab.environment:TetrisEnv",
    vector_entry_point="tetralab.environment:TetrisVectorEnv",
)
