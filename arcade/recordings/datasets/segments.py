"""Segments: consecutive decisions of a seat that make up an episode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

from agents.seats.controller import AgentID
from arcade.match.play.result import RecordingSource
from arcade.match.playback.replay import Replay
from arcade.match.stage.digest import same_value
from arcade.match.stage.rules import StageRules
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
