"""Reserves: AI controllers whose seats people have taken over, ready to resume at any moment."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from agents.errors import UserError
from agents.seats.controller import AgentID, Controller, SeatSpec, Turn

_log = logging.getLogger(__name__)


class Reserves:
    """Observe every turn of their seats and answer, but their answers are not played.

    So a policy with a memory remembers what happened, and nothing is loaded when it resumes.  A controller that fails
    meanwhile is closed and removed.
    """

    def __init__(self) -> None:
        self._waiting: dict[AgentID, Controller] = {}

    def __contains__(self, agent: object) -> bool:
        return agent in self._waiting

    def __iter__(self) -> Iterator[AgentID]:
        return iter(self._waiting)

    def label(self, agent: AgentID) -> str:
        """The label of the controller in reserve; raises KeyError without one."""
        return self._waiting[agent].label

    def keep(self, agent: AgentID, controller: Controller) -> None:
        """Hold `controller`, which has just left the seat, in reserve."""
        self.drop(agent)
        self._waiting[agent] = controller

    def take(self, agent: AgentID) -> Controller:
        """Hand the controller over to the caller; raises KeyError without one."""
        return self._waiting.pop(agent)

    def drop(self, agent: AgentID) -> None:
        """Close the controller in reserve, if there is one."""
        if agent in self._waiting:
            self._waiting.pop(agent).close()

    def observe(self, turn: Turn) -> None:
        if turn.agent in self._waiting:
            self._guard(turn.agent, lambda controller: controller.observe(turn))

    def act(self) -> None:
        """Take every answer, as a match does at every tick: some controllers only continue then."""
        for agent in tuple(self._waiting):
            self._guard(agent, Controller.act)

    def finish(self, agent: AgentID, reward: float, *, terminated: bool) -> None:
        if agent in self._waiting:
            self._guard(agent, lambda controller: controller.finish(reward, terminated=terminated))

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        if seat.agent in self._waiting:
            self._guard(seat.agent, lambda controller: controller.reset(seat, seed=seed))

    def close(self) -> None:
        """Close every controller; can be called twice."""
        for agent in tuple(self._waiting):
            self.drop(agent)

    def _guard(self, agent: AgentID, call: Callable[[Controller], object]) -> None:
        try:
            call(self._waiting[agent])
        except UserError as error:
            _log.warning("%s is no longer in reserve for %s: %s", self.label(agent), agent, error)
            self.drop(agent)
