"""Two keyboards on one computer: the kernel's own bytes, in pipes where its files would be."""

from __future__ import annotations

import os
import struct

import pygame
import pytest

from agents.seats.controller import SeatError
from agents.seats.kinds import parse_seat
from arcade.controls.device_controllers import make_devices
from arcade.engine.input.bindings_file import Scope
from arcade.engine.input.keyboards import Keyboards
from tests.support.device_seats import Seat
from tests.support.plugs import Plugs

W, D, SPACE, ENTER, UP = 17, 32, 57, 28, 103  # of linux/input-event-codes.h


@pytest.fixture
def plugs(tmp_path):
    plugs = Plugs(tmp_path)
    yield plugs
    plugs.close()


@pytest.fixture
def two(plugs):
    """Two keyboards, a power button and a mouse, and somebody who listens."""
    plugs.plug("event0", name="Power Button", keys="10000000000000 0", pipe=False)
    plugs.plug("event1", name="Mouse", keys="ff0000 0 0 0 0", pipe=False)
    plugs.plug("event7", name="Small", phys="usb-1/input0")
    plugs.plug("event3", name="Large", phys="usb-2/input0")
    plugs.keyboards.refresh()
    plugs.keyboards.wanted.add(1)
    plugs.changes()
    return plugs


def test_what_can_be_typed_on_is_numbered_by_its_plug(two):
    assert [(device.word, device.name) for device in two.keyboards.present] == [
        ("keyboard:1", "Large"),
        ("keyboard:2", "Small"),
    ]
    assert two.keyboards.apart
    assert two.keyboards.why == ""


def test_keys_come_with_the_keyboard_they_were_pressed_on_and_repeats_are_none(two):
    two.key("event3", W, 1)
    two.key("event3", W, 2)
    two.key("event7", W, 1)
    two.key("event3", W, 0)
    assert two.changes() == [("keyboard:1", "w", True), ("keyboard:1", "w", False), ("keyboard:2", "w", True)]
    assert two.changes() == []


def test_nothing_is_heard_while_another_window_has_the_keyboard(two):
    two.key("event3", SPACE, 1)
    assert two.changes() == [("keyboard:1", "space", True)]
    two.focused = False
    two.key("event3", SPACE, 0)
    two.key("event3", ENTER, 1)
    assert two.changes() == []
    two.focused = True
    two.key("event3", ENTER, 0)
    two.key("event3", SPACE, 1)
    assert two.changes() == [("keyboard:1", "space", True)]


def test_nothing_is_open_while_nobody_listens(two):
    two.keyboards.wanted.clear()
    two.key("event3", W, 1)
    assert two.changes() == []


def test_keys_that_the_kernel_lost_are_let_go(two):
    two.key("event3", W, 1)
    two.key("event7", W, 1)
    two.send("event3", 0, 3, 0)  # SYN_DROPPED
    assert two.changes() == [("keyboard:1", "w", True), ("keyboard:1", "w", False), ("keyboard:2", "w", True)]


def test_an_event_in_two_pieces_is_one(two):
    data = struct.pack("llHHi", 0, 0, 1, UP, 1)
    os.write(two._pipes["event3"], data[:10])
    assert two.changes() == []
    os.write(two._pipes["event3"], data[10:])
    assert two.changes() == [("keyboard:1", "up", True)]


def test_a_keyboard_plugged_in_again_keeps_its_number(two):
    two.keyboards.close()
    two.unplug("event3")
    two.keyboards.refresh()
    assert [device.word for device in two.keyboards.present] == ["keyboard:2"]
    two.plug("event9", name="Large", phys="usb-2/input0")
    two.now += 3
    assert two.changes() == []
    two.key("event9", D, 1)
    assert two.changes() == [("keyboard:1", "d", True)]


def test_it_says_why_keyboards_are_not_told_apart(plugs, tmp_path):
    assert "second keyboard" in plugs.keyboards.why
    plugs.plug("event3", pipe=False)
    plugs.keyboards.refresh()
    assert str(tmp_path / "event3") in plugs.keyboards.why
    assert "group input" in plugs.keyboards.why
    elsewhere = Keyboards(listing=tmp_path / "none")
    elsewhere.refresh()
    assert "Linux" in elsewhere.why
    assert elsewhere.present == ()


def test_two_people_with_a_keyboard_each(turns, two):
    turns.engine.devices.keyboards = two.keyboards
    one, other = Seat(turns, "keyboard:1"), Seat(turns, "keyboard:2")
    two.key("event3", D, 1)
    two.key("event7", UP, 1)
    two.key("event7", UP, 0)
    turns.key(pygame.K_d)  # the window hears the same keys, and they must not count twice
    turns.tap(pygame.K_UP)
    assert (one.plays(), other.plays()) == ("right", "up")
    assert (one.plays(), other.plays()) == ("right", "nothing")
    two.key("event3", D, 0)
    assert one.plays() == "nothing"


def test_a_keyboard_that_nobody_named_is_heard_by_the_halves(turns, two):
    turns.engine.devices.keyboards = two.keyboards
    one, half = Seat(turns, "keyboard:1"), Seat(turns, "keyboard:arrows")
    two.key("event3", UP, 1)
    turns.key(pygame.K_UP)  # as the window hears it, from one keyboard or the other
    assert (one.plays(), half.plays()) == ("up", "nothing")
    two.key("event7", UP, 1)
    assert (one.plays(), half.plays()) == ("up", "up")


def test_a_keyboard_has_a_layout_of_its_own(turns, two):
    turns.engine.devices.keyboards = two.keyboards
    turns.engine.bindings.change(Scope(device="keyboard:2"), {"right": ["w"], "up": []})
    one, other = Seat(turns, "keyboard:1"), Seat(turns, "keyboard:2")
    two.key("event3", W, 1)
    two.key("event7", W, 1)
    assert (one.plays(), other.plays()) == ("up", "right")


def test_a_keyboard_that_is_not_there_is_refused_with_the_reason(turns, plugs):
    turns.engine.devices.keyboards = plugs.keyboards
    seat = Seat(turns, "keyboard:wasd").spec
    with pytest.raises(SeatError, match="second keyboard"):
        make_devices(turns.engine.devices)["keyboard"](parse_seat("keyboard:1"), seat)
    with pytest.raises(SeatError, match="N = 1, 2"):
        parse_seat("keyboard:0")


def test_two_that_cannot_be_told_by_name_and_plug_keep_to_their_own_files(plugs):
    plugs.keyboards.wanted.add(1)
    for file in ("event4", "event5"):
        plugs.plug(file, phys="the same")
    for _ in range(2):  # each look finds both
        plugs.keyboards.refresh()
        plugs.changes()
    plugs.key("event5", W, 1)
    assert plugs.changes() == [("keyboard:2", "w", True)]
    plugs.unplug("event4")
    plugs.changes()
    plugs.keyboards.refresh()
    plugs.key("event5", W, 0)
    assert plugs.changes() == [("keyboard:2", "w", False)]
