"""Who stopped answering: seats that have been late at every tick for a while, whatever their controller says."""

from __future__ import annotations

from agents.seats.controller import AgentID
from arcade.match.play.match import Match

PATIENCE = 1.0
"""Seconds of nothing but late ticks after which a seat counts as absent."""


class Absences:
    """Follows a match's rows of late ticks; `update` says who went and who came back since the last call."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._rows = dict(match.late_streak)
        self._since: dict[AgentID, float] = {}  # when the unbroken row of late ticks was first seen
        self.absent: set[AgentID] = set()

    def update(self, now: float) -> tuple[list[AgentID], list[AgentID]]:
        """(went, came back) as of `now`, seconds on any clock that does not go back."""
        for agent, row in self._match.late_streak.items():
            if row < self._rows[agent] or not row:
                self._since.pop(agent, None)  # it answered in time since the last look
            self._rows[agent] = row
            if row:
                self._since.setdefault(agent, now)
        went = [a for a, since in self._since.items() if now - since > PATIENCE and a not in self.absent]
        back = [agent for agent in self.absent if agent not in self._since]
        self.absent.update(went)
        self.absent.difference_update(back)
        return went, back
