"""People: kept by name in a file of their own, and never named in recordings unless they agreed."""

from __future__ import annotations

import time

import pytest

from agents.seats.kinds import parse_seat
from arcade.session.people import People, Person, PersonError, load_people, open_people, save_people
from arcade.session.settings import Settings

ANN, BO = Person("Ann", recorded=True), Person("Bo")
WASD, ARROWS, PAD = map(parse_seat, ("keyboard:wasd", "keyboard:arrows", "gamepad:0"))


def test_they_come_back_from_their_file(tmp_path):
    path = tmp_path / "people.toml"
    assert load_people(path) == ((), "")
    save_people((ANN, BO), path)
    assert load_people(path) == ((ANN, BO), "")
    assert [file.name for file in tmp_path.iterdir()] == ["people.toml"]


@pytest.mark.parametrize(
    "text",
    [
        "person = 3",
        "[[person]]\nname = 'Ann'\nname = 'Bo'",
        "[[person]]\nname = ''",
        "[[person]]\nname = 'Ann'\nrecorded = 'yes'",
        "[[person]]\nname = 'Ann'\nage = 3",
        "[[person]]\nname = 'Ann'\n[[person]]\nname = 'ANN'",
        '[[person]]\nname = "A\\u0007nn"',
        "\x00",
    ],
)
def test_a_file_that_cannot_be_used_is_kept_aside(tmp_path, text):
    path = tmp_path / "people.toml"
    path.write_text(text)
    people, warning = load_people(path)
    assert people == ()
    assert "people.toml.bad" in warning
    assert (tmp_path / "people.toml.bad").read_text() == text


@pytest.mark.parametrize("name", ["", " Ann", "A" * 25, "A\nB"])
def test_names_that_nobody_can_have(name):
    with pytest.raises(PersonError, match="expected a name"):
        Person(name)


def test_a_changed_person_is_written_at_once(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    people, _ = open_people()
    people.put(ANN)
    people.put(Person("Anna", recorded=True), instead_of="Ann")
    deadline = time.monotonic() + 20
    while [person.name for person in open_people()[0]] != ["Anna"]:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_person_holds_one_device_and_keeps_it_under_another_name():
    people = People([BO, ANN])
    people.give(WASD, "Ann")
    people.give(ARROWS, "Ann")
    assert (people.holder(WASD), people.holder(ARROWS)) == (None, ANN)
    people.put(Person("Anna"), instead_of="Ann")
    assert people.holder(ARROWS) == Person("Anna")
    people.remove("Anna")
    people.put(Person("Anna"))
    assert people.holder(ARROWS) is None, "a new person of that name has no device yet"


def test_everybody_in_a_lineup_has_a_name_of_their_own_and_only_who_agreed_is_recorded_by_it():
    owner = Settings(name_recordings=True)
    people = People([BO, ANN], settings=lambda: owner)
    people.give(PAD, "Ann")
    lineup = dict(zip("abcd", (WASD, ARROWS, PAD, parse_seat("random")), strict=True))
    seated = people.seated(lineup)
    assert seated == {WASD: Person("Player", recorded=True), ARROWS: Person("Player 2"), PAD: ANN}
    owner = Settings(player_name="Ann")
    assert people.seated(lineup)[WASD] == Person("Guest"), "the pad is Ann's"
    assert people.player(WASD) == ANN, "the owner is known by that name too"


def test_two_windows_lose_no_person_of_each_other(tmp_path):
    path, cy = tmp_path / "people.toml", Person("Cy")
    save_people((ANN,), path)
    save_people((ANN, BO), path, before=(ANN,))
    save_people((cy,), path, before=(ANN,))  # another window, which removed Ann
    assert load_people(path)[0] == (BO, cy)
