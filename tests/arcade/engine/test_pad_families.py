"""Hints show the buttons of the pad in hand: by its family, or as the user wants them."""

from __future__ import annotations

import pygame
import pytest

from arcade.engine.input.events import Device
from arcade.engine.input.key_bindings import KeyBindings
from arcade.engine.input.pad_families import button_name, family_of
from arcade.engine.ui.glyphs import glyph
from arcade.engine.ui.theme import Theme


@pytest.mark.parametrize(
    ("name", "guid", "family"),
    [
        ("Xbox 360 Controller", "030000005e0400008e02000014010000", "xbox"),
        ("Wireless Controller", "030000004c050000cc09000000010000", "playstation"),
        ("DualSense Edge", "", "playstation"),
        ("Nintendo Switch Pro Controller", "030000007e0500000920000011010000", "nintendo"),
        ("Odd pad", "0300000012340000abcd000011010000", "xbox"),
    ],
)
def test_a_pad_is_known_by_its_vendor_or_its_name(name, guid, family):
    assert family_of(Device("gamepad", "0", name, guid)) == family


def test_buttons_have_the_names_of_their_family():
    assert [button_name("playstation", one) for one in ("a", "b", "l", "rt+")] == ["Cross", "Circle", "L1", "R2"]
    assert [button_name("xbox", one) for one in ("a", "l", "rt+", "leftstick")] == [
        "A",
        "LB",
        "RT",
        "Left stick pressed",
    ]
    assert [button_name("nintendo", one) for one in ("a", "b", "x", "start")] == ["B", "A", "Y", "+"]


def test_no_direction_has_the_name_of_a_button():
    """PlayStation pads have a button called Cross."""
    faces = {button_name("playstation", one) for one in ("a", "b", "x", "y")}
    ways = [button_name("playstation", one) for one in ("up", "down", "left", "right")]
    assert ways == ["D-pad up", "D-pad down", "D-pad left", "D-pad right"]
    assert not {way.split()[0] for way in ways} & faces


def test_a_nintendo_pad_is_shown_with_its_own_letters(monkeypatch):
    pad = Device("gamepad", "0", "Nintendo Switch Pro Controller")
    monkeypatch.delenv("SDL_GAMECONTROLLER_USE_BUTTON_LABELS", raising=False)
    assert button_name("nintendo", "a", pad) == "A"
    monkeypatch.setenv("SDL_GAMECONTROLLER_USE_BUTTON_LABELS", "0")  # SDL goes by the places of the buttons
    assert button_name("nintendo", "a", pad) == "B"


def test_texts_name_the_buttons_of_the_pad():
    bindings = KeyBindings()
    bindings.family = "playstation"
    assert bindings.fill_in("{enter} or {a}") == "Enter or Cross"
    bindings.family = "xbox"
    assert bindings.fill_in("{enter} or {a}") == "Enter or A"


def test_the_same_button_looks_different_on_each_family():
    pygame.font.init()
    theme = Theme()
    pictures = {
        pygame.image.tobytes(glyph(theme, family, "a", "A"), "RGBA")
        for family in ("xbox", "playstation", "nintendo", "keyboard")
    }
    assert len(pictures) == 4
