"""OpponentSeats: the controllers of the seats that do not learn, kept from one episode to the next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence, Set
from typing import Any

from agents.closing import Closing
from agents.policies.adapters import PolicyController, wait_for
from agents.policies.snapshot import SnapshotBatch
from agents.seats.controller import Action, AgentID, Controller, SeatSpec
from agents.seats.kinds import parse_seat
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotStore
from arcade.arguments import ArgumentError, as_controller
from arcade.games.spec import GameSpec
from arcade.match.play.lineup import make_controller
from arcade.match.play.seats import seat_seeds, turn_of, types_of
from arcade.match.stage.tick import Tick

MOST_OPEN = 64
"""Controllers kept for later episodes."""


class OpponentSeats(Closing):
    """Plays some `places` of a match by the players whose names were drawn; `own` are players that are objects."""

    def __init__(
        self, spec: GameSpec, places: Sequence[SeatSpec], own: Mapping[str, Any], *, store: SnapshotStore
    ) -> None:
        self._spec, self._places, self._own, self._store = spec, places, own, store
        self._open: OrderedDict[tuple[AgentID, str], Controller] = OrderedDict()
        self._seated: dict[AgentID, Controller] = {}
        self._rewards: dict[AgentID, float] = {}

    def seat(self, agent: AgentID, name: str) -> None:
        """Seat a player for the next episode; raises UserError where it does not exist or does not fit."""
        controller = self._open.get((agent, name)) or self._make(agent, name)
        self._open[agent, name] = controller
        self._open.move_to_end((agent, name))
        if controller in self._seated.values():
            raise ArgumentError("expected a Controller for each seat, got one for several; a function can play several")
        self._seated[agent] = controller

    @property
    def obs_types(self) -> Set[str]:
        """The types of observations that the players want besides the env's own."""
        return frozenset[str]().union(*map(types_of, self._seated.values()))

    def begin(self, seed: int) -> None:
        """Begin an episode with the players that are seated."""
        for place, own in zip(self._places, seat_seeds(seed, len(self._places)), strict=True):
            if place.agent in self._seated:
                self._seated[place.agent].reset(place, seed=own)
        self._rewards = dict.fromkeys(self._seated, 0.0)

    def act(self, tick: Tick) -> dict[AgentID, Action]:
        """The actions of all acting seats but those of learners; raises ControllerError."""
        acting = [(agent, controller) for agent in tick.acting if (controller := self._seated.get(agent))]
        for agent, controller in acting:
            mask = tick.action_masks.get(agent)
            controller.observe(turn_of(agent, controller, tick, mask, self._rewards[agent]))
            self._rewards[agent] = 0.0
        actions = {agent: controller.act() for agent, controller in acting}
        for agent, action in actions.items():
            if action is None:
                actions[agent] = wait_for([self._seated[agent]])[0]
        return actions

    def count(self, tick: Tick) -> None:
        """Add the rewards of a tick, and end the episodes that it ended."""
        for agent in self._rewards:
            self._rewards[agent] += tick.rewards.get(agent, 0.0)
        for agent in tick.ended:
            if agent in self._seated:
                self._seated[agent].finish(self._rewards[agent], terminated=bool(tick.terminations.get(agent)))

    def leave(self) -> None:
        """Empty the seats; the players are kept for later episodes."""
        self._seated.clear()
        while len(self._open) > MOST_OPEN:
            self._open.popitem(last=False)[1].close()

    def close(self) -> None:
        self._seated.clear()
        while self._open:
            self._open.popitem()[1].close()

    def _make(self, agent: AgentID, name: str) -> Controller:
        if name in self._own:
            return as_controller(self._own[name])
        choice, place = parse_seat(name), next(one for one in self._places if one.agent == agent)
        if choice.kind == "snapshot" and not choice.options:  # in half the time of a live seat's controller
            snapshot = self._store.get(choice.argument, game=place.game, agent=agent)
            snapshot.check(place)
            policy = OnnxPolicy(snapshot)
            return PolicyController(
                lambda seat: SnapshotBatch(policy), label=snapshot.card.name, obs_type=snapshot.card.obs_type
            )
        return make_controller(choice, place, spec=self._spec, store=self._store)
