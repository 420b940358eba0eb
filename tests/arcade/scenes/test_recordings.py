"""Recordings on the screen: what is said after a match, the page of all recordings, and who is named in them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pygame
import pytest

from agents.files import folder
from agents.seats.controller import SeatChoice
from arcade.engine.input.events import Device
from arcade.engine.ui.lists import ListView
from arcade.recordings.library import RecordingLibrary
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene
from arcade.scenes.recordings.browser_scene import BrowserScene
from arcade.scenes.setup.seats import SeatsScene
from arcade.session.people import Person
from tests.support.recorded import Fingers, machine, record

AI = SeatChoice("scripted")


def replays() -> Path:
    return folder("replays")


def the_recording():
    [recording] = RecordingLibrary(replays()).list()[0]
    return recording


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Path:
    """Three recordings: Ann's of volley, one without a name, machines at connect four; and a file that is none."""
    made = tmp_path_factory.mktemp("played")
    record(made / "house-volley-1.replay", {"left_0": Fingers("Ann"), "right_0": machine("rival")}, ticks=200)
    record(made / "house-volley-2.replay", {"left_0": Fingers("Eve", agreed=False)}, seed=4)
    record(made / "classic-four-3.replay", game="classic/connect_four_v3")
    (made / "noise.replay").write_bytes(b"what is this")
    return made


@pytest.fixture
def browser(sit, played, tmp_path):
    """A sitting on the page of recordings, all of them read."""
    shutil.copytree(played, tmp_path / "replays")
    sitting = sit()
    sitting.engine.push(scene := BrowserScene(sitting.services, routes.Recordings()))
    sitting.until(lambda: scene.recordings.all, "the recordings")
    return sitting


def rows(sitting) -> list[str]:
    """The files that are shown."""
    return [recording.path.stem for recording in sitting.engine.scene.recordings.shown]


def filter_by(sitting, name: str, value: str) -> list[str]:
    scene = sitting.engine.scene
    scene.recordings.filter(name, value)
    scene.show()
    found = rows(sitting)
    scene.recordings.filter(name, "")
    return found


def test_after_a_match_its_recording_is_rated_named_deleted_and_restored(sit, make_hand) -> None:
    sitting = sit(max_ticks=20, speed=8.0)
    hand = make_hand(sitting)
    scene = MatchScene(
        sitting.services,
        routes.Match(sitting.library.featured, {"left_0": SeatChoice("keyboard"), "right_0": AI}),
    )
    sitting.engine.push(scene)
    sitting.until(lambda: sitting.on == "ResultsScene" and sitting.engine.scene.outcome.recording, "the recording")
    assert pygame.image.load(the_recording().picture).get_size() == (400, 225)
    assert sitting.engine.scene.focus.focused.label == "Rematch", "the next press plays, as ever"
    hand.choose("Recording and details")
    hand.choose("Keep")
    sitting.until(lambda: sitting.engine.scene.outcome.recording.card.kept, "the recording to be kept")
    hand.choose("Rating")
    sitting.until(lambda: sitting.engine.scene.outcome.recording.card.rating, "stars")
    hand.choose("Name")
    hand.choose("k")
    hand.choose("Done")
    sitting.until(lambda: sitting.engine.scene.outcome.recording.card.name, "the name")
    assert (the_recording().card.name, the_recording().card.kept) == ("k", True)
    hand.choose("Delete")
    sitting.until(lambda: sitting.services.deletions.newest is not None, "the recording to be gone")
    sitting.frame(2)
    assert not list(replays().glob("*.replay"))
    hand.choose("Undo")
    sitting.until(lambda: sitting.engine.scene.outcome.recording, "it to be back")
    assert the_recording().card.name == "k"
    assert sitting.on == "ResultsScene"


def test_takes_are_found_and_what_is_none_says_why(browser, keyboard) -> None:
    assert sorted(rows(browser)[:3]) == ["classic-four-3", "house-volley-1", "house-volley-2"]
    assert rows(browser)[3:] == ["noise"], "what is none comes last"
    scene = browser.engine.scene
    assert scene.recordings.options["person"] == ("", "Ann")
    assert filter_by(browser, "person", "Ann") == ["house-volley-1"]
    assert filter_by(browser, "game", "house/volley") == [row for row in rows(browser) if "volley" in row]
    assert filter_by(browser, "outcome", "loss") == ["house-volley-1"]
    scene.show()  # all again
    scene.list.select(0)
    hand = keyboard(browser)
    for _ in range(3):
        hand.press("down")
    assert scene.recording is None
    assert scene.list.selected.detail == "This file cannot be read"
    assert any("expected a file that begins with" in words for words in scene.texts), "beside the list"
    assert not [widget for widget in scene.focus.widgets if widget.label in ("Watch", "Delete")]
    assert not scene.focus.hint
    hand.press("accept")
    assert browser.on == "BrowserScene", "there is nothing to be seen"


