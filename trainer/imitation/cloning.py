"""Makes a snapshot from recorded play: data, split, network size, training, freeze."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

from agents.snapshots.store import Snapshot, SnapshotStore
from arcade.match.batch.make import make_vector_env
from arcade.recordings.library import Recording
from arcade.recordings.query import DatasetError, held_out
from trainer.config import ConfigError, RunConfig
from trainer.config.algorithms import ALGORITHMS
from trainer.config.reading import make_config, read_recipe, with_recipe
from trainer.imitation.dataset import Dataset, Trajectory, policy_of, read_dataset
from trainer.imitation.order import ImitationSettings, Order
from trainer.imitation.training import CloneTrainer, Epoch, TrainedClone
from trainer.league.export import Freezer, load_weights
from trainer.networks.make import make_network
from trainer.networks.spaces import is_picture
from trainer.sampling.plan import Policy

WIDTHS = {20_000: 512, 5_000: 256, 0: 128}
"""Widths of the layers, by the ticks of all recordings: narrow layers distinguish less, wide ones need more data.

Clones of ten minutes of volley, 512 wide, won 0.98 to 1.03 of the player's wins; 256 wide, 0.87 to 0.99."""

MAX_NOTE = 3_000


@dataclass(frozen=True, kw_only=True)
class Clone:
    """The snapshot, and how it was made."""

    snapshot: Snapshot
    learnt: TrainedClone
    dataset: Dataset
    recordings: int  # that were learnt from or measured with
    held_out: int  # of those, for the reported figures
    decisions: int  # learnt from
    run: RunConfig  # the layers


def make_clone(
    order: Order, recordings: Sequence[Recording], store: SnapshotStore, *,
    on_recording: Callable[[int, int], None] = lambda done, total: None,
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
) -> Clone:  # fmt: skip
    """Read what the order selects, learn it, and freeze a snapshot.

    Raises DatasetError where there is nothing to learn from, ConfigError, SnapshotError or ExportError for an order
    that cannot be carried out; nothing is saved then.
    """
    settings, selected = order.settings, [one for one in recordings if order.selection.seats(one)]
    _check(order, selected, recordings, store)
    parent = store.get(order.parent, game=order.spec.id) if order.parent else None
    with make_vector_env(order.spec, 1) as env:
        policy = policy_of(selected, order.selection, env)
    run = layers_of(order, policy, sum(one.card.ticks for one in selected), parent)
    torch.manual_seed(settings.seed)
    network = make_network(run, policy.observation_space, policy.action_space)
    if parent is not None:
        load_weights(network, parent)
    before = 0 if order.spec.turn_based else round(settings.before_takeover_ms / 1000 * order.spec.fps)
    dataset = read_dataset(selected, order.selection, network, policy, before=before, on_recording=on_recording)
    seeds = {one.id: one.card.seed for one in selected}
    learnt_from, validation, held_out = split(dataset.trajectories, settings, seeds)
    if parent is None:
        network.observe_rows(torch.as_tensor(np.concatenate([trajectory.seen for trajectory in learnt_from])))
    trainer = CloneTrainer(
        settings, start=network, trajectories=learnt_from, validation=validation, held_out=held_out,
        sequence=run.network.sequence,
    )  # fmt: skip
    learnt = trainer.run(on_epoch)
    return Clone(
        snapshot=_freeze(order, learnt, dataset, policy, parent, store), learnt=learnt, dataset=dataset,
        recordings=len({trajectory.recording for trajectory in dataset.trajectories}),
        held_out=len({trajectory.recording for trajectory in held_out}),
        decisions=sum(map(len, learnt_from)), run=run,
    )  # fmt: skip


def split(
    trajectories: Sequence[Trajectory], settings: ImitationSettings, seeds: Mapping[str, int]
) -> tuple[list[Trajectory], list[Trajectory], list[Trajectory]]:
    """Those to learn from, those to choose the epoch by, and those for the reported figures, by whole recordings.

    `seeds`: recording id to the seed of its match.  Raises DatasetError where there are too few.
    """
    ids = {trajectory.recording for trajectory in trajectories}
    if len(ids) < (3 if settings.held_out else 1):
        raise DatasetError(
            f"expected three recordings or more, one to choose the best epoch by and one to measure with, "
            f"got: {len(ids)}; record more, or learn from all with --held-out 0"
        )
    if not settings.held_out:
        return list(trajectories), [], []
    apart = partial(_apart, ids, seeds)
    last = apart(settings.held_out)
    if len(ids - last) < 2:
        last = apart(0.0)  # of few recordings one, so that two are left
    chooses = apart(settings.held_out + settings.validation) - last
    if not chooses or not ids - last - chooses:
        chooses = _apart(ids - last, seeds, 0.0)
    return (
        [one for one in trajectories if one.recording not in last | chooses],
        [one for one in trajectories if one.recording in chooses],
        [one for one in trajectories if one.recording in last],
    )


