"""From a selection of recorded decisions to a snapshot in the store."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from agents.snapshots.store import Snapshot, SnapshotStore
from arcade.match.batch.make import make_vector_env
from arcade.recordings.datasets.split import held_out
from arcade.recordings.library import Recording
from arcade.recordings.query import DatasetError
from trainer.config import ConfigError, RunConfig
from trainer.config.algorithms import ALGORITHMS
from trainer.config.reading import make_config
from trainer.config.recipe import read_recipe, with_recipe
from trainer.imitation.dataset import Dataset, policy_of, read_dataset
from trainer.imitation.order import Order
from trainer.imitation.settings import ImitationSettings
from trainer.imitation.training import CloneTrainer, Epoch, TrainedClone
from trainer.imitation.trajectories import Trajectory, decisions
from trainer.league.freezing import Freezer, load_weights
from trainer.networks.make import make_network
from trainer.networks.seat import SeatNetwork
from trainer.networks.spaces import is_picture
from trainer.sampling.plan import Policy

WIDTHS = {20_000: 512, 5_000: 256, 0: 128}
"""Ticks of all recordings → width of the layers: narrower ones tell less apart, wider ones learn nothing from little.

Of ten minutes of volley clones 512 wide won 0.98 to 1.03 of what the player wins, 256 wide 0.87 to 0.99."""

MOST_NOTE = 3_000


@dataclass(frozen=True, kw_only=True)
class Clone:
    """The snapshot, and how it was made."""

    snapshot: Snapshot
    learnt: TrainedClone
    dataset: Dataset
    recordings: int  # that were learnt from or measured with
    held_out: int  # of those, to measure with
    decisions: int  # learnt from
    run: RunConfig  # the layers


@dataclass(frozen=True, kw_only=True)
class Callbacks:
    """Called with the progress."""

    on_recordings: Callable[[int], None] = lambda count: None  # so many are to be read
    on_recording: Callable[[Recording], None] = lambda recording: None
    on_epoch: Callable[[Epoch], None] = lambda epoch: None


NO_CALLBACKS = Callbacks()


@dataclass(frozen=True, kw_only=True, eq=False)
class Prepared:
    """An order with its dataset read and checked."""

    order: Order
    store: SnapshotStore
    parent: Snapshot | None
    policy: Policy
    run: RunConfig  # the layers
    network: SeatNetwork  # as it begins
    dataset: Dataset
    trajectories: list[Trajectory]
    held_out: list[Trajectory]


def prepare(
    order: Order, recordings: Sequence[Recording], store: SnapshotStore, callbacks: Callbacks = NO_CALLBACKS
) -> Prepared:
    """Read what the order asks for.

    Raises DatasetError where there is nothing to learn from, ConfigError or SnapshotError for an order that cannot be.
    """
    asked = [recording for recording in recordings if order.selection.seats(recording)]
    _check(order, asked, recordings, store)
    parent = store.get(order.parent, game=order.spec.id) if order.parent else None
    with make_vector_env(order.spec, 1) as env:
        policy = policy_of(asked, order.selection, env)
    run = layers_of(order, policy, sum(recording.card.ticks for recording in asked), parent)
    network = _make_network(run, order.settings, policy, parent)
    callbacks.on_recordings(len(asked))
    dataset = read_dataset(
        asked, order.selection, network, policy, correction=order.settings.weight, on_recording=callbacks.on_recording
    )
    trajectories, apart = split(
        dataset.trajectories, order.settings, {recording.id: recording.card.seed for recording in asked}
    )
    if parent is None:
        network.observe_rows(torch.as_tensor(np.concatenate([trajectory.seen for trajectory in trajectories])))
    return Prepared(
        order=order, store=store, parent=parent, policy=policy, run=run, network=network, dataset=dataset,
        trajectories=trajectories, held_out=apart,
    )  # fmt: skip


def make_clone(prepared: Prepared, callbacks: Callbacks = NO_CALLBACKS) -> Clone:
    """Learn and freeze.  Raises ExportError or SnapshotError, and saves nothing then."""
    learning = CloneTrainer(
        prepared.order.settings, start=prepared.network, trajectories=prepared.trajectories, held_out=prepared.held_out,
        sequence=prepared.run.network.sequence,
    )  # fmt: skip
    learnt = learning.run(callbacks.on_epoch)
    return Clone(
        snapshot=_freeze(prepared, learnt),
        learnt=learnt,
        dataset=prepared.dataset,
        recordings=len({trajectory.recording for trajectory in prepared.dataset.trajectories}),
        held_out=len({trajectory.recording for trajectory in prepared.held_out}),
        decisions=decisions(prepared.trajectories),
        run=prepared.run,
    )


def split(
    trajectories: Sequence[Trajectory], settings: ImitationSettings, seeds: Mapping[str, int]
) -> tuple[list[Trajectory], list[Trajectory]]:
    """Those to learn from, and those held out, by whole recordings; raises DatasetError where there are too few.

    `seeds`: of each recording's match.
    """
    ids = {trajectory.recording for trajectory in trajectories}
    if len(ids) < (2 if settings.held_out else 1):
        raise DatasetError(
            f"expected two recordings or more, of which one is held out to measure with, got: {len(ids)}; record more, "
            "or learn from all with --held-out 0"
        )
    apart = held_out({id: seeds[id] for id in ids}, share=settings.held_out) if settings.held_out else frozenset()
    return [one for one in trajectories if one.recording not in apart], [
        one for one in trajectories if one.recording in apart
    ]


def layers_of(order: Order, policy: Policy, ticks: int, parent: Snapshot | None) -> RunConfig:
    """The layers as given, else those of the snapshot to go on from, else what suits so much data.

    Numbers are brought to one scale, boards and pictures stay as they are.
    """
    settings: dict[str, Any] = {"game": order.spec.id, **order.layers}
    if parent is not None:
        recipe = read_recipe(parent.onnx)
        known = ALGORITHMS.get(recipe.get("algorithm", "PPO"))
        if known is None or not known.actor_critic:
            raise ConfigError(
                f"expected a snapshot with one network for policy and value to go on from, "
                f"got {parent.card.name!r} of {recipe['algorithm']}"
            )
        return make_config(with_recipe(settings, {**recipe, "algorithm": "PPO"}))
    width = next(width for enough, width in WIDTHS.items() if ticks >= enough)
    space = policy.observation_space
    usual = {
        "network": {"hidden": [width, width], "activation": "relu"},
        "wrappers": {"normalise": space.dtype.kind == "f" and not is_picture(space)},
    }
    return make_config(settings | {part: usual[part] | settings.get(part, {}) for part in usual})


def _make_network(run: RunConfig, settings: ImitationSettings, policy: Policy, parent: Snapshot | None) -> SeatNetwork:
    torch.manual_seed(settings.seed)
    network = make_network(run, policy.observation_space, policy.action_space)
    if parent is not None:
        load_weights(network, parent)
    return network


def _check(order: Order, asked: Sequence[Recording], recordings: Sequence[Recording], store: SnapshotStore) -> None:
    if order.name in {card.name for card in store.list()}:
        raise ConfigError(f"expected a new name for the snapshot, got {order.name!r}, which exists")
    if asked:
        return
    of_game = sum(recording.card.game == order.spec.id for recording in recordings)
    what = "some that are asked for"
    if order.selection.corrected:
        what = f"some in which a person took over from {order.selection.corrected} (hold F2, or Select on a pad)"
    raise DatasetError(
        f"expected recordings of {order.spec.id} to learn from, {what}, got none of the {of_game} that there are; "
        f"see: arcade recordings list --game {order.spec.id}"
    )


def _freeze(prepared: Prepared, learnt: TrainedClone) -> Snapshot:
    order, parent, dataset = prepared.order, prepared.parent, prepared.dataset
    freezer = Freezer(
        prepared.store, prepared.policy, game=order.spec.id, run="", algorithm=order.settings.algorithm.upper()
    )
    observations, masks = dataset.rows
    return freezer.freeze(
        learnt.network, name=order.name or free_name(prepared.store, who=_who(dataset)[0], parent=parent),
        step=parent.card.step if parent else 0, parent=parent.card.name if parent else "",
        note=_note(order, dataset, learnt), observations=observations, masks=masks,
    )  # fmt: skip


def free_name(store: SnapshotStore, *, who: str, parent: Snapshot | None) -> str:
    """clone-WHO-1, or the first such number that no snapshot has; of a snapshot gone on from, its name and number."""
    stem = parent.card.name if parent is not None else f"clone-{who}"
    stem = re.sub(r"-\d+$", "", stem) if stem.startswith("clone-") and parent else stem
    stem = re.sub(r"[^a-z0-9._]+", "-", stem.lower()).strip("-._")[:80] or "clone"
    taken = {card.name for card in store.list()} | set(store.refused)
    return next(name for number in range(1, 10**9) if (name := f"{stem}-{number}") not in taken)


def _who(dataset: Dataset) -> list[str]:
    """Those who decided, the busiest first."""
    return sorted(dataset.who, key=lambda name: -dataset.who[name])


def _note(order: Order, dataset: Dataset, learnt: TrainedClone) -> str:
    of, best = ", ".join(_who(dataset)), learnt.best
    figures = best.held_out or best.learnt
    what = f"{order.selection.corrected}, corrected" if order.selection.corrected else f"clone of {of}"
    measured = "held out" if best.held_out else "learnt from"
    text = (
        f"{what}: {figures.accuracy:.1%} of {figures.decisions:,} decisions {measured} agreed with, mean "
        f"log-likelihood {figures.log_likelihood:.3f}, after {best.number} passes over "
        f"{best.learnt.decisions:,} decisions"
    )
    return f"{text}; {order.command}"[:MOST_NOTE] if order.command else text[:MOST_NOTE]
