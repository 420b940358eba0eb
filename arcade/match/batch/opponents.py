"""Opponents: the policies of the seats that do not learn, snapshots and seat words.

A snapshot is sent before it plays and freed when no episode needs it, so that memory does not grow with the pool.  An
opponent that fails is dropped: its games continue against random play and are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.errors import UserError
from agents.files import FileError, read_file
from agents.policies.batch import Array, BatchPolicy, Masks, Seats, act_apart
from agents.policies.random import RandomBatch
from agents.policies.snapshot import SnapshotBatch
from agents.seats.controller import AgentID, SeatSpec
from agents.seats.kinds import parse_seat
from agents.snapshots.card import MAX_ONNX_BYTES
from agents.snapshots.snapshot import make_snapshot
from agents.snapshots.store import Snapshot, SnapshotCard, SnapshotError, SnapshotStore, open_store
from agents.spaces import action_signature, observation_signature
from arcade.games.spec import GameSpec
from arcade.match.batch.vector_env import VectorEnv
from arcade.match.play import lineup

LIVE = -1
"""The opponent number of a seat that a learning policy plays."""

NO_POLICY, STAND_IN = -1, -2
"""Holders of seats: no policy has begun the episode yet; random play has."""

SPARE = 32
"""Snapshots kept although they are not in play, since they may return."""

SCRIPTED = "scripted"


Show = Callable[[str, Seats, Array], Array]
"""VectorEnv.shown: what players of an observation type decide from, in some seats with these own observations."""


def _show_own(obs_type: str, seats: Seats, own: Array) -> Array:
    if obs_type:
        raise UserError(f"expected a player by the env's own observations, got one that needs {obs_type!r}")
    return own


class Opponents:
    """Each name has a permanent number, the next free one.

    `show` has the observations of players that have a type of their own; without it such a player is dropped.
    """

    def __init__(self, spec: GameSpec, places: Sequence[SeatSpec], *, games: int, show: Show = _show_own) -> None:
        self._spec, self._places, self._show = spec, places, show
        self._seeds = np.zeros(games * len(places), np.int64)  # of each seat's episode
        self._holder = np.full(len(self._seeds), NO_POLICY)  # the opponent that has begun the seat's episode
        self.snapshots: dict[str, Snapshot] = {}  # by name
        self._policies: dict[int, BatchPolicy] = {}
        self._stand_in = RandomBatch(places)
        self.names: list[str] = []
        self.dropped: dict[str, str] = {}  # name to why

    def number(self, name: str) -> int:
        """The number of a snapshot's name or a seat word."""
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def hold(self, snapshots: Mapping[str, Snapshot], *, needed: Collection[str]) -> None:
        """Add snapshots, and free those that are not `needed`, except for a few."""
        self.snapshots |= snapshots
        spare = [name for name in self.snapshots if name not in needed]
        for name in spare[: max(0, len(spare) - SPARE)]:
            del self.snapshots[name]
            self._close(self.number(name))

    def act(self, numbers: NDArray[np.intp], seats: Seats, observations: Array, masks: Masks) -> Array:
        """The env's actions of the opponents `numbers`, one for each of `seats`, which have equal spaces."""
        actors = ((partial(self._act, n), np.flatnonzero(numbers == n)) for n in np.unique(numbers).tolist())
        return act_apart(actors, seats, observations, masks)

    def _act(self, number: int, seats: Seats, observations: Array, masks: Masks) -> Array:
        name = self.names[number]
        if name not in self.dropped:
            try:
                policy = self._policy(number)
                self._begin(number, policy, seats)
                return policy.act(seats, self._show(policy.obs_type, seats, observations), masks)
            except UserError as error:
                self.dropped[name] = str(error)
                self._close(number)
        self._begin(STAND_IN, self._stand_in, seats)
        return self._stand_in.act(seats, observations, masks)

    def _begin(self, number: int, policy: BatchPolicy, seats: Seats) -> None:
        """Begin the episode on the seats that are new to the policy."""
        new = seats[self._holder[seats] != number]
        if len(new):
            policy.begin(new, self._seeds[new])
            self._holder[new] = number

    def begin(self, seats: Seats, seeds: NDArray[np.int64]) -> None:
        """Begin new episodes on these seats."""
        self._seeds[seats] = seeds
        holder = self._holder[seats]
        for number, policy in self._policies.items():  # one may free what it kept of the last episode
            own = seats[holder == number]
            if len(own):
                policy.begin(own, self._seeds[own])
        self._holder[seats] = NO_POLICY

    def close(self) -> None:
        """Free all policies; safe to call twice."""
        for number in list(self._policies):
            self._close(number)

    def _policy(self, number: int) -> BatchPolicy:
        if number not in self._policies:
            name = self.names[number]
            snapshot = self.snapshots.get(name)
            self._policies[number] = make_policy(name, self._spec, self._places, snapshot)
        return self._policies[number]

    def _close(self, number: int) -> None:
        policy = self._policies.pop(number, None)
        if policy is not None:
            self._holder[self._holder == number] = NO_POLICY
            policy.close()


def make_policy(word: str, spec: GameSpec, places: Sequence[SeatSpec], snapshot: Snapshot | None = None) -> BatchPolicy:
    """Make the policy of a seat word, or of its `snapshot`; raises UserError if there is none."""
    if snapshot is not None:
        return SnapshotBatch(snapshot, frame_skip=places[0].frame_skip, sticks=places[0].sticks)
    return lineup.make_policy(parse_seat(word), places, spec=spec, store=open_store())


def find_snapshot(word: str, batch: VectorEnv, store: SnapshotStore) -> Snapshot | None:
    """The snapshot of a seat word, None for a word of another kind; raises SnapshotError.

    An ONNX file without a card plays every seat that its inputs and outputs fit.
    """
    choice = parse_seat(word)
    if choice.kind != "snapshot":
        return None
    path = Path(choice.argument)
    if path.suffix == ".onnx" and not (path.parent / "card.json").exists():
        return _without_card(path, batch)
    return store.get(choice.argument, game=batch.spec.id)


def fitting(word: str, snapshot: Snapshot | None, batch: VectorEnv) -> list[AgentID]:
    """The agents that it can play; raises SnapshotError if there are none."""
    if snapshot is None:
        return list(batch.agents)
    found, reason = [], ""
    for place in batch.places:
        try:
            snapshot.check(place)
            found.append(place.agent)
        except SnapshotError as error:
            reason = reason or str(error)
    if not found:
        raise SnapshotError(f"{word}: {reason}")
    return found


def _without_card(path: Path, batch: VectorEnv) -> Snapshot:
    if not path.is_file():
        raise SnapshotError(f"expected an ONNX file, got: {str(path)!r}", code="not_found")
    name = "".join(c if c.isalnum() else "-" for c in path.stem.lower()).strip("-")[:80] or "policy"
    try:
        data, reasons = read_file(path, most=MAX_ONNX_BYTES), []
    except (OSError, FileError) as error:
        raise SnapshotError(f"expected an ONNX file, got: {str(path)!r} ({error})") from error
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
