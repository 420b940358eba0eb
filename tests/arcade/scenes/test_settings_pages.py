"""Settings, page by page: everything can be set there, by every device, and does what it says."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pygame
import pytest

from agents.files import folder
from arcade.engine.input.default_bindings import KEYBOARD
from arcade.engine.input.events import MenuInput, TextInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Choice, Slider, TextField, Toggle
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.tables import DataTable
from arcade.engine.ui.texts import Picture
from arcade.palettes import PALETTES
from arcade.scenes.hud.pieces import PIECES
from arcade.scenes.settings import samples
from arcade.scenes.settings.pages import PAGES
from arcade.session.settings import load_settings


@pytest.fixture
def settings(sit, keyboard):
    """A sitting on the settings, and a hand on the keyboard."""
    sitting = sit()
    keyboard(sitting).choose("Settings")
    assert sitting.on == "SettingsScene"
    return sitting


def change(widget, engine) -> None:
    """Set it to something else."""
    match widget:
        case Toggle():
            widget.pressed()
        case Choice():
            widget.step(1)
        case Slider():
            widget.set(widget.low if widget.value == widget.high else widget.high)
        case TextField():
            widget.pressed()
            engine.feed(TextInput("!"))
            engine.feed(MenuInput("accept", KEYBOARD["wasd"]))


def page_of(title: str):
    return next(page for page in PAGES if page.title == title)


def test_sounds_are_heard_from_the_page_of_sound(settings, mouse) -> None:
    settings.engine.scene.turn_to(page_of("Sound"))
    settings.frame(2)
    before = settings.engine.sound.played.get("win", 0)
    mouse(settings).choose("Fanfare: won")
    assert settings.engine.sound.played["win"] == before + 1


def test_a_sound_to_try_is_heard_alone(settings, keyboard) -> None:
    settings.engine.scene.turn_to(page_of("Sound"))
    hand = keyboard(settings)
    settings.engine.scene.focus.focus(settings.widget("Fanfare: won"))
    before = dict(settings.engine.sound.played)
    hand.press("accept")
    news = {name: count - before.get(name, 0) for name, count in settings.engine.sound.played.items()}
    assert {name: count for name, count in news.items() if count} == {"win": 1}


def test_the_folder_of_recordings_opens_from_the_page_of_recording(settings, mouse, monkeypatch) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(samples, "open_folder", lambda path: opened.append(path) or "Opened")
    settings.engine.scene.turn_to(page_of("Recording"))
    settings.frame(2)
    mouse(settings).choose("Open the folder")
    assert opened == [folder("replays")]
    assert settings.engine.toasts.messages == ("Opened",)


def test_the_picture_on_the_page_of_display_follows_its_settings(settings) -> None:
    engine = settings.engine
    engine.scene.turn_to(page_of("Display"))
    shown: list[bytes] = []
    for shape, whole in (("tv", True), ("tv", False), ("square", True), ("square", False)):
        engine.apply(engine.settings.changed(picture_shape=shape, whole_pixels=whole), save=False)
        settings.frame(3)
        [picture] = (widget for widget in engine.scene.tree.walk() if isinstance(widget, Picture))
        shown.append(pygame.image.tobytes(engine.canvas.subsurface(picture.rect), "RGB"))
    assert len(set(shown)) == 4


def test_every_setting_has_its_row_and_is_kept(settings) -> None:
    engine, changed = settings.engine, set()
    for page in PAGES:
        engine.scene.turn_to(page)
        for place in range(len(engine.scene.focus.widgets)):
            before = asdict(engine.settings)
            change(engine.scene.focus.widgets[place], engine)
            settings.frame()
            changed |= {name for name, value in asdict(engine.settings).items() if value != before[name]}
    assert changed == set(asdict(engine.settings))
    assert set(engine.settings.hud) == {piece.name for piece in PIECES}
    engine._writer.flush()
    assert load_settings() == (engine.settings, "")


def test_pages_turn_by_button_and_by_shoulder(settings, make_hand) -> None:
    hand = make_hand(settings)
    hand.choose("Display")
    assert settings.engine.scene.page.title == "Display"
    settings.widget("Fullscreen")
    if hasattr(hand, "pad"):
        hand.press("r")
        assert settings.engine.scene.page.title == "Accessibility"
        settings.widget("Narrator")


def test_another_palette_paints_the_page_at_once(settings, keyboard) -> None:
    hand = keyboard(settings)
    hand.choose("Accessibility")
    corner = settings.engine.canvas.get_at((4, 715))[:3]
    hand.reach(settings.widget("Colours"))
    hand.press("right")
    assert settings.engine.settings.palette == "daylight"
    assert settings.engine.canvas.get_at((4, 715))[:3] == PALETTES["daylight"].ground != corner


def test_the_size_is_drawn_by_the_mouse_and_its_row_stays_in_sight(settings, mouse) -> None:
    hand = mouse(settings)
    hand.choose("Accessibility")
    bar = settings.widget("Text size")._bar
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        pygame.event.post(pygame.event.Event(kind, pos=bar.center, button=1))
        settings.frame(2)
    assert settings.engine.settings.ui_scale == 2.0
    row = settings.widget("Text size")
    assert settings.engine.scene.focus.focused is row
    assert settings.engine.canvas.get_rect().contains(row.rect)


@pytest.mark.parametrize("hand", ["keyboard", "pad", "mouse"])
def test_your_name_is_given_by_each_device(settings, hand, request) -> None:
    hand = request.getfixturevalue(hand)(settings)
    hand.choose("General")
    hand.choose("Your name")
    assert settings.on == "TextEntryScene"
    for key in ("Clear", "ABC", "A", "abc", "d", "a", "Done"):
        hand.choose(key)
    assert settings.engine.settings.player_name == "Ada"
    assert settings.widget("Your name").value_text == "Ada"
    if hasattr(hand, "pad"):
        hand.pad.detach()


@pytest.mark.parametrize("language", ["en", "de", "pseudo"])
def test_all_text_of_the_pages_has_room(settings, language) -> None:
    settings.engine.apply(settings.engine.settings.changed(language=language))
    settings.frame()
    themes.clipped_texts.clear()
    for page in PAGES:
        settings.engine.scene.turn_to(page)
        settings.frame()
    assert list(themes.clipped_texts) == []


def test_a_page_is_reset_once_it_was_asked_about(settings, make_hand) -> None:
    hand = make_hand(settings)
    settings.engine.apply(settings.engine.settings.changed(volume=0.2, mute=True, palette="daylight"))
    hand.choose("Sound")
    hand.choose("Reset")
    assert settings.on == "PickScene"
    hand.pick_row(0)
    assert settings.on == "ConfirmScene"
    assert "The settings on this page get their defaults." in settings.engine.scene.texts
    hand.choose("No")
    assert settings.engine.settings.volume == 0.2
    hand.choose("Reset")
    hand.pick_row(0)
    hand.choose("Reset")
    assert (settings.engine.settings.volume, settings.engine.settings.mute) == (0.7, False)
    assert settings.engine.settings.palette == "daylight"
    assert not settings.widget("Mute").on
    settings.engine.apply(settings.engine.settings.changed(captions=True))
    hand.choose("Undo")
    assert (settings.engine.settings.volume, settings.engine.settings.mute) == (0.2, True)
    assert settings.engine.settings.captions, "what was changed since the reset stays"
    settings.frame(2)
    assert settings.widget("Mute").on
    assert "Undo" not in [widget.label for widget in settings.engine.scene.focus.widgets], "there is one undo"
    if hasattr(hand, "pad"):
        hand.pad.detach()


def test_the_narrator_says_why_nothing_is_read(settings, keyboard, monkeypatch) -> None:
    monkeypatch.setenv("PATH", "")
    hand = keyboard(settings)
    hand.choose("Accessibility")
    hand.choose("Narrator")
    settings.frame(2)
    assert settings.engine.scene.focus.hint.startswith("No voice found"), "as long as the switch has the focus"
    hand.choose("Narrator")
    assert settings.engine.scene.focus.hint.startswith("Reads screens")


def test_about_names_the_licences_and_the_data_folder(settings, keyboard, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("shutil.which", lambda program: None)
    hand = keyboard(settings)
    hand.choose("About")
    table = next(w for w in settings.engine.scene.focus.widgets if isinstance(w, DataTable))
    licences = {row[0]: row[2] for row in table.rows}
    assert licences["PettingZoo Arcade"] == "MIT"
    assert "LGPL" in licences["pygame-ce"]
    hand.choose("Open the data folder")
    assert str(tmp_path) in settings.engine.toasts.messages[-1]


def test_hints_show_the_buttons_of_the_device_used_last_or_those_that_are_wanted(settings, keyboard, pad) -> None:
    engine, hand = settings.engine, pad(settings)
    hand.press("down")
    assert engine.hint_family == "xbox"
    before = pygame.image.tobytes(engine.canvas, "RGB")
    engine.apply(engine.settings.changed(button_glyphs="playstation"))
    settings.frame()
    assert engine.bindings.fill_in("{a}") == "Cross"
    assert pygame.image.tobytes(engine.canvas, "RGB") != before
    engine.apply(engine.settings.changed(button_glyphs="auto"))
    keyboard(settings).press("down")
    assert engine.hint_family == "keyboard"
    hand.pad.detach()


def test_a_name_is_typed_by_pad_with_larger_text_and_every_key_in_sight(settings, pad) -> None:
    settings.engine.apply(settings.engine.settings.changed(ui_scale=1.5))
    hand = pad(settings)
    hand.choose("Your name")
    settings.frame(20)
    box = settings.engine.scene.box.rect
    keys = [widget for widget in settings.engine.scene.focus.widgets if len(widget.label) == 1]
    views = [widget for widget in settings.engine.scene.tree.walk() if isinstance(widget, Scroll)]
    assert len(keys) == 40
    assert all(box.contains(key.rect) and all(view.rect.contains(key.rect) for view in views) for key in keys)
    for key in ("Clear", "ABC", "Z", "abc", "o", "e", "Done"):
        hand.choose(key)
    assert settings.engine.settings.player_name == "Zoe"


def test_a_setting_that_may_be_empty_is_emptied(settings, keyboard) -> None:
    settings.engine.apply(settings.engine.settings.changed(relay="relay.example:5555"))
    hand = keyboard(settings)
    for label in ("Relay server", "Clear", "Done"):
        hand.choose(label)
    assert settings.engine.settings.relay == ""
    for label in ("Your name", "Clear", "Done"):
        hand.choose(label)
    assert settings.engine.settings.player_name == "Player"
