"""Matches in this process, one after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from agents.closing import Closing
from agents.errors import UserError
from agents.seats.controller import AgentID, Controller
from agents.snapshots.store import SnapshotStore
from arcade.match.batch.plan import Fixture, MatchPlan, Played
from arcade.match.play.lineup import make_controller
from arcade.match.play.match import Match
from arcade.match.play.result import MatchResult, Recorder
from arcade.match.play.seats import PolicyMapping
from arcade.match.stage.local import LocalStage

MatchHook = Callable[[Match], None]

Place = tuple[int, int]
"""The number of a player, and which of its seats in a match."""


class LocalMatches(Closing):
    """Plays fixtures of a plan on one stage, with controllers that stay for the next match.

    Stage and controllers are made anew after a match that failed, since their state is unknown.
    """

    def __init__(
        self, plan: MatchPlan, *, store: SnapshotStore | None = None, drawable: bool = False,
        controllers: Mapping[Place, Controller] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        """`controllers` are those of players without a seat word, closed with the others."""
        self.plan = plan
        self._store = store or plan.open_store()
        self._drawable = drawable
        self._stage: LocalStage | None = None
        self._controllers = dict(controllers)

    def prepare(self, players: Sequence[int] = ()) -> LocalStage:
        """Make the stage, and controllers for `players` in the order of the agents.  Raises UserError."""
        if self._stage is None:
            self._stage = LocalStage(self.plan.spec, drawable=self._drawable, rules=self.plan.rules)
        if players:
            self._seat(self._stage, players)
        return self._stage

    def run(
        self, fixture: Fixture, *, speed: float | None = None, recorders: Sequence[Recorder] = (),
        on_match: MatchHook = lambda match: None,
    ) -> MatchResult:  # fmt: skip
        """Play one match to its end; `speed` is times the game's own rate, None for as fast as possible.

        Raises UserError where a player fails; where the stage fails the result has an error.
        """
        stage = self.prepare()
        match = Match(
            stage, self._seat(stage, fixture.players), seed=fixture.seed, recorders=recorders,
            rate=stage.spec.fps * speed if speed else None, max_ticks=self.plan.max_ticks, settings={"speed": speed},
        )  # fmt: skip
        on_match(match)
        return match.run()

    def play(self, fixture: Fixture) -> Played:
        """Play one match to its end; the outcome has the errors that a user can fix."""
        matches: list[Match] = []
        try:
            result = self.run(fixture, on_match=matches.append)
            if not result.error:
                return Played(fixture=fixture, result=result)
            error, ticks = result.error, result.ticks
        except UserError as failure:
            tick = matches[0].tick if matches else None
            error, ticks = str(failure), tick.index if tick else 0
        self.close()
        return Played(fixture=fixture, error=error, ticks=ticks)

    def make(self, player: int, agent: AgentID, stage: LocalStage) -> Controller:
        """A controller for one seat.  Raises UserError."""
        return make_controller(self.plan.players[player], stage.seat(agent), spec=self.plan.spec, store=self._store)

    def _seat(self, stage: LocalStage, players: Sequence[int]) -> PolicyMapping:
        mapping: PolicyMapping = {}
        seats = Counter[int]()
        for agent, player in zip(stage.agents, players, strict=True):
            key = player, seats[player]
            seats[player] += 1
            if key not in self._controllers:
                self._controllers[key] = self.make(player, agent, stage)
            mapping[agent] = self._controllers[key]
        return mapping

    def free_controllers(self) -> None:
        """Close every controller; the next match makes its own."""
        controllers, self._controllers = self._controllers, {}
        for controller in controllers.values():
            controller.close()

    def close(self) -> None:
        """Free stage and controllers; a later match makes them anew."""
        stage, self._stage = self._stage, None
        try:
            self.free_controllers()
        finally:
            if stage is not None:
                stage.close()
