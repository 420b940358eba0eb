"""EvenSeats: finds the opponents of ``level:even`` seats in the worker, for the seats screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from agents.seats.controller import AgentID, SeatChoice
from arcade.games.spec import GameSpec
from arcade.session.services import Services

if TYPE_CHECKING:
    from agents.seats.even import EvenMatch


class EvenSeats:
    """Finds opponents again when the people in the seats change."""

    def __init__(self, services: Services, spec: GameSpec, *, done: Callable[[], None]) -> None:
        """`done` is called after a search."""
        self._services, self._spec, self._done = services, spec, done
        self._searched: object = None  # the seats to fill, and the people in the others, of the newest search
        self._found: Mapping[AgentID, EvenMatch] = {}

    def find(self, lineup: Mapping[AgentID, SeatChoice]) -> None:
        """Begin a search, unless the seats and people are the same as before."""
        services, lineup = self._services, dict(lineup)
        people = services.people.names(lineup)
        even = [agent for agent, choice in lineup.items() if choice.is_even]
        if (even, people) == self._searched:
            return
        self._searched, self._found = (even, people), {}
        searched = self._searched

        def search() -> dict[AgentID, EvenMatch]:
            from arcade.match.play.even_seats import even_matches  # ratings take long to import

            return even_matches(lineup, people, self._spec, services.library.store())

        def finish(found: dict[AgentID, EvenMatch]) -> None:
            if searched is self._searched:
                self._found = found
                self._done()

        if even:
            text = "No opponent of about your strength found"
            services.worker.submit(search, done=finish, failed=lambda error: services.say(f"{text}: {error}"))

    def forget(self) -> None:
        """Search again at the next `find`, since matches were played."""
        self._searched = None

    def of(self, agent: AgentID) -> EvenMatch | None:
        """Return the opponent for the seat; None before one is found."""
        return self._found.get(agent)
