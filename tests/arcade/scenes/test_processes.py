"""Games live in processes of their own, and no frame waits for one to start or to end."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from agents.seats.controller import SeatChoice
from arcade.match.stage import hosted
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene


@pytest.fixture
def drawn(monkeypatch) -> list[str]:
    """What was started or ended on the thread that draws."""
    done: list[str] = []
    kind = hosted._Child
    for name in ("__init__", "close"):
        original = getattr(kind, name)

        def watched(child, *, name=name, original=original, **given) -> None:
            if threading.current_thread() is threading.main_thread():
                done.append(name)
            original(child, **given)

        monkeypatch.setattr(kind, name, watched)
    return done


def play(sitting) -> MatchScene:
    spec = sitting.library.featured
    scene = MatchScene(sitting.services, routes.Match(spec, dict.fromkeys(spec.agents, SeatChoice("idle"))))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.tick and scene.match.tick.index > 3, "a match")
    return scene


def test_children_start_and_end_beside_the_thread_that_draws(sit, drawn) -> None:
    sitting = sit()
    sitting.until(lambda: sitting.services.preview.ticks > 0, "the preview")
    play(sitting)
    sitting.engine.pop()
    for spec in sitting.library.games[:2]:
        sitting.services.preview.show(spec, now=0.0)
        sitting.until(lambda: not sitting.services.worker.busy, "the worker to be done")
    play(sitting)
    sitting.engine.pop()
    sitting.until(lambda: not sitting.services.worker.busy, "the worker to be done")
    assert drawn == []


def test_a_game_that_is_killed_in_mid_match_is_told_of_and_the_window_lives_on(sit, keyboard, tmp_path) -> None:
    sitting = sit(record=True)
    scene = play(sitting)
    lineup = dict(scene.session.lineup)
    scene.session.change_series(3)
    os.kill(scene.match.stage.pid, signal.SIGKILL)
    sitting.until(lambda: sitting.on == "ErrorScene", "the error")
    page = sitting.engine.scene
    assert page.heading == "Volley stopped unexpectedly"
    assert page.advice == "The match ended here. What was played so far is among the recordings."
    assert "signal" not in " ".join(page.texts), "a programmer's words are shown unasked"
    sitting.until(lambda: not sitting.services.worker.busy and not writers(), "the recording to be ended")
    assert [*(tmp_path / "replays").iterdir()]
    hand = keyboard(sitting)
    hand.choose("Details")
    assert "killed by signal 9" in " ".join(page.texts)
    hand.choose("Play again")
    assert sitting.on == "MatchScene"
    again = sitting.engine.scene
    sitting.until(lambda: again.match is not None and again.match.tick and again.match.tick.index > 3, "a match")
    assert again.session.lineup == lineup
    assert again.session.series.best_of == 3, "the series goes on"
    assert type(sitting.engine.scenes[0]).__name__ == "TitleScene"


def writers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("write ")]


@pytest.mark.parametrize("how", ["left", "left before its first tick", "fails"])
def test_a_match_that_never_begins_leaves_no_recording_open(sit, tmp_path, monkeypatch, how) -> None:
    sitting = sit(record=True)
    spec = sitting.library.featured
    if how == "fails":
        monkeypatch.setattr("arcade.match.play.match.Match.start", lambda match: 1 / 0)
    monkeypatch.setattr("arcade.match.play.match.Match._listen", lambda match, now, timeout=0.0: None)
    scene = MatchScene(sitting.services, routes.Match(spec, dict.fromkeys(spec.agents, SeatChoice("idle"))))
    sitting.engine.push(scene)
    launch = scene.session.launch
    sitting.until(lambda: launch._started, "the match to be on its way")
    if how == "left before its first tick":
        sitting.until(lambda: scene.match is not None, "the match")
    if how != "fails":
        sitting.engine.pop()
    sitting.until(lambda: sitting.on == ("ErrorScene" if how == "fails" else "TitleScene"), "another screen")
    sitting.until(lambda: not sitting.services.worker.busy and not writers(), "the recording to be ended")
    assert not list((tmp_path / "replays").glob("*"))
