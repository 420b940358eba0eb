"""Train me an opponent: trainings of a game in the background, and the opponents that come of them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from agents.errors import UserError
from agents.files import folder, replace_file
from agents.seats.controller import AgentID, SeatChoice
from agents.wire.trainer_events import TrainerStatus
from arcade.games.spec import GameSpec
from arcade.language import N_, _
from arcade.session.jobs import Jobs
from arcade.session.trainer_process import NICE, OwnTrainers
from arcade.session.training.presets import Estimate, estimate, settings_for
from arcade.session.training.run_files import read_object
from arcade.session.training.run_link import RunLink
from arcade.session.training.runs import has_saved
from arcade.session.training.speed import Speed, find_speed
from arcade.session.training.strength import is_better
from arcade.session.training.words import STOPPED_EARLY, not_started_text, training_text
from arcade.session.worker import Worker

if TYPE_CHECKING:
    from agents.snapshots.card import SnapshotCard
    from agents.snapshots.store import SnapshotStore

MINUTES = (2, 5, 10, 20, 30, 60, 120, 240, 480)
"""Steps of the slider, from a quick try to overnight."""

STAYS_FROM = 120
"""Minutes from which a training continues after the window closes."""

TITLE = N_("Training {game}")
READY = N_("Your first opponent in {game} is ready. Play against it from the game's page.")
BETTER = N_("A better opponent in {game} has arrived. Play against it from the game's page.")
FAILED = N_("Training {game} failed. Try again, or look at the details.")
ENDED = N_("Training {game} is over. Play against its newest opponent from the game's page.")
ENDED_EARLY = N_("Training {game} is over, without an opponent for every seat.")


@dataclass(frozen=True, slots=True)
class _Order:
    """How a trainer was started: ``python -m trainer ARGUMENTS``, its priority, and whether it outlives the window."""

    arguments: Sequence[str]
    nice: int
    stays: bool


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is known before a training: how fast it is and which opponents the game has already."""

    spec: GameSpec
    speed: Speed
    bundled: Sequence[SnapshotCard]

    def of(self, minutes: float) -> Estimate:
        """The estimate of a training of so many minutes."""
        return estimate(self.spec, minutes, self.speed, self.bundled)


def find_forecast(spec: GameSpec, store: SnapshotStore, catalogue: Sequence[GameSpec] = ()) -> Forecast:
    """Reads the disk: for the worker."""
    cards = store.list(spec.id)
    bundled = [card for card in cards if not (store.root / card.name).exists()]
    return Forecast(spec, find_speed(spec, folder("runs"), catalogue), bundled)


def find_start(spec: GameSpec, store: SnapshotStore) -> str:
    """The newest snapshot that a training of this machine made and that plays every seat, "" for none."""
    runs = folder("runs")
    own = [card for card in store.list(spec.id)[::-1] if card.run and (runs / card.run / "config.toml").exists()]
    return next((card.name for card in own if all(card.plays(agent) for agent in spec.agents)), "")


def newest_opponents(cards: Sequence[SnapshotCard], spec: GameSpec) -> dict[AgentID, str]:
    """The newest snapshot for each seat, without those from before the training; `cards` of one run, oldest first."""
    begun = min((card.step for card in cards), default=0)
    return {
        agent: card.name
        for card in cards if card.step > begun
        for agent in spec.agents if card.plays(agent)
    }  # fmt: skip


def lineup_against(opponents: Mapping[AgentID, str], spec: GameSpec, person: SeatChoice) -> dict[AgentID, SeatChoice]:
    """`person` in the first seat, and `opponents`, which play every seat, in the others."""
    return {agent: SeatChoice("snapshot", opponents[agent]) for agent in spec.agents} | {spec.agents[0]: person}


class Shelf(Protocol):
    """The games and snapshots of this machine, as the window's library has them."""

    games: tuple[GameSpec, ...]

    def store(self) -> SnapshotStore:
        """All of them; for the worker only."""

    def refresh_snapshots(self, game: str) -> None:
        """List those of a game again, so that the seats offer them."""


