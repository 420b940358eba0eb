"""Play on from a moment of a recording: who has which seat, and the match that begins there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.match.play.result import RecordingSource
from arcade.match.playback.verify import verify
from arcade.recordings.library import RecordingLibrary
from arcade.scenes import routes
from arcade.scenes.replay.scene import ReplayScene
from arcade.scenes.replay.seat_rows import SeatRows
from arcade.session.recordings.takeover import lineup_with
from tests.support.replay_files import records_of, write_records
from tests.support.replay_scenes import record_volley, settle, show


@pytest.fixture(scope="module")
def volley(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record_volley(tmp_path_factory.mktemp("takes") / "volley.replay")


def test_a_recording_is_played_searched_and_taken_over(sit, make_hand, volley: Path, tmp_path: Path) -> None:
    sitting = sit(record=True)
    hand = make_hand(sitting)
    scene = show(sitting, volley)
    sitting.until(lambda: scene.playback.index > 5, "play")
    hand.choose("Pause")
    stood = scene.playback.goal
    sitting.frame(10)
    assert scene.playback.goal == stood
    hand.choose("Next mark")
    mark = scene.loaded.timeline.marks[0]
    settle(sitting, scene)
    assert scene.playback.index == mark.tick
    assert scene.state.score() == "1 : 0"
    assert scene.state.marks() == ["1 : 0 points"]
    seats = next(widget for widget in scene.tree.walk() if isinstance(widget, SeatRows))
    assert [row.score for row in seats.rows_at(mark.tick)] == ["1", "0"]
    hand.choose("Step back")
    settle(sitting, scene)
    assert (scene.playback.index, scene.state.score()) == (mark.tick - 1, "0 : 0")
    hand.choose("Take over")
    hand.pick_row(1)
    sitting.until(lambda: sitting.on == "PauseScene", "the match, which stands")
    match = sitting.engine.scenes[-2].match
    assert match.tick.index == mark.tick - 1
    assert match.mapping["right_0"].is_human
    assert match.mapping["left_0"].label == "scripted"
    hand.choose("Resume")
    sitting.until(lambda: match.tick.index > mark.tick, "play to go on")
    match.quit()
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    assert match.result is not None
    assert not match.result.rated
    sitting.engine.pop()
    assert sitting.engine.scene is scene  # where one came from
    sitting.services.worker.settle()
    [recording] = RecordingLibrary(tmp_path / "replays").list()[0]
    again = recording.replay()
    assert verify(again).ok
    assert (recording.card.parent, again.head["settings"]["parent_tick"]) == ("volley", mark.tick - 1)
    assert again.actions[: mark.tick - 1] == scene.loaded.replay.actions[: mark.tick - 1]
    sources = {(source.tick, source.agent): source for source in again.sources}
    assert sources[mark.tick - 1, "right_0"].takeover
    later = show(sitting, recording.path)
    later.playback.pause()
    heads = []
    for moment in (0, mark.tick):
        later.playback.seek(moment)
        settle(sitting, later)
        heads.append(later.state.players())
    owner = sitting.services.people.owner.name
    assert heads == ["Scripted bot against Empty seat", f"Scripted bot against {owner}"]


@pytest.mark.parametrize(
    ("source", "choice"),
    [
        ({"kind": "snapshot", "label": "net-2", "snapshot": "net-2"}, SeatChoice("snapshot", "net-2")),
        ({"kind": "level", "label": "net-2 (hard)", "snapshot": "net-2"}, SeatChoice("level", "hard")),
        ({"kind": "pool", "label": "net-1", "snapshot": "net-1"}, SeatChoice("snapshot", "net-1")),
        ({"kind": "scripted", "label": "scripted"}, SeatChoice("scripted")),
        ({"kind": "keyboard", "label": "person 1", "human": True}, SeatChoice("level", "easy")),
        ({"kind": "snapshot", "label": "gone", "snapshot": "gone"}, SeatChoice("level", "easy")),
        ({"kind": "replay", "label": "net-1"}, SeatChoice("snapshot", "net-1")),
        ({"kind": "python", "label": "os:abort"}, SeatChoice("level", "easy")),
        ({"kind": "remote", "label": "tcp://10.0.0.1:5555"}, SeatChoice("level", "easy")),
        ({"kind": "snapshot", "label": "/etc/net", "snapshot": "/etc/net.onnx"}, SeatChoice("level", "easy")),
    ],
)
def test_the_others_go_on_as_far_as_they_can_be_had(source: dict[str, Any], choice: SeatChoice) -> None:
    spec = find_game("house/volley")
    replay = SimpleNamespace(source_at=lambda agent, tick: RecordingSource(tick=0, agent="left_0", **source))
    lineup = lineup_with(replay, spec, 5, ("net-2", "net-1"), {"right_0": SeatChoice("keyboard")})  # type: ignore[arg-type]
    assert lineup == {"left_0": choice, "right_0": SeatChoice("keyboard")}


def test_it_is_said_who_plays_for_those_that_a_recording_cannot_bring_back(
    sit, keyboard, volley: Path, tmp_path: Path
) -> None:
    told = [
        [kind, {**rest[0], "kind": "python", "label": "os:abort"}] if kind == "source" else [kind, *rest]
        for kind, *rest in records_of(volley)
    ]
    sitting = sit()
    scene = show(sitting, write_records(tmp_path / "foreign.replay", told))
    settle(sitting, scene)
    scene.play_branch("right_0", SeatChoice("keyboard"))
    (words,) = sitting.engine.toasts.messages
    assert "plays for os:abort" in words
    sitting.until(lambda: sitting.on == "MatchScene", "a match")
    assert not sitting.engine.scene.session.lineup["left_0"].is_human
    assert sitting.engine.scene.session.lineup["left_0"].kind in ("level", "scripted")


def test_ones_own_seat_comes_first_and_ai_plays_for_the_other_person(
    sit, keyboard, volley: Path, tmp_path: Path
) -> None:
    sitting = sit()
    owner = sitting.services.people.owner.name
    people = {"left_0": "Guest", "right_0": owner}
    told = [
        [kind, {**rest[0], "kind": "keyboard", "human": True, "label": people[rest[0]["agent"]]}]
        if kind == "source" else [kind, *rest]
        for kind, *rest in records_of(volley)
    ]  # fmt: skip
    scene = show(sitting, write_records(tmp_path / "friends.replay", told))
    settle(sitting, scene)
    keys = keyboard(sitting)
    keys.key(pygame.K_HOME)
    keys.key(pygame.K_F2)
    assert sitting.on == "TakeOverPage"
    keys.press("accept")
    (words,) = sitting.engine.toasts.messages
    assert words.endswith("plays for Guest"), "and no word of what cannot be brought back"
    sitting.until(lambda: sitting.on == "MatchScene", "a match")
    assert sitting.engine.scene.session.lineup["right_0"].is_human


@pytest.mark.parametrize("given", [{}, {"right_0": SeatChoice("keyboard"), "left_0": SeatChoice("random")}])
def test_a_match_begins_at_once_at_a_moment_of_a_recording_and_again(sit, keyboard, volley: Path, given) -> None:
    sitting = sit(record=True)
    hand = keyboard(sitting)
    sitting.engine.push(ReplayScene(sitting.services, routes.Replay(volley, span=(120, None), given=given)))
    sitting.until(lambda: sitting.on == "PauseScene", "a match that waits for its player")
    session = sitting.engine.scene._session
    assert session.match.tick.index == 120
    assert session.lineup == given or session.lineup["left_0"] == SeatChoice("keyboard")
    hand.choose("Resume")
    sitting.until(lambda: session.match.tick.index > 140, "play")
    hand.pause()
    hand.choose("This moment again")
    sitting.until(lambda: session.match.tick.index < 140 and not session.match.rewinding, "the moment")
    assert session.match.rewinds[0][1] == 120
    session.match.quit()
    sitting.until(lambda: sitting.on == "ResultsScene", "the result")
    hand.choose("This moment again")
    sitting.until(lambda: sitting.on == "PauseScene", "the next attempt")
    assert sitting.engine.scene._session.match.tick.index == 120
    assert sitting.engine.scene._session is not session
