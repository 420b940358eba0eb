"""Segments: consecutive decisions of a seat that make up an episode; ObservationRows assigns observations to them."""

from __future__ import annotations

import tempfile
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import AgentID
from arcade.match.play.result import RecordingSource
from arcade.match.playback.replay import Replay
from arcade.match.stage.rules import StageRules
from arcade.match.stage.tick import same_value
from arcade.recordings.query import DatasetError

Wanted = Callable[[RecordingSource], bool]
"""Whether the decisions of a source count."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One row of a future episode."""

    tick: int  # of the observation decided on
    until: int  # tick of the seat's next decision, or of its end
    source: RecordingSource


@dataclass(frozen=True, kw_only=True)
class Segment:
    """Consecutive decisions of a seat."""

    agent: AgentID
    decisions: tuple[Decision, ...]  # one at least
    ended: str  # "terminated", "truncated" or "" for a cut

    def part(self, start: int, end: int) -> Segment:
        """The decisions from `start` to before `end`."""
        ended = self.ended if end == len(self.decisions) else ""
        return replace(self, decisions=self.decisions[start:end], ended=ended)


def agents_of(replay: Replay) -> list[AgentID]:
    """All agents in seat order; raises DatasetError for a header without them."""
    agents = replay.head.get("agents")
    if not isinstance(agents, list) or not all(isinstance(agent, str | int) for agent in agents):
        raise DatasetError(f"{replay.path.name}: expected a header with the agents, got: {agents!r:.40}")
    return agents


def pieces(replay: Replay, agent: AgentID, span: tuple[int, int], wanted: Wanted | None) -> list[Segment]:
    """The seat's decisions at the ticks start <= tick < end of `span`, cut at decisions that do not count."""
    all_of_it = list(_decisions(replay, agent))
    start, end = span
    found = []
    for counts, group in groupby(all_of_it, lambda one: start <= one.tick < end and (not wanted or wanted(one.source))):
        if counts:
            decisions = tuple(group)
            is_last = decisions[-1] is all_of_it[-1]
            ended = replay.ends.get(decisions[-1].until, {}).get(agent, "") if is_last else ""
            found.append(Segment(agent=agent, decisions=decisions, ended=ended))
    return found


def _decisions(replay: Replay, agent: AgentID) -> Iterator[Decision]:
    ticks = _ticks(replay, agent)
    if not ticks:  # the match was left before the seat's first turn
        return
    end = next((tick for tick in sorted(replay.ends) if agent in replay.ends[tick]), len(replay.actions))
    sources = [source for source in replay.sources if source.agent == str(agent)]
    if not sources:
        raise DatasetError(f"{replay.path.name}: expected a player of {agent}, got none")
    place = 0
    for tick, until in zip(ticks, [*ticks[1:], end], strict=True):
        while place + 1 < len(sources) and sources[place + 1].tick <= tick:
            place += 1
        yield Decision(tick=tick, until=until, source=sources[place])


def _ticks(replay: Replay, agent: AgentID) -> list[int]:
    """The ticks of the seat's decisions: without those where frame skip held its last action.

    Between two multiples of the skip it decides at its first tick, and where its last action became illegal.
    """
    skip = _frame_skip(replay.head.get("settings"))
    played = [tick for tick, actions in enumerate(replay.actions) if agent in actions]
    if skip == 1:
        return played
    sent = [replay.sent.get(tick + 1, {}).get(agent, replay.actions[tick][agent]) for tick in played]
    held = (
        tick % skip != 0 and same_value(one, other)
        for tick, (other, one) in zip(played[1:], pairwise(sent), strict=True)
    )
    return played[:1] + [tick for tick, is_held in zip(played[1:], held, strict=True) if not is_held]


def _frame_skip(settings: Any) -> int:
    rules = settings.get("rules", {}) if isinstance(settings, dict) else {}
    try:
        return StageRules(**rules).frame_skip
    except TypeError as error:
        raise DatasetError(f"expected the rules of a match, got: {rules!r:.80}") from error


Gathered = tuple[Segment, Any]
"""Decisions, and their observations, with one more behind the last decision."""


class ObservationRows:
    """Assigns the observations of one seat to its segments, one after the other."""

    def __init__(self, found: Iterable[Segment]) -> None:
        self._open = deque(found)
        self._begin()

    def _begin(self) -> None:
        self._places: list[int] = []  # of the decisions whose observations are in `_values`
        self._values = Stack(len(self._open[0].decisions) + 1 if self._open else 0)
        self._after: Any = None  # the newest observation behind the last decision

    @property
    def is_open(self) -> bool:
        return bool(self._open)

    def see(self, tick: int, value: Any) -> Iterator[Gathered]:
        """Add the observation of `tick`; yields the segments that it completes."""
        while self._open:
            decisions = self._open[0].decisions
            if tick <= decisions[-1].tick:
                place = bisect_left(decisions, tick, key=lambda decision: decision.tick)
                if decisions[place].tick == tick:
                    self._places.append(place)
                    self._values.append(value)
                return
            if tick <= decisions[-1].until:
                self._after = deepcopy(value)
            if tick < decisions[-1].until:
                return
            yield from self._close()  # the next segment may begin with the same observation

    def rest(self) -> Iterator[Gathered]:
        """Yield the rest after the last observation."""
        while self._open:
            yield from self._close()

    def _close(self) -> Iterator[Gathered]:
        """Yield the first open segment, cut where an observation is not in the file."""
        piece, places, values = self._open.popleft(), self._places, self._values
        if places and places[-1] == len(piece.decisions) - 1:
            values.append(values.whole()[-1] if self._after is None else self._after)
            places.append(len(piece.decisions))
        for _, run in groupby(enumerate(places), key=lambda one: one[1] - one[0]):
            rows = [*run]
            (start, first), (end, last) = rows[0], rows[-1]
            if first < last:
                yield piece.part(first, last), values.whole()[start : end + 1]
        self._begin()


MEMORY_BYTES = 64 * 2**20
"""A larger array is mapped to a temporary file, which the system can page out."""


class Stack:
    """Copies of at most `most` values, as one array where possible; a large one lies in a file."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._array: NDArray[Any] | None = None  # for values of one shape and dtype
        self._values: list[Any] = []  # otherwise
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def append(self, value: Any) -> None:
        if not self._count and not isinstance(value, dict | tuple | list):
            self._array = _room((self._most, *np.shape(value)), np.asarray(value).dtype)
        if self._array is not None and not self._holds(value):
            self._values, self._array = list(self._array[: self._count]), None
        if self._array is not None:
            self._array[self._count] = value
        else:
            self._values.append(deepcopy(value))
        self._count += 1

    def whole(self) -> Any:
        """(count, *shape), or a list of `count` values where no array holds them."""
        return self._values if self._array is None else self._array[: self._count]

    def _holds(self, value: Any) -> bool:
        assert self._array is not None
        return np.shape(value) == self._array.shape[1:] and np.asarray(value).dtype == self._array.dtype


def _room(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    if np.prod(shape, dtype=np.int64) * dtype.itemsize <= MEMORY_BYTES:
        return np.empty(shape, dtype)
    with tempfile.TemporaryFile(prefix="arcade-") as file:
        return np.memmap(file, dtype, "w+", shape=shape)
