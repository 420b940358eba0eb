"""Matches in this process, one after another: by a plan, or a series of one lineup, at a given speed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from agents.closing import Closing
from agents.errors import UserError
from agents.seats.controller import AgentID, Controller, SeatChoice
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.batch.plan import NO_OPENING, Fixture, MatchPlan, Played
from arcade.match.play.lineup import make_controller
from arcade.match.play.match import Match
from arcade.match.play.opening import Opening
from arcade.match.play.result import MatchResult, Recorder
from arcade.match.play.seats import PolicyMapping
from arcade.match.play.side_clocks import TimeControl, make_clocks
from arcade.match.recording.format import PATIENT, RecordingOptions
from arcade.match.recording.replay_writer import ReplayWriter, new_replay_path
from arcade.match.stage.local import LocalStage
from arcade.match.stage.rules import PLAIN, StageRules

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
        time_control: TimeControl | None = None,
        on_match: MatchHook = lambda match: None,
    ) -> MatchResult:  # fmt: skip
        """Play one match to its end; `speed` is times the game's own rate, None for as fast as possible.

        Raises UserError where a player fails; where the stage fails the result has an error.
        """
        stage = self.prepare()
        match = Match(
            stage, self._seat(stage, fixture.players), seed=fixture.seed, recorders=recorders,
            rate=stage.spec.fps * speed if speed else None, max_ticks=self.plan.max_ticks, settings={"speed": speed},
            opening=self.plan.opening_of(fixture), time_control=time_control,
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


@dataclass(frozen=True, kw_only=True)
class Series:
    """The number of matches and their settings."""

    episodes: int = 1
    seed: int = 0  # of the first match; each later one counts up by one
    max_ticks: int | None = None  # a match; None: until the game ends
    speed: float | None = None  # times the game's own rate; None: as fast as it can
    record: Path | None = None  # the folder for replays; None: no recording
    recording: RecordingOptions = PATIENT
    rules: StageRules = PLAIN
    time_control: TimeControl | None = None  # of a board game
    openings: tuple[Opening, ...] = ()  # of a board game, one after another

    def __post_init__(self) -> None:
        if self.speed is not None and not self.speed > 0:
            raise ValueError(f"expected speed > 0, got: {self.speed}")
        for name in ("episodes", "max_ticks"):
            if (count := getattr(self, name)) is not None and count < 1:
                raise ValueError(f"expected {name} >= 1, got: {count}")


@dataclass(frozen=True, kw_only=True)
class SeriesResult:
    """The results of a series, in order."""

    matches: list[MatchResult]
    replays: list[Path]  # without those of which nothing could be written
    warnings: list[str]  # what is missing from a replay, and why
    seconds: float  # of playing, without making the game

    def as_json(self) -> dict[str, Any]:
        ticks = sum(result.ticks for result in self.matches)
        late = Counter[str]()
        for result in self.matches:
            late.update(result.late)
        return {
            "game": self.matches[0].game,
            "matches": [result.as_json() for result in self.matches],
            "ticks": ticks,
            "seconds": self.seconds,
            "ticks_per_second": ticks / self.seconds if self.seconds else 0.0,
            "late": dict(late),
            "replays": [str(path) for path in self.replays],
            "warnings": self.warnings,
        }


def time_control(text: str, spec: GameSpec) -> TimeControl:
    """Read a time control of a board game, as in ``3+2``; raises UserError."""
    control = TimeControl.parse(text)
    make_clocks(spec, control)  # raises where the game has no sides that take turns
    return control


def play_series(
    spec: GameSpec,
    lineup: Mapping[AgentID, SeatChoice],
    series: Series,
    *,
    store: SnapshotStore,
    controllers: Mapping[AgentID, Controller] = MappingProxyType({}),
    on_result: Callable[[MatchResult], None] = lambda result: None,
    on_match: MatchHook = lambda match: None,
    on_end: Callable[[LocalStage], None] = lambda stage: None,
    drawable: bool = False,
) -> SeriesResult:
    """Play a series in this process; a match whose game fails ends it, with the error in its result.

    `controllers` decide for the seats that `lineup` leaves out, and are closed with the others.
    `on_match` is called with each match that begins, to follow it (its `tick`, `scores`) from another thread; `on_end`
    with the stage before it closes, to be looked at where `drawable`.  Raises UserError where a player fails.
    """
    players = tuple(lineup.get(agent, SeatChoice("python")) for agent in spec.agents)
    own = {(number, 0): controllers[agent] for number, agent in enumerate(spec.agents) if agent in controllers}
    plan = MatchPlan(
        spec=spec, players=players, max_ticks=series.max_ticks, rules=series.rules, openings=series.openings
    )  # fmt: skip
    results, replays, warnings = list[MatchResult](), list[Path](), list[str]()
    with LocalMatches(plan, store=store, drawable=drawable, controllers=own) as matches:
        stage = matches.prepare(range(spec.seats))
        began = time.perf_counter()
        for number in range(series.episodes):
            seed = (series.seed + number) % (2**32 if series.seed < 2**32 else 2**63)
            opening = number % len(series.openings) if series.openings else NO_OPENING
            fixture = Fixture(number=number, seed=seed, players=tuple(range(spec.seats)), opening=opening)
            with _recorder(spec, series) as writer:
                recorders = [writer] if writer else []
                result = matches.run(
                    fixture,
                    speed=series.speed,
                    recorders=recorders,
                    on_match=on_match,
                    time_control=series.time_control,
                )
                results.append(result)
            on_result(results[-1])
            if writer:
                replays += [writer.path] if writer.path.exists() else []
                warnings += [writer.warning] if writer.warning else []
            if results[-1].error:
                break
        seconds = time.perf_counter() - began
        on_end(stage)
    return SeriesResult(matches=results, replays=replays, warnings=warnings, seconds=seconds)


@contextmanager
def _recorder(spec: GameSpec, series: Series) -> Iterator[ReplayWriter | None]:
    """The writer of one match's recording, closed after it: a series may be long, and each holds memory."""
    if series.record is None:
        yield None
        return
    writer = ReplayWriter(new_replay_path(series.record, spec.id), series.recording)
    try:
        yield writer
    finally:
        writer.close()
