"""Who looks at the screen: whose secrets may be drawn."""

from __future__ import annotations

from agents.seats.controller import AgentID
from arcade.match.play.match import Match


def people_at(match: Match) -> list[AgentID]:
    """The seats played by hand at this screen, in seat order."""
    return [agent for agent in match.spec.agents if getattr(match.mapping[agent], "word", "")]


def viewer_of(match: Match) -> AgentID | None:
    """The seat of the only person at this screen; of several, the one who alone looks; else None."""
    people = people_at(match)
    if len(people) == 1:
        return people[0]
    return next((agent for agent in people if getattr(match.mapping[agent], "in_view", False)), None)
