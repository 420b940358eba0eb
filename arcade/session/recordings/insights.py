"""Insights: action probabilities and values of snapshots at each tick of a replay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from agents.errors import UserError
from agents.policies.adapters import wait_for
from agents.seats.controller import AgentID, Insight, Turn
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.playback.playback import Playback
from arcade.match.stage.tick import Tick

if TYPE_CHECKING:  # onnxruntime takes a second to import
    from agents.policies.snapshot_controller import SnapshotController


LEAD = 16
"""Ticks before the present one that a recurrent snapshot observes too."""


class Insights:
    """At most one snapshot for each seat; call `look` for each tick, then `insight`."""

    def __init__(self, spec: GameSpec, playback: Playback, names: Mapping[str, str] | None = None) -> None:
        """`names` has what people read for each snapshot."""
        self.spec = spec
        self._playback, self._short = playback, names or {}
        self._controllers: dict[AgentID, SnapshotController] = {}
        self._insights: dict[AgentID, Insight | None] = {}
        self._seen: int | None = None  # the newest tick
        self._notation: Mapping[str, str] = {}  # at it
        self._remembered = 0  # consecutive ticks before that one, which memories include

    @property
    def names(self) -> Mapping[AgentID, str]:
        """The snapshot for each seat."""
        return {agent: controller.label for agent, controller in self._controllers.items()}

    def load(self, store: SnapshotStore, name: str, agents: Iterable[AgentID]) -> dict[AgentID, SnapshotController]:
        """Open a snapshot for each seat that it fits, in the worker; raises UserError where it fits none."""
        from agents.policies.snapshot_controller import SnapshotController

        found: dict[AgentID, SnapshotController] = {}
        refused: UserError | None = None
        for agent in agents:
            try:
                controller = SnapshotController(store.get(name, game=self.spec.id, agent=agent))
                controller.reset(self._playback.seat(agent), seed=0)
                found[agent] = controller
            except UserError as error:
                refused = error
        if not found and refused is not None:
            raise refused
        return found

    def put(self, loaded: Mapping[AgentID, SnapshotController]) -> None:
        """Use these snapshots for their seats from now on."""
        self.clear(loaded)
        self._controllers.update(loaded)
        self._playback.show_types({one.obs_type for one in loaded.values() if one.obs_type})
        self._playback.lead = LEAD if any(one.has_memory for one in self._controllers.values()) else 0

    def clear(self, agents: Iterable[AgentID] = ()) -> None:
        """Remove and close the snapshots for these seats; without any, for all."""
        for agent in list(agents) or list(self._controllers):
            self._insights.pop(agent, None)
            if (controller := self._controllers.pop(agent, None)) is not None:
                controller.close()
        self._seen = None

    def look(self, tick: Tick) -> None:
        """Compute the insights at `tick`, once; after a gap the memory begins with the ticks before this one."""
        if tick.index == self._seen or not self._controllers:
            return
        if self._seen is not None and tick.index == self._seen + 1 and not self._can_recall(tick.index):
            self._remembered += 1
        else:
            self._begin(tick.index)
        self._seen = tick.index
        self._notation = (tick.views.get(None) or {}).get("names", {})
        for agent, controller in self._controllers.items():
            self._insights[agent] = self._think(controller, agent, tick)

    def label(self, agent: AgentID) -> str:
        """The name of the seat's snapshot."""
        controller, lacks = self._controllers[agent], self._remembered < min(LEAD, self._seen or 0)
        forgets = controller.has_memory and lacks
        name = self._short.get(controller.label, controller.label)
        return _("{snapshot}, no memory yet").format(snapshot=name) if forgets else name

    def insight(self, agent: AgentID) -> Insight | None:
        """The insight of the seat's snapshot; None without a snapshot, and where the seat has no decision."""
        return self._insights.get(agent)

    def notation(self) -> Mapping[str, str]:
        """The legal moves as the game writes them, by their names; {} for games without notation."""
        return self._notation

    def action_space(self, agent: AgentID) -> Any:
        """The action space of the seat."""
        return self._playback.seat(agent).action_space

    def _can_recall(self, index: int) -> bool:
        """Whether the memory lacks ticks before `index` that the playback remembers by now."""
        known = self._remembered + 1
        lacks = bool(self._playback.lead) and known < min(LEAD, index)
        return lacks and len(self._playback.before(index, LEAD)) > known

    def _begin(self, index: int) -> None:
        """Reset all snapshots; recurrent ones observe the ticks before `index`."""
        for agent, controller in self._controllers.items():
            controller.reset(self._playback.seat(agent), seed=0)
        before = self._playback.before(index, LEAD) if self._playback.lead else []
        self._remembered = len(before)
        for tick in before:
            for agent, controller in self._controllers.items():
                if controller.has_memory:
                    self._think(controller, agent, tick)

    def _think(self, controller: SnapshotController, agent: AgentID, tick: Tick) -> Insight | None:
        seen = tick.seen(agent, controller.obs_type)
        if agent not in tick.acting or seen is None:  # of a tick that was simulated before the snapshot was chosen
            return None
        controller.observe(Turn(agent, tick.index, seen, tick.action_masks.get(agent)))
        wait_for([controller])
        return controller.insight()