def test_a_damaged_card_is_told_in_a_sentence(sit, played, tmp_path) -> None:
    shutil.copytree(played, tmp_path / "replays")
    (tmp_path / "replays" / "house-volley-1.json").write_text("{")
    sitting = sit()
    sitting.engine.push(scene := BrowserScene(sitting.services, routes.Recordings()))
    sitting.until(lambda: scene.recordings.all, "the recordings")
    told = "The details of 1 recording were damaged; they were made again from the match"
    assert told in sitting.engine.toasts.messages


def test_a_deleted_recording_comes_back_by_undo(browser, make_hand) -> None:
    hand, scene, before = make_hand(browser), browser.engine.scene, rows(browser)
    gone = scene.recording.id
    hand.choose("Delete")
    browser.until(lambda: gone not in rows(browser), "it to be gone")
    assert not (replays() / f"{gone}.replay").exists()
    assert scene.focus.focused is scene.list, "the next press deletes no other one"
    hand.choose("Undo")
    browser.until(lambda: rows(browser) == before, "it to be back")
    browser.frame(2)
    assert not [widget for widget in scene.focus.widgets if widget.label == "Undo"]


def test_a_deletion_that_is_not_undone_is_final(browser, keyboard) -> None:
    scene = browser.engine.scene
    gone = scene.recording.id
    keyboard(browser).choose("Delete")
    browser.until(lambda: gone not in rows(browser), "it to be gone")
    browser.services.deletions.update(browser.engine.clock() + 60)
    browser.services.worker.settle()
    browser.frame(2)
    assert not [file for file in replays().rglob("*") if file.stem == gone]
    assert not [widget for widget in scene.focus.widgets if widget.label == "Undo"]


def test_a_filter_without_a_choice_says_why(browser, keyboard) -> None:
    hand = keyboard(browser)
    hand.choose("Any tag")
    assert browser.on == "BrowserScene"
    assert any("No recording has a tag yet" in words for words in browser.engine.toasts.messages)


def test_tags_that_cannot_be_are_said_and_lose_nothing(browser) -> None:
    scene = browser.engine.scene
    scene.actions_of.ask_tags(scene.recording)
    browser.engine.scene.value = "rally ../up"
    browser.engine.scene._accept()
    browser.frame()
    assert any("expected a tag" in words for words in browser.engine.toasts.messages)
    assert scene.recording.card.tags == ()
    assert browser.engine.scene.value == "rally ../up", "it can be mended"
    browser.engine.scene.value = "rally, serve"
    browser.engine.scene._accept()
    browser.until(lambda: scene.recording.card.tags == ("rally", "serve"), "the tags")


def test_a_row_shows_its_recording_again_and_a_video_can_be_made_of_it(browser, mouse) -> None:
    hand = mouse(browser)
    second = rows(browser)[1]
    hand.pick_row(1)
    assert browser.on == "BrowserScene", "the first click chooses"
    hand.move(browser.engine.scene.list.row_rect(2).center)
    assert browser.engine.scene.recording.id == second, "the way to the buttons leads over other rows"
    hand.pick_row(1)
    assert browser.on == "ReplayScene"
    assert browser.engine.scene.path.stem == second
    browser.engine.pop()
    hand.choose("Video")
    assert browser.on == "VideoScene"
    assert browser.engine.scene.replay.stem == second


def test_totals_are_of_what_is_shown(browser, keyboard) -> None:
    hand = keyboard(browser)
    hand.choose("All games")
    hand.pick_row(0)
    hand.choose("Totals")
    assert [row[:3] for row in browser.engine.scene.rows] == [
        ("Ann", "Volley", "1"), ("People without a name", "Volley", "1"), ("AI alone", "Connect Four", "1"),
    ]  # fmt: skip


def test_of_many_recordings_only_those_in_sight_are_drawn(sit, tmp_path) -> None:
    original = record(tmp_path / "one.replay")
    for number in range(60):
        shutil.copy(original, replays() / f"recording-{number:03}.replay")
    sitting = sit()
    sitting.engine.push(scene := BrowserScene(sitting.services, routes.Recordings()))
    sitting.until(lambda: scene.recordings.all, "the recordings")
    assert len(scene.list.items) == 60
    sitting.frame(2)
    drawn = [path for path, _size in scene._thumbnails._pictures if path.parent == replays()]
    assert 0 < len(drawn) <= scene.list.room + 1


def test_somebody_is_added_and_sits_down_by_name(sit, pad) -> None:
    sitting = sit()
    hand = pad(sitting)
    sitting.engine.push(seats := SeatsScene(sitting.services, routes.Seats(sitting.library.featured)))
    seats.meet(sitting.engine.devices.pads[0])
    assert seats.seating.lineup["left_0"] == SeatChoice("gamepad", "0")
    hand.choose("Player")
    assert sitting.on == "PeopleScene"
    hand.choose("Add a person")
    hand.choose("b")
    hand.choose("Done")
    assert sitting.on == "SeatsScene", "who was added for the seat takes it at once"
    assert sitting.services.people.holder(SeatChoice("gamepad", "0")) == Person("b")
    hand.choose("b")
    hand.choose("Named in recordings")
    assert [*sitting.services.people] == [Person("b", recorded=True)]
    hand.reach(next(w for w in sitting.engine.scene.focus.widgets if isinstance(w, ListView)))
    hand.press("accept")
    assert sitting.on == "SeatsScene"
    assert sitting.widget("b").rect.top == sitting.widget("Left").rect.top
    assert sitting.engine.scene.focus.focused.label == "Start"
    hand.pad.detach()


