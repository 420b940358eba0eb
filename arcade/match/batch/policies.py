"""From players of a plan to policies that decide for many matches at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from agents.policies.batch import BatchPolicy
from agents.policies.functions import FunctionBatch, VectorBatch
from agents.policies.random import RandomBatch
from agents.seats.controller import ControllerError, SeatSpec
from arcade.games.spec import GameSpec, load_entry
from arcade.match.batch.plan import Player


def make_policy(player: Player, spec: GameSpec, places: Sequence[SeatSpec]) -> BatchPolicy:
    """The policy of a player with `is_vectorised`; `places` are the seats of a match.

    Raises SnapshotError where a graph does not load, ControllerError where the game ships no scripted player.
    """
    if player.snapshot is not None:
        from agents.policies.snapshot import SnapshotBatch  # onnxruntime takes a second to import
        from agents.snapshots.onnx_policy import OnnxPolicy

        return SnapshotBatch(OnnxPolicy(player.snapshot, threads=1))
    if player.choice.kind == "random":
        return RandomBatch(places)
    return scripted_policy(spec, places)


def scripted_policy(spec: GameSpec, places: Sequence[SeatSpec]) -> BatchPolicy:
    """The game's scripted player, by its function for whole batches where it has one (``NAME_batch``)."""
    if not spec.scripted:
        raise ControllerError(f"expected a game with a scripted player, got {spec.id}, which ships none")
    play = load_entry(spec.scripted)
    play_batch = getattr(sys.modules[play.__module__], f"{play.__name__}_batch", None)
    if play_batch is None:
        return FunctionBatch(play, places, label="scripted")
    return VectorBatch(lambda observations, masks, draws: play_batch(observations, draws), label="scripted")
