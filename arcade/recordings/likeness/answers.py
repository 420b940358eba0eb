"""Agreement of a snapshot with another player: its actions and probabilities at that player's decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.snapshots.card import ActionSignature
from agents.snapshots.onnx_policy import OnnxPolicy, State
from agents.snapshots.snapshot import NORMAL, SQUASHED, Snapshot
from agents.statistics import Mean, as_data, mean_of
from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.likeness.reactions import Classes, changes, classes_of, same

BATCH = 512
INSIDE = 1 - 1e-6
"""Largest share of half a box's width: the density of a squashed variable has no value at the bounds."""

LEAST = 1e-8
"""Least probability or density, so that one impossible action does not outweigh a thousand others."""


class Agreement:
    """The snapshot's agreement with the person's decisions; intervals count each recording as one observation."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot, self._policy = snapshot, OnnxPolicy(snapshot)
        names = ("same", "changed", "repeating", "log_likelihood", "chance")
        self._columns: dict[str, list[float]] = {name: [] for name in names}
        self._recordings: list[str] = []

    @property
    def decisions(self) -> int:
        return len(self._recordings)

    def add(self, episode: SeatEpisode, done: Classes) -> None:
        """Add an episode; `done`: the classes of its actions."""
        answers, changed = answer(self._policy, episode), changes(done)
        repeating = ~changed
        repeating[:1] = False
        chance = np.zeros(0) if answers.chance is None else answers.chance
        rows = (same(done, answers.likeliest), changed, repeating, answers.logp, chance)
        for column, values in zip(self._columns.values(), rows, strict=True):
            column += values.astype(np.float64).tolist()
        self._recordings += [episode.recording] * len(episode)

    def as_json(self) -> dict[str, Any]:
        """The share where the clone's most likely action was taken, also at changes alone, or the last was repeated.

        The log likelihood is natural, of a decision; by chance: for random legal actions, None for a box.
        """
        columns, chance, groups = self._columns, self._columns["chance"], self._recordings
        changed = [row for row, is_change in enumerate(columns["changed"]) if is_change]
        figures = {
            "same": share_of(columns["same"], groups),
            "at_changes": share_of([columns["same"][row] for row in changed], [groups[row] for row in changed]),
            "repeating": share_of(columns["repeating"], groups),
            "log_likelihood": mean_of(columns["log_likelihood"], groups),
        }
        means = {name: as_data(mean) for name, mean in figures.items()}
        by_chance = sum(chance) / len(chance) if chance else None
        return {"decisions": self.decisions, **means, "log_likelihood_of_chance": by_chance}


def share_of(values: Sequence[float], recordings: Sequence[str]) -> Mean | None:
    """The mean of zeros and ones, its interval clipped to 0 … 1."""
    found = mean_of(values, recordings)
    if found is None or found.low is None or found.high is None:
        return found
    return replace(found, low=max(0.0, found.low), high=min(1.0, found.high))


@dataclass(frozen=True, eq=False)
class Answers:
    """A row for each of the T decisions of an episode."""

    likeliest: Classes  # (T, parts): the snapshot's most likely action
    logp: NDArray[np.float64]  # (T,): log probability (box: log density) of the action taken
    chance: NDArray[np.float64] | None  # (T,): the same for random legal actions; None for a box


def answer(policy: OnnxPolicy, episode: SeatEpisode) -> Answers:
    """Run the snapshot over an episode's observations, with its memory, as in a seat."""
    action = policy.card.action
    likeliest, logps = [], []
    for rows, state in _batches(policy, episode):
        masks = None if episode.action_masks is None else episode.action_masks[rows]
        seen, done = episode.observations[rows], episode.sent[rows]
        decision = policy.decide(seen, masks, np.random.default_rng(0), greedy=True, state=state)
        likeliest.append(classes_of(decision.actions, action))
        if decision.probabilities is None:
            logps.append(_log_density(policy.evaluate(seen, masks, state=state)[0], done, action))
        else:
            logps.append(_log_probability(decision.probabilities, masks, done, action))
        state.update(decision.state)
    return Answers(np.concatenate(likeliest), np.concatenate(logps), _chance(episode, action))


def _batches(policy: OnnxPolicy, episode: SeatEpisode) -> Iterator[tuple[slice, State]]:
    """Yield batches of rows and the memory before them, which the caller updates."""
    state = policy.initial_state()
    size = 1 if state else BATCH
    for start in range(0, len(episode), size):
        yield slice(start, min(start + size, len(episode))), state


def _log_probability(
    shares: NDArray[np.float32], masks: NDArray[np.int8] | None, done: NDArray[Any], action: ActionSignature
) -> NDArray[np.float64]:
    """(B,): joint log probability of all parts of an action."""
    rows, flat = np.arange(len(done)), done.reshape(len(done), -1).astype(np.int64)
    given = shares.astype(np.float64)
    if action.kind == "multi_binary":
        return _sum_of_logs(np.where(flat > 0, given, 1 - given))
    if masks is not None:
        given = given * (masks != 0)
        given /= np.maximum(given.sum(axis=1, keepdims=True), LEAST)
    sizes = np.array(action.nvec or (action.n,))
    places = np.cumsum(sizes) - sizes + flat - action.start  # (B, parts)
    return _sum_of_logs(given[rows[:, None], places])


def _sum_of_logs(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """(B,) from (B, parts)."""
    logs: NDArray[np.float64] = np.log(np.maximum(shares, LEAST)).sum(axis=1)
    return logs


def _log_density(ports: dict[str, NDArray[Any]], done: NDArray[Any], action: ActionSignature) -> NDArray[np.float64]:
    """(B,): log density under independent normal distributions, squashed where the snapshot's are."""
    names = SQUASHED if SQUASHED[0] in ports else NORMAL
    mean, log_std = (ports[name].reshape(len(done), -1).astype(np.float64) for name in names)
    taken, log_slope = done.reshape(len(done), -1).astype(np.float64), 0.0
    if names is SQUASHED:
        low, high = np.array(action.low), np.array(action.high)
        half = np.maximum(high - low, LEAST) / 2
        unit = np.clip((taken - low) / half - 1, -INSIDE, INSIDE)
        taken, log_slope = np.arctanh(unit), np.log1p(-(unit**2)) + np.log(half)
    away = (taken - mean) / np.exp(log_std)
    densities = (-0.5 * away**2 - log_std - 0.5 * np.log(2 * np.pi) - log_slope).sum(axis=1)
    floored: NDArray[np.float64] = np.maximum(densities, np.log(LEAST))
    return floored


def _chance(episode: SeatEpisode, action: ActionSignature) -> NDArray[np.float64] | None:
    count = len(episode)
    match action.kind:
        case "box":
            return None
        case "multi_binary":
            return np.full(count, -(action.n or 0) * np.log(2.0))
        case "multi_discrete":
            return np.full(count, -np.log(action.nvec or (1,)).sum())
    if episode.action_masks is None:
        return np.full(count, -np.log(action.n or 1))
    legal = np.maximum((episode.action_masks[:-1] != 0).sum(axis=1), 1)
    even: NDArray[np.float64] = -np.log(legal.astype(np.float64))
    return even
