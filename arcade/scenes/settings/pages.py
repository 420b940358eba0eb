"""PAGES: the pages of the settings, a row for each setting and HUD piece that is declared for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.widgets import UNPLACED, Button, Choice, Slider, TextField, Toggle, Widget
from arcade.engine.window.scene import Host, Route
from arcade.scenes import routes
from arcade.scenes.hud.piece import HudPiece
from arcade.scenes.hud.pieces import PIECES
from arcade.session.settings import Page, Setting, declared

SIZES = ((960, 540), (1280, 720), (1600, 900), (1920, 1080), (2560, 1440))
"""Sizes of the window to choose from."""


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """One page."""

    title: str
    hint: str
    more: Callable[[Host], Widget] | None = None  # makes a last row that is no single setting
    draw_sample: Callable[[pygame.Surface, pygame.Rect], None] | None = None  # beside the rows, below the hint

    def rows(self, host: Host, refresh: Callable[[], None]) -> list[Widget]:
        """Make all rows of the page."""
        rows = setting_rows(self.title, host, refresh)
        return [*rows, self.more(host)] if self.more is not None else rows


def setting_rows(page: str, host: Host, refresh: Callable[[], None]) -> list[Widget]:
    """Make the row of every setting of the page, on the HUD page of its pieces too.

    Each shows the present value and applies each change at once; `refresh` is called when a row no longer shows it.
    """
    found = [setting for setting in declared(type(host.settings)) if setting.page == page]
    pieces = PIECES if page == Page.HUD else ()
    return [*(_setting_row(one, host, refresh) for one in found), *(_piece_row(piece, host) for piece in pieces)]


def _setting_row(setting: Setting, host: Host, refresh: Callable[[], None]) -> Widget:
    value, options = getattr(host.settings, setting.name), setting.choices

    def change(new: Any) -> None:
        host.apply(host.settings.changed(**{setting.name: new}))

    if options:
        return Choice(
            UNPLACED, setting.label, setting.choice_labels, index=options.index(value),
            change=lambda chosen: change(options[chosen]), hint=setting.hint,
        )  # fmt: skip
    if setting.kind is bool:
        return Toggle(UNPLACED, setting.label, on=value, change=change, hint=setting.hint)
    if setting.kind is str:
        return _text_row(setting, host, change, refresh)
    low, high, step = setting.span
    return Slider(
        UNPLACED, setting.label, value=min(high, max(low, value)), low=low, high=high, step=step,
        show=setting.shown.format, change=partial(_slide, setting, host, change), hint=setting.hint,
    )  # fmt: skip


def _slide(setting: Setting, host: Host, change: Callable[[Any], None], value: float) -> None:
    change(setting.kind(value))
    if setting.page == Page.SOUND:
        host.sound.play("hit")


def _text_row(setting: Setting, host: Host, change: Callable[[Any], None], refresh: Callable[[], None]) -> Widget:
    """An empty text changes nothing."""
    value = getattr(host.settings, setting.name)

    def accept(typed: str) -> None:
        if typed:
            change(typed)
            refresh()

    route = routes.EnterText(setting.label, value, accept, int(setting.high), setting.hint)
    return TextField(UNPLACED, setting.label, value=value, press=partial(host.push, route), hint=setting.hint)


def _piece_row(piece: type[HudPiece], host: Host) -> Widget:
    return Toggle(
        UNPLACED, piece.label, on=piece.is_on(host.settings), hint=piece.help,
        change=lambda on: host.apply(piece.turned(host.settings, on)),
    )  # fmt: skip


def _window_size(host: Host) -> Widget:
    """The size of the window: SIZES and the present one."""
    present = host.settings.window_width, host.settings.window_height
    sizes = sorted({*SIZES, present})

    def change(chosen: int) -> None:
        width, height = sizes[chosen]
        host.apply(host.settings.changed(window_width=width, window_height=height))

    names = [f"{width} x {height}" for width, height in sizes]
    hint = "When it does not fill the screen."
    return Choice(UNPLACED, "Window", names, index=sizes.index(present), change=change, hint=hint)


def _opens(route: Route, label: str, hint: str) -> Callable[[Host], Widget]:
    """A button to another screen."""
    return lambda host: Button(UNPLACED, label, lambda: host.push(route), hint=hint)


def _draw_colours(canvas: pygame.Surface, area: pygame.Rect) -> None:
    """Draw the teams' colours, and text on each background."""
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
    for label, colour in samples:
        left = theme.draw_text(canvas, label, (left, top + 108), colour=colour, bold=True).right + 22
    grounds = pygame.Rect(area.left, top + 152, area.w, 62)
    pygame.draw.rect(canvas, theme.GROUND, grounds, border_radius=theme.RADIUS)
    theme.draw_focus(canvas, grounds.inflate(-24, -24))
    theme.draw_text(canvas, "Focus", grounds.center, size=theme.SMALL, anchor="center")


_BINDINGS = _opens(
    routes.KeyBindings(), "Keys and buttons", "Change keys and buttons for each device, game and seat, and in menus."
)
_PEOPLE = _opens(routes.People(), "Other people", "Their names, and whether recordings may name them.")

PAGES = (
    SettingsPage(Page.GENERAL, "When matches start and pause."),
    SettingsPage(Page.DISPLAY, "Colours, sizes and the window.", _window_size, _draw_colours),
    SettingsPage(Page.HUD, "What is shown around the picture of a match."),
    SettingsPage(Page.INPUT, "Keyboards, gamepads and sticks.", _BINDINGS),
    SettingsPage(Page.SOUND, "Volume and captions."),
    SettingsPage(Page.PEOPLE, "Names of the players.", _PEOPLE),
    SettingsPage(Page.RECORDING, "Which matches are recorded, and how."),
)
