"""The pages of the settings: which rows stand on each, and what is drawn beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from arcade.engine.ui import theme
from arcade.match.recording.options import OBSERVATIONS, SEATS
from arcade.palettes import PALETTES
from arcade.scenes import routes
from arcade.scenes.hud.pieces import PIECES
from arcade.scenes.settings.rows import Row, SettingsRows
from arcade.session.settings import OPPOSITES

SIZES = ((960, 540), (1280, 720), (1600, 900), (1920, 1080), (2560, 1440))


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """One page."""

    title: str
    hint: str
    rows: Callable[[SettingsRows], list[Row]]
    draw_sample: Callable[[pygame.Surface, pygame.Rect], None] | None = None  # beside the rows, below the hint


def _general(rows: SettingsRows) -> list[Row]:
    return [
        rows.toggle(
            "pause_unfocused", "Pause in the background", "A match stands still while the keyboard belongs to another "
            "window.",
        ),
        rows.toggle(
            "attract", "Games on the title", "When nobody has touched anything for half a minute, machines play "
            "different games in turn. Any press ends it.",
        ),
    ]  # fmt: skip


def _people(rows: SettingsRows) -> list[Row]:
    return [
        rows.name("Your name", "In the match, the results and on the ladder."),
        rows.toggle(
            "name_recordings", "Your name in recordings", "Off: recordings and data sets made of them say “person 1”. "
            "Results and the ladder of this machine name you all the same.",
        ),
        rows.scene("Others who play here", "Their names, and whether recordings may name them.", routes.People()),
    ]  # fmt: skip


def _recording(rows: SettingsRows) -> list[Row]:
    return [
        rows.toggle(
            "record_matches", "Record matches", "A replay of every match, to see it again, to share it and to train "
            "from it; from the next match on.",
        ),
        rows.slider(
            "replay_gigabytes", "Room", "For replays that nobody keeps: beyond it the oldest go when the window opens. "
            "Those that you keep stay.", low=0.5, high=20, step=0.5, show=lambda value: f"{value:g} GB",
        ),
        rows.choice(
            "record_observations", "What seats saw", "Auto: where a game cannot be played again exactly, as the rest "
            "follows from seed and moves. Always makes large files.", OBSERVATIONS,
        ),
        rows.choice("record_seats", "Of which seats", "Whose view such a replay holds: all, or people's alone.", SEATS),
    ]  # fmt: skip


def _display(rows: SettingsRows) -> list[Row]:
    return [
        rows.choice(
            "palette", "Colours", "All of them can be told apart with every common kind of colour blindness.",
            tuple(PALETTES),
        ),
        rows.slider(
            "ui_scale", "Size", "Of text and controls. F3, or a gamepad's right stick, looks around an enlarged page.",
            low=1, high=3, step=0.25, show=lambda value: f"{value:g} x",
        ),
        rows.toggle(
            "reduce_flashing", "Reduce flashing", "Quick changes of brightness in large parts of a game's picture are "
            "softened.",
        ),
        rows.toggle("fullscreen", "Fullscreen", "Fills the screen. F11 does it anywhere."),
        rows.window("Window", "The size of the window when it does not fill the screen.", SIZES),
        rows.toggle(
            "whole_pixels", "Whole pixels", "Games are enlarged by whole numbers where that fills most of the "
            "room: sharper, and a little smaller."
        ),
    ]  # fmt: skip


def _hud(rows: SettingsRows) -> list[Row]:
    return [rows.toggle(field, words, f"{hint}.") for field, words, hint in PIECES]


def _input(rows: SettingsRows) -> list[Row]:
    return [
        rows.choice(
            "opposites", "Left and right at once", "Which of two opposite directions counts while both are held: the "
            "newest, the first, or neither (neutral).", OPPOSITES,
        ),
        rows.slider(
            "stick_dead_zone", "Stick dead zone", "How far a stick may lean before it counts. More helps where a "
            "character moves by itself.", low=0, high=0.9, step=0.05,
        ),
        rows.slider(
            "stick_curve", "Stick curve", "Above 1 small movements of a stick do less, for a fine hand; below 1 they "
            "do more.", low=0.25, high=4, step=0.25, show=lambda value: f"{value:g}",
        ),
        rows.scene(
            "Keys and buttons", "Which key or button does what: for every device, game and seat, and in menus.",
            routes.KeyBindings(),
        ),
    ]  # fmt: skip


def _sound(rows: SettingsRows) -> list[Row]:
    return [
        rows.slider("volume", "Volume", "Of all sounds.", low=0, high=1, step=0.1, sound=True),
        rows.toggle("mute", "Mute", "No sound at all."),
        rows.toggle("captions", "Captions", "Says in words which sound is heard."),
    ]


def _draw_colours(canvas: pygame.Surface, area: pygame.Rect) -> None:
    """The teams' colours, and text as it stands on each ground."""
    top = area.top + 170
    theme.draw_text(canvas, "Teams", (area.left, top), size=theme.SMALL, colour=theme.MUTED)
    step = area.w // len(theme.TEAMS)
    for place, colour in enumerate(theme.TEAMS):
        plate = pygame.Rect(area.left + place * step, top + 32, step - 8, 44)
        pygame.draw.rect(canvas, colour, plate, border_radius=8)
        theme.draw_text(canvas, str(place + 1), plate.center, colour=theme.GROUND, bold=True, anchor="center")
    samples = (("Text", theme.INK), ("Second text", theme.MUTED), ("Good", theme.GREEN), ("Waiting", theme.YELLOW),
               ("Warning", theme.WARNING))  # fmt: skip
    left = area.left
    for words, colour in samples:
        left = theme.draw_text(canvas, words, (left, top + 108), colour=colour, bold=True).right + 22
    grounds = pygame.Rect(area.left, top + 152, area.w, 62)
    pygame.draw.rect(canvas, theme.GROUND, grounds, border_radius=theme.RADIUS)
    theme.draw_focus(canvas, grounds.inflate(-24, -24))
    theme.draw_text(canvas, "What has the focus", grounds.center, size=theme.SMALL, anchor="center")


PAGES = (
    SettingsPage("General", "How matches begin and stand still.", _general),
    SettingsPage("Display", "Colours, sizes and the window.", _display, _draw_colours),
    SettingsPage("HUD", "What stands around the picture of a match.", _hud),
    SettingsPage("Input", "Keyboards, gamepads and sticks.", _input),
    SettingsPage("Sound", "What is heard.", _sound),
    SettingsPage("People", "Who plays here.", _people),
    SettingsPage("Recording", "What is kept of matches.", _recording),
)
