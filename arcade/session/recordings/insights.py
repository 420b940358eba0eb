"""Insights: what snapshots would think at any moment of a recording, whoever played there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from agents.errors import UserError
from agents.policies.adapters import wait_for
from agents.seats.controller import AgentID, Insight, Turn
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.playback.playback import Playback
from arcade.match.stage.tick import Tick

if TYPE_CHECKING:  # onnxruntime takes a second to import
    from agents.policies.snapshot_controller import SnapshotController


LEAD = 16
"""Ticks before the one on show that a snapshot with a memory looks at too."""


class Insights:
    """One snapshot at most in each seat; `look` each tick that is shown, then ask `insight`."""

    def __init__(self, spec: GameSpec, playback: Playback) -> None:
        self.spec = spec
        self._playback = playback
        self._in: dict[AgentID, SnapshotController] = {}
        self._minds: dict[AgentID, Insight | None] = {}
        self._seen: int | None = None  # the tick that was looked at last
        self._remembered = 0  # ticks in a row before that one, which memories hold

    @property
    def names(self) -> Mapping[AgentID, str]:
        """Which snapshot looks from which seat."""
        return {agent: one.label for agent, one in self._in.items()}

    def load(self, store: SnapshotStore, name: str, agents: Iterable[AgentID]) -> dict[AgentID, SnapshotController]:
        """Open a snapshot for each seat that it fits, in the worker; raises UserError where it fits none."""
        from agents.policies.snapshot_controller import SnapshotController

        found: dict[AgentID, SnapshotController] = {}
        refused: UserError | None = None
        for agent in agents:
            try:
                one = SnapshotController(store.get(name, game=self.spec.id, agent=agent))
                one.reset(self._playback.seat(agent), seed=0)
                found[agent] = one
            except UserError as error:
                refused = error
        if not found and refused is not None:
            raise refused
        return found

    def put(self, loaded: Mapping[AgentID, SnapshotController]) -> None:
        """They look from now on."""
        self.clear(loaded)
        self._in.update(loaded)
        self._playback.lead = LEAD if any(one.has_memory for one in self._in.values()) else 0

    def clear(self, agents: Iterable[AgentID] = ()) -> None:
        """Nobody looks from these seats any more; without any, from none."""
        for agent in list(agents) or list(self._in):
            self._minds.pop(agent, None)
            if (one := self._in.pop(agent, None)) is not None:
                one.close()
        self._seen = None

    def look(self, tick: Tick) -> None:
        """Have every snapshot think about the tick, once; behind a gap its memory begins with the ticks before this."""
        if tick.index == self._seen or not self._in:
            return
        if self._seen is not None and tick.index == self._seen + 1:
            self._remembered += 1
        else:
            self._begin(tick.index)
        self._seen = tick.index
        for agent, one in self._in.items():
            self._minds[agent] = self._think(one, agent, tick)

    def label(self, agent: AgentID) -> str:
        """The name of the snapshot whose insight it is."""
        one, lacks = self._in[agent], self._remembered < min(LEAD, self._seen or 0)
        return f"{one.label}, no memory yet" if one.has_memory and lacks else one.label

    def insight(self, agent: AgentID) -> Insight | None:
        """What the snapshot there thinks, None where there is none or the seat has nothing to decide."""
        return self._minds.get(agent)

    def action_space(self, agent: AgentID) -> Any:
        """What the seat may do."""
        return self._playback.seat(agent).action_space

    def close(self) -> None:
        """Free them all."""
        self.clear()

    def _begin(self, index: int) -> None:
        """Anew: those with a memory look at the ticks before first."""
        for agent, one in self._in.items():
            one.reset(self._playback.seat(agent), seed=0)
        before = self._playback.before(index, LEAD) if self._playback.lead else []
        self._remembered = len(before)
        for tick in before:
            for agent, one in self._in.items():
                if one.has_memory:
                    self._think(one, agent, tick)

    def _think(self, one: SnapshotController, agent: AgentID, tick: Tick) -> Insight | None:
        if agent not in tick.acting or agent not in tick.observations:
            return None
        one.observe(Turn(agent, tick.index, tick.observations[agent], tick.action_masks.get(agent)))
        wait_for([one])
        return one.insight()
