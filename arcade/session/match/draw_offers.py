"""DrawOffers: a player of a board game offers a draw; AI answers by its own estimate, people are asked."""

from __future__ import annotations

from agents.seats.controller import AgentID
from arcade.match.play.match import Match

EVEN = 0.1
"""The highest return that an AI player expects and still accepts: 0 is even, 1 a sure win."""

BETWEEN = 6
"""Moves of both sides from an offer to the same side's next one."""


class DrawOffers:
    """The offers of one match."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._offered_at: dict[int, int] = {}  # team → the tick of its newest offer

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
        accepted = all((value := player.outlook()) is not None and value <= EVEN for player in players)
        if accepted:
            self._match.agree_draw()
        return accepted

    @property
    def _index(self) -> int:
        return self._match.tick.index if self._match.tick is not None else 0
