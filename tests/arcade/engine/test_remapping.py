"""Hands on remapped keys and pads, through the engine's real input path."""

from __future__ import annotations

import pygame
import pytest
from gymnasium.spaces import Box, Discrete

from arcade.engine.input.bindings_file import Scope
from arcade.engine.input.events import ControlInput, MenuInput
from tests.support.device_seats import Seat
from tests.support.virtual_pad import VirtualPad


def change(turns, device: str, game: str = "", seat: str = "", **controls: list[str]) -> None:
    turns.engine.bindings.change(Scope(game, seat, device), controls)


def test_another_key_in_one_game_and_one_seat(turns):
    change(turns, "keyboard:wasd", "house/volley", "left_0", right=["t"])
    left, right = Seat(turns, "keyboard:wasd"), Seat(turns, "keyboard:wasd", agent="right_0")
    turns.key(pygame.K_a)
    turns.key(pygame.K_t)
    assert (left.plays(), right.plays()) == ("right", "left")
    turns.key(pygame.K_t, down=False)
    assert (left.plays(), right.plays()) == ("left", "left")


def test_a_key_taken_from_another_half_plays_in_the_seat_that_took_it(turns):
    change(turns, "keyboard:wasd", "house/volley", up=["up"])
    Seat(turns, "keyboard:arrows", game="unknown:game")
    mine = Seat(turns, "keyboard:wasd")
    turns.tap(pygame.K_UP)
    turns.tap(pygame.K_w)
    assert mine.plays() == "up"


def test_the_whole_keyboard_in_one_seat_follows_the_halves(turns):
    change(turns, "keyboard:wasd", "house/volley", "left_0", right=["t"])
    seat = Seat(turns, "keyboard")
    turns.key(pygame.K_t)
    turns.key(pygame.K_UP)
    assert seat.plays() == "up right"
    change(turns, "gamepad", a=["b"])  # of something else: what is held stays held
    turns.tap(pygame.K_q)
    assert seat.plays() == "up right"


def test_a_change_in_the_middle_of_a_match_lets_go_of_what_is_held(turns):
    seat = Seat(turns, "keyboard:wasd")
    turns.key(pygame.K_d)
    assert seat.plays() == "right"
    change(turns, "keyboard:wasd", right=["t"])
    assert seat.plays() == "right"  # nothing was pressed since, so nobody has looked yet
    turns.tap(pygame.K_w)
    assert [seat.plays(), seat.plays()] == ["up", "nothing"]


def test_the_moves_of_a_game_follow_the_players_table_at_once(turns):
    seat = Seat(turns, "keyboard:wasd", game="some:game", space=Discrete(3))
    turns.tap(pygame.K_SPACE)
    assert seat.action() == 1
    turns.engine.bindings.change(Scope("some:game", section="actions"), {"0=1": ["l"]})
    seat.action()
    turns.tap(pygame.K_SPACE)
    assert seat.action() == 0
    turns.tap(pygame.K_z)
    assert seat.action() == 1


def test_menus_by_other_keys_and_other_buttons(turns):
    turns.engine.bindings.change(Scope(device="keyboard", section="menu"), {"accept": ["f"], "back": ["g"]})
    turns.engine.bindings.change(Scope(device="gamepad", section="menu"), {"accept": ["b"], "back": ["a"]})
    for key in (pygame.K_f, pygame.K_RETURN, pygame.K_g, pygame.K_ESCAPE):
        turns.tap(key)
    with VirtualPad() as pad:
        turns.frame()
        for button in ("b", "a"):
            pad.press(button)
            pad.release(button)
        turns.frame()
        assert [event.action for event in turns.scene.of(MenuInput)] == ["accept", "back", "accept", "back"]


@pytest.mark.parametrize(
    ("rule", "words"), [("newest", ("right", "left")), ("first", ("left", "left")), ("neutral", ("nothing", "left"))]
)
def test_opposite_directions_by_the_rule_that_is_set(turns, rule, words):
    turns.engine.apply(turns.engine.settings.changed(opposites=rule), save=False)
    seat = Seat(turns, "keyboard:wasd")
    turns.key(pygame.K_a)
    turns.key(pygame.K_d)
    both = seat.plays()
    turns.key(pygame.K_d, down=False)
    assert (both, seat.plays()) == words


def test_a_second_tap_waits_for_the_tick_after_and_a_third_does_not(turns):
    seat = Seat(turns, "keyboard:wasd")
    for key in (pygame.K_w, pygame.K_w, pygame.K_w):
        turns.tap(key)
    assert [seat.plays() for _ in range(3)] == ["up", "up", "nothing"]


@pytest.mark.parametrize("rule", ["newest", "first", "neutral"])
def test_opposite_taps_one_after_the_other_are_both_played(turns, rule):
    turns.engine.apply(turns.engine.settings.changed(opposites=rule), save=False)
    seat = Seat(turns, "keyboard:wasd")
    turns.tap(pygame.K_a)
    turns.tap(pygame.K_d)
    assert [seat.plays() for _ in range(3)] == ["left", "right", "nothing"]


def test_key_repeat_of_the_system_is_no_press(turns):
    seat = Seat(turns, "keyboard:wasd", game="some:game", space=Discrete(40))
    for _ in range(5):
        turns.key(pygame.K_d)
    assert seat.action() == 1


