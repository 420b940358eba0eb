"""Runs that the window starts and resumes: the form of a new run, and trust in those of others."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pygame

from agents.files import folder
from agents.run_lock import withdraw
from arcade.engine.input.events import MOUSE, MenuInput, QuitAsked
from arcade.session.trainer_process import OwnTrainer
from tests.support.processes import wait_for
from tests.support.training_pages import open_run

STARTING = """
import sys, time
from pathlib import Path
from agents.run_lock import RunLock

with RunLock(Path(sys.argv[1])):
    print("locked", flush=True)
    time.sleep(600)
"""
"""A trainer that has its run and is not there yet."""


def open_form(sitting, hand) -> None:
    """Open the form of a new run with all of its settings."""
    hand.choose("New training")
    scene = sitting.engine.scene
    sitting.until(lambda: scene._is_ready and scene.form is not None and scene.form.sections, "the form")
    sitting.frame(2)
    hand.choose("Advanced")
    sitting.frame(2)


def begin(hand) -> None:
    """Start by the key or the button for it; by mouse on the button on the screen."""
    sitting = hand.sitting
    sitting.until(lambda: sitting.engine.scene._is_ready, "the form and the estimate")
    if type(hand).__name__ == "KeyboardHand":
        hand.key(pygame.K_p)
    elif type(hand).__name__ == "PadHand":
        hand.press("start")
    else:
        hand.choose("Start")


def calls(program: Path) -> list[list[str]]:
    return [json.loads(line) for line in (program / "calls").read_text().splitlines()]


def test_a_new_run_is_set_up_checked_started_and_ends_with_the_window(sit, make_hand, trainer_program) -> None:
    sitting = sit()
    hand = make_hand(sitting)
    hand.choose("Training")
    open_form(sitting, hand)
    scene = sitting.engine.scene
    scene.handle(MenuInput("next", MOUSE))
    scene.form.set(sitting.widget("Minibatch").field, 32768)
    begin(hand)
    sitting.until(lambda: scene.form.errors, "the trainer's word")
    row = sitting.widget("Minibatch")
    assert "expected at most training.batch" in row.error
    sitting.until(lambda: not list(folder("runs").glob("*.json")), "nothing to be left of a run that was refused")
    scene.focus.focus(row)  # into view
    for _ in range(2):
        if type(hand).__name__ == "MouseHand":
            hand.click((row.rect.centerx + 10, row.rect.centery))
        else:
            hand.reach(row)
            hand.press("left")
    assert not row.error
    assert scene.form.settings()["training"]["minibatch"] == 8192
    begin(hand)
    sitting.until(lambda: sitting.on == "RunScene", "the run's screen")
    run = sitting.engine.scene
    sitting.until(lambda: run.link.live, "the trainer")
    *_, checked, started = calls(trainer_program)
    assert checked[:2] == started[:2] == ["house/volley", "--config"]
    assert "--dry-run" in checked
    assert "--trust" in checked  # the form was filled in here, so its file may name an opponent's code
    assert "--trust" in started
    assert started[-2:] == ["--parent", str(os.getpid())]
    written = json.loads(Path(started[2]).read_text())
    chosen = {"game": "house/volley", "algorithm": "PPO", "training": {"minibatch": 8192}, "resources": {"nice": 15}}
    assert written.items() >= chosen.items()
    assert written["minutes"] == 5, "the preset's"
    trainer = sitting.services.trainers.get(run.link.name)
    assert trainer.running
    assert sitting.services.trainers.running == (run.link.name,)
    sitting.close()
    assert trainer.status == 0


def test_a_check_of_the_settings_is_cancelled_and_nothing_below_moves(sit, keyboard, trainer_program) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    hand.choose("Training")
    open_form(sitting, hand)
    scene = sitting.engine.scene
    assert scene._preset_hint == "How long to train; Start is at the top", "nothing was changed by hand"
    hand.choose("Overnight")
    scene.form.set(sitting.widget("Seed").field, 4)
    assert "undoes your changes" in scene._preset_hint
    before = sitting.widget("Overnight").rect.copy()
    hand.choose("Start")
    assert scene.focus.focused.label == "Cancel"
    sitting.frame(2)
    assert sitting.widget("Overnight").rect == before
    hand.press("accept")
    assert sitting.on == "NewRunScene"
    assert scene.focus.focused.label == "Start"
    sitting.until(lambda: not sitting.services.worker.busy, "its end")
    assert sitting.on == "NewRunScene"
    assert (scene.preset.name, list(folder("runs").glob("*.json"))) == ("overnight", [])


def test_a_preset_starts_at_once_also_while_the_other_settings_load(sit, make_hand, trainer_program) -> None:
    sitting = sit()
    hand = make_hand(sitting)
    hand.choose("Training")
    hand.choose("New training")
    hand.choose("Overnight")
    begin(hand)
    sitting.until(lambda: sitting.on == "RunScene", "the run's screen, without a check of the settings")
    run = sitting.engine.scene
    sitting.until(lambda: run.link.live, "the trainer")
    started = [call for call in calls(trainer_program) if call[0] != "--schema"]
    assert [call[:2] for call in started] == [["house/volley", "--config"]]
    assert json.loads(Path(started[0][2]).read_text())["minutes"] == 8 * 60
    hand.choose("Stop")
    hand.choose("Stop it")
    sitting.until(lambda: run.link.state == "ended", "its end")


def test_a_player_who_goes_elsewhere_while_a_training_starts_stays_there(sit, keyboard, trainer_program) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    hand.choose("Training")
    hand.choose("New training")
    scene, trainings = sitting.engine.scene, sitting.services.trainings
    sitting.until(lambda: scene._is_ready, "the estimate")
    scene._prepare()
    assert not scene._is_ready, "expected one start"
    sitting.engine.pop()
    sitting.until(lambda: trainings.all, "the training")
    assert sitting.on == "RunsScene"
    training = trainings.all[0]
    sitting.until(lambda: training.link.live, "the trainer")
    training.cancel()
    sitting.until(lambda: training.done, "its end")


def test_a_training_whose_settings_find_no_room_is_not_started(sit, keyboard, trainer_program, monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("arcade.scenes.training.new_run_scene.replace_file", refuse)
    sitting = sit()
    hand = keyboard(sitting)
    hand.choose("Training")
    hand.choose("New training")
    begin(hand)
    sitting.until(lambda: sitting.engine.toasts.messages, "why it is not started")
    assert sitting.engine.toasts.messages == (
        f"The settings of the training could not be saved: {os.strerror(errno.ENOSPC)}",
    )
    assert sitting.on == "NewRunScene"
    assert not sitting.services.trainings.all


def test_the_window_tells_that_the_trainer_beside_it_has_failed(sit, trainer_program, tmp_path) -> None:
    """As `arcade play --train` starts one: its terminal may be hidden."""
    (trainer_program / "__main__.py").write_text("raise SystemExit('out of paper')")
    with OwnTrainer(["house/volley"], tmp_path / "beside.log") as companion:
        sitting = sit(companion=companion)
        sitting.until(lambda: sitting.engine.toasts.messages, "word of it")
        [said] = sitting.engine.toasts.messages
        assert said.startswith("The training beside this window has failed.")
        assert "out of paper" in said


def test_a_trainer_that_never_had_its_run_leaves_no_note(trainer_program, tmp_path) -> None:
    (trainer_program / "__main__.py").write_text("raise SystemExit('out of paper')")
    note = tmp_path / "beside.pid"
    with OwnTrainer(["house/volley"], tmp_path / "beside.log") as trainer:
        wait_for(lambda: not trainer.running and not note.exists(), what="its end")
    note.write_text("1")
    withdraw(tmp_path / "beside", trainer.pid)
    assert note.read_text() == "1", "that of another window's trainer"


def test_a_trainer_is_started_though_there_is_no_room_for_its_note(trainer_program, tmp_path, monkeypatch) -> None:
    def announce(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no room")

    (trainer_program / "__main__.py").write_text("raise SystemExit('out of paper')")
    monkeypatch.setattr("arcade.session.trainer_process.announce", announce)
    with OwnTrainer(["house/volley"], tmp_path / "beside.log") as trainer:
        wait_for(lambda: trainer.end, what="its end")


def test_a_trainer_is_asked_to_end_only_once(trainer_program, tmp_path, monkeypatch) -> None:
    """It may be exiting by the second signal, which would end it amid its last checkpoint."""
    signals: list[int] = []
    monkeypatch.setattr(subprocess.Popen, "send_signal", lambda process, number: signals.append(number))
    trainer = OwnTrainer(["house/volley", "--resume", "once"], tmp_path / "once.log")
    try:
        trainer.ask_to_end()
        trainer.ask_to_end()
        assert signals == [signal.SIGTERM]
    finally:
        os.kill(trainer._process.pid, signal.SIGKILL)


def test_a_run_that_stays_goes_on_after_the_window_and_is_taken_up_by_the_next(sit, keyboard, trainer_program) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    hand.choose("Training")
    open_form(sitting, hand)
    scene = sitting.engine.scene
    hand.choose("Stays running")
    begin(hand)
    sitting.until(lambda: sitting.on == "RunScene" and sitting.engine.scene.link.live, "the run")
    name = sitting.engine.scene.link.name
    trainer = sitting.services.trainers.get(name)
    sitting.close()
    assert trainer.running
    again = sit()
    hand = keyboard(again)
    scene = open_run(again, hand)
    again.until(lambda: scene.link.live, "the same trainer")
    assert scene.link.name == name
    hand.choose("Stop")
    hand.choose("Stop it")
    again.until(lambda: not trainer.running, "it to end")
    again.until(lambda: scene.link.state == "ended", "its end")
    hand.choose("Resume")
    again.until(lambda: scene.link.live, "a trainer that goes on with it")
    assert calls(trainer_program)[-1][:2] == ["--resume", name]
    again.until(lambda: again.services.jobs.lasting, "the resumed training among the jobs")
    again.engine.feed(QuitAsked())
    assert again.on == "ConfirmScene", "it ends with the window, which nobody was told"


def test_a_training_of_an_earlier_window_is_told_while_it_starts_and_can_be_stopped(sit, make_hand) -> None:
    run = folder("runs") / "night"
    settings = run.with_suffix(".json")
    run.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"game": "house/volley", "minutes": 480}))
    with subprocess.Popen([sys.executable, "-c", STARTING, str(run)], stdout=subprocess.PIPE) as trainer:
        try:
            assert trainer.stdout.readline() == b"locked\n"
            began = time.time() - 90
            os.utime(run / "lock", (began, began))
            sitting = sit()
            hand = make_hand(sitting)
            telling = "Training Volley: starting, 1:3"
            sitting.until(lambda: sitting.services.trainer_text.startswith(telling), "word of it on the title")
            sitting.until(lambda: sitting.widget(sitting.services.trainer_text), "the strip with it")
            scene = open_run(sitting, hand)
            sitting.until(lambda: scene.state_text().startswith(telling), "since when it is starting")
            sitting.frame(2)
            hand.choose("Stop")
            hand.choose("Stop it")
            sitting.until(lambda: trainer.poll() is not None, "the trainer to end")
            sitting.until(lambda: scene.link.state == "ended", "its end")
            assert scene.state_text() == "Training Volley was stopped before it began."
            sitting.until(lambda: not settings.exists(), "nothing to be left of it")
            sitting.until(lambda: not sitting.services.trainer_text, "the title to be silent")
        finally:
            trainer.kill()


def test_what_the_trainer_says_of_no_field_in_particular_is_told_too(sit, keyboard, trainer_program) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    hand.choose("Training")
    open_form(sitting, hand)
    scene = sitting.engine.scene
    hand.choose("Game")
    assert sitting.on == "SelectScene"
    hand.type("tic tac")
    hand.press("accept")
    assert scene.game.id == "classic/tictactoe_v3"
    scene.form.set(sitting.widget("Seed").field, 4)  # so that there is something to check
    begin(hand)
    sitting.until(lambda: scene.form.trouble, "word of it")
    assert scene.form.trouble == "PPO cannot do it today"
    hand.reach(sitting.widget("Algorithm"))
    hand.press("left")
    assert scene.algorithm == "SAC"
    sitting.until(lambda: "SAC" in scene.form.trouble, "word that there is no form")
    assert not scene.form.sections
    hand.press("right")
    sitting.until(lambda: scene.form.sections, "the form again")
    hand.press("back")
    assert sitting.on == "RunsScene"


def test_text_is_typed_on_keys_on_the_screen_and_what_is_no_value_is_refused(sit, pad, trainer_program) -> None:
    sitting = sit()
    hand = pad(sitting)
    hand.choose("Training")
    open_form(sitting, hand)
    scene = sitting.engine.scene
    hand.choose("Seed")
    assert sitting.on == "TextEntryScene"
    hand.choose("Clear")
    for letter in "4q":
        hand.choose(letter)
    hand.choose("Done")
    assert "a whole number" in sitting.engine.toasts.messages[-1]
    assert sitting.on == "TextEntryScene"
    hand.choose("Clear")
    hand.choose("4")
    hand.choose("Done")
    assert scene.form.settings()["seed"] == 4


def test_a_run_of_somebody_else_is_resumed_only_after_a_question(sit, keyboard, trainer_program, tmp_path) -> None:
    folder = tmp_path / "runs" / "theirs"
    checkpoint = folder / "checkpoints" / "00000003"
    checkpoint.mkdir(parents=True)
    (checkpoint / "algorithm.pkl").write_bytes(b"anything")
    (folder / "config.toml").write_text(
        'format = 1\ngame = "house/volley"\n[opponents]\nfixed = ["python:their_code:play"]\n'
    )
    sitting = sit()
    hand = keyboard(sitting)
    scene = open_run(sitting, hand)
    sitting.until(lambda: scene.link.state == "ended", "the files to be read")
    hand.choose("Resume")
    sitting.until(lambda: sitting.on == "ConfirmScene", "the question")
    detail = sitting.engine.scene.detail
    assert "Python code: their_code:play" in detail
    assert "can run any code" in detail
    hand.choose("No")
    assert not (trainer_program / "calls").exists()
    hand.choose("Resume")
    sitting.until(lambda: sitting.on == "ConfirmScene", "the question")
    hand.choose("Trust and resume")
    sitting.until((trainer_program / "calls").exists, "the trainer")
    assert calls(trainer_program)[-1][:3] == ["--resume", "theirs", "--trust-checkpoint"]
