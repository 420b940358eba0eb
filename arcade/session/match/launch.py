"""Launch: makes the game and its controllers in the worker, and starts the match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.files import home
from agents.seats.controller import AgentID, SeatChoice
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.play.adjustable import AdjustableMatch
from arcade.match.play.lineup import close_mapping, make_mapping
from arcade.match.play.result import Recorder
from arcade.match.play.seats import PolicyMapping
from arcade.match.play.side_clocks import TimeControl
from arcade.match.playback.branch import Branch, BranchedMatch
from arcade.match.recording.memory_file import MatchRecords
from arcade.match.recording.replay_writer import ReplayWriter, new_replay_path
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.rules import PLAIN
from arcade.session.match.loading import GAME, PICTURE, catching_up_text, players_text
from arcade.session.match.monitor import MatchMonitor
from arcade.session.seating import describe
from arcade.session.services import Services
from arcade.session.worker import Worker


@dataclass(frozen=True, slots=True)
class Launched:
    """A match that has been started, and its monitor."""

    match: AdjustableMatch
    watch: MatchMonitor
    records: MatchRecords = field(default_factory=MatchRecords)  # of the match so far

    @property
    def is_begun(self) -> bool:
        """Whether a step was taken, so that there is something to replay."""
        return self.match.tick is not None and self.match.tick.index > 0

    def end(self, worker: Worker) -> None:
        """End the match, close its controllers, and delete a recording without steps."""
        self.match.quit()
        close_mapping(self.match.mapping)
        self.match.reserves.close()
        if not self.is_begun:
            worker.submit(lambda: _drop(self.watch.writer))


class Launch:
    """Owns the stage until the match has started; `update` is called once a frame."""

    def __init__(
        self, services: Services, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], *,
        stage: HostedStage | None = None, branch: Branch | None = None,
    ) -> None:  # fmt: skip
        """The worker makes a stage of `spec` unless `stage` or the preview's fits; `branch` is where to begin."""
        people, setup = any(choice.is_human for choice in lineup.values()), services.setup
        if branch is None:  # a recording's game is made as it was
            spec = spec.for_people() if people else spec.for_matches()
        self.stage = services.take_stage(spec, stage)  # None until it is made
        self.lineup, self._branch, self._services = dict(lineup), branch, services
        self._seed, self._recording = setup.next_seed(), setup.recording(lineup)
        self._rules = PLAIN if branch is not None else setup.rules_of(spec)  # a recording has the actions as executed
        self._time_control = TimeControl.parse(clock) if (clock := setup.clock_of(spec)) else None
        self._people = services.people.seated(lineup)
        self._devices = services.devices.factories(spec)
        self._started = self._closed = False
        self._launched: Launched | None = None
        self._branched: BranchedMatch | None = None  # while it catches up
        self._error: BaseException | None = None
        if self.stage is None:
            services.worker.submit(lambda: services.stages.make(spec), done=self._made, failed=self._failed)

    def update(self) -> Launched | None:
        """Return the started match, or None before; raises the error that stopped the launch."""
        if self._error is not None:
            raise self._error
        stage = self.stage
        if stage is not None and not self._started:
            if stage.busy:
                stage.poll()
            else:
                self._started = True
                self._services.worker.submit(lambda: self._start(stage), done=self._done, failed=self._failed)
        return self._launched

    @property
    def text(self) -> str:
        """What is being loaded, for people."""
        if self._branched is not None:
            return catching_up_text(self._branched.caught_up)
        if self._launched is not None:
            return _(PICTURE)
        return players_text(self.lineup, describe) if self._started else _(GAME)

    def close(self) -> None:
        """Free the stage and the match, now or when the worker returns them."""
        self._closed = True
        if self._launched is not None:
            self._launched.end(self._services.worker)
        if self.stage is not None:
            self._services.stages.free(self.stage)

    def _made(self, stage: HostedStage) -> None:
        self.stage = stage
        if self._closed:
            self._services.stages.free(stage)

    def _start(self, stage: HostedStage) -> Launched:
        """In the worker: load snapshots, reset all controllers, and start the match."""
        people, store = self._people, self._services.library.store()
        names = {agent: people[choice].name for agent, choice in self.lineup.items() if choice in people}
        lineup = settled(self.lineup, names, stage.spec, store)
        mapping = make_mapping(stage, lineup, store=store, devices=self._devices)
        for agent, choice in self.lineup.items():
            if choice in people:
                people[choice].sign(mapping[agent])
        writer: ReplayWriter | None = None
        try:
            if self._recording is not None:
                writer = ReplayWriter(new_replay_path(home() / "replays", stage.spec.id), self._recording)
                writer.know(self._branch.people if self._branch is not None else {})
            watch, records = MatchMonitor(writer), MatchRecords()
            match = self._begin(stage, mapping, [*filter(None, (writer,)), records, watch])
        except BaseException:
            _drop(writer)
            close_mapping(mapping)
            raise
        return Launched(match, watch, records)

    def _begin(self, stage: HostedStage, mapping: PolicyMapping, recorders: list[Recorder]) -> AdjustableMatch:
        """Start from a reset, or from a moment of a recording, which is stepped through up to there."""
        opening, branch = self._services.opening, self._branch
        rate, settings = stage.spec.fps * opening.speed, {"speed": opening.speed} | _made_with(stage.spec)
        stage.rules, stage.locates = self._rules, bool(stage.spec.figures)
        if branch is None:
            match = AdjustableMatch(
                stage, mapping, seed=self._seed, rate=rate, max_ticks=opening.max_ticks,
                recorders=recorders, settings=settings, time_control=self._time_control,
            )  # fmt: skip
            match.rated = match.rated and opening.ladder
            match.start()
            return match
        branched = BranchedMatch(stage, branch, rate=rate, recorders=recorders, settings=settings)
        self._branched = branched
        branched.start()
        branched.catch_up()
        if branched.error is None:
            branched.seat(mapping)
        return branched

    def _done(self, launched: Launched) -> None:
        self._launched = launched
        if self._closed:
            launched.end(self._services.worker)
        elif launched.match.error is not None:
            self._failed(launched.match.error)

    def _failed(self, error: BaseException) -> None:
        self._error = error


def _drop(writer: Recorder | None) -> None:
    """Close the file and delete it."""
    if isinstance(writer, ReplayWriter):
        writer.close()
        writer.path.unlink(missing_ok=True)


def _made_with(spec: GameSpec) -> dict[str, Any]:
    """Return the settings for the result of a game that was made for people, or for matches."""
    people = {**spec.match_kwargs, **spec.people_kwargs}
    own = next((own for own in (people, spec.match_kwargs) if own.items() <= spec.kwargs.items()), {})
    return {"game_kwargs": dict(own)} if own else {}


def settled(
    lineup: Mapping[AgentID, SeatChoice], people: Mapping[AgentID, str], spec: GameSpec, store: SnapshotStore
) -> dict[AgentID, SeatChoice]:
    """Return the lineup with an opponent of the `people` in each seat of ``level:even``; reads the disk."""
    if not any(choice.is_even for choice in lineup.values()):
        return dict(lineup)
    from agents.seats.even import seated_as  # ratings take long to import
    from arcade.match.play.even_seats import even_matches

    found = even_matches(lineup, people, spec, store)
    return {**lineup, **{agent: seated_as(lineup[agent], match.opponent) for agent, match in found.items()}}
