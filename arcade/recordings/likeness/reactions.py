"""Reaction times of a player relative to a reference player, and classes of equal actions.

Reaction time is the time from a stimulus to the response (Luce 1986, Response Times).  The stimulus is a change of the
reference player's action while the player does something else; the response is the same action of the player, within a
second and before the next change.  Later responses count as missed.  The same measure with the reference shifted by
half an episode estimates the responses by chance.  Compare the figures of person and clone rather than read either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.closing import Closing
from agents.policies.adapters import wait_for
from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import AgentID, Controller, SeatChoice, SeatSpec, Turn
from agents.snapshots.card import ActionSignature
from agents.snapshots.store import SnapshotStore
from arcade.match.play.lineup import make_controller
from arcade.match.stage.local import LocalStage
from arcade.recordings.datasets.episodes import SeatEpisode

WINDOW_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class Reactions:
    """The reactions in an episode."""

    ticks: NDArray[np.int64]  # from each answered change to the response; 0: at once
    count: int  # changes, answered or not
    by_chance: int  # expected number answered by chance


NONE = Reactions(np.zeros(0, np.int64), 0, 0)


class References(Closing):
    """The reference player of each seat, made on demand; none in a turn-based game."""

    def __init__(
        self, choice: SeatChoice | None, stage: LocalStage, store: SnapshotStore, *, action: ActionSignature
    ) -> None:  # fmt: skip
        self._choice, self._stage, self._store, self.action = choice, stage, store, action
        self._made: dict[AgentID, Controller] = {}

    def reactions(self, episode: SeatEpisode, done: Classes) -> Reactions:
        """The reactions in an episode; none without a reference."""
        if self._choice is None:
            return NONE
        seat = self._stage.seat(episode.agent)
        if episode.agent not in self._made:
            self._made[episode.agent] = self._make(self._choice, seat)
        right = _reference_classes(self._made[episode.agent], seat, episode, self.action)
        return reactions(done, right, episode.ticks, fps=seat.fps)

    def close(self) -> None:
        for controller in self._made.values():
            controller.close()

    def _make(self, choice: SeatChoice, seat: SeatSpec) -> Controller:
        if choice.kind == "snapshot":  # sampled actions would change at every tick
            return SnapshotController(self._store.get(choice.argument, game=seat.game, agent=seat.agent), greedy=True)
        return make_controller(choice, seat, spec=self._stage.spec, store=self._store)


def _reference_classes(
    reference: Controller, seat: SeatSpec, episode: SeatEpisode, action: ActionSignature
) -> Classes:  # fmt: skip
    """(T, parts): the reference player's action at each decision."""
    reference.reset(seat, seed=episode.seed)
    masks = episode.action_masks
    answers = []
    for row, tick in enumerate(episode.ticks.tolist()):
        mask = None if masks is None else masks[row]
        reference.observe(Turn(agent=seat.agent, tick=tick, observation=episode.observations[row], action_mask=mask))
        answers.append(np.asarray(wait_for([reference])[0]))
    return classes_of(np.stack(answers), action)


def reactions(player: Classes, reference: Classes, ticks: NDArray[np.int64], *, fps: float) -> Reactions:
    """Reactions from the action classes of player and reference at the decisions of an episode, made at `ticks`."""
    window = round(WINDOW_SECONDS * fps)
    lags, count = _lags(player, reference, ticks, window)
    elsewhere, others = _lags(player, np.roll(reference, len(reference) // 2, axis=0), ticks, window)
    return Reactions(lags, count, round(len(elsewhere) * count / others) if others else 0)


def _lags(
    player: Classes, reference: Classes, ticks: NDArray[np.int64], window: int
) -> tuple[NDArray[np.int64], int]:  # fmt: skip
    """The ticks from each answered change to its response, and the number of changes."""
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
"""Classes of each bounded entry of a box."""


def classes_of(actions: NDArray[Any], action: ActionSignature) -> Classes:
    """Classes of actions (T, *shape): discrete ones unchanged; box entries by fifths of the range or by sign."""
    rows = actions.reshape(len(actions), -1)
    if action.kind != "box":
        return rows.astype(np.int64)
    low, high = np.array(action.low, np.float64), np.array(action.high, np.float64)
    bounded = np.isfinite(low) & np.isfinite(high) & (high > low)
    width = np.where(bounded, high - low, 1.0)
    parts = np.clip((rows - np.where(bounded, low, 0.0)) / width * POSITIONS, 0, POSITIONS - 1)
    return np.where(bounded, np.floor(parts), np.sign(rows)).astype(np.int64)


def same(first: Classes, second: Classes) -> NDArray[np.bool_]:
    """(T,): which rows are equal."""
    equal: NDArray[np.bool_] = (first == second).all(axis=1)
    return equal


def changes(classes: Classes) -> NDArray[np.bool_]:
    """(T,): which rows differ from the row before; False for the first."""
    return np.concatenate([np.zeros(min(1, len(classes)), np.bool_), ~same(classes[1:], classes[:-1])])


def run_lengths(classes: Classes) -> NDArray[np.int64]:
    """The number of decisions of each run of one action, without the last run, which the end cuts short."""
    starts = np.flatnonzero(changes(classes))
    return np.diff(np.concatenate([np.zeros(min(1, len(classes)), np.int64), starts])).astype(np.int64)