def test_a_person_who_was_removed_is_added_again_by_undo(sit, keyboard) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    for person in (Person("Ann", recorded=True), Person("Bo")):
        sitting.services.people.put(person)
    sitting.engine.push(routes.People(selected="Ann"))
    sitting.frame(2)
    assert "Undo" not in [widget.label for widget in sitting.engine.scene.focus.widgets]
    hand.choose("Remove …")
    hand.choose("Remove")
    assert [*sitting.services.people] == [Person("Bo")]
    sitting.frame(2)
    hand.choose("Undo")
    assert [*sitting.services.people] == [Person("Ann", recorded=True), Person("Bo")]
    assert sitting.engine.scene.chosen == Person("Ann", recorded=True)


def test_the_default_player_has_a_say_about_recordings_and_stays(sit, keyboard) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    sitting.engine.push(routes.People("Who plays?", "", lambda name: None))
    sitting.frame(2)
    assert not sitting.engine.settings.name_recordings
    hand.choose("Named in recordings: no")
    assert sitting.engine.settings.name_recordings
    assert sitting.widget("Named in recordings: yes").enabled
    assert "Remove …" not in [widget.label for widget in sitting.engine.scene.focus.widgets]
    assert any("cannot be removed" in words for words in sitting.engine.scene.texts)


def test_who_takes_another_half_of_the_keyboard_stays_who_it_is(sit, keyboard) -> None:
    sitting = sit()
    sitting.engine.push(seats := SeatsScene(sitting.services, routes.Seats(sitting.library.featured)))
    seats.meet(Device("keyboard", "wasd"))
    people = sitting.services.people
    people.put(Person("Ann"))
    people.give(SeatChoice("keyboard"), "Ann")
    hand = keyboard(sitting)
    hand.choose("Left")
    hand.pick("Keyboard WASD")
    assert seats.seating.lineup["left_0"] == SeatChoice("keyboard", "wasd")
    assert people.holder(SeatChoice("keyboard", "wasd")) == Person("Ann")
    sitting.widget("Ann")


def test_a_name_is_in_the_recording_only_where_its_person_agreed(sit) -> None:
    sitting = sit(max_ticks=5, speed=8.0)
    wasd, arrows = SeatChoice("keyboard", "wasd"), SeatChoice("keyboard", "arrows")
    people = sitting.services.people
    people.put(Person("Ann", recorded=True))
    people.put(Person("Bo"))
    people.give(wasd, "Ann")
    people.give(arrows, "Bo")
    scene = MatchScene(sitting.services, routes.Match(sitting.library.featured, {"left_0": wasd, "right_0": arrows}))
    sitting.engine.push(scene)
    sitting.until(lambda: sitting.on == "ResultsScene" and sitting.engine.scene.outcome.recording, "the recording")
    assert list(sitting.engine.scene.outcome.result.lineup.values()) == ["Ann", "Bo"], "at home everybody is named"
    card = the_recording().card
    assert card.people == {"left_0": "Ann", "right_0": ""}
    assert "Bo" not in card.lineup.values()


def test_a_match_that_is_left_is_a_recording_and_one_without_a_move_is_none(sit) -> None:
    sitting = sit()
    for name, seats in (("classic/chess_v6", ("keyboard", "random")), ("house/volley", ("keyboard", "scripted"))):
        spec = next(spec for spec in sitting.library.games if spec.id == name)
        scene = MatchScene(
            sitting.services, routes.Match(spec, dict(zip(spec.agents, map(SeatChoice, seats), strict=True)))
        )
        sitting.engine.push(scene)
        wanted = 0 if spec.turn_based else 3
        sitting.until(lambda: scene.match is not None and scene.match.tick, "a match")  # noqa: B023
        sitting.until(lambda: scene.match.tick.index >= wanted, "some play")  # noqa: B023
        sitting.engine.pop()
    sitting.until(lambda: not sitting.services.worker.busy, "all to be on disk")
    recording = the_recording()
    assert (recording.card.game, recording.card.ended, recording.picture.exists()) == ("house/volley", "quit", True)
    assert {file.stem for file in replays().iterdir()} == {recording.id}


def test_a_game_without_recordings_says_so_and_shows_the_others(browser) -> None:
    browser.engine.replace(routes.Recordings("classic/chess_v6"))
    scene = browser.engine.scene
    browser.until(lambda: scene.recordings.all, "the recordings")
    assert any(text.startswith("No recordings of Chess yet.") for text in scene.texts)
    assert len(rows(browser)) == 4
