"""Matches in the window are recorded without being asked, and tell where they cannot be."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.files import home
from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import Replay
from arcade.match.recording import compressed_file as recording_writer
from arcade.recordings.library import RecordingLibrary
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene
from arcade.session.settings import Settings
from tests.support.open_arcade import OpenArcade
from tests.support.replay_files import record_counting

PERSON, AI = SeatChoice("keyboard", "wasd"), SeatChoice("scripted")


def choose(sitting: OpenArcade, **settings: Any) -> None:
    sitting.engine.apply(sitting.engine.settings.changed(**settings), save=False)


def play(sitting: OpenArcade, *, until: int = 40) -> MatchScene:
    """A match of one person with a machine, a few ticks of it."""
    sitting.until(lambda: sitting.services.ready, "the services")
    spec = find_game("house/volley")
    scene = MatchScene(sitting.services, routes.Match(spec, dict(zip(spec.agents, (PERSON, AI), strict=True))))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.tick is not None, "a tick")
    sitting.until(lambda: scene.match.tick.index >= until or bool(scene.hud.toasts.messages), "the match")
    return scene


def recorded(sitting: OpenArcade) -> Replay:
    """What is on the disk of the match that was left."""
    sitting.engine.pop()
    sitting.services.worker.settle()
    [path] = Path(home() / "replays").glob("*.replay")
    sitting.until(lambda: read_replay(path).result is not None, "the end of the file")
    return read_replay(path)


def test_a_match_is_recorded_by_default_and_names_nobody(sit: Callable[..., OpenArcade]) -> None:
    sitting = sit()
    choose(sitting, player_name="Ada Augusta")
    scene = play(sitting)
    assert scene.match.mapping["left_0"].label == "Ada Augusta"
    replay = recorded(sitting)
    assert len(replay.actions) >= 40
    source = replay.source_at("left_0", 0)
    assert (source.kind, source.label, source.person, source.device) == ("keyboard", "person 1", "", "keyboard:wasd")
    assert replay.observed == ()  # volley comes out the same when it is played again


def test_settings_say_what_is_recorded_and_whom_it_names(sit: Callable[..., OpenArcade]) -> None:
    sitting = sit()
    choose(sitting, player_name="Ada", name_recordings=True, record_observations="always", record_seats="people")
    play(sitting)
    replay = recorded(sitting)
    assert (replay.source_at("left_0", 0).person, replay.result["lineup"]["left_0"]) == ("Ada", "Ada")
    assert replay.observed == ("left_0",)


def test_room_is_made_when_the_window_opens_and_what_is_kept_stays(sit: Callable[..., OpenArcade]) -> None:
    store = RecordingLibrary(home() / "replays")
    for name in ("1-kept", "2-old", "3-new"):  # of one second: then the name says which is older
        path = record_counting(home() / "replays" / f"{name}.replay").path
        os.truncate(path, 80_000_000)  # what stands behind the end is nobody's
        os.utime(path, (10**9, 10**9))
    store.list()  # makes the cards
    store.change(store.get("1-kept"), kept=True)
    sitting = sit(engine={"settings": Settings(replay_gigabytes=0.2)})
    sitting.services.worker.settle()
    assert sorted(path.stem for path in (home() / "replays").glob("*.replay")) == ["1-kept", "3-new"]


def test_a_full_disk_is_told_on_the_screen_and_the_match_goes_on(
    sit: Callable[..., OpenArcade], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    sitting = sit()
    monkeypatch.setattr(recording_writer, "_put", full)
    scene = play(sitting, until=10**9)
    assert any("check whether the disk is full" in words for words in scene.hud.toasts.messages)
    assert not any("No space left" in words or ".replay" in words for words in scene.hud.toasts.messages)
    at = scene.match.tick.index
    sitting.until(lambda: scene.match.tick.index > at + 20, "the match to go on")
    assert scene.match.error is None
    said: list[str] = []
    monkeypatch.setattr(sitting.services, "say", said.append)
    scene.session.quit()
    sitting.until(lambda: said, "the end to tell why there is no recording")
    assert said == [
        "The recording could not be written; check whether the disk is full, and the permissions of the folder"
    ]
