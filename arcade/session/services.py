"""Services: what runs behind the screens, as small parts that are handed to each screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.home import home
from arcade.session.library import Library
from arcade.session.match.devices import NoDevices, PlayerDevices
from arcade.session.match.setup import MatchSetup
from arcade.session.options import WindowOptions
from arcade.session.people import Company, open_company
from arcade.session.settings import Settings
from arcade.session.stages import Stages
from arcade.session.startup import Startup
from arcade.session.trainer_link import TrainerLink
from arcade.session.training.launch import OwnTrainers
from arcade.session.videos.job import Videos
from arcade.session.worker import Worker

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.play.result import MatchResult

Say = Callable[..., None]
"""Shows a line to people; ``about=`` replaces the last one about the same."""


@dataclass(frozen=True, kw_only=True)
class Services:
    """Live as long as the window.  `update` is called once a frame, and nothing in them waits."""

    opening: WindowOptions
    settings: Callable[[], Settings]
    say: Say
    devices: PlayerDevices
    worker: Worker
    people: Company
    library: Library
    stages: Stages
    setup: MatchSetup
    trainer: TrainerLink
    trainers: OwnTrainers
    on_result: Callable[[MatchResult], None]
    warning: str  # of the people file
    startup: Startup
    videos: Videos

    @staticmethod
    def open(
        opening: WindowOptions,
        *,
        settings: Callable[[], Settings] = Settings,
        say: Say = lambda words, about="": None,
        devices: PlayerDevices | None = None,
        is_open: Callable[[], bool] = lambda: True,
        on_result: Callable[[MatchResult], None] = lambda result: None,
        pages: Sequence[str] = (),
    ) -> Services:
        """All of them; `settings` are the present ones, `is_open` tells whether the window is."""
        worker = Worker()
        people, warning = open_company(settings)
        library, stages = Library(worker), Stages(worker, is_open=is_open)
        return Services(
            opening=opening,
            settings=settings,
            say=say,
            devices=devices or NoDevices(),
            worker=worker,
            people=people,
            library=library,
            stages=stages,
            setup=MatchSetup(opening, people, settings),
            trainer=TrainerLink(home() / "runs", worker=worker),
            trainers=OwnTrainers(worker, say=say),
            videos=Videos(say),
            startup=Startup(worker, library, stages, featured=opening.featured, pages=pages),
            on_result=on_result,
            warning=warning,
        )

    def __enter__(self) -> Services:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def ready(self) -> bool:
        """Whether games can be played."""
        return self.startup.ready

    def is_trained(self, spec: GameSpec) -> bool:
        """Whether a trainer on this machine trains `spec` now."""
        return self.trainer.status is not None and self.trainer.status.game == spec.id

    def update(self, now: float) -> None:
        """Hand back finished jobs and hear the trainer."""
        self.worker.poll()
        self.videos.update()
        if not self.ready:
            return
        for game, name in self.trainer.update(now):
            self.library.refresh_snapshots(game)
            if self.setup.playing is not None:
                self.setup.playing.on_frozen(game, name)

    def warm_up(self) -> None:
        """Begin to load what play needs; called once the first frame is shown, again without harm."""
        self.startup.begin(self._free_space, failed=lambda error: self.say(f"Old recordings stay: {error}"))

    def close(self) -> None:
        """Free children and threads once all is written; twice does no harm."""
        if self.stages.preview is not None:
            self.stages.preview.close()
        self.worker.settle()
        self.trainer.close()
        self.stages.close()
        self.trainers.close()
        self.worker.close()

    def _free_space(self) -> None:
        """In the worker: delete the oldest recordings above the storage limit."""
        from arcade.recordings.library import make_room  # numpy takes longer than the title may

        make_room(self.library.recordings(), self.settings().replay_gigabytes)
