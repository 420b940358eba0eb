"""The players at the screen, and the one whose private information may be drawn."""

from __future__ import annotations

from agents.seats.controller import AgentID
from arcade.match.play.match import Match


def people_at(match: Match) -> list[AgentID]:
    """Return the seats of people at this screen, in order."""
    return [agent for agent in match.spec.agents if getattr(match.mapping[agent], "word", "")]


def viewer_of(match: Match) -> AgentID | None:
    """Return the seat of the only person at this screen, or of the one who looks alone; else None."""
    people = people_at(match)
    if len(people) == 1:
        return people[0]
    return next((agent for agent in people if getattr(match.mapping[agent], "options", ())), None)
