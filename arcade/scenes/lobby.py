"""Lobby: what every screen shares, and the slow parts of it made ready beside the window."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from agents.home import folder, home
from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from agents.seats.words import parse_seat
from arcade.engine.input.default_bindings import KEYBOARD
from arcade.engine.input.events import Device
from arcade.engine.ui.toasts import Toasts
from arcade.engine.window.engine import Engine
from arcade.match.recording.options import RecordingOptions
from arcade.match.stage.rules import PLAIN, StageRules
from arcade.session.options import MatchOptions, WindowOptions
from arcade.session.people import Person, open_company
from arcade.session.trainer_link import TrainerLink
from arcade.session.training.launch import OwnTrainers
from arcade.session.worker import Worker

if TYPE_CHECKING:
    from agents.snapshots.store import SnapshotStore
    from arcade.games.spec import GameSpec
    from arcade.match.play.adjustable import AdjustableMatch
    from arcade.match.play.lineup import Devices
    from arcade.match.play.result import MatchResult
    from arcade.match.playback.branch import Branch
    from arcade.match.stage.hosted import StageHost
    from arcade.match.stage.stage import Stage
    from arcade.recordings.library import RecordingLibrary
    from arcade.scenes.videos.orders import Videos
    from arcade.session.launch import HandedStage, Launch
    from arcade.session.preview import Preview
    from arcade.session.rating_changes import RatingChanges


class Playing(Protocol):
    """A match that is on the screen."""

    spec: GameSpec
    lineup: dict[AgentID, SeatChoice]
    match: AdjustableMatch | None


_SLOW = ("arcade.games", "arcade.match.playback.reader", "arcade.session.preview", "arcade.session.launch")
"""What is imported behind the title: together they take longer than the title may."""

_LAST = (
    "agents.policies.pool",
    "agents.wire.client",
    "arcade.scenes.recordings.browser_scene",
    "arcade.scenes.ladder.ladder_scene",
)
"""Imported last: onnxruntime takes long, and only a match with a policy in it needs it; so do pages that wait."""


class Lobby:
    """Lives as long as the window; scenes get it when they are made.  Nothing in it waits.

    `ready` turns True once the slow parts are imported and a child is warm; `games`, `host` and `preview` hold from
    then on.
    """

    def __init__(self, engine: Engine, opening: WindowOptions) -> None:
        self.engine = engine
        self.opening = opening
        self.worker = Worker()
        self.toasts = Toasts()
        engine.say = self.toasts.say
        self.company, self.people_warning = open_company()
        self.trainer = TrainerLink(home() / "runs", worker=self.worker)
        self.on_frozen: Callable[[str, str], None] = lambda game, name: None  # the match on show sets it
        self.on_result: Callable[[MatchResult], None] = lambda result: None
        self.playing: Playing | None = None
        self.ready = False
        self.games: tuple[GameSpec, ...] = ()
        self.featured: GameSpec | None = None
        self.snapshots: dict[str, tuple[str, ...]] = {}  # game → names in the store, newest first
        self.lineups: dict[str, Mapping[AgentID, SeatChoice]] = {}  # game → who sat where last
        self.rules: dict[str, StageRules] = {}  # game → those that people chose
        self.best_of = 1  # how long the series of the next match is; the title sets it back
        self.host: StageHost | None = None
        self.preview: Preview | None = None
        self.trainers = OwnTrainers(self.worker, say=self.toasts.say)
        self._store: SnapshotStore | None = None
        self._takes: RecordingLibrary | None = None
        self._videos: Videos | None = None
        self._seed = opening.seed if opening.seed is not None else random.randrange(2**31)
        self._warming = False

    def __enter__(self) -> Lobby:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Each frame

    def update(self, now: float) -> None:
        """Hand back finished jobs, hear the trainer; every scene calls it once a frame."""
        self.worker.poll()
        self.toasts.update(now)
        if self._videos is not None:
            self._videos.update()
        if self.ready:
            for game, name in self.trainer.update(now):
                self.refresh_snapshots(game)
                self.on_frozen(game, name)

    def warm_up(self) -> None:
        """Begin importing what play needs; called once the first frame is shown, again without harm."""
        if not self._warming:
            self._warming = True
            self.worker.submit(self._load, done=self._loaded)

    def close(self) -> None:
        """Free children and threads, after what is being written is written; twice does no harm."""
        if self.preview is not None:
            self.preview.close()
        self.worker.settle()
        self.trainer.close()
        if self.host is not None:
            self.host.close()
        self.trainers.close()
        self.worker.close()

    # Games and seats

    def people(self) -> tuple[SeatChoice, ...]:
        """The seats that people can take with what is plugged in now."""
        words = [
            "keyboard",
            *(half.word for half in KEYBOARD.values()),
            *(keyboard.word for keyboard in self._own_keyboards()),
            *(pad.word for pad in self.engine.devices.pads),
        ]
        return tuple(parse_seat(word) for word in words)

    def _own_keyboards(self) -> tuple[Device, ...]:
        keyboards = self.engine.devices.keyboards
        keyboards.refresh()
        return keyboards.present if keyboards.apart else ()

    @property
    def owner(self) -> Person:
        """Whose settings these are: who plays where nobody else is said to."""
        settings = self.engine.settings
        name = "".join(letter for letter in settings.player_name if letter.isprintable()).strip()
        return Person(name or "Player", settings.name_recordings)

    def devices(self, spec: GameSpec) -> Devices:
        """What makes the controllers of people's seats in a match of `spec`."""
        from arcade.controls.device_controllers import make_devices

        return make_devices(self.engine.devices, find=lambda game: spec)

    def trains(self, spec: GameSpec) -> bool:
        """Whether a trainer that is heard of trains `spec` now."""
        status = self.trainer.status
        return status is not None and status.game == spec.id

    def rules_of(self, spec: GameSpec) -> StageRules:
        """What the next match of `spec` is played by."""
        return self.rules.get(spec.id, PLAIN if spec.turn_based else self.opening.rules)

    def store(self) -> SnapshotStore:
        """The user's snapshots and those that ship; reads the disk, so for the worker only."""
        if self._store is None:
            from agents.snapshots.search import open_store

            self._store = open_store()
        return self._store

    def takes(self) -> RecordingLibrary:
        """What is recorded; reads the disk, so for the worker only."""
        if self._takes is None:
            from arcade.recordings.library import RecordingLibrary

            self._takes = RecordingLibrary(folder("replays"))
        return self._takes

    @property
    def videos(self) -> Videos:
        """The videos of recordings that are being made."""
        if self._videos is None:
            from arcade.scenes.videos.orders import Videos

            self._videos = Videos(self.toasts.say)
        return self._videos

    def refresh_snapshots(self, game: str, done: Callable[[], None] = lambda: None) -> None:
        """Look again at which snapshots play `game`, in the worker; `done` follows."""

        def take(names: tuple[str, ...]) -> None:
            self.snapshots[game] = names
            done()

        self.worker.submit(lambda: tuple(card.name for card in self.store().list(game)[::-1]), done=take)

    def launch(
        self,
        spec: GameSpec,
        lineup: Mapping[AgentID, SeatChoice],
        stage: HandedStage | None = None,
        *,
        branch: Branch | None = None,
    ) -> Launch:
        """Begin a match of `spec`; on `stage` where one is at hand, else on the preview's or the spare child.

        Where a person plays from the start, the game is made as people play it; with a `branch` it goes on from a
        moment of a recording, and `spec` is as that was made.
        """
        from arcade.session.launch import Launch

        assert self.host is not None
        assert self.preview is not None
        self.lineups[spec.id] = dict(lineup)
        people = any(choice.is_human for choice in lineup.values())
        wanted = spec.for_people() if people and branch is None else spec
        if stage is not None and stage.stage.spec.kwargs != wanted.kwargs:
            self.free(stage.stage)
            stage = None
        if stage is None and self.preview.spec is wanted:
            stage = self.preview.take()
        self.preview.close()
        host = self.host
        return Launch(
            stage,
            lineup,
            replace(self._match_options(spec, lineup), branch=branch),
            worker=self.worker,
            make=lambda: host.stage(wanted),
            store=self.store,
            devices=self.devices(spec),
            free=self.free,
        )

    def keep(self, result: MatchResult, done: Callable[[RatingChanges], None]) -> None:
        """Put `result` on the ladder, in the worker; `done` is told what that changed."""
        from arcade.session.rating_changes import RatingChanges, keep_result

        self.on_result(result)
        if not result.rated:
            done(RatingChanges())
            return
        self.worker.submit(lambda: keep_result(result, home() / "ladder.sqlite"), done=done)

    def warm_child(self) -> None:
        """Have a spare child ready for the next stage."""
        if self.host is not None and self.engine.running:
            self.worker.submit(self.host.warm)

    def free(self, stage: Stage) -> None:
        """Close a stage without waiting for its child to end."""
        self.worker.submit(stage.close)

    def _match_options(self, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice]) -> MatchOptions:
        opening, seed = self.opening, self._seed
        self._seed = (seed + 1) % 2**32
        settings = self.engine.settings
        is_new = any(choice.kind != "replay" for choice in lineup.values())
        record = is_new and (opening.record or settings.record_matches)
        return MatchOptions(
            seed=seed,
            speed=opening.speed,
            max_ticks=opening.max_ticks,
            rules=self.rules_of(spec),
            record=home() / "replays" if record else None,
            recording=RecordingOptions(observations=settings.record_observations, seats=settings.record_seats),
            people=self.company.seated(lineup, self.owner),
        )

    # Warming up, in the worker and after it

    def _load(self) -> tuple[tuple[GameSpec, ...], GameSpec, StageHost]:
        for name in _SLOW:
            importlib.import_module(name)
        catalogue = importlib.import_module("arcade.games")
        featured = catalogue.find_game(self.opening.featured)
        host = importlib.import_module("arcade.match.stage.hosted").StageHost()
        host.warm(featured)
        return catalogue.games(), featured, host

    def _loaded(self, found: tuple[tuple[GameSpec, ...], GameSpec, StageHost]) -> None:
        from arcade.session.preview import Preview, preview_seats

        self.games, self.featured, self.host = found
        self.preview = Preview(self.host, worker=self.worker, seats=preview_seats, free=self.free, warm=self.warm_child)
        self.refresh_snapshots(self.featured.id, done=self._set_ready)

    def _set_ready(self) -> None:
        self.ready = True
        self.worker.submit(_import_last)
        self.worker.submit(self._make_room, failed=lambda error: self.toasts.say(f"No room was made: {error}"))

    def _make_room(self) -> None:
        """In the worker: recordings that nobody keeps go, where they have become too many."""
        from arcade.recordings.storage_limit import make_room

        make_room(self.takes(), self.engine.settings.replay_gigabytes)


def _import_last() -> None:
    for name in _LAST:
        importlib.import_module(name)
