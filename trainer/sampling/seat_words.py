"""Seat words as batch policies: opponents that do not learn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agents.errors import UserError
from agents.policies.batch import BatchPolicy
from agents.policies.snapshot import SnapshotBatch
from agents.seats.controller import AgentID, SeatSpec
from agents.seats.kinds import parse_seat
from agents.snapshots.snapshot import make_snapshot
from agents.snapshots.store import Snapshot, SnapshotCard, SnapshotError, SnapshotStore, open_store
from agents.spaces import action_signature, observation_signature
from arcade.games.spec import GameSpec
from arcade.match.batch.vector_env import VectorEnv
from arcade.match.play import lineup

SCRIPTED, RANDOM = "scripted", "random"


def make_policy(word: str, spec: GameSpec, places: Sequence[SeatSpec], snapshot: Snapshot | None = None) -> BatchPolicy:
    """Make the policy of a seat word, or of its `snapshot`; raises UserError if there is none."""
    if snapshot is not None:
        return SnapshotBatch(snapshot)
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