class Training:
    """A Job: one training, from the press of the button to its end.  `update` is called once a frame."""

    def __init__(self, spec: GameSpec, minutes: float, link: RunLink, shop: Trainings) -> None:
        self.spec, self.minutes, self.link, self._shop = spec, minutes, link, shop
        self.run = link.name
        self.done, self.failure = False, ""  # the error, for the details
        self._has_begun = True  # until its end tells otherwise
        self._is_end_told = False
        self.opponents: Mapping[AgentID, str] = {}  # newest snapshots, by seat
        self._announced: tuple[Mapping[AgentID, str], float | None] = {}, None  # and their strength
        self._is_stopped = False
        self._most_left = 0.0  # seconds, of all that the trainer has told

    @property
    def title(self) -> str:
        """What is made, for people."""
        return _(TITLE).format(game=_(self.spec.title))

    @property
    def text(self) -> str:
        """What it does, in plain words; why it failed is in `failure`."""
        if self.failure:
            return self._failed_text()
        return training_text(self.link, _(self.spec.title))

    def _failed_text(self) -> str:
        title = _(self.spec.title)
        return _(FAILED).format(game=title) if self._has_begun else not_started_text(self.failure, title)

    @property
    def progress(self) -> float | None:
        """The share of its time that is over."""
        left, whole = self.link.status.seconds_left, self.minutes * 60 or self._most_left
        if self.done or left is None or not whole:
            return 1.0 if self.done else None
        return min(1.0, max(0.0, 1 - left / whole))

    @property
    def has_begun(self) -> bool:
        """Whether it has saved something, which can be continued.  Reads the disk."""
        return has_saved(folder("runs") / self.run)

    @property
    def can_play(self) -> bool:
        """Whether it has made an opponent for every seat."""
        return all(agent in self.opponents for agent in self.spec.agents)

    def lineup(self, person: SeatChoice) -> dict[AgentID, SeatChoice]:
        """`person` in the first seat, against the newest opponents; only where `can_play`."""
        return lineup_against(self.opponents, self.spec, person)

    def cancel(self) -> None:
        """Stop it; the opponents that it has made stay."""
        self._is_stopped = True

    def fail(self, reason: str) -> None:
        """It could not begin."""
        self.failure, self.done, self._has_begun = reason, True, False
        self._tell_end()
        self.link.close()

    def update(self, now: float) -> None:
        """Follow the trainer."""
        if self.done:
            return
        self.link.update(now)
        self._most_left = max(self._most_left, self.link.status.seconds_left or 0.0)
        self._announce()
        own = self._shop.trainers.get(self.run)
        client = self.link.client
        if client is not None:
            if self._is_stopped and self.link.live and client.status.asked != "stopped":
                self._is_stopped = False
                client.request("stop")
            if client.frozen:
                client.frozen = []
                self._refresh()
        elif self._is_stopped and own is not None:
            own.stop()
        if self.link.state == "ended" and own is not None and not own.running:
            self._end()

    def _end(self) -> None:
        self.failure, self.done, self._has_begun = self.link.trouble, True, not self.link.saved_nothing
        if not self._has_begun and not self.failure:
            self._shop.forget_settings(self.run)
        self._refresh()
        self.link.close()

    def _refresh(self) -> None:
        self._shop.find_opponents(self, self._take)

    def _take(self, cards: Sequence[SnapshotCard]) -> None:
        self.opponents = newest_opponents(cards, self.spec)
        if self.done:
            self._tell_end()

    def _tell_end(self) -> None:
        """Say that it is over, once its last opponents are known."""
        if not self._is_end_told:
            self._is_end_told = True
            words = ENDED if self.can_play else ENDED_EARLY if self._has_begun else STOPPED_EARLY
            text = self._failed_text() if self.failure else _(words).format(game=_(self.spec.title))
            self._shop.say(text, about=self.run)

    def _announce(self) -> None:
        """Say that the first opponent is there, or one that measures better than the last that was announced."""
        names, before = self._announced
        now = self.link.strength.value
        if not self.can_play or names == self.opponents:
            return
        if is_better(now, before):
            self._announced = self.opponents, now
            self._shop.say(_(BETTER if names else READY).format(game=_(self.spec.title)), about=self.run)


