"""Understudies: machines that people sit in for, ready to go on at any moment."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from agents.errors import UserError
from agents.seats.controller import AgentID, Controller, SeatSpec, Turn

_log = logging.getLogger(__name__)


class Understudies:
    """Each is asked at every turn of its seat as if it played, and its answers are not played.

    So it remembers what happened, as a policy with a memory must, and needs no loading when it has its seat again.
    One that fails meanwhile is closed and no longer there.
    """

    def __init__(self) -> None:
        self._waiting: dict[AgentID, Controller] = {}

    def __contains__(self, agent: object) -> bool:
        return agent in self._waiting

    def __iter__(self) -> Iterator[AgentID]:
        return iter(self._waiting)

    def label(self, agent: AgentID) -> str:
        """Who waits for the seat; raises KeyError where nobody does."""
        return self._waiting[agent].label

    def keep(self, agent: AgentID, controller: Controller) -> None:
        """`controller` has just left the seat."""
        self.drop(agent)
        self._waiting[agent] = controller

    def take(self, agent: AgentID) -> Controller:
        """Whoever waits for the seat, which is the caller's now; raises KeyError where nobody does."""
        return self._waiting.pop(agent)

    def drop(self, agent: AgentID) -> None:
        """Nobody waits for the seat any more."""
        if agent in self._waiting:
            self._waiting.pop(agent).close()

    def observe(self, turn: Turn) -> None:
        """A turn of a seat began."""
        if turn.agent in self._waiting:
            self._guard(turn.agent, lambda controller: controller.observe(turn))

    def act(self) -> None:
        """Hear the answers, as a match does at every tick: some controllers go on only then."""
        for agent in tuple(self._waiting):
            self._guard(agent, Controller.act)

    def finish(self, agent: AgentID, reward: float, *, terminated: bool) -> None:
        """The seat's episode is over."""
        if agent in self._waiting:
            self._guard(agent, lambda controller: controller.finish(reward, terminated=terminated))

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        """The seat's episode begins anew."""
        if seat.agent in self._waiting:
            self._guard(seat.agent, lambda controller: controller.reset(seat, seed=seed))

    def close(self) -> None:
        """Nobody waits any more; twice does no harm."""
        for agent in tuple(self._waiting):
            self.drop(agent)

    def _guard(self, agent: AgentID, call: Callable[[Controller], object]) -> None:
        try:
            call(self._waiting[agent])
        except UserError as error:
            _log.warning("%s no longer waits for %s: %s", self.label(agent), agent, error)
            self.drop(agent)
