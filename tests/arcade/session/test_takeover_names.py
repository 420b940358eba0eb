"""The names of people in a match that is taken over from a recording."""

from __future__ import annotations

from arcade.games import find_game
from arcade.match.play.result import RecordingSource
from arcade.match.recording.replay_writer import SeatSources
from arcade.session.player_names import PlayerNames


def source(agent: str, label: str, *, human: bool, kind: str = "keyboard") -> RecordingSource:
    return RecordingSource(tick=0, agent=agent, kind=kind, label=label, human=human)


def test_an_unnamed_person_has_the_same_number_before_and_after_a_take_over() -> None:
    seats = SeatSources()
    seats.know({"person 2": "Ann"})
    assert seats.seat(source("left_0", "person 2", human=False, kind="replay")).label == "person 2"
    assert seats.seat(source("left_0", "Ann", human=True), "join").label == "person 2"
    assert seats.seat(source("right_0", "Bo", human=True), "takeover").label == "person 3"
    assert seats.people == {"person 2": "Ann", "person 3": "Bo"}, "no two people share a number"


def test_the_recorded_part_has_the_name_that_this_machine_knows() -> None:
    names = PlayerNames(find_game("volley")).knowing({"person 1": "Ann"})
    assert names.of_source(source("left_0", "person 1", human=False, kind="replay")) == "Ann"
    assert names.of_source(source("left_0", "person 1", human=True)) == "Ann"
