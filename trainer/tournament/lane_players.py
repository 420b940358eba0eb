"""Who decides in many matches at once: snapshots, scripted players and random play, as each would decide alone."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.policies.scripted import FunctionController, RandomController
from agents.seats.controller import ControllerError, SeatSpec, Turn, parse_seat
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import Snapshot
from agents.spaces import conform
from arcade.games.spec import GameSpec, load_entry
from trainer.sampling.players import LaneMemory, Lanes, Masks
from trainer.tournament.draws import LaneGenerators

Array = NDArray[Any]


class LanePlayer(ABC):
    """Decides for lanes of one group of seats; a lane is one seat of one match."""

    @abstractmethod
    def begin(self, lane: int, seed: int) -> None:
        """An episode begins in a lane; all randomness there follows from `seed`."""

    @abstractmethod
    def act(self, lanes: Lanes, observations: Array, masks: Masks) -> Array:
        """The env's actions (B, *action shape), a row a lane.  Raises ControllerError."""


class SnapshotLanes(LanePlayer):
    """One inference for all lanes.  Raises SnapshotError where the graph does not load."""

    def __init__(self, snapshot: Snapshot, lanes: int) -> None:
        self._policy = OnnxPolicy(snapshot, threads=1)
        self._memory = LaneMemory(self._policy.initial_state())
        self._dice = LaneGenerators(lanes)

    def begin(self, lane: int, seed: int) -> None:
        self._dice.begin(lane, seed)
        self._memory.forget(0, np.array([lane]))

    def act(self, lanes: Lanes, observations: Array, masks: Masks) -> Array:
        state = self._memory.recall(0, lanes)
        decision = self._policy.decide(observations, masks, self._dice.of(lanes), state=state)
        self._memory.keep(0, lanes, decision.state)
        return decision.actions


class ScriptedLanes(LanePlayer):
    """A scripted player that answers for a batch of discrete actions."""

    def __init__(self, play_batch: Any, lanes: int) -> None:
        self._play, self._dice = play_batch, LaneGenerators(lanes)

    def begin(self, lane: int, seed: int) -> None:
        self._dice.begin(lane, seed)

    def act(self, lanes: Lanes, observations: Array, masks: Masks) -> Array:
        try:
            actions: Array = self._play(observations, self._dice.of(lanes))
        except Exception as error:
            raise ControllerError(f"expected actions from the scripted player, got: {error}") from error
        if masks is not None and not masks[np.arange(len(lanes)), actions].all():
            raise ControllerError("expected legal actions from the scripted player, got others")
        return actions


class ControllerLanes(LanePlayer):
    """A controller that answers at once, one a lane."""

    def __init__(self, make: Any, seats: Sequence[SeatSpec]) -> None:
        self._make, self._seats = make, seats  # of the group
        self._controllers: dict[int, FunctionController | RandomController] = {}

    def begin(self, lane: int, seed: int) -> None:
        controller = self._controllers.setdefault(lane, self._make())
        controller.reset(self._seat(lane), seed=seed)

    def act(self, lanes: Lanes, observations: Array, masks: Masks) -> Array:
        return np.stack(
            [
                self._one(lane, observations[row], None if masks is None else masks[row])
                for row, lane in enumerate(lanes.tolist())
            ]
        )

    def _one(self, lane: int, observation: Array, mask: Any) -> Array:
        seat, controller = self._seat(lane), self._controllers[lane]
        controller.observe(Turn(seat.agent, 0, observation, mask))
        try:
            return np.asarray(conform(controller.act(), seat.action_space, mask))
        except ValueError as error:
            raise ControllerError(str(error)) from None

    def _seat(self, lane: int) -> SeatSpec:
        return self._seats[lane % len(self._seats)]


def make_lane_player(
    word: str, snapshot: Snapshot | None, spec: GameSpec, seats: Sequence[SeatSpec], games: int
) -> LanePlayer:
    """The player that a seat word means in a group of `seats` of `games` matches."""
    if snapshot is not None:
        return SnapshotLanes(snapshot, games * len(seats))
    if parse_seat(word).kind == "random":
        return ControllerLanes(RandomController, seats)
    play = load_entry(spec.scripted)
    play_batch = getattr(sys.modules[play.__module__], f"{play.__name__}_batch", None)
    if play_batch is not None:
        return ScriptedLanes(play_batch, games * len(seats))
    return ControllerLanes(lambda: FunctionController(play, label="scripted"), seats)
