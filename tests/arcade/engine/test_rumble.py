"""Gamepads vibrate, as SDL tells the pad; not where it is turned off or unplugged."""

from __future__ import annotations

import pygame
import pytest

from arcade.engine.input.gamepads import Rumble
from tests.support.virtual_pad import VirtualPad


@pytest.fixture
def pad(turns):
    with VirtualPad() as pad:
        turns.frame()
        yield pad


def test_a_pad_vibrates(turns, pad):
    assert turns.engine.devices.rumble("gamepad:0", Rumble(1.0, 0.5, 0.2))
    assert pad.rumbles[-1] == pytest.approx((1.0, 0.5), abs=0.01)


def test_an_unknown_model_vibrates_too(turns):
    with VirtualPad(raw=True) as pad:
        turns.frame()
        assert turns.engine.devices.rumble("gamepad:0", Rumble(0.5, 1.0, 0.2))
        assert pad.rumbles[-1] == pytest.approx((0.5, 1.0), abs=0.01)


def test_the_setting_turns_it_off(turns, pad):
    turns.engine.apply(turns.engine.settings.changed(vibration=False), save=False)
    assert not turns.engine.devices.rumble("gamepad:0", Rumble(1.0, 1.0, 0.2))
    assert not any(any(motors) for motors in pad.rumbles)


def test_keyboards_and_missing_pads_do_not(turns, pad):
    assert not turns.engine.devices.rumble("keyboard:wasd", Rumble(1.0, 1.0, 0.2))
    pad.detach()
    pygame.event.pump()
    turns.frame()
    assert not turns.engine.devices.rumble("gamepad:0", Rumble(1.0, 1.0, 0.2))
