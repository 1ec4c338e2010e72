# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches: many games stepped together in C, for programs that learn by playing."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, Iterator, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._library import TetralabError, lib, names, struct, text, whole, whole_numbers
from .player import Player
from .rules import Rules, RulesLike
from .strategy import Strategy, StrategyLike, strategies

#: Who chooses moves inside the library: a player, or a strategy that becomes one under the batch's rules.
PlayerLike = Union[Player, StrategyLike]

#: Arrays of yes and no.
_FLAGS = ("mask", "safe", "terminated", "truncated", "started")
_MAX_PLAYERS = 16  # that a batch keeps


class Batch:
    """Games that make one move each per call. An action is a placement: orientation * width + column.

    What is known about the games is in arrays, `batch["mask"]` and so on (`Batch.arrays` lists them): the first row
    is that of the first game. They are written by every call, in place, from the moment they are asked for.

    games      how many
    autoreset  when a game that has ended is followed by the next one: "next-step", "same-step" or "disabled"
    reward     "lines", or "uct": 0.1, 0.3, 0.6 and 1 for one to four rows, -1 for a lost game
    illegal    an action that is not possible: "refuse" (the step fails and changes nothing) or "end" (of its game)
    previews   pieces shown after the one in hand
    features   names with commas between them, or a set such as "du"
    threads    that share the games; 0: one for each core
    stride     how much larger the number of the game is that follows by itself

    >>> batch = Batch(3, "10x20")
    >>> batch
    Batch(3, Rules('10x20'))
    >>> batch.reset(seeds=7)
    >>> batch["queue"].tolist()  # the piece in hand and the next one, as places in "OISZLJT"
    [[2, 5], [6, 5], [3, 0]]
    >>> batch.step([0, 3, 6])
    >>> batch["columns"].max(axis=1).tolist()
    [3, 3, 3]
    """

    __slots__ = ("rules", "games", "_handle", "_arrays", "_shapes", "_players", "_error", "__weakref__")

    def __init__(
        self,
        games: int,
        rules: RulesLike = None,
        *,
        autoreset: str = "next-step",
        reward: str = "lines",
        illegal: str = "refuse",
        previews: int = 1,
        features: str | Sequence[str] | None = None,
        threads: int = 1,
        stride: int = 1,
    ):
        self.rules = Rules.of(rules)
        self.games = whole("games", games, 2**31 - 1)
        self._handle: int = lib.batch_new(self.rules._handle, self.games)
        weakref.finalize(self, lib.batch_free, self._handle)
        settings = {
            "autoreset": autoreset,
            "reward": reward,
            "illegal": illegal,
            "previews": previews,
            "threads": threads,
            "stride": stride,
            "features": (
                "none" if not features else features if isinstance(features, str) else ",".join(features)
            ),
        }
        for name, value in settings.items():
            lib.batch_set(self._handle, name.encode(), str(value).encode())
        self._shapes = {known.name.decode(): known for known in self._known()}
        self._arrays: dict[str, npt.NDArray[Any]] = {}
        self._players: dict[Any, Player] = {}
        self._error = struct("error")()

    def _known(self) -> Iterator[Any]:
        index = 0
        while lib.batch_array(self._handle, index, ctypes.byref(known := struct("array")())):
            yield known
            index += 1

    @property
    def arrays(self) -> dict[str, str]:
        """What there is to know: name and meaning. Those of the game have a twin, such as "final-lines", that tells
        how a game ended which autoreset "same-step" has followed with another one.

        >>> Batch(1).arrays["lines"]
        'rows removed in this game so far'
        """
        return {name: text(known.meaning) for name, known in self._shapes.items()}

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        found = self._arrays.get(name)
        return self._bind(name) if found is None else found

    def _bind(self, name: str) -> npt.NDArray[Any]:
        plain = name[6:] if name.startswith("final-") else name
        known = self._shapes.get(plain)
        if known is None:
            lib.batch_bind(self._handle, name.encode(), None, 0)  # which says what would be right
            raise TetralabError(f"A batch has no array {name!r}.")
        array: npt.NDArray[Any] = np.zeros(known.shape[: known.dimensions], known.type.decode())
        lib.batch_bind(self._handle, name.encode(), array.ctypes.data, array.nbytes)
        self._arrays[name] = array.view(np.bool_) if plain in _FLAGS else array
        lib.batch_write(self._handle)
        return self._arrays[name]

    def reset(
        self,
        seeds: int | npt.ArrayLike | None = None,
        numbers: int | npt.ArrayLike | None = None,
        chosen: npt.ArrayLike | None = None,
    ) -> None:
        """Starts games from the empty board: all, or those that are chosen (an array of yes and no).

        seeds    one for all games or one for each; None: they stay
        numbers  of the games in their seeds: one for all, or one for each. None: with one seed for all game k of it
                 at place k, with a seed for each 0, without seeds the next one

        >>> batch = Batch(2)
        >>> batch.reset(seeds=1)  # the games of `tetralab play --seed 1`
        >>> batch["number"].tolist()
        [0, 1]
        >>> batch.reset(chosen=[False, True])
        >>> batch["number"].tolist()
        [0, 2]
        """
        if numbers is None and seeds is not None and np.ndim(seeds) == 0:
            numbers = np.arange(self.games)
        arrays = [
            None if seeds is None else self._for_all(whole_numbers("seeds", seeds)),
            None if numbers is None else self._for_all(whole_numbers("numbers", numbers, 2**63 - 1)),
            None if chosen is None else self._for_all(np.asarray(chosen).astype(np.bool_)),
        ]
        lib.batch_reset(self._handle, *[None if array is None else array.ctypes.data for array in arrays])

    def _for_all(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if array.ndim and array.shape != (self.games,):
            raise TetralabError(
                f"Give one number for each of {self.games} games, not an array of shape {array.shape}."
            )
        return np.ascontiguousarray(np.broadcast_to(array, self.games))

    def step(self, actions: npt.ArrayLike) -> None:
        """One move in each game.

        >>> batch = Batch(2)
        >>> batch.step([0, 39])
        Traceback (most recent call last):
            ...
        tetralab.TetralabError: Game 1 of the batch: action 39, orientation 3 at column 9, is not possible for the piece L: give one that the mask shows, or set illegal to end.
        """
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise TetralabError(f"An action is a whole number; the array given has the type {array.dtype}.")
        given = np.ascontiguousarray(array, np.int64)
        if given.shape != (self.games,):
            raise TetralabError(
                f"Give one action for each of {self.games} games, not an array of shape {given.shape}."
            )
        if not lib.raw_batch_step(self._handle, given.ctypes.data, ctypes.byref(self._error)):
            raise TetralabError(text(self._error.text))

    def player(self, player: PlayerLike) -> Player:
        """The player that is meant: under the rules of the batch, unless it has its own. Built-in names and Strategy
        objects are made into players once; a file is read and weights are taken by every call, so that for many
        moves a Strategy or a Player is faster.

        >>> Batch(2, "10x16").player("bcts")
        Player('bcts', Rules('10x16'))
        """
        if isinstance(player, Player):
            return player
        key = id(player) if isinstance(player, Strategy) else player if isinstance(player, str) else None
        found = self._players.get(key)
        if found is None:
            found = Player(player, self.rules)
            if isinstance(player, Strategy) or player in strategies():
                while len(self._players) >= _MAX_PLAYERS:
                    del self._players[next(iter(self._players))]
                self._players[key] = found  # which keeps the strategy, so that its id stays its own
        return found

    def play(self, player: PlayerLike) -> None:
        """One move in each game, chosen by a player or strategy inside the library: the games are those of `play`.

        >>> batch = Batch(2)
        >>> for move in range(100):
        ...     batch.play("bcts")
        >>> batch["pieces"].tolist()
        [100, 100]
        """
        meant = self.player(player)  # which must live during the call
        if not lib.raw_batch_play(self._handle, meant._handle, ctypes.byref(self._error)):
            raise TetralabError(text(self._error.text))

    def choose(self, player: PlayerLike) -> npt.NDArray[np.int64]:
        """What a player or strategy would do, as actions for `step`; 0 where a game is over.

        >>> batch = Batch(3)
        >>> actions = batch.choose("bcts")
        >>> batch.step(actions)
        """
        actions, meant = np.empty(self.games, np.int64), self.player(player)
        lib.batch_choose(self._handle, meant._handle, actions.ctypes.data)
        return actions

    def settings(self) -> dict[str, str]:
        """How the batch was made.

        >>> Batch(2, features="du").settings()["features"]
        'du'
        """
        value = ctypes.create_string_buffer(256)
        found = {}
        for name in names(lib.batch_setting):
            lib.batch_get(self._handle, name.encode(), value)
            found[name] = text(value.value)
        return found

    def __len__(self) -> int:
        return self.games

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("A batch can neither be copied nor pickled: make another one, and reset it.")

    def __repr__(self) -> str:
        return f"Batch({self.games}, {self.rules!r})"
