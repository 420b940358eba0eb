"""Services: the objects that every screen gets: worker, settings, people …; Library: games, snapshots, recordings."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from agents.closing import Closing
from agents.files import folder, home
from arcade import language
from arcade.language import _
from arcade.session.jobs import Jobs
from arcade.session.match.policy_servers import PolicyServers
from arcade.session.match.rating_changes import ResultKeeper
from arcade.session.match.setup import MatchSetup, WindowOptions
from arcade.session.people import PlayerDevices, open_people
from arcade.session.player.book import PlayerBook
from arcade.session.player.favourites import open_shelf
from arcade.session.player_names import PlayerNames
from arcade.session.recordings.deletions import Deletions
from arcade.session.settings import Settings
from arcade.session.snapshot_names import short_names
from arcade.session.trainer_process import OwnTrainers
from arcade.session.training.errors import trouble_text
from arcade.session.videos import Videos
from arcade.session.worker import Stages, Worker

if TYPE_CHECKING:  # the title is on screen before these are imported
    from agents.snapshots.card import SnapshotCard
    from agents.snapshots.store import SnapshotStore
    from agents.wire.trainer_events import TrainerStatus
    from arcade.games.spec import GameSpec
    from arcade.match.play.result import MatchResult
    from arcade.match.stage.hosted import HostedStage, StageHost
    from arcade.recordings.library import RecordingLibrary
    from arcade.session.preview import Preview
    from arcade.session.training.run_link import NewestTrainer
    from arcade.session.training.training import Trainings
    from arcade.session.training.words import TrainerStrip


class Library:
    """The games, snapshots and recordings of this machine; empty until the catalogue is loaded."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.games: tuple[GameSpec, ...] = ()
        self.featured: GameSpec | None = None  # the title's game
        self.snapshots: dict[str, tuple[str, ...]] = {}  # game → names in the store, newest first
        self._cards: dict[str, tuple[SnapshotCard, ...]] = {}
        self._strangers: dict[str, dict[str, SnapshotCard]] = {}  # game → name → card
        self.snapshot_names: dict[str, str] = {}  # what people read for each of them
        self._named = language.version  # that of the language of these names
        self._store: SnapshotStore | None = None
        self._recordings: RecordingLibrary | None = None

    def find(self, game: str) -> GameSpec | None:
        """The game of the catalogue with this id."""
        return next((spec for spec in self.games if spec.id == game), None)

    def names(self, game: str) -> tuple[str, ...]:
        """The snapshots that play `game`, newest first, as of the last refresh."""
        return self.snapshots.get(game, ())

    def cards(self, game: str) -> tuple[SnapshotCard, ...]:
        """The cards of these snapshots."""
        return self._cards.get(game, ())

    def strangers(self, game: str) -> Mapping[str, SnapshotCard]:
        """Those that are not trusted here, by name: they run in a child with limits."""
        return self._strangers.get(game, {})

    def refresh_snapshots(self, game: str, done: Callable[[], None] = lambda: None) -> None:
        """List the snapshots of `game` again, in the worker; then call `done`."""

        def find() -> tuple[tuple[SnapshotCard, ...], dict[str, SnapshotCard]]:
            store = self.store()
            cards = tuple(store.list(game)[::-1])
            return cards, {card.name: card for card in cards if not store.is_trusted(card)}

        def finish(found: tuple[tuple[SnapshotCard, ...], dict[str, SnapshotCard]]) -> None:
            cards, self._strangers[game] = found
            self.snapshots[game] = tuple(card.name for card in cards)
            self._cards[game] = cards
            self._name(game)
            done()

        self._worker.submit(find, done=finish)

    def update(self) -> None:
        """Name the snapshots again after a change of the language."""
        if self._named != language.version:
            self._named = language.version
            for game in self._cards:
                self._name(game)

    def _name(self, game: str) -> None:
        spec, cards = self.find(game), self._cards[game]
        names = short_names(spec, cards) if spec is not None else {card.name: card.name for card in cards}
        self.snapshot_names.update(names)

    def player_names(self, spec: GameSpec) -> PlayerNames:
        """Return the names of the players of a game."""
        return PlayerNames(spec, self.snapshot_names)

    def store(self) -> SnapshotStore:
        """The user's snapshots and the bundled ones.  Reads the disk: for the worker only."""
        if self._store is None:
            from agents.snapshots.store import open_store  # numpy takes longer than the title may

            self._store = open_store()
        return self._store

    def recordings(self) -> RecordingLibrary:
        """All recordings.  Reads the disk: for the worker only."""
        if self._recordings is None:
            from arcade.recordings.library import RecordingLibrary  # numpy takes longer than the title may

            self._recordings = RecordingLibrary(folder("replays"))
        return self._recordings


