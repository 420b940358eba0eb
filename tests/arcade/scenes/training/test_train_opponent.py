"""Train me an opponent, from the page of a game to the match against it."""

from __future__ import annotations

import pytest

from agents.files import folder
from agents.seats.controller import SeatChoice
from arcade.engine.input.events import QuitAsked
from arcade.engine.ui.texts import Paragraph
from arcade.games import find_game
from arcade.scenes import routes
from arcade.scenes.home.cards import TrainingStrip
from arcade.scenes.training.opponent_scene import OpponentScene
from arcade.scenes.training.run_scene import RunScene
from arcade.session.training.runs import find_failed, find_runs
from arcade.session.training.training import STAYS_FROM
from tests.support import opponent_trainer


@pytest.fixture
def opened(tmp_path, monkeypatch, sit):
    """The page for volley, with a trainer that trains nothing."""
    opponent_trainer.install(tmp_path, monkeypatch)
    sitting = sit()
    sitting.until(lambda: sitting.services.trainings is not None, "the rest to be imported")
    scene = OpponentScene(sitting.services, routes.TrainOpponent(sitting.library.featured))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.forecast is not None, "the forecast")
    return sitting, scene


def texts(scene) -> str:
    return "\n".join(widget.label for widget in scene.tree.walk() if isinstance(widget, Paragraph))


def test_one_press_trains_and_another_one_plays_against_it(opened, make_hand) -> None:
    sitting, scene = opened
    hand = make_hand(sitting)
    assert "10 min of training" in texts(scene)
    hand.choose("Start training")
    sitting.until(lambda: "now wins" in texts(scene), "progress in plain words")
    training = scene.training
    assert not sitting.engine.scene.focus.focused.label.startswith("Play"), "nothing to play against yet"
    training.link.client.request("freeze")
    sitting.until(lambda: training.can_play, "an opponent")
    sitting.frame(2)
    hand.choose("Play against it")
    sitting.until(lambda: sitting.on == "MatchScene", "the match")
    assert sitting.engine.scene.session.lineup["right_0"].argument == f"{training.run}-1"
    sitting.engine.pop()
    hand.choose("Stop")
    assert sitting.on == "ConfirmScene"
    hand.choose("Stop")
    sitting.until(lambda: training.done, "its end")
    sitting.frame(2)
    hand.choose("Continue training")
    assert sitting.widget("Start training")


def test_the_page_of_a_run_plays_against_it_too(opened, keyboard) -> None:
    sitting, scene = opened
    hand = keyboard(sitting)
    hand.choose("Start training")
    sitting.until(lambda: scene.training is not None and scene.training.link.client, "a trainer")
    hand.choose("Curves and opponents")
    run = sitting.engine.scene
    sitting.until(lambda: run.link.live, "the run's trainer")
    assert "Play against it" not in [widget.label for widget in run.focus.widgets], "only an untrained AI yet"
    run.link.client.request("freeze")
    sitting.until(lambda: "Play against it" in [widget.label for widget in run.focus.widgets], "an opponent")
    hand.choose("Play against it")
    sitting.until(lambda: sitting.on == "MatchScene", "the match")
    assert sitting.engine.scene.session.lineup["right_0"].argument == f"{scene.training.run}-1"


def test_the_time_chosen_changes_the_forecast(opened, keyboard) -> None:
    sitting, scene = opened
    hand = keyboard(sitting)
    for _ in range(10):
        hand.press("right")
    assert "8 h of training" in texts(scene)
    assert "continues when you close" in texts(scene)


def fail_to_start(sitting, scene, hand) -> None:
    hand.press("right")  # 20 minutes, which that trainer refuses
    hand.choose("Start training")
    sitting.until(lambda: scene.training is not None and scene.training.failure, "the failure")


def test_a_failure_is_one_sentence_with_the_error_in_the_details(opened, keyboard) -> None:
    sitting, scene = opened
    hand = keyboard(sitting)
    fail_to_start(sitting, scene, hand)
    sitting.frame(2)
    assert "could not start" in texts(scene)
    assert "a machine that is not busy" not in texts(scene)
    hand.choose("Details")
    assert "a machine that is not busy" in texts(scene)
    hand.choose("Try again")
    assert sitting.widget("Start training")


def test_why_a_run_ended_is_told_in_german(opened, keyboard) -> None:
    sitting, scene = opened
    fail_to_start(sitting, scene, keyboard(sitting))
    sitting.engine.apply(sitting.engine.settings.changed(language="de"))
    run = RunScene(sitting.services, routes.Run(scene.training.link))
    sitting.engine.push(run)
    for error, told in (
        ("It ended with status 1: expected settings that fit into the 8 GB of memory of this machine, got: about 9 GB",
         "Die Einstellungen brauchen mehr Speicher, als da ist."),
        ("no access to tcp://x:1: it does not know our key; there: arcade keys allow 0a --name NAME",
         "Das Training kennt den Schlüssel dieses Computers nicht; erlaube ihn dort: arcade keys allow 0a --name NAME"),
        ("It ended with status 1: something odd", "Das Training meldete: It ended with status 1: something odd"),
    ):  # fmt: skip
        run.link._error = error
        run.refresh()
        sitting.frame()
        assert told in texts(run)


