"""What scenes hear of keys, pads and the mouse."""

from __future__ import annotations

import pygame
import pytest

from arcade.engine.input.events import DeviceAdded, DeviceRemoved, MenuInput, PointerInput, TextInput
from tests.support.virtual_pad import VirtualPad


def actions(scene) -> list[str]:
    return [event.action for event in scene.of(MenuInput)]


@pytest.mark.parametrize(
    ("key", "action", "word"),
    [
        (pygame.K_UP, "up", "keyboard:arrows"),
        (pygame.K_s, "down", "keyboard:wasd"),
        (pygame.K_j, "left", "keyboard:ijkl"),
        (pygame.K_RETURN, "accept", "keyboard:arrows"),
        (pygame.K_SPACE, "accept", "keyboard:wasd"),
        (pygame.K_u, "accept", "keyboard:ijkl"),
        (pygame.K_ESCAPE, "back", "keyboard:arrows"),
        (pygame.K_TAB, "next", "keyboard:arrows"),
    ],
)
def test_keys_in_menus(turns, key, action, word):
    turns.tap(key)
    turns.frame()
    (event,) = turns.scene.of(MenuInput)
    assert (event.action, event.device.word) == (action, word)


def test_keys_are_known_by_place_so_wasd_works_on_every_layout(turns):
    turns.post(pygame.KEYDOWN, key=pygame.K_z, mod=0, unicode="z", scancode=pygame.KSCAN_W)  # a French keyboard
    turns.frame()
    assert actions(turns.scene) == ["up"]


def test_shift_tab_goes_back(turns):
    turns.tap(pygame.K_TAB, mod=pygame.KMOD_LSHIFT)
    turns.frame()
    assert actions(turns.scene) == ["previous"]


@pytest.mark.parametrize(
    ("control", "action"),
    [("up", "up"), ("a", "accept"), ("b", "back"), ("start", "start"), ("r", "next"), ("l", "previous")],
)
def test_pad_buttons_in_menus(turns, control, action):
    with VirtualPad() as pad:
        turns.frame()
        pad.press(control)
        pad.release(control)
        turns.frame()
        (event,) = turns.scene.of(MenuInput)
        assert (event.action, event.device.word) == (action, "gamepad:0")


def test_a_stick_steps_once_and_then_repeats(turns):
    with VirtualPad() as pad:
        turns.frame()
        pad.axis("y", 0.9)
        turns.frame()
        pad.axis("y", 0.7)
        turns.frame()
        assert actions(turns.scene) == ["down"]
        turns.frame(0.5)
        turns.frame(0.1)
        assert [event.repeated for event in turns.scene.of(MenuInput)] == [False, True, True]
        pad.axis("y", 0.0)
        turns.frame(1.0)
        turns.frame(1.0)
        assert len(actions(turns.scene)) == 3


def test_a_stick_held_across_a_scene_change_must_come_back_first(turns):
    with VirtualPad() as pad:
        turns.frame()
        pad.axis("y", 1.0)
        turns.frame()
        upper = type(turns.scene)()
        turns.engine.push(upper)
        for place in (0.95, 0.0, 0.95):
            pad.axis("y", place)
            turns.frame()
        assert actions(upper) == ["down"]


def test_a_pad_that_sdl_does_not_know_plays_too(turns):
    with VirtualPad(raw=True) as pad:
        turns.frame()
        pad.press("a")
        pad.hat(-1, 1)
        pad.axis("x", 1.0)
        turns.frame()
        assert sorted(actions(turns.scene)) == ["accept", "left", "right", "up"]


def test_plugging_in_and_pulling_out_is_told_with_the_same_number(turns):
    pad = VirtualPad()
    turns.frame()
    other = VirtualPad()
    turns.frame()
    pad.detach()
    turns.frame()
    with VirtualPad():
        turns.frame()
        words = [event.device.word for event in turns.scene.of(DeviceAdded)]
        assert words == ["gamepad:0", "gamepad:1", "gamepad:0"]
        assert [event.device.word for event in turns.scene.of(DeviceRemoved)] == ["gamepad:0"]
        assert [pad.word for pad in turns.engine.devices.pads] == ["gamepad:0", "gamepad:1"]
    other.detach()


def test_a_pad_of_another_model_does_not_take_the_number(turns):
    with VirtualPad() as first, VirtualPad(raw=True) as second:
        turns.frame()
        for pad in (first, second):
            pad.detach()
        turns.frame()
    turns.scene.events.clear()
    with VirtualPad(raw=True), VirtualPad():
        turns.frame()
        assert [event.device.word for event in turns.scene.of(DeviceAdded)] == ["gamepad:1", "gamepad:0"]


def test_the_mouse_is_in_canvas_coordinates(turns):
    turns.engine.video.set_window_size((640, 720))
    turns.post(pygame.MOUSEBUTTONDOWN, pos=(320, 360), button=1)
    turns.post(pygame.MOUSEMOTION, pos=(0, 0), rel=(0, 0), buttons=(0, 0, 0))
    turns.post(pygame.MOUSEWHEEL, x=0, y=-2)
    turns.frame()
    press, move, wheel = turns.scene.of(PointerInput)[-3:]
    assert (press.kind, press.pos, press.button) == ("press", (320, 360), 1)
    assert (move.kind, move.pos) == ("move", (0, 0))
    assert (wheel.kind, wheel.wheel) == ("wheel", -2)


def test_a_mouse_that_is_only_knocked_takes_nothing_from_the_keys(turns):
    def move(x: int) -> None:
        turns.post(pygame.MOUSEMOTION, pos=(x, 300), rel=(1, 0), buttons=(0, 0, 0))

    move(400)
    turns.tap(pygame.K_DOWN)
    for x in (403, 398, 405):
        move(x)
    turns.frame()
    assert [event.pos for event in turns.scene.of(PointerInput)] == [(400, 300)]
    move(430)
    move(431)
    turns.frame()
    assert [event.pos for event in turns.scene.of(PointerInput)][1:] == [(430, 300), (431, 300)]


def test_while_text_is_typed_letters_move_no_menu(turns):
    turns.engine.text_entry = True
    for key in (pygame.K_w, pygame.K_SPACE, pygame.K_BACKSPACE, pygame.K_p, pygame.K_i):
        turns.tap(key)
    turns.post(pygame.TEXTINPUT, text="ß")
    turns.tap(pygame.K_DOWN)
    turns.tap(pygame.K_ESCAPE)
    turns.frame()
    assert actions(turns.scene) == ["down", "back"]
    assert turns.scene.of(TextInput) == [TextInput("ß")]
    turns.engine.text_entry = False


def test_whoever_leaves_the_stack_gets_no_more_events(turns):
    class Leaving(type(turns.scene)):
        def handle(self, event):
            super().handle(event)
            if isinstance(event, MenuInput):
                self.engine.pop()

    leaving = Leaving()
    turns.engine.push(leaving)
    turns.tap(pygame.K_UP)
    turns.tap(pygame.K_DOWN)
    turns.frame()
    assert actions(leaving) == ["up"]
    assert actions(turns.scene) == ["down"]
