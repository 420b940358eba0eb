"""From seat words to players: opponents that stay as they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.errors import UserError
from agents.home import folder
from agents.seats.controller import AgentID, Controller, ControllerError, SeatSpec, Turn, parse_seat
from agents.snapshots.snapshot import make_snapshot
from agents.snapshots.store import Snapshot, SnapshotCard, SnapshotError, SnapshotStore
from agents.spaces import action_signature, observation_signature
from arcade.games.spec import GameSpec
from arcade.match.batch.vector_env import GameBatch, SeatGroup
from arcade.match.play.lineup import make_controller, open_store
from trainer.config import ConfigError
from trainer.sampling.players import ActPlayer, Array, Lanes, Masks, Player, RandomPlayer, SnapshotPlayer, scripted_act

SCRIPTED, RANDOM = "scripted", "random"

PATIENCE = 2.0
"""Seconds that all lanes of a controller may take for one decision each, where it asks for no more."""


def make_player(word: str, spec: GameSpec, groups: Sequence[SeatGroup], snapshot: Snapshot | None = None) -> Player:
    """The player that a seat word means, `snapshot` for one of snapshot:…; raises UserError where there is none."""
    if snapshot is not None:
        return SnapshotPlayer(snapshot)
    choice = parse_seat(word)
    if choice.kind == RANDOM:
        return RandomPlayer(groups)
    if choice.kind == SCRIPTED:
        act = scripted_act(spec)
        if act is None:
            raise ConfigError(f"expected a game with a scripted player, got {spec.id}, which ships none")
        return ActPlayer(act)
    store = open_store(folder("snapshots"))
    return ControllerPlayer(lambda seat: make_controller(choice, seat, spec=spec, store=store), spec, groups)


class ControllerPlayer(Player):
    """A Controller for each lane that is in play: all of them are asked, then all answers are awaited.

    Turns count the seat's own decisions, and carry no rewards.  Raises ControllerError where one fails or is silent.
    """

    def __init__(
        self, make: Callable[[SeatSpec], Controller], spec: GameSpec, groups: Sequence[SeatGroup]
    ) -> None:  # fmt: skip
        self._make, self._groups = make, groups
        self._seats = {agent: seat_of(spec, group, agent) for group in groups for agent in group.agents}
        self._used: dict[tuple[int, int], tuple[Controller, Turn]] = {}
        self._free: dict[AgentID, list[Controller]] = {}

    def begin(self, group: int, lanes: Lanes) -> None:
        for lane in lanes.tolist():
            used = self._used.pop((group, lane), None)
            if used is not None:
                used[0].finish(0.0, terminated=True)
                self._free.setdefault(self._agent(group, lane), []).append(used[0])

    def act(self, group: int, lanes: Lanes, observations: Array, masks: Masks, rng: np.random.Generator) -> Array:
        asked = []
        for row, lane in enumerate(lanes.tolist()):
            controller, last = self._used.get((group, lane)) or self._sit_down(group, lane, rng)
            mask = None if masks is None else masks[row]
            turn = Turn(last.agent, last.tick + 1, observations[row], mask)
            self._used[group, lane] = controller, turn
            controller.observe(turn)
            asked.append(controller)
        space = self._groups[group].action_space
        return np.array(_await(asked), space.dtype).reshape(len(lanes), *space.shape)

    def close(self) -> None:
        for controller in [own for own, _ in self._used.values()] + [c for free in self._free.values() for c in free]:
            controller.close()
        self._used, self._free = {}, {}

    def _sit_down(self, group: int, lane: int, rng: np.random.Generator) -> tuple[Controller, Turn]:
        agent = self._agent(group, lane)
        free = self._free.get(agent)
        controller = free.pop() if free else self._make(self._seats[agent])
        controller.reset(self._seats[agent], seed=int(rng.integers(2**31)))
        return controller, Turn(agent, -1, None)

    def _agent(self, group: int, lane: int) -> AgentID:
        agents = self._groups[group].agents
        return agents[lane % len(agents)]


def _await(controllers: Sequence[Controller]) -> list[Any]:
    answers = [controller.act() for controller in controllers]
    patience = max([PATIENCE, *(controller.patience + PATIENCE for controller in controllers if controller.patience)])
    end = time.monotonic() + patience
    while waiting := [i for i, answer in enumerate(answers) if answer is None]:
        if time.monotonic() > end:
            label = controllers[waiting[0]].label
            raise ControllerError(f"expected {label} to answer within {patience:g} s, got nothing")
        time.sleep(2e-4)
        for i in waiting:
            answers[i] = controllers[i].act()
    return answers


def seat_of(spec: GameSpec, group: SeatGroup, agent: AgentID) -> SeatSpec:
    """What a controller must know of its place."""
    return SeatSpec(
        game=spec.id, agent=agent, observation_space=group.observation_space, action_space=group.action_space,
        fps=spec.fps,
    )  # fmt: skip


def find_snapshot(word: str, batch: GameBatch, store: SnapshotStore) -> Snapshot | None:
    """The snapshot that a seat word means, None for a word of another kind.

    An ONNX file without a card beside it plays every seat that its inputs and outputs fit.  Raises SnapshotError.
    """
    choice = parse_seat(word)
    if choice.kind != "snapshot":
        return None
    path = Path(choice.argument)
    if path.suffix == ".onnx" and not (path.parent / "card.json").exists():
        return _without_card(path, batch)
    return store.get(choice.argument, game=batch.spec.id)


def fitting(word: str, snapshot: Snapshot | None, batch: GameBatch) -> list[AgentID]:
    """The agents whose seats it can take; raises SnapshotError where there are none."""
    if snapshot is None:
        return list(batch.agents)
    found, reason = [], ""
    for group in batch.groups:
        for agent in group.agents:
            try:
                snapshot.check(seat_of(batch.spec, group, agent))
                found.append(agent)
            except SnapshotError as error:
                reason = reason or str(error)
    if not found:
        raise SnapshotError(f"{word}: {reason}")
    return found


def _without_card(path: Path, batch: GameBatch) -> Snapshot:
    if not path.is_file():
        raise SnapshotError(f"expected an ONNX file, got: {str(path)!r}")
    name = "".join(c if c.isalnum() else "-" for c in path.stem.lower()).strip("-")[:80] or "policy"
    data, reasons = path.read_bytes(), []
    for group in batch.groups:
        for masked in dict.fromkeys([group.masks is not None, False]):
            try:
                card = SnapshotCard(
                    name=name, game=batch.spec.id, masked=masked, note=f"foreign graph {path.name}, without a card",
                    observation=observation_signature(group.observation_space),
                    action=action_signature(group.action_space),
                )  # fmt: skip
                return make_snapshot(card, data)
            except UserError as error:
                reasons.append(str(error))
    raise SnapshotError(f"{path} fits no seat of {batch.spec.id}: {reasons[0]}")