def test_dead_zone_and_curve_are_what_is_set(turns):
    with VirtualPad() as pad:
        turns.frame()
        seat = Seat(turns, "gamepad:0", game="some:game", space=Box(-1.0, 1.0, (2,)))
        values = []
        for dead_zone, curve in ((0.2, 1.0), (0.6, 1.0), (0.0, 1.0), (0.0, 2.0)):
            settings = turns.engine.settings.changed(stick_dead_zone=dead_zone, stick_curve=curve)
            turns.engine.apply(settings, save=False)
            pad.axis("x", 0.0)
            turns.frame()
            pad.axis("x", 0.5)
            values.append(round(float(seat.action()[0]), 2))
        assert values == [0.38, 0.0, 0.5, 0.25]


def test_a_button_may_push_a_stick_and_a_trigger_be_a_button(turns):
    with VirtualPad() as pad:
        turns.frame()
        change(turns, "gamepad", **{"x+": ["x+", "r"], "up": ["rt+"]})
        walk = Seat(turns, "gamepad:0", game="some:game", space=Box(-1.0, 1.0, (2,)))
        jump = Seat(turns, "gamepad:0")
        pad.press("r")
        pad.axis("rt", 1.0)
        assert walk.action()[0] == 1.0
        assert jump.plays() == "up"
        pad.release("r")
        pad.axis("rt", 0.0)
        assert walk.action()[0] == 0.0
        assert jump.plays() == "nothing"


def test_a_layout_follows_its_pad_when_it_is_plugged_in_again(turns):
    pad = VirtualPad()
    turns.frame()
    layouts = turns.engine.bindings
    turns.engine.bindings.change(Scope(device=layouts.device_of("gamepad:0")), {"right": ["y"]})
    seat = Seat(turns, "gamepad:0")
    pad.press("y")
    assert seat.plays() == "right"
    pad.detach()
    assert seat.plays() == "nothing"
    with VirtualPad() as back:
        turns.frame()
        back.press("y")
        assert seat.plays() == "right"
        back.release("y")
        back.press("right")
        assert seat.plays() == "nothing"


def test_two_pads_of_one_model_keep_apart_layouts(turns):
    with VirtualPad() as one, VirtualPad() as two:
        turns.frame()
        layouts = turns.engine.bindings
        layouts.change(Scope(device=layouts.device_of("gamepad:1")), {"right": ["y"]})
        seats = [Seat(turns, "gamepad:0"), Seat(turns, "gamepad:1", agent="right_0")]
        one.press("y")
        two.press("y")
        assert [seat.plays() for seat in seats] == ["nothing", "right"]


def test_another_model_in_the_same_place_is_played_by_its_own_layout(turns):
    pad = VirtualPad()
    turns.frame()
    layouts = turns.engine.bindings
    layouts.change(Scope(device=layouts.device_of("gamepad:0")), {"right": ["y"]})
    seat = Seat(turns, "gamepad:0")
    pad.detach()
    with VirtualPad(raw=True) as other:
        turns.frame()
        assert [pad.word for pad in turns.engine.devices.pads] == ["gamepad:0"]
        other.hat(1, 0)
        assert seat.plays() == "right"


def test_a_seat_tells_how_it_was_played(turns):
    seat = Seat(turns, "keyboard:wasd")
    assert seat.controller.report() == {"device": "keyboard:wasd", "name": "Keyboard (WASD)"}
    turns.tap(pygame.K_w)
    turns.frame()
    turns.now += 0.005
    seat.controller.act()
    seat.action()
    assert seat.controller.report()["input_ms"]["presses"] == 1
    assert 5 <= seat.controller.report()["input_ms"]["p50"] <= 5 + 1000 / 60 + 1


def test_a_pad_is_told_by_its_model(turns):
    with VirtualPad():
        turns.frame()
        seat = Seat(turns, "gamepad:0")
        identity = turns.engine.devices.pads[0].identity
        assert identity.endswith("#1")
        assert seat.controller.report()["pad"] == identity


def test_scenes_hear_controls_by_the_devices_own_layout(turns):
    change(turns, "keyboard:wasd", a=["f"])
    turns.tap(pygame.K_f)
    turns.frame()
    told = [(event.device.word, event.control, event.pressed) for event in turns.scene.of(ControlInput)]
    assert told == [("keyboard:wasd", "a", True), ("keyboard:wasd", "a", False)]


def test_what_is_said_of_menus_names_the_keys_that_do_it(turns):
    layouts = turns.engine.bindings
    usual = "{enter}, {a}, {space}, {u}; {esc}, {b}; {tab}, {l}, {r}; {p}, {start}"
    assert layouts.fill_in(usual) == "Enter, A, Space, U; Esc, B; Tab, LB, RB; P, Start"
    layouts.change(Scope(device="keyboard", section="menu"), {"accept": ["f"]})
    layouts.change(Scope(device="gamepad", section="menu"), {"accept": ["b"], "back": ["rt+"]})
    assert layouts.fill_in("{enter} {space} {a} {b}") == "F F B RT"


def test_a_key_is_told_by_what_is_written_on_it(turns):
    layout = turns.engine.bindings.of("keyboard:wasd")
    assert layout.labels("up") == ("W",)
    turns.post(pygame.KEYDOWN, key=pygame.K_z, mod=0, unicode="z", scancode=pygame.KSCAN_W)
    turns.frame()
    assert layout.labels("up") == ("Z",)
