"""Pictures of what takes long: training an opponent, a tournament, and the list of all jobs."""

from __future__ import annotations

from dataclasses import dataclass

from agents.files import folder
from agents.wire.trainer_events import TrainerStatus
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.scenes import routes
from arcade.scenes.training.opponent_scene import OpponentScene
from arcade.session.services import Services
from arcade.session.tournaments import TITLE, TournamentJob
from arcade.session.training.run_link import RunLink
from arcade.session.training.training import Training
from tests.shots.camera import SEED, Shots
from tests.support.fake_trainer import FakeTrainer

RUN = "volley-20261121-180000"
TOURNAMENT = {"games": 2, "seed": 3, "max_ticks": 200, "workers": 1}


@dataclass
class Underway:
    """A made-up job, always in the same state."""

    spec: GameSpec
    progress: float | None
    words: str = ""
    done: bool = False

    @property
    def title(self) -> str:
        return _(TITLE).format(game=_(self.spec.title))

    @property
    def text(self) -> str:
        return _(self.words)

    def cancel(self) -> None:
        """Ignore it."""


def take_jobs(shots: Shots) -> None:
    """The form, a training under way, a tournament, and the list of both."""
    spec = shots.services.library.featured
    assert spec is not None
    shots.engine.reset_to(routes.TrainOpponent(spec))
    form = shots.engine.scene
    assert isinstance(form, OpponentScene)
    shots.until(lambda: form.forecast is not None, what="the forecast")
    shots.take("train-opponent")
    with FakeTrainer(folder("runs") / RUN, run=RUN, seconds_left=400) as trainer:
        training = under_way(shots.services, spec)
        shots.until(lambda: told(training, trainer), what="the trainer's news")
        shots.take("train-opponent-progress")
        _tournament(shots, spec)
        shots.engine.reset_to(routes.Jobs())
        shots.take("jobs")
        training.fail("it was made up")
        shots.until(lambda: not shots.services.jobs.running, what="the end of the jobs")
    assert shots.services.trainings is not None
    shots.services.trainings.all.remove(training)


def under_way(services: Services, spec: GameSpec) -> Training:
    """Begin a training with a trainer that was started before."""
    assert services.trainings is not None
    status = TrainerStatus(run=RUN, game=spec.id)
    path, trainers = folder("runs") / RUN, services.trainings.trainers
    link = RunLink(worker=services.worker, folder=path, status=status, trainers=trainers)
    training = Training(spec, 10, link, services.trainings)
    services.trainings.all.append(training)
    services.jobs.add(training)
    return training


def told(training: Training, trainer: FakeTrainer) -> bool:
    """Publish a rising win rate; whether all of it has arrived."""
    for place in range(1, 9):
        trainer.publish("metrics", {"step": 1000 * place, "win_rate_scripted": 0.1 * place})
    return bool(training.link.curves.of("win_rate_scripted")) and training.progress is not None


def _tournament(shots: Shots, spec: GameSpec) -> None:
    shots.engine.reset_to(routes.Tournament(spec))
    shots.take("tournament-form")
    names = shots.services.library.player_names(spec)
    job = TournamentJob(spec, ["scripted", "random"], settings={**TOURNAMENT, "seed": SEED}, shown=names.of_label)
    shots.services.jobs.add(job)
    shots.until(lambda: job.done, what="the end of the tournament")
    shots.engine.reset_to(routes.Tournament(spec, job))
    shots.take("tournament")
