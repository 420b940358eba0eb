"""PAGES: the pages of the settings; each shows the rows of the settings that are declared for it, and may add one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from arcade.engine.ui import theme
from arcade.scenes import routes
from arcade.scenes.settings.rows import Row, SettingsRows
from arcade.session.settings import Page


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """One page."""

    title: str
    hint: str
    more: Callable[[SettingsRows], Row] | None = None  # a last row that is no single setting
    draw_sample: Callable[[pygame.Surface, pygame.Rect], None] | None = None  # beside the rows, below the hint

    def rows(self, rows: SettingsRows) -> list[Row]:
        """Make all rows of the page."""
        return rows.of_page(self.title) + ([self.more(rows)] if self.more is not None else [])


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
    for words, colour in samples:
        left = theme.draw_text(canvas, words, (left, top + 108), colour=colour, bold=True).right + 22
    grounds = pygame.Rect(area.left, top + 152, area.w, 62)
    pygame.draw.rect(canvas, theme.GROUND, grounds, border_radius=theme.RADIUS)
    theme.draw_focus(canvas, grounds.inflate(-24, -24))
    theme.draw_text(canvas, "Focus", grounds.center, size=theme.SMALL, anchor="center")


PAGES = (
    SettingsPage(Page.GENERAL, "When matches start and pause."),
    SettingsPage(Page.DISPLAY, "Colours, sizes and the window.", SettingsRows.window_size, _draw_colours),
    SettingsPage(Page.HUD, "What is shown around the picture of a match."),
    SettingsPage(
        Page.INPUT, "Keyboards, gamepads and sticks.", lambda rows: rows.scene(
            "Keys and buttons", "Change keys and buttons for each device, game and seat, and in menus.",
            routes.KeyBindings(),
        )
    ),
    SettingsPage(Page.SOUND, "Volume and captions."),
    SettingsPage(
        Page.PEOPLE, "Names of the players.", lambda rows: rows.scene(
            "Other people", "Their names, and whether recordings may name them.", routes.People()
        )
    ),
    SettingsPage(Page.RECORDING, "Which matches are recorded, and how."),
)  # fmt: skip