_FIRST = ("arcade.games", "arcade.match.playback.reader", "arcade.session.preview", "arcade.session.match.session")
"""Modules that play needs; together they take longer to import than the title may."""

_LAST = ("agents.policies.snapshot_controller", "agents.wire.client", "arcade.session.training.training")
"""onnxruntime takes long, and only a match with a policy in it needs it."""

Say = Callable[..., None]
"""Shows a line of text; ``about=`` replaces the last one about the same."""


class Updated(Protocol):
    """A match over the network."""

    def update(self, now: float) -> None: ...


class Services(Closing):
    """Live as long as the window.  `update` is called once a frame; no service blocks."""

    def __init__(
        self,
        opening: WindowOptions,
        *,
        settings: Callable[[], Settings] = Settings,
        say: Say = lambda text, about="": None,
        devices: PlayerDevices | None = None,
        is_open: Callable[[], bool] = lambda: True,
        on_result: Callable[[MatchResult], None] = lambda result: None,
        first: Sequence[str] = (),
        pages: Sequence[str] = (),
        on_loaded: Callable[[], None] = lambda: None,
    ) -> None:
        """`settings` returns the present ones, `is_open` whether the window is.

        `first` are modules to import before play can begin, `pages` to import last; `on_loaded` is called once all are.
        """
        self.opening, self.settings, self.say, self.on_result = opening, settings, say, on_result
        self.devices = devices or PlayerDevices()
        self.worker, self.results = Worker(), ResultKeeper()
        self.people, people_warning = open_people(settings)
        self.library, self.stages = Library(self.worker), Stages(self.worker, is_open=is_open)
        self.shelf, shelf_warning = open_shelf()
        self.warnings = [text for text in (people_warning, shelf_warning) if text]  # about invalid files
        clocks = self.shelf.clocks
        self.players = PlayerBook(
            self.worker, home() / "ladder.sqlite", games=lambda: self.library.games, store=self.library.store
        )  # fmt: skip
        self.preview: Preview | None = None  # of one game, live; once games can be played
        self.setup = MatchSetup(opening, settings)
        self.setup.clocks.update({} if opening.clock else clocks)
        self.servers = PolicyServers(opening.endpoints, self.worker)  # whose players the seats offer
        self.trainer: NewestTrainer | None = None  # once all is loaded
        self.trainings: Trainings | None = None  # opponents in training; once all is loaded
        self.trainers = OwnTrainers(self.worker, say=say)
        self._companion = opening.companion  # until its end is reported
        self.jobs = Jobs()  # all that takes longer than two seconds
        self.videos = Videos(self.jobs, say)
        self.deletions = Deletions(self.worker, self.library.recordings, say=say)
        self.ready = False  # whether games can be played
        self.online: Updated | None = None  # kept alive whatever screen is on top
        self._first, self._last, self._on_loaded = (*_FIRST, *first), (*_LAST, *pages), on_loaded
        self._is_loading = False

    @property
    def trainer_status(self) -> TrainerStatus | None:
        """The last status of the newest trainer on this machine, None while none runs."""
        client = self.trainer.client if self.trainer is not None else None
        return client.status if client is not None else None

    @property
    def trainer_strip(self) -> TrainerStrip | None:
        """How strong that training is by now, for a strip; None while none runs."""
        if self.trainer is None:
            return None
        from arcade.session.training.words import trainer_strip  # imports zmq

        return trainer_strip(self.trainer)

    @property
    def trainer_text(self) -> str:
        """The state of that trainer, else of a training that is starting, in one sentence; "" without either."""
        if self.trainer is None:
            return ""
        begun = self.trainings.all if self.trainings is not None and self.trainer_status is None else []
        own = next((one.text for one in reversed(begun) if not one.done), "")
        if own or (self.trainer_status is None and self.trainer.state != "starting"):
            return own
        from arcade.session.training.words import training_text  # imports zmq

        game = self.library.find(self.trainer.status.game)
        return training_text(self.trainer, _(game.title) if game is not None else self.trainer.status.game)

    def update(self, now: float) -> None:
        """Handle finished jobs and the events of the trainer."""
        self.worker.poll()
        self.library.update()
        self.videos.update()
        self.jobs.update(now)
        self.deletions.update(now)
        self._watch_companion()
        if self.online is not None:
            self.online.update(now)
        if self.trainings is not None:
            self.trainings.update(now)
        if self.trainer is None:
            return
        self.trainer.update(now)
        for event in self.trainer.take_frozen():
            self.library.refresh_snapshots(event.game)
            if self.setup.playing is not None:
                self.setup.playing.on_frozen(event.game, event.name)

    def _watch_companion(self) -> None:
        """Report once that the trainer beside the window has failed."""
        trainer = self._companion
        if trainer is None or trainer.running:
            return
        self._companion = None
        words = _("The training beside this window has failed. {reason}")
        self.worker.submit(
            lambda: trouble_text(trainer.end), done=lambda why: self.say(words.format(reason=why)) if why else None
        )

    def take_stage(self, spec: GameSpec, stage: HostedStage | None) -> HostedStage | None:
        """Return the last match's `stage`, or else the preview's, where it plays exactly `spec`; end the preview."""
        if stage is not None and stage.spec.kwargs != spec.kwargs:
            self.stages.free(stage)
            stage = None
        if self.preview is not None:
            if stage is None and self.preview.spec is spec:
                stage = self.preview.take()
            self.preview.close()
        return stage

    def warm_up(self) -> None:
        """Load what play needs and start the first child, in the worker; called after the first frame, any number of
        times."""
        if not self._is_loading:
            self._is_loading = True
            self.worker.submit(self._load, done=self._loaded)

    def close(self) -> None:
        """Free children and threads once all files are written; can be called twice."""
        if self.preview is not None:
            self.preview.close()
        self.worker.settle()
        self.results.finish(home() / "ladder.sqlite")
        self.deletions.close()
        if self.trainer is not None:
            self.trainer.close()
        self.stages.close()
        self.trainers.close()
        if self.trainings is not None:
            self.trainings.close()
        self.shelf.close()
        self.worker.close()

    def _load(self) -> tuple[tuple[GameSpec, ...], GameSpec, StageHost]:
        """In the worker."""
        for name in self._first:
            importlib.import_module(name)
        from arcade.games import find_game, games
        from arcade.match.stage.hosted import StageHost

        featured, host = find_game(self.opening.featured), StageHost()
        host.warm(featured)
        return games(), featured, host

    def _loaded(self, loaded: tuple[tuple[GameSpec, ...], GameSpec, StageHost]) -> None:
        self.library.games, featured, host = loaded
        self.library.featured = featured
        from arcade.session.preview import Preview  # games take longer to import than the title may

        self.stages.open(host)
        self.preview = Preview(self.stages)
        self.library.refresh_snapshots(featured.id, done=self._begin)

    def _begin(self) -> None:
        """Let play begin, then import the rest and delete the oldest recordings above the storage limit."""
        self.ready = True
        self.worker.submit(
            lambda: [importlib.import_module(name) for name in self._last], done=lambda _: self._follow()
        )
        self.worker.submit(self._free_space, failed=self._kept_recordings)

    def _follow(self) -> None:
        from arcade.session.training.run_link import NewestTrainer  # imports zmq
        from arcade.session.training.training import Trainings

        self.trainings = Trainings(
            worker=self.worker, trainers=self.trainers, jobs=self.jobs, library=self.library, say=self.say
        )
        self.trainer = NewestTrainer(home() / "runs", worker=self.worker)
        self._on_loaded()

    def _kept_recordings(self, error: BaseException) -> None:
        self.say(_("Old recordings stay: {reason}").format(reason=error))

    def _free_space(self) -> None:
        """In the worker."""
        self.deletions.trash.recover()
        self.library.recordings().make_room(self.settings().replay_gigabytes)
