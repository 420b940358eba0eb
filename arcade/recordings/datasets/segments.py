"""Which decisions of a seat make up an episode, found before anything is observed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

from agents.seats.controller import AgentID
from arcade.match.playback.replay import RecordingSource, Replay
from arcade.match.stage.digest import same_value
from arcade.match.stage.rules import StageRules
from arcade.recordings.query import DatasetError

Wanted = Callable[[RecordingSource], bool]
"""Whether the decisions of a source count."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One row of data to be."""

    tick: int  # of the observation decided on
    until: int  # tick of the seat's next decision, or of its end
    source: RecordingSource


@dataclass(frozen=True, kw_only=True)
class Segment:
    """Decisions of a seat that follow on each other."""

    agent: AgentID
    decisions: tuple[Decision, ...]  # one at least
    ended: str  # "terminated" or "truncated" where the seat's episode ended behind it, else ""

    def part(self, start: int, end: int) -> Segment:
        """Its decisions from one place up to another, which is left out."""
        ended = self.ended if end == len(self.decisions) else ""
        return replace(self, decisions=self.decisions[start:end], ended=ended)


def agents_of(replay: Replay) -> list[AgentID]:
    """Everybody who can act in it, in seat order; raises DatasetError where the file does not say so."""
    agents = replay.head.get("agents")
    if not isinstance(agents, list) or not all(isinstance(agent, str | int) for agent in agents):
        raise DatasetError(f"{replay.path.name}: expected a header with the agents, got: {agents!r:.40}")
    return agents


def pieces(replay: Replay, agent: AgentID, span: tuple[int, int], wanted: Wanted | None) -> list[Segment]:
    """The seat's decisions at ticks of `span` (its first, and the first behind it), cut where some do not count."""
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
        raise DatasetError(f"{replay.path.name}: expected who decided for {agent}, got nobody")
    place = 0
    for tick, until in zip(ticks, [*ticks[1:], end], strict=True):
        while place + 1 < len(sources) and sources[place + 1].tick <= tick:
            place += 1
        yield Decision(tick=tick, until=until, source=sources[place])


def _ticks(replay: Replay, agent: AgentID) -> list[int]:
    """At which ticks the seat decided: with frame skip not at those where its last action was held.

    Between two beats it decides at its first tick, and where its last action has become illegal: then it sends another.
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
