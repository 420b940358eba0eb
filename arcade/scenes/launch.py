"""A match on its way: the game made in its child, the seats filled, nothing of it on the path that draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agents.controller import AgentID, SeatChoice
from agents.snapshot import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.hosted import HostedStage
from arcade.match.lineup import Devices, close_mapping, make_mapping
from arcade.match.match import Match, PolicyMapping
from arcade.match.replay import ReplayWriter, new_replay_path
from arcade.match.stage import Stage
from arcade.scenes.opening import MatchOptions
from arcade.scenes.watch import Watch
from arcade.scenes.worker import Worker


@dataclass(frozen=True, slots=True)
class Launched:
    """A match that has been started, and who watches its ticks."""

    match: Match
    watch: Watch


@dataclass(frozen=True, slots=True)
class HandedStage:
    """A stage passed on from one match to the next; `busy`: it still owes the tick that the last one asked for."""

    stage: HostedStage
    busy: bool = False


class Launch:
    """Poll it each frame: `update` returns the started match once it is there, and raises what went wrong.

    It owns the stage until then; `close` frees whatever it still owns.
    """

    def __init__(
        self,
        handed: HandedStage,
        lineup: Mapping[AgentID, SeatChoice],
        options: MatchOptions,
        *,
        worker: Worker,
        store: Callable[[], SnapshotStore],
        devices: Devices,
        free: Callable[[Stage], None],
    ) -> None:
        self.stage = handed.stage
        self._owes = handed.busy
        self.lineup = dict(lineup)
        self._options = options
        self._worker = worker
        self._store = store
        self._devices, self._free = devices, free
        self._asked = self._closed = False
        self._launched: Launched | None = None
        self._error: BaseException | None = None

    @property
    def spec(self) -> GameSpec:
        return self.stage.spec

    def update(self) -> Launched | None:
        """The started match, or None while it is on its way; raises the error that stopped it."""
        if self._error is not None:
            raise self._error
        if self._owes:
            self._owes = self.stage.poll() is None
        elif not self.stage.ready:
            self.stage.poll()
        elif not self._asked:
            self._asked = True
            self._worker.submit(self._start, done=self._done, failed=self._failed)
        return self._launched

    def close(self) -> None:
        """Give up: free the stage, and the match as soon as the worker hands it back."""
        self._closed = True
        if self._launched is not None:
            close_mapping(self._launched.match.mapping)
        self._free(self.stage)

    def _start(self) -> Launched:
        """In the worker: snapshots are read and opened here, and each controller's first reset is done."""
        options = self._options
        mapping = make_mapping(self.stage, self.lineup, store=self._store(), devices=self._devices)
        name_people(mapping, self.lineup, options.player)
        try:
            writer = ReplayWriter(new_replay_path(options.record, self.spec.id)) if options.record else None
            watch = Watch(writer)
            match = Match(
                self.stage,
                mapping,
                seed=options.seed,
                rate=self.spec.fps * options.speed,
                max_ticks=options.max_ticks,
                recorder=watch,
                settings={"speed": options.speed},
            )
            match.start()
        except BaseException:
            close_mapping(mapping)
            raise
        return Launched(match, watch)

    def _done(self, launched: Launched) -> None:
        self._launched = launched
        if self._closed:
            close_mapping(launched.match.mapping)
        elif launched.match.error is not None:
            self._failed(launched.match.error)

    def _failed(self, error: BaseException) -> None:
        self._error = error


def name_people(mapping: PolicyMapping, lineup: Mapping[AgentID, SeatChoice], player: str) -> None:
    """People go by their name and not by their keys, in the match, the results and on the ladder."""
    people = [agent for agent, choice in lineup.items() if choice.is_human]
    known: dict[SeatChoice, str] = {}
    for agent in people:
        choice = lineup[agent]
        known.setdefault(choice, f"{player} {len(known) + 1}" if known else player)
        mapping[agent].label = known[choice]
