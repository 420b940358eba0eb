"""EvenSeats: finds the opponents of ``level:even`` seats in the worker, for the seats screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.session.services import Services

if TYPE_CHECKING:
    from agents.seats.even import EvenMatch

Question = tuple[tuple[AgentID, ...], tuple[tuple[AgentID, str], ...]]
"""The seats to fill, and the names of people in the others."""


class EvenSeats:
    """Finds opponents again when the people in the seats change."""

    def __init__(self, services: Services, spec: GameSpec, *, done: Callable[[], None]) -> None:
        """`done` is called after a search."""
        self._services, self._spec, self._done = services, spec, done
        self._asked: Question = (), ()
        self._found: Mapping[AgentID, EvenMatch] = {}

    def ask(self, lineup: Mapping[AgentID, SeatChoice]) -> None:
        """Begin a search, unless the seats and people are the same as before."""
        services, lineup = self._services, dict(lineup)
        seated = services.people.seated(lineup)
        people = {agent: seated[device].name for agent, device in lineup.items() if device in seated}
        question = tuple(agent for agent, choice in lineup.items() if choice.is_even), tuple(people.items())
        if question == self._asked:
            return
        self._asked, self._found = question, {}
        if question[0]:
            services.worker.submit(
                lambda: self._find(lineup, people), done=lambda found: self._take(question, found), failed=self._fail
            )

    def forget(self) -> None:
        """Search again at the next `ask`, since matches were played."""
        self._asked = (), ()

    def of(self, agent: AgentID) -> EvenMatch | None:
        """Return the opponent for the seat; None before one is found."""
        return self._found.get(agent)

    def _find(self, lineup: Mapping[AgentID, SeatChoice], people: Mapping[AgentID, str]) -> dict[AgentID, EvenMatch]:
        from arcade.match.play.even_seats import even_matches  # ratings take long to import

        return even_matches(lineup, people, self._spec, self._services.library.store())

    def _take(self, question: Question, found: dict[AgentID, EvenMatch]) -> None:
        if question == self._asked:
            self._found = found
            self._done()

    def _fail(self, error: BaseException) -> None:
        self._services.say(f"No opponent of about your strength found: {error}")