def _apart(ids: Set[str], seeds: Mapping[str, int], share: float) -> frozenset[str]:
    """About this share of the recordings, but one of them at least."""
    return held_out({id: seeds[id] for id in ids}, share=share)


def layers_of(order: Order, policy: Policy, ticks: int, parent: Snapshot | None) -> RunConfig:
    """The layers as given, else those of the parent snapshot, else widths that suit the amount of data.

    Numbers are normalised, boards and pictures stay as they are.
    """
    settings: dict[str, Any] = {"game": order.spec.id, **order.layers}
    if parent is not None:
        recipe = read_recipe(parent.onnx)
        known = ALGORITHMS.get(recipe.get("algorithm", "PPO"))
        if known is None or not known.actor_critic:
            raise ConfigError(
                f"expected a snapshot with one network for policy and value to start from, "
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


def _check(order: Order, selected: Sequence[Recording], all: Sequence[Recording], store: SnapshotStore) -> None:
    if order.name in {card.name for card in store.list()}:
        raise ConfigError(f"expected a new name for the snapshot, got {order.name!r}, which exists")
    if observe := order.layers.get("wrappers", {}).get("observe"):
        raise ConfigError(f"wrappers.observe: expected what recorded seats saw, the game's own, got: {observe}")
    if selected:
        return
    of_game = sum(one.card.game == order.spec.id for one in all)
    what = "that match the selection"
    if order.selection.corrected:
        what = f"in which a person took over from {order.selection.corrected} (hold F2, or Select on a pad)"
    raise DatasetError(
        f"expected recordings of {order.spec.id} {what}, got none among {of_game}; "
        f"see: arcade recordings list --game {order.spec.id}"
    )


def _freeze(
    order: Order, learnt: TrainedClone, dataset: Dataset, policy: Policy, parent: Snapshot | None, store: SnapshotStore
) -> Snapshot:
    freezer = Freezer(store, policy, game=order.spec.id, run="", algorithm=order.settings.algorithm.upper())
    observations, masks = dataset.rows
    return freezer.freeze(
        learnt.network, name=order.name or free_name(store, player=dataset.players[0], parent=parent),
        step=parent.card.step if parent else 0, parent=parent.card.name if parent else "",
        note=_note(order, dataset, learnt), observations=observations, masks=masks,
    )  # fmt: skip


def free_name(store: SnapshotStore, *, player: str, parent: Snapshot | None) -> str:
    """clone-PLAYER-1, or PARENT-1 for a clone that started from a snapshot, with the first free number."""
    stem = f"clone-{player}"
    if parent is not None:
        stem = re.sub(r"^(clone-.*)-\d+$", r"\1", parent.card.name)
    stem = re.sub(r"[^a-z0-9._]+", "-", stem.lower()).strip("-._")[:80] or "clone"
    taken = {card.name for card in store.list()} | set(store.refused)
    return next(name for number in itertools.count(1) if (name := f"{stem}-{number}") not in taken)


def _note(order: Order, dataset: Dataset, learnt: TrainedClone) -> str:
    best, corrected = learnt.best, order.selection.corrected
    figures, rows = (learnt.held_out, "held-out") if learnt.held_out else (best.learnt, "training")
    name = f"{corrected}, corrected" if corrected else f"clone of {', '.join(dataset.players)}"
    text = (
        f"{name}: agrees with "
        f"{figures.accuracy:.1%} of {figures.decisions:,} {rows} decisions, mean log-likelihood "
        f"{figures.log_likelihood:.3f}, after {best.number} epochs over {best.learnt.decisions:,} decisions"
    )
    return (f"{text}; {order.command}" if order.command else text)[:MAX_NOTE]