def test_a_run_that_could_not_start_stays_in_the_list_and_is_started_again_not_resumed(opened, keyboard) -> None:
    sitting, scene = opened
    hand = keyboard(sitting)
    fail_to_start(sitting, scene, hand)
    sitting.engine.push(routes.Runs())
    sitting.until(lambda: sitting.engine.scene.runs, "the runs")
    sitting.frame(2)
    hand.choose("Volley, Could not start")
    run = sitting.engine.scene
    sitting.until(lambda: run.link.can_start_again, "the files to be read")
    sitting.frame(2)
    assert "could not start" in run.state_text()
    assert "Resume" not in [widget.label for widget in run.focus.widgets], "there is nothing to resume"
    settings = folder("runs") / f"{run.link.name}.json"
    settings.write_text(settings.read_text().replace('"minutes": 20', '"minutes": 30'))
    hand.choose("Start again")
    sitting.until(lambda: sitting.services.trainers.running == (run.link.name,), "a trainer of the same run")
    sitting.until(lambda: "starting" in run.state_text(), "the state")
    sitting.frame(2)
    hand.choose("Stop")
    hand.choose("Stop it")
    sitting.until(lambda: not sitting.services.trainers.running, "its end, although it takes no requests yet")
    sitting.until(lambda: "was stopped before it began" in run.state_text(), "the state")


def test_quitting_asks_before_a_training_ends(opened, make_hand) -> None:
    sitting, scene = opened
    hand = make_hand(sitting)
    hand.choose("Start training")
    sitting.until(lambda: scene.training is not None and scene.training.link.live, "a trainer")
    sitting.engine.pop()
    hand.choose("Quit")
    assert sitting.on == "ConfirmScene"
    assert "What it has learnt is saved" in texts(sitting.engine.scene)
    hand.choose("Stay")
    sitting.engine.feed(QuitAsked())  # the window's own button
    assert sitting.on == "ConfirmScene"
    assert sitting.engine.running
    hand.choose("Stop and quit")
    assert not sitting.engine.running
    sitting.close()
    assert not find_failed(folder("runs"))
    assert [run.run for run in find_runs(folder("runs"))] == [scene.training.run]


def test_quitting_tells_which_trainings_continue(opened, make_hand) -> None:
    sitting, scene = opened
    trainings = sitting.services.trainings
    make_hand(sitting).choose("Start training")
    sitting.until(lambda: scene.training is not None and scene.training.link.live, "a trainer")
    long = trainings.start(find_game("pong"), STAYS_FROM)
    sitting.until(lambda: long.link.live, "a trainer of a long training")
    try:
        sitting.engine.feed(QuitAsked())
        told = texts(sitting.engine.scene)
        assert "Training Volley stops." in told
        assert "Training Pong continues without the window." in told
    finally:
        sitting.services.trainers.get(long.run).stop()


def test_a_training_that_never_began_leaves_nothing_behind(opened, keyboard) -> None:
    sitting, _scene = opened
    hand = keyboard(sitting)
    hand.press("right")
    hand.press("right")  # 30 minutes, for which that trainer never begins
    hand.choose("Start training")
    sitting.until(lambda: sitting.services.trainers.running, "a trainer")
    assert "starting" in sitting.services.trainer_text, "the home screen tells of it"
    sitting.engine.feed(QuitAsked())
    assert "nothing of it is kept" in texts(sitting.engine.scene)
    sitting.engine.feed(QuitAsked())  # a second time means it
    assert not sitting.engine.running
    sitting.close()
    assert not find_failed(folder("runs"))


def test_a_match_is_paused_while_quitting_is_asked(opened, keyboard) -> None:
    sitting, scene = opened
    hand = keyboard(sitting)
    hand.choose("Start training")
    sitting.until(lambda: scene.training is not None and scene.training.link.live, "a trainer")
    spec = sitting.library.featured
    sitting.engine.push(routes.Match(spec, {agent: SeatChoice("random") for agent in spec.agents}))
    sitting.until(lambda: sitting.engine.scene.session.is_running, "a match")
    session = sitting.engine.scene.session
    sitting.engine.feed(QuitAsked())
    assert sitting.on == "ConfirmScene"
    assert session.match.paused
    hand.choose("Stop and quit")
    assert not sitting.engine.running
    assert session.match.over


def test_quitting_without_anything_under_way_asks_nothing(sit) -> None:
    sitting = sit()
    sitting.engine.feed(QuitAsked())
    assert not sitting.engine.running


def test_the_page_of_the_game_tells_of_its_training(opened, keyboard) -> None:
    sitting, scene = opened
    hand = keyboard(sitting)
    hand.choose("Start training")
    sitting.until(lambda: scene.training is not None and scene.training.link.live, "a trainer")
    sitting.engine.pop()
    sitting.engine.push(routes.Game(sitting.library.featured))
    page = sitting.engine.scene

    def strip() -> str:
        sitting.frame()
        return next((one.label for one in page.tree.walk() if isinstance(one, TrainingStrip)), "")

    sitting.until(lambda: "left" in strip(), "its progress")
    sitting.engine.pop()
    sitting.engine.push(routes.Game(next(game for game in sitting.library.games if game.id == "mpe/simple_v3")))
    page = sitting.engine.scene
    assert not strip(), "no training of this game"
