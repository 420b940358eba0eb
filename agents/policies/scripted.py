"""ScriptedPlayer: the contract of a game's own player that remembers its episode and plays the difficulty levels."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.policies.adapters import PolicyController
from agents.policies.batch import Decide, SeatBySeatPolicy
from agents.seats.controller import Action, ActionMask, ControllerError, SeatSpec
from agents.spaces import idle_action


class ScriptedPlayer(ABC):
    """A player of one game or a few, made once; `begin` starts an episode of one seat.

    The caller's loop::

        decide = player.begin(seat, np.random.default_rng(7), "hard")
        action = decide(observation, mask)                       # at every turn, as its `obs_type` has it
    """

    obs_type: str = ""
    """The observations that it decides from, of `GameSpec.obs_types`; "" for the env's own."""

    @abstractmethod
    def begin(self, seat: SeatSpec, rng: np.random.Generator, level: str) -> Decide:
        """The decisions of one episode; all chance comes from `rng`, `level` is one of `LEVELS`."""


class ScriptedBatch(SeatBySeatPolicy):
    """Plays what a ScriptedPlayer decides; raises ControllerError where it fails."""

    def __init__(self, player: ScriptedPlayer, level: str, places: Sequence[SeatSpec], *, label: str) -> None:
        super().__init__(places)
        self._player, self._level, self.label = player, level, label

    def _start(self, place: SeatSpec, seed: int) -> Decide:
        play = self._player.begin(place, np.random.default_rng(seed), self._level)

        def decide(observation: Any, mask: ActionMask | None) -> Action:
            if observation is None:  # it took the seat in mid-turn, see Controller.obs_type
                return idle_action(place.action_space, mask)
            try:
                return play(observation, mask)
            except Exception as error:
                raise ControllerError(f"{self.label} failed: {type(error).__name__}: {error}") from error

        return decide


class ScriptedController(PolicyController):
    """One live seat that a ScriptedPlayer has."""

    def __init__(self, player: ScriptedPlayer, level: str, *, label: str) -> None:
        super().__init__(lambda seat: ScriptedBatch(player, level, [seat], label=label), label=label)
        self.obs_type = player.obs_type


def load_player(word: str) -> ScriptedPlayer:
    """The player that ``module:name`` of a GameSpec names."""
    module, _, name = word.partition(":")
    player: ScriptedPlayer = getattr(importlib.import_module(module), name)
    return player
