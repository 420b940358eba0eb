"""Freezes policies to snapshots, and loads snapshots into networks."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from agents.snapshots.store import Snapshot, SnapshotCard, SnapshotStore
from agents.spaces import action_signature, observation_signature
from trainer.config import ConfigError
from trainer.league.export import PREFIX, Exporter, network_state
from trainer.networks.seat import SeatNetwork
from trainer.sampling.plan import Policy


class Freezer:
    """Exports networks of one policy, checks them against torch, and saves them as snapshots."""

    def __init__(self, store: SnapshotStore, policy: Policy, *, game: str, run: str, algorithm: str) -> None:
        self._store = store
        self._exporter = Exporter(policy.observation_space, policy.action_space, masked=policy.masked)
        self._facts = {
            "game": game,
            "agents": tuple(str(agent) for agent in policy.agents),
            "observation": observation_signature(policy.observation_space),
            "action": action_signature(policy.action_space),
            "masked": policy.masked,
            "algorithm": algorithm,
            "run": run,
        }

    def freeze(
        self, network: SeatNetwork, *, name: str, step: int, parent: str, note: str,
        observations: NDArray[Any], masks: NDArray[np.int8] | None,
    ) -> Snapshot:  # fmt: skip
        """Raises ExportError or SnapshotError; nothing is saved then."""
        data = self._exporter.export(network, observations=observations, masks=masks)
        card = SnapshotCard(name=name, step=step, parent=parent, note=note, **self._facts)
        return self._store.save(card, data)


def snapshot_name(run: str, number: int) -> str:
    """The name of a run's snapshot number 0, 1, …"""
    stem = re.sub(r"[^a-z0-9._-]+", "-", run.lower()).strip("-._") or "run"
    return f"{stem[:80]}-{number:04d}"


def load_weights(network: SeatNetwork, snapshot: Snapshot) -> None:
    """Load a snapshot's weights and running statistics; raises ConfigError, and changes nothing, if layers differ."""
    graph = onnx.load_from_string(snapshot.onnx).graph
    theirs = {t.name.removeprefix(PREFIX): numpy_helper.to_array(t) for t in graph.initializer}
    own = dict(network_state(network.whole()))
    for name in [*own, *theirs]:
        wanted = tuple(own[name].shape) if name in own else None
        got = tuple(theirs[name].shape) if name in theirs else None
        if wanted != got:
            raise ConfigError(
                f"start_from: expected {name} {_describe(wanted)} in snapshot {snapshot.card.name!r}, "
                f"got it {_describe(got)}; set algorithm, network and wrappers as in the run that made it"
            )
    with torch.no_grad():
        for name, weight in own.items():
            weight.copy_(torch.from_numpy(theirs[name].copy()))


def _describe(shape: tuple[int, ...] | None) -> str:
    return "absent" if shape is None else f"of shape {shape}"
