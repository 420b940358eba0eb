"""Train me an opponent: one press, progress in plain words, and an opponent to play against."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator

import pytest

from agents.files import folder
from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.session.jobs import Jobs
from arcade.session.services import Library
from arcade.session.trainer_process import OwnTrainers
from arcade.session.training.training import BETTER, ENDED, READY, Trainings
from arcade.session.training.words import not_started_text
from arcade.session.worker import Worker

DEADLINE = 300.0
ME = SeatChoice("keyboard")


class Desk:
    """The services that trainings need, turned by hand."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._seconds = itertools.count(0.0)
        self.worker = Worker()
        self.jobs, self.library = Jobs(), Library(self.worker)
        self.trainers = OwnTrainers(self.worker, say=self.said.append)
        self.trainings = Trainings(
            worker=self.worker, trainers=self.trainers, jobs=self.jobs, library=self.library,
            say=lambda text, about="": self.said.append(text),
        )  # fmt: skip

    def until(self, condition: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + DEADLINE
        while not condition():
            texts = [(training.link.state, training.text) for training in self.trainings.all]
            assert time.monotonic() < deadline, f"expected {what}, got: {texts}"
            self.worker.poll()
            self.trainings.update(time.monotonic())
            self.jobs.update(next(self._seconds))
            time.sleep(0.002)

    def close(self) -> None:
        self.trainings.close()
        self.trainers.close()
        self.worker.close()


@pytest.fixture
def desk(trainer_program: None) -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.close()


@pytest.fixture
def volley() -> GameSpec:
    return find_game("house/volley")


def test_a_training_tells_its_progress_and_gives_opponents_to_play(desk, volley) -> None:
    training = desk.trainings.start(volley, 2)
    assert training.text == f"Training {volley.title}: starting. The first opponent is ready in a minute or two."
    training.link.update(0.0)
    training.link.update(75.0)
    assert "starting, 1:15 so far" in training.text
    training.link.update(200.0)
    assert "starting, 3:20 so far. This computer is busy" in training.text
    desk.until(lambda: desk.jobs.running == [training], "it to be listed")
    assert desk.trainings.start(volley, 5) is training, "one training of a game at a time"
    desk.until(lambda: "now wins" in training.text, "the strength in plain words")
    desk.until(lambda: "Measured" in training.text, "the settings of the run")
    words = "2 min left, now wins 40% against the game's bot. Measured in 32 matches."
    assert training.text == f"Training {volley.title}: {words}"
    assert training.progress == pytest.approx(0.25)
    assert not training.can_play, "only the untrained policy was frozen"
    training.link.client.request("freeze")
    desk.until(lambda: training.can_play, "an opponent")
    assert desk.said == [READY.format(game=volley.title)]
    assert training.lineup(ME) == {"left_0": ME, "right_0": SeatChoice("snapshot", f"{training.run}-1")}
    training.link.client.request("freeze")
    desk.until(lambda: len(desk.said) > 1, "a better one")
    assert desk.said[1:] == [BETTER.format(game=volley.title)]
    assert training.lineup(ME)["right_0"] == SeatChoice("snapshot", f"{training.run}-2")
    desk.until(lambda: f"{training.run}-2" in desk.library.names(volley.id), "the seats to offer it")
    desk.jobs.running[0].cancel()
    desk.until(lambda: training.done, "its end")
    assert training.text.startswith(f"Training {volley.title} has stopped; you can resume it. It wins ")
    desk.until(lambda: desk.jobs.ended, "the job to end")
    assert training.can_play
    desk.until(lambda: len(desk.said) > 2, "the notice of its end")
    assert desk.said[2:] == [ENDED.format(game=volley.title)]


def test_a_run_of_the_form_tells_of_its_first_opponent_and_its_end_too(desk, volley) -> None:
    config = folder("runs") / "mine.json"
    config.write_text(json.dumps({"minutes": 2}))
    words = [volley.id, "--config", str(config), "--run", "mine"]
    training = desk.trainings.begin(volley, "mine", words, minutes=2.0, nice=0, stays=False)
    assert desk.trainings.of(volley.id) is training
    desk.until(lambda: "now wins" in training.text, "the trainer")
    training.link.client.request("freeze")
    desk.until(lambda: desk.said, "the notice of the first opponent")
    training.cancel()
    desk.until(lambda: training.done and len(desk.said) > 1, "the notice of its end")
    assert desk.said == [READY.format(game=volley.title), ENDED.format(game=volley.title)]


def test_the_next_training_continues_the_last(desk, volley) -> None:
    first = desk.trainings.start(volley, 2)
    desk.until(lambda: "now wins" in first.text, "the trainer")
    first.link.client.request("freeze")
    desk.until(lambda: first.can_play, "an opponent")
    first.cancel()
    desk.until(lambda: first.done, "its end")
    second = desk.trainings.start(volley, 2)
    assert second.run != first.run
    desk.until(lambda: "now wins" in second.text, "the next trainer")
    words = json.loads((folder("runs") / second.run / "words.json").read_text())
    assert words[words.index("--from") + 1] == f"{first.run}-1"


def test_a_training_that_fails_says_why(desk, volley) -> None:
    training = desk.trainings.start(volley, 20)
    desk.until(lambda: training.done, "its end")
    assert training.text == f"Training {volley.title} could not start. Try again, or look at the details."
    desk.until(lambda: desk.said == [training.text], "the notice, wherever the player is")
    assert "expected a machine that is not busy" in training.failure
    again = desk.trainings.start(volley, 2)
    assert again is not training


def test_a_training_that_stays_is_stopped_while_it_starts(desk, volley) -> None:
    config = folder("runs") / "night.json"
    config.write_text(json.dumps({"game": volley.id, "minutes": 30}))
    words = [volley.id, "--config", str(config), "--run", "night"]
    training = desk.trainings.begin(volley, "night", words, minutes=30, nice=0, stays=True)
    desk.until(lambda: desk.trainers.running, "the process")
    desk.until(lambda: desk.jobs.running == [training], "it to be listed")
    desk.jobs.running[0].cancel()
    desk.until(lambda: training.done and desk.said, "its end")
    assert not desk.trainers.running
    assert desk.said == [f"Training {volley.title} was stopped before it began."]
    desk.until(lambda: not config.exists(), "nothing to be left of it")


def test_a_long_training_that_is_started_again_still_outlives_the_window(desk, volley) -> None:
    for run, minutes in (("volley-1", 480), ("volley-2", 10)):
        (folder("runs") / f"{run}.json").write_text(json.dumps({"game": volley.id, "minutes": minutes}))
    long, short = desk.trainings.again(volley, "volley-1"), desk.trainings.again(volley, "volley-2")
    assert desk.trainings.outliving_window == (long,)
    assert desk.trainings.ending_with_window == (short,)
    desk.until(lambda: long.link.live, "a trainer")
    desk.trainers.get(long.run).stop()


def test_why_a_training_could_not_start_is_told_in_plain_words() -> None:
    error = "It ended with status 2: expected ray to start, got 5 timeouts: this computer is too busy; try again"
    text = not_started_text(error, "Volley")
    assert text == "Training Volley could not start: the computer was too busy. Try again when less is running."


def test_a_machine_without_the_trainers_packages_says_how_to_get_them(desk, volley, monkeypatch) -> None:
    monkeypatch.setattr("arcade.session.trainer_process.PACKAGES", ("no_such_package",))
    training = desk.trainings.start(volley, 2)
    desk.until(lambda: training.done, "its end")
    assert "pip install 'pettingzoo-arcade[train]'" in training.failure


def test_a_forecast_tells_what_the_time_is_worth(desk, volley) -> None:
    found: list[object] = []
    desk.trainings.forecast(volley, found.append)
    desk.until(lambda: found, "the forecast")
    short, long = found[0].of(2), found[0].of(480)
    assert long.steps == 240 * short.steps
    assert long.strength == "At least as many steps as the expert AI was trained for; the strength may differ."
