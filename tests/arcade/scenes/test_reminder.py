"""Reminders of the key to serve, and of the keys, to people who wait."""

from __future__ import annotations

from agents.seats.controller import SeatChoice
from agents.seats.kinds import parse_seat
from arcade.engine.input.key_bindings import KeyBindings
from arcade.games import find_game
from arcade.scenes.hud.reminder import PATIENCE, RALLY, Reminder
from arcade.session.seating import Seating, by_sides

PONG = find_game("pong")
AI = SeatChoice("scripted")


def reminder(*words: str) -> Reminder:
    lineup = dict(zip(PONG.agents, map(parse_seat, words), strict=True))
    made = Reminder(PONG, lineup, KeyBindings())
    made.restart(0.0)
    return made


def due(one: Reminder, now: float, *, pressed_at: float = 0.0, score: object = (0, 0), action: str = "nothing") -> str:
    actions = {"first_0": PONG.names_of("first_0").index(action)}
    return one.due(now, pressed_at=pressed_at, score=score, actions=actions)


def test_who_does_not_serve_is_told_the_key() -> None:
    one = reminder("keyboard:arrows", "keyboard:wasd")
    assert due(one, 1) == ""
    assert due(one, PATIENCE + 1, pressed_at=PATIENCE, action="up") == "serve", "a moving paddle is no serve"
    assert one.serve_words() == "To serve, press Enter (Right) or Space (Left)"
    assert due(one, PATIENCE + 2) == "", "once"


def test_a_rally_needs_no_serve_until_the_score_changes() -> None:
    one = reminder("keyboard", "scripted")
    assert due(one, 1, action="fire") == ""
    assert due(one, RALLY, pressed_at=RALLY) == ""
    assert due(one, RALLY + 0.5, pressed_at=RALLY, score=(1, 0)) == ""
    later = RALLY + 1 + PATIENCE
    assert due(one, later, pressed_at=later, score=(1, 0)) == "serve"
    assert one.serve_words() == "To serve, press Space"


def test_ai_that_tries_to_serve_all_the_time_does_not_hide_that_a_person_has_to() -> None:
    one = reminder("scripted", "keyboard")
    times = range(1, round(RALLY + PATIENCE) + 3)
    said = [time for time in times if due(one, time, pressed_at=time, action="fire") == "serve"]
    assert said == [round(RALLY + PATIENCE) + 1], "once the score has not changed for longer than a rally"
    assert one.serve_words() == "To serve, press Space"


def test_who_presses_nothing_sees_the_keys_again_and_ai_alone_is_told_nothing() -> None:
    one = reminder("keyboard", "scripted")
    assert due(one, 1, action="fire") == ""
    assert due(one, PATIENCE + 1) == "keys"
    nobody = reminder("scripted", "scripted")
    assert due(nobody, 100) == ""


def test_w_a_s_d_plays_on_the_left_of_the_screen_and_the_arrows_on_the_right() -> None:
    wasd, arrows, both = (parse_seat(word) for word in ("keyboard:wasd", "keyboard:arrows", "keyboard"))
    assert PONG.seat_title("first_0") == "Right"
    assert by_sides(PONG, {"first_0": wasd, "second_0": arrows}) == {"first_0": arrows, "second_0": wasd}
    assert by_sides(PONG, {"first_0": both, "second_0": AI}) == {"first_0": both, "second_0": AI}
    seating = Seating(PONG, devices=[both, wasd, arrows], lineup={"first_0": both})
    assert seating.join(arrows) == "first_0", "the keys that remain, W A S D, move to the left"
    assert seating.lineup == {"first_0": arrows, "second_0": both}
    volley = find_game("volley")
    assert by_sides(volley, {"left_0": wasd, "right_0": arrows}) == {"left_0": wasd, "right_0": arrows}