class Trainings:
    """The trainings that this window began.  `update` is called once a frame."""

    def __init__(
        self, *, worker: Worker, trainers: OwnTrainers, jobs: Jobs, library: Shelf, say: Callable[..., None]
    ) -> None:
        self.trainers, self.say = trainers, say
        self._worker, self._jobs, self._library = worker, jobs, library
        self.all: list[Training] = []  # oldest first
        self._orders: dict[str, _Order] = {}  # by run
        self._now = 0.0

    def of(self, game: str) -> Training | None:
        """The newest training of a game, running or over."""
        return next((one for one in reversed(self.all) if one.spec.id == game), None)

    def forecast(self, spec: GameSpec, done: Callable[[Forecast], None]) -> None:
        """Find in the worker what a training of a game would come to."""
        self._worker.submit(lambda: find_forecast(spec, self._library.store(), self._library.games), done=done)

    def start(self, spec: GameSpec, minutes: float) -> Training:
        """Begin to train an opponent; one of the game that is still trained is returned instead."""
        under_way = self.of(spec.id)
        if under_way is not None and not under_way.done:
            return under_way
        training = self._add(spec, _free_run(spec), minutes)
        self._worker.submit(
            lambda: self._prepare(training), done=lambda words: self._launch(training, words),
            failed=lambda error: training.fail(str(error)), errors=(UserError, OSError),
        )  # fmt: skip
        return training

    def begin(
        self, spec: GameSpec, run: str, arguments: Sequence[str], *, minutes: float = 0.0, nice: int, stays: bool
    ) -> Training:
        """Start ``python -m trainer ARGUMENTS``, which trains `run`, and follow it; `minutes`: 0 for until stopped."""
        training = self._add(spec, run, minutes)
        self._order(training, _Order(arguments, nice, stays))
        return training

    def again(self, spec: GameSpec, run: str) -> Training:
        """Start a run that saved nothing once more, with the settings that it had."""
        if (under_way := self.under_way(run)) is not None:
            return under_way
        config, minutes = folder("runs") / f"{run}.json", _minutes_of(run)
        arguments = [spec.id, "--config", str(config), "--run", run]
        order = self._orders.get(run) or _Order(arguments, NICE, stays=minutes >= STAYS_FROM)
        training = self._add(spec, run, minutes)
        self._order(training, order)
        return training

    def resume(self, spec: GameSpec, run: str, *, trust_checkpoint: bool = False) -> Training:
        """Continue a run of this machine from its last checkpoint."""
        if (under_way := self.under_way(run)) is not None:
            return under_way
        trusted = ["--trust-checkpoint"] if trust_checkpoint else []
        training = self._add(spec, run, 0.0)
        stays = _minutes_of(run) >= STAYS_FROM
        self._order(training, _Order(["--resume", run, *trusted, "--nice", str(NICE)], NICE, stays))
        return training

    def under_way(self, run: str) -> Training | None:
        """The training of a run that this window began and that is not over."""
        return next((one for one in self.all if one.run == run and not one.done), None)

    @property
    def ending_with_window(self) -> tuple[Training, ...]:
        """The trainings under way that do not continue when the window closes."""
        return tuple(one for one in self.all if not one.done and not self._stays(one.run))

    @property
    def outliving_window(self) -> tuple[Training, ...]:
        """The trainings under way that continue when the window closes."""
        return tuple(one for one in self.all if not one.done and self._stays(one.run))

    def _stays(self, run: str) -> bool:
        order = self._orders.get(run)
        return order is not None and order.stays

    @property
    def preparing(self) -> tuple[str, ...]:
        """The runs whose trainers are about to start."""
        return tuple(one.run for one in self.all if not one.done and self.trainers.get(one.run) is None)

    def forget_settings(self, run: str) -> None:
        """Delete the settings of a run that was stopped before it began, so that it is not listed as failed."""
        path = folder("runs") / f"{run}.json"
        self._worker.submit(lambda: path.unlink(missing_ok=True), errors=OSError, failed=lambda error: None)

    def _order(self, training: Training, order: _Order) -> None:
        self._orders[training.run] = order
        start = self.trainers.start
        start(training.run, order.arguments, nice=order.nice, stays=order.stays, failed=training.fail)

    def _add(self, spec: GameSpec, run: str, minutes: float) -> Training:
        status = TrainerStatus(run=run, game=spec.id)
        link = RunLink(worker=self._worker, folder=folder("runs") / run, status=status, trainers=self.trainers)
        training = Training(spec, minutes, link, self)
        link.expect_trainer(self._now)
        self.all.append(training)
        self._jobs.add(training)
        return training

    def find_opponents(self, training: Training, done: Callable[[Sequence[SnapshotCard]], None]) -> None:
        """List a training's snapshots in the worker, oldest first, and offer them in the seats."""
        game, run, library = training.spec.id, training.run, self._library
        self._worker.submit(lambda: [card for card in library.store().list(game) if card.run == run], done=done)
        library.refresh_snapshots(game)

    def update(self, now: float) -> None:
        """Follow all trainings."""
        self._now = now
        for training in self.all:
            training.update(now)

    def close(self) -> None:
        """Close the connections, once the trainers have ended with their own owner."""
        for training in self.all:
            training.link.close()
        for training in self.ending_with_window:
            if not training.has_begun:
                (folder("runs") / f"{training.run}.json").unlink(missing_ok=True)

    def _prepare(self, training: Training) -> list[str]:
        """In the worker: write the settings; returns the trainer's arguments."""
        spec, store = training.spec, self._library.store()
        settings = {
            "game": spec.id,
            **settings_for(spec, training.minutes, find_forecast(spec, store, self._library.games).speed),
        }
        path: Path = folder("runs") / f"{training.run}.json"
        replace_file(path, json.dumps(settings, indent=1))
        start = find_start(spec, store)
        return [spec.id, "--config", str(path), "--run", training.run, *(["--from", start] if start else [])]

    def _launch(self, training: Training, words: Sequence[str]) -> None:
        training.link.expect_trainer(self._now)
        stays = training.minutes >= STAYS_FROM
        self._order(training, _Order(words, NICE, stays))


def _minutes_of(run: str) -> float:
    """How long a run was to train when it was started, 0 for until stopped.  Reads the disk."""
    minutes = read_object(folder("runs") / f"{run}.json").get("minutes")
    return float(minutes) if isinstance(minutes, int | float) else 0.0


def _free_run(spec: GameSpec) -> str:
    """The game and the time, and a number where there is a run of that name."""
    stem = f"{spec.stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    names = (stem, *(f"{stem}-{number}" for number in range(2, 100)))
    return next(name for name in names if not (folder("runs") / f"{name}.json").exists())
