"""A snapshot's actions and probabilities at another player's decisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.snapshots.card import ActionSignature
from agents.snapshots.onnx_policy import OnnxPolicy, State
from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.likeness.reactions import Classes, classes_of

BATCH = 512
LEAST = 1e-8
"""Least probability or density, so that one impossible action does not outweigh a thousand others."""


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
            logps.append(_log_density(policy.evaluate(seen, masks, state=state)[0], done))
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


def _log_density(ports: dict[str, NDArray[Any]], done: NDArray[Any]) -> NDArray[np.float64]:
    """(B,): log density under independent normal distributions."""
    mean, log_std = (
        ports[name].reshape(len(done), -1).astype(np.float64) for name in ("action_mean", "action_log_std")
    )
    away = (done.reshape(len(done), -1) - mean) / np.exp(log_std)
    densities = (-0.5 * away**2 - log_std - 0.5 * np.log(2 * np.pi)).sum(axis=1)
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
