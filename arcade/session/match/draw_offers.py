"""DrawOffers: players of a board game offer draws; AI answers and offers by its own estimate, people are asked."""

from __future__ import annotations

from collections import deque

from agents.seats.controller import AgentID
from arcade.match.play.match import Match

EVEN = 0.1
"""The highest return that an AI player expects and still accepts: 0 is even, 1 a sure win."""

LOST = -0.3
"""The return below which it accepts at any time."""

OPENING = 30
"""Moves of both sides in which AI plays on in an even position."""

BETWEEN = 6
"""Moves of both sides from an offer to the same side's next one."""

QUIET = 60
"""Moves of both sides before AI offers a draw itself."""

LEVEL, STEADY = 0.05, 6
"""It offers one after so many of its own moves that each expected a return this close to 0."""

PATIENT = 20
"""Moves of both sides between two offers of AI."""


class DrawOffers:
    """The offers of one match; `update` is called once a frame."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._offered_at: dict[int, int] = {}  # team → the tick of its newest offer
        self._expected: dict[AgentID, deque[bool]] = {}  # AI seat → whether each of its newest moves looked even
        self._seen = -1  # the tick that was looked at last

    @property
    def are_possible(self) -> bool:
        """Whether a draw can be offered in this match now."""
        return self._match.spec.is_board_game and not self._match.over and self._match.tick is not None

    def wait(self, agent: AgentID) -> int:
        """Return the moves until the seat's side can offer again; 0 for now."""
        offered = self._offered_at.get(self._match.spec.team_of(agent))
        return 0 if offered is None else max(0, offered + BETWEEN - self._index)

    def opponents(self, agent: AgentID) -> tuple[AgentID, ...]:
        """Return the seats that have to accept an offer of this one."""
        spec = self._match.spec
        return spec.teams[1 - spec.team_of(agent)]

    def offer(self, agent: AgentID) -> bool | None:
        """Offer a draw; return whether AI accepted, which ends the match, or None where people have to answer."""
        if not self.are_possible or self.wait(agent):
            return False
        self._offered_at[self._match.spec.team_of(agent)] = self._index
        players = [self._match.mapping[seat] for seat in self.opponents(agent)]
        if any(player.is_human for player in players):
            return None
        accepted = all(self._accepts(player.outlook()) for player in players)
        if accepted:
            self._match.agree_draw()
        return accepted

    def update(self) -> AgentID | None:
        """Return the AI seat that offers people a draw now, once for each offer."""
        if not self.are_possible or self._index == self._seen:
            return None
        self._seen = self._index
        return next((agent for agent in self._match.spec.agents if self._offers(agent)), None)

    def _accepts(self, expected: float | None) -> bool:
        if expected is None:
            return False
        return expected <= LOST or (expected <= EVEN and self._index >= OPENING)

    def _offers(self, agent: AgentID) -> bool:
        """Note what an AI seat that has moved expects; return whether it offers a draw to people."""
        match, player = self._match, self._match.mapping[agent]
        others = [match.mapping[seat] for seat in self.opponents(agent)]
        if player.is_human or agent in match.waiting_for or not all(other.is_human for other in others):
            return False
        expected = player.outlook()
        newest = self._expected.setdefault(agent, deque(maxlen=STEADY))
        newest.append(expected is not None and abs(expected) <= LEVEL)
        team = match.spec.team_of(agent)
        is_soon = self._index - self._offered_at.get(team, -PATIENT) < PATIENT
        if self._index < QUIET or is_soon or len(newest) < STEADY or not all(newest):
            return False
        self._offered_at[team] = self._index
        return True

    @property
    def _index(self) -> int:
        return self._match.tick.index if self._match.tick is not None else 0
