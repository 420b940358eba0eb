"""Settings: each row changes what it says, at once, and is kept."""

from __future__ import annotations

import pygame

from arcade.engine import theme
from arcade.engine.widgets import Button, Choice, Slider, TextField, Toggle, Widget
from arcade.scenes.screen import Screen

ROW = pygame.Rect(200, 112, 880, 52)
SIZES = ((960, 540), (1280, 720), (1600, 900), (1920, 1080), (2560, 1440))


class SettingsScene(Screen):
    """The words beside the rows are those of arcade.settings."""

    heading = "Settings"

    def widgets(self) -> list[Widget]:
        settings = self.engine.settings
        rects = [ROW.move(0, place * (ROW.h + 8)) for place in range(9)]
        sizes = self._sizes()
        return [
            TextField(
                rects[0], "Your name", value=settings.player_name, limit=24, change=self._name, editing=self._edit,
                hint="In the match, the results and on the ladder",
            ),
            Slider(rects[1], "Volume", value=settings.volume, step=0.1, change=self._volume, hint="Of all sounds"),
            self._toggle(rects[2], "Mute", "mute", "No sound at all"),
            self._toggle(rects[3], "Fullscreen", "fullscreen", "Fill the screen; F11 does it anywhere"),
            Choice(
                rects[4], "Window", [f"{width} x {height}" for width, height in sizes], index=self._size_index(sizes),
                change=lambda index: self._resize(*sizes[index]), hint="Size of the window when not fullscreen",
            ),
            self._toggle(rects[5], "Whole pixels", "whole_pixels", "Sharp games, maybe smaller"),
            self._toggle(rects[6], "Names and scores", "show_hud", "Around the picture of a match"),
            self._toggle(rects[7], "Pause in the background", "pause_unfocused", "When the window loses the keyboard"),
            self._toggle(rects[8], "Record matches", "record_matches", "Keep a replay of every match from the next on"),
            Button((1240 - 120, 28, 120, 48), "Back", self.back, hint="To where you came from"),
        ]  # fmt: skip

    def leave(self) -> None:
        self.engine.text_entry = False

    def draw_page(self, canvas: pygame.Surface) -> None:
        words = "Changes hold at once and are kept"
        theme.draw_text(canvas, words, (theme.MARGIN + 210, 48), colour=theme.MUTED)

    def _toggle(self, rect: pygame.Rect, words: str, field: str, hint: str) -> Toggle:
        on = bool(getattr(self.engine.settings, field))
        return Toggle(rect, words, on=on, change=lambda value: self._set(**{field: value}), hint=hint)

    def _set(self, **fields: object) -> None:
        self.engine.apply(self.engine.settings.changed(**fields))

    def _volume(self, value: float) -> None:
        self._set(volume=value)
        self.engine.sound.play("hit")

    def _name(self, value: str) -> None:
        if value.strip():
            self._set(player_name=value.strip())

    def _edit(self, on: bool) -> None:
        self.engine.text_entry = on

    def _sizes(self) -> list[tuple[int, int]]:
        """The usual sizes and the present one."""
        present = (self.engine.settings.window_width, self.engine.settings.window_height)
        return sorted({*SIZES, present})

    def _size_index(self, sizes: list[tuple[int, int]]) -> int:
        return sizes.index((self.engine.settings.window_width, self.engine.settings.window_height))

    def _resize(self, width: int, height: int) -> None:
        self._set(window_width=width, window_height=height)
