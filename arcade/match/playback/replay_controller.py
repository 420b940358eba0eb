"""ReplayController: a seat that does again what it did in a recording."""

from __future__ import annotations

from agents.seats.controller import Action, AgentID, Controller, Turn
from arcade.match.playback.replay import Replay


class ReplayController(Controller):
    """Plays one seat's part of a replay again."""

    kind = "replay"
    rated = False

    def __init__(self, replay: Replay, agent: AgentID) -> None:
        self.label = replay.lineup.get(str(agent), "replay")
        self._agent = agent
        self._actions = replay.actions
        self._tick = 0

    def observe(self, turn: Turn) -> None:
        self._tick = turn.tick

    def act(self) -> Action | None:
        return self._actions[self._tick].get(self._agent) if self._tick < len(self._actions) else None
