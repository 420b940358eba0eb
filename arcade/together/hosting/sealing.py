"""Sealing: makes the inputs of a tick final once all of them are there."""

from __future__ import annotations

from agents.seats.controller import AgentID
from arcade.together.hosting.host_view import HostView


class Sealing:
    """Of a host."""

    def __init__(self, session: HostView) -> None:
        self._session = session

    def seal(self) -> None:
        """Seal all ticks whose inputs are there."""
        session, play = self._session, self._session.play
        log = play.log
        while session.end is None and self._is_allowed and (wanted := self._wanted(len(log))):
            found = play.pending.at(len(log))
            if any(agent not in found for agent in wanted):
                break
            log.append({agent: found[agent] for agent in play.spec.agents if agent in wanted})
        play.pending.sealed()

    @property
    def _is_allowed(self) -> bool:
        takeover = self._session.takeover
        return takeover is None or takeover.is_settled

    def _wanted(self, tick: int) -> tuple[AgentID, ...]:
        """The seats whose input tick `tick` needs; () where it cannot be sealed now."""
        match, spec = self._session.play.match, self._session.play.spec
        if match is None or match.over:
            return ()
        if not spec.turn_based:
            return spec.agents
        return match.tick.acting if match.tick is not None and match.is_settled and match.index == tick else ()
