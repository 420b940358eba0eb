"""Following: loads a trainer's new snapshots into the seats that follow it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from agents.errors import UserError
from agents.seats.controller import AgentID, Controller, SeatChoice
from arcade.language import _, ngettext
from arcade.match.play.lineup import limit
from arcade.session.match.launch import Launched
from arcade.session.match.snapshot_texts import fault_text
from arcade.session.seating import LATEST, POOL
from arcade.session.services import Services


class Following:
    """Loads snapshots in the worker and swaps them in between two rallies."""

    def __init__(
        self, services: Services, launched: Launched, lineup: Mapping[AgentID, SeatChoice], say: Callable[[str], None]
    ) -> None:
        self._services = services
        self._match, self._watch = launched.match, launched.watch
        self._lineup = lineup  # changes as people take seats
        self._say = say
        self._loaded: dict[AgentID, Controller] = {}
        self._points = 0  # so far, when the snapshot was loaded
        self.swaps = 0

    @property
    def _seats(self) -> list[AgentID]:
        return [agent for agent, choice in self._lineup.items() if replace(choice, options=()) in (POOL, LATEST)]

    def on_frozen(self, game: str, name: str) -> None:
        """A trainer froze `name` for `game`."""
        if game == self._match.spec.id and self._seats and not self._match.over:
            self._services.worker.submit(lambda: self._load(name), done=self._take, failed=self._refuse)

    def update(self) -> None:
        """Swap if a rally has ended since the snapshot was loaded."""
        if self._loaded and not self._match.over and self._watch.points != self._points:
            self._swap()

    def _load(self, name: str) -> dict[AgentID, Controller]:
        """In the worker: make a controller for each seat that the snapshot can play."""
        from agents.policies.snapshot_controller import SnapshotController
        from agents.snapshots.onnx_policy import OnnxPolicy

        snapshot = self._services.library.store().get(name, game=self._match.spec.id)
        agents, mapping = snapshot.card.agents, self._match.mapping
        seats = [agent for agent in self._seats if not agents or str(agent) in agents]
        choices, spec = self._lineup, self._match.spec
        seated = {agent: limit(SnapshotController(OnnxPolicy(snapshot)), choices[agent], spec) for agent in seats}
        # the launch may have seated it already
        return {agent: one for agent, one in seated.items() if mapping[agent].label != one.label}

    def _take(self, loaded: dict[AgentID, Controller]) -> None:
        """Keep the loaded controllers, in place of older ones that are not seated yet."""
        for controller in self._loaded.values():
            controller.close()
        self._loaded, self._points = loaded, self._watch.points

    def _refuse(self, error: BaseException) -> None:
        self._say(_("A new snapshot was refused: {error}").format(error=fault_text(error)))

    def _swap(self) -> None:
        loaded, self._loaded = self._loaded, {}
        seated = [controller for agent, controller in loaded.items() if self._seat(agent, controller)]
        if seated:
            shown = self._services.library.player_names(self._match.spec)
            names = {shown.of_label(controller.label, "snapshot") for controller in seated}
            self.swaps += 1
            words = ngettext("{names} takes the seat", "{names} takes the seats", len(seated))
            self._say(words.format(names=", ".join(names)))

    def _seat(self, agent: AgentID, controller: Controller) -> bool:
        """False where it does not fit, or a person has the seat now: the seat stays as it is."""
        if agent not in self._seats:
            controller.close()
            return False
        try:
            self._match.replace(agent, controller).close()
        except UserError as error:
            controller.close()
            self._refuse(error)
            return False
        return True
