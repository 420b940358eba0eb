"""How soon a player does what a change of the situation calls for.

Reaction time is the time from a stimulus to the response to it (Luce 1986, Response Times).  Play has no stimuli that
are marked as such, so a reference player says what calls for what: whenever the action that it holds for right becomes
another one, and the player is not at it already, the time counts until the player does just that, within a second and
before the reference changes its mind again.  Of what comes later, or never, it is known only that it did.  Actions that
agree by chance count too: the same count with the reference half an episode away says how many those are.  Person and
clone are measured alike, so their difference says more than either figure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.policies.adapters import wait_for
from agents.seats.controller import Controller, SeatSpec, Turn
from agents.snapshots.card import ActionSignature
from arcade.recordings.datasets.episodes import SeatEpisode

WINDOW_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class Reactions:
    """Of one episode, or of several."""

    ticks: NDArray[np.int64]  # from each change that was followed to the player's following it; 0: at once
    count: int  # changes, those that were not followed included
    by_chance: int  # that would have been followed within the same time by chance


NONE = Reactions(np.zeros(0, np.int64), 0, 0)


def reference_classes(
    reference: Controller, seat: SeatSpec, episode: SeatEpisode, action: ActionSignature
) -> Classes:  # fmt: skip
    """(T, parts): what the reference holds for right at each decision."""
    reference.reset(seat, seed=episode.seed)
    masks = episode.action_masks
    answers = []
    for row, tick in enumerate(episode.ticks.tolist()):
        mask = None if masks is None else masks[row]
        reference.observe(Turn(agent=seat.agent, tick=tick, observation=episode.observations[row], action_mask=mask))
        answers.append(np.asarray(wait_for([reference])[0]))
    return classes_of(np.stack(answers), action)


def reactions(player: Classes, reference: Classes, ticks: NDArray[np.int64], *, fps: float) -> Reactions:
    """`player` and `reference` at the decisions of one episode, made at `ticks`."""
    window = round(WINDOW_SECONDS * fps)
    lags, count = _lags(player, reference, ticks, window)
    elsewhere, others = _lags(player, np.roll(reference, len(reference) // 2, axis=0), ticks, window)
    return Reactions(lags, count, round(len(elsewhere) * count / others) if others else 0)


def together(parts: list[Reactions]) -> Reactions:
    """All of them as one."""
    if not parts:
        return NONE
    return Reactions(
        np.concatenate([part.ticks for part in parts]),
        sum(part.count for part in parts),
        sum(part.by_chance for part in parts),
    )


def _lags(
    player: Classes, reference: Classes, ticks: NDArray[np.int64], window: int
) -> tuple[NDArray[np.int64], int]:  # fmt: skip
    """From each change to the answer, where there was one; and how many changes there were."""
    rows = np.flatnonzero(changes(reference))
    ends = [*rows[1:].tolist(), len(reference)]
    lags, count = [], 0
    for row, end in zip(rows.tolist(), ends, strict=True):
        if (player[row - 1] == reference[row]).all():
            continue
        count += 1
        answered = np.flatnonzero(same(player[row:end], np.broadcast_to(reference[row], player[row:end].shape)))
        if len(answered) and (lag := ticks[row + answered[0]] - ticks[row]) <= window:
            lags.append(lag)
    return np.array(lags, np.int64), count


Classes = NDArray[np.int64]
"""(T, parts): rows are equal where the actions count as the same."""

POSITIONS = 5
"""Into so many equal parts the range of each entry of a box is divided."""


def classes_of(actions: NDArray[Any], action: ActionSignature) -> Classes:
    """Of actions (T, *shape): discrete ones as they are; an entry of a box by its part of the range, or, where that
    has no end, by its sign."""
    rows = actions.reshape(len(actions), -1)
    if action.kind != "box":
        return rows.astype(np.int64)
    low, high = np.array(action.low, np.float64), np.array(action.high, np.float64)
    bounded = np.isfinite(low) & np.isfinite(high) & (high > low)
    width = np.where(bounded, high - low, 1.0)
    parts = np.clip((rows - np.where(bounded, low, 0.0)) / width * POSITIONS, 0, POSITIONS - 1)
    return np.where(bounded, np.floor(parts), np.sign(rows)).astype(np.int64)


def same(first: Classes, second: Classes) -> NDArray[np.bool_]:
    """(T,): row by row."""
    equal: NDArray[np.bool_] = (first == second).all(axis=1)
    return equal


def changes(classes: Classes) -> NDArray[np.bool_]:
    """(T,): where a row is another one than the row before; False in the first."""
    return np.concatenate([np.zeros(min(1, len(classes)), np.bool_), ~same(classes[1:], classes[:-1])])


def run_lengths(classes: Classes) -> NDArray[np.int64]:
    """How many decisions each action lasted, in order; without the last, which the episode's end cut short."""
    starts = np.flatnonzero(changes(classes))
    return np.diff(np.concatenate([np.zeros(min(1, len(classes)), np.int64), starts])).astype(np.int64)
