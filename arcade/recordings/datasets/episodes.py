"""SeatEpisode: the observations and actions of one seat in a recording, as arrays.

::

    for episode in episodes(recording, ("left_0",)):
        learn(episode.observations[:-1], episode.actions, episode.rewards)
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.errors import UserError
from agents.seats.controller import AgentID
from arcade.match.playback.reader import read_observations
from arcade.match.playback.replay import Replay
from arcade.match.playback.verify import simulated
from arcade.match.stage.tick import Tick, tick_digest
from arcade.recordings.datasets.segments import ObservationRows, Segment, Wanted, agents_of, pieces
from arcade.recordings.library import Recording
from arcade.recordings.query import DatasetError, DatasetQuery

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, eq=False)
class SeatEpisode:
    """T >= 1 decisions of one seat that follow on each other; row t is the decision at ``observations[t]``."""

    recording: str  # id of the recording
    game: str  # catalogue id
    agent: AgentID
    seed: int  # of the match
    label: str  # of the first decision
    person: str  # the name that the person agreed to, else ""
    observations: Any
    """(T + 1, *shape) as the env gives it, without the mask; a list of T + 1 values where no array holds them.

    The last one follows the last decision; where the seat saw nothing after it (a turn-based game that ended early),
    it repeats the one before.
    """
    action_masks: NDArray[np.int8] | None  # (T + 1, number of actions); None where every action was legal all along
    actions: Any  # (T, *shape): what was really executed; a list of T values where no array holds them
    sent: Any  # the same: what the seat asked for
    rewards: NDArray[np.float64]  # (T,): the sum from this decision to the next, or to the seat's end
    ticks: NDArray[np.int64]  # (T,): of the observation decided on
    times: NDArray[np.float64]  # (T,): seconds from being asked to the next tick; by turns: the time to decide
    human: NDArray[np.bool_]  # (T,): a person decided
    takeover: NDArray[np.bool_]  # (T,): a person who took over from AI
    labels: tuple[str, ...]  # (T,): the player who decided
    terminated: bool  # the seat's episode came to its own end behind the last row
    truncated: bool  # it was cut off there: by the game, by a trim or a filter, by a player who left
    by_seat: Mapping[str, Mapping[str, NDArray[Any]]] = field(default_factory=dict)
    """In a joint episode: what each seat did and was paid, by name ("acts", "reward" …) and agent, each (T,)."""

    def __len__(self) -> int:
        return len(self.ticks)


def seat_episodes(recording: Recording, query: DatasetQuery) -> Iterator[SeatEpisode]:
    """Yield the episodes of the seats that `query` selects; raises as `episodes` does."""
    return episodes(recording, query.seats(recording), wanted=query.wants)


def demo_episodes(
    recordings: Iterable[Recording],
    query: DatasetQuery,
    *,
    on_recording: Callable[[Recording], None] = lambda recording: None,
    read: Callable[[Recording, DatasetQuery], Iterator[SeatEpisode]] = seat_episodes,
) -> Iterator[SeatEpisode]:
    """Yield the episodes that `query` selects; unreadable recordings are skipped with a warning.

    `on_recording` is called after each recording, also one without a selected seat.  `read` yields the episodes of one.
    """
    for recording in recordings:
        try:
            yield from read(recording, query)
        except UserError as error:
            _log.warning("%s is left out: %s", recording.id, error)
        on_recording(recording)


def episodes(recording: Recording, agents: Iterable[str], *, wanted: Wanted | None = None) -> Iterator[SeatEpisode]:
    """Yield the episodes of seats, named as text, over the ticks of a recording that count.

    Of decisions that are not `wanted` no row is made; those on both sides are episodes of their own.  Raises
    ReplayError or StageError where the recording, or its game, cannot be had.
    """
    asked = set(agents)
    if not asked:
        return
    replay = recording.replay()
    span = recording.card.ticks_that_count
    seats = [agent for agent in agents_of(replay) if str(agent) in asked]
    gathering = {agent: ObservationRows(pieces(replay, agent, span, wanted)) for agent in seats}
    for index, seen in observations(replay, [agent for agent in seats if gathering[agent].is_open]):
        for agent, value in seen.items():
            for piece, values in gathering[agent].see(index, value):
                yield _made(recording, replay, piece, values)
        if not any(one.is_open for one in gathering.values()):
            return
    for one in gathering.values():
        for piece, values in one.rest():
            yield _made(recording, replay, piece, values)


def _made(recording: Recording, replay: Replay, piece: Segment, values: Any) -> SeatEpisode:
    agent, rows = piece.agent, piece.decisions
    ticks = [row.tick for row in rows]
    done = [replay.actions[tick][agent] for tick in ticks]
    sent = [replay.sent.get(tick + 1, {}).get(agent, action) for tick, action in zip(ticks, done, strict=True)]
    paid = [sum(replay.rewards[tick].get(agent, 0.0) for tick in range(row.tick + 1, row.until + 1)) for row in rows]
    return SeatEpisode(
        recording=recording.id,
        game=replay.head["game"],
        agent=agent,
        seed=replay.seed,
        label=rows[0].source.label,
        person=rows[0].source.person,
        observations=values,
        action_masks=_masks([replay.masks[tick].get(agent) for tick in [*ticks, rows[-1].until]]),
        actions=_played(done),
        sent=_played(sent),
        rewards=np.array(paid, dtype=np.float64),
        ticks=np.array(ticks, dtype=np.int64),
        times=np.array([replay.times[tick + 1] - replay.times[tick] for tick in ticks], dtype=np.float64),
        human=np.array([row.source.human for row in rows]),
        takeover=np.array([row.source.takeover for row in rows]),
        labels=tuple(row.source.label for row in rows),
        terminated=piece.ended == "terminated",
        truncated=piece.ended != "terminated",
    )


def _masks(masks: list[NDArray[np.int8] | None]) -> NDArray[np.int8] | None:
    """The masks of each row and after the last one; all legal where a tick has none."""
    known = next((mask for mask in masks[:-1] if mask is not None), None)
    if known is None:
        return None
    free = np.ones_like(known)
    return _alike([free if mask is None else mask for mask in masks]).astype(np.int8)


def _played(actions: list[Any]) -> Any:
    """One array; the list itself where actions are of several parts, as those of Dict and Tuple spaces."""
    try:
        return _alike(actions)
    except DatasetError:
        if all(isinstance(action, dict | list | tuple) for action in actions):
            return actions
        raise


def _alike(values: list[Any]) -> NDArray[Any]:
    """One array, the first axis the values; raises DatasetError where the file has unlike ones."""
    try:
        array = np.stack([np.asarray(value) for value in values])
    except ValueError as error:
        raise DatasetError(f"expected actions and masks of one shape, got: {error}") from error
    if array.dtype.kind not in "biuf":
        raise DatasetError(f"expected actions and masks in numbers, got: {values[0]!r:.40}")
    return array


def observations(replay: Replay, agents: Collection[AgentID]) -> Iterator[tuple[int, dict[AgentID, Any]]]:
    """Yield each tick's index and the observations of `agents`, as the env returns them, without masks.

    Some games reuse the same arrays at the next tick.  A simulation ends with a warning before the first tick that
    differs from the recording.
    """
    if set(agents) <= set(replay.observed):
        for index, seen in read_observations(replay.path):
            yield index, {agent: seen[agent] for agent in agents if agent in seen}
        return
    for tick in _simulated(replay):
        yield tick.index, {agent: tick.observations[agent] for agent in agents if agent in tick.observations}


def _simulated(replay: Replay) -> Iterator[Tick]:
    """Simulate a recording in this process, up to the first tick that differs."""
    for drawable in (False, True):  # some games observe the screen, whose colours differ with the render mode
        for tick, digest in zip(simulated(replay, drawable=drawable, checked=False), replay.digests, strict=True):
            if tick_digest(tick) != digest:
                break
            yield tick
        else:
            return
        if drawable or tick.index:
            message = "%s: the simulation differs from tick %d on; only the ticks before count"
            _log.warning(message, replay.path.stem, tick.index)
            return
