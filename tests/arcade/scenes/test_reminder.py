"""Reminders of the key to serve, and of the keys, to people who wait."""

from __future__ import annotations

from typing import Any

from agents.policies.random import IdleController
from agents.seats.controller import SeatChoice
from agents.seats.kinds import parse_seat
from arcade.engine.input.key_bindings import KeyBindings
from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage
from arcade.scenes.hud.reminder import LATE, PATIENCE, Reminder
from arcade.session.match.monitor import MatchMonitor
from arcade.session.seating import Seating, by_sides

PONG = find_game("pong")
AI = SeatChoice("scripted")


def reminder(*words: str) -> Reminder:
    lineup = dict(zip(PONG.agents, map(parse_seat, words), strict=True))
    made = Reminder(PONG, lineup, KeyBindings())
    made.restart(0.0)
    return made


def due(one: Reminder, now: float, **seen: Any) -> str:
    return one.due(now, pressed_at=now, **seen)


def test_who_has_to_serve_and_does_not_is_told_the_key() -> None:
    one = reminder("keyboard:arrows", "keyboard:wasd")
    assert [due(one, 2 * late, late=late, stalled=("first_0",)) for late in range(5)] == ["", "", "", "serve", ""]
    assert one.serve_words() == "To serve, press Enter (Right)"
    assert due(one, 9, late=0) == ""
    assert due(one, 16, late=3, stalled=("second_0",)) == "serve", "the next point"
    assert one.serve_words() == "To serve, press Space (Left)"


def test_nobody_is_told_to_serve_while_the_ball_is_in_play_or_the_ai_has_to() -> None:
    one = reminder("keyboard", "scripted")
    assert not any(due(one, now) for now in range(0, 120, 5)), "a first ball, which comes by itself, and a long rally"
    assert not any(due(one, 2 * late, late=late, stalled=("second_0",)) for late in range(9))


def test_pong_tells_whose_serve_it_is_once_its_first_ball_is_lost() -> None:
    watch = MatchMonitor()
    with LocalStage(PONG) as stage:
        seats = {agent: IdleController() for agent in stage.agents}
        result = Match(stage, seats, seed=3, max_ticks=PONG.fps * 9, recorders=[watch]).run()
    assert result.score == [1, 0]
    assert (watch.penalties, watch.penalised) == (LATE, ("first_0",)), "who got the point serves"


def test_who_presses_nothing_sees_the_keys_again_and_ai_alone_is_told_nothing() -> None:
    one = reminder("keyboard", "scripted")
    assert one.due(1, pressed_at=1) == ""
    assert one.due(PATIENCE + 2, pressed_at=1) == "keys"
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
