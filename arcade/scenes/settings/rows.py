"""SettingsRows: the rows of the settings pages, from the declarations of settings and HUD pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pygame

from arcade.engine.ui.widgets import Button, Choice, Slider, TextField, Toggle, Widget
from arcade.engine.window.scene import Host, Route
from arcade.scenes import routes
from arcade.scenes.hud.piece import HudPiece
from arcade.scenes.hud.pieces import PIECES
from arcade.session.settings import Page, Setting, Settings, declared

SIZES = ((960, 540), (1280, 720), (1600, 900), (1920, 1080), (2560, 1440))
"""Sizes of the window to choose from."""

Row = Callable[[pygame.Rect], Widget]
"""Makes a row in that rectangle."""


def place_rows(rows: Sequence[Row], first: pygame.Rect, *, bottom: int, gap: int = 8) -> list[Widget]:
    """Make the rows one below the other, with less height where they would reach below `bottom`."""
    step = min(first.h + gap, (bottom + gap - first.top) // max(1, len(rows)))
    return [make(pygame.Rect(first.left, first.top + n * step, first.w, step - gap)) for n, make in enumerate(rows)]


class SettingsRows:
    """Each row shows the present value and applies each change at once."""

    def __init__(self, engine: Host, *, refresh: Callable[[], None]) -> None:
        """`refresh` is called when a row no longer shows the value of its setting."""
        self._engine, self._refresh = engine, refresh

    @property
    def settings(self) -> Settings:
        """The present values."""
        settings: Settings = self._engine.settings
        return settings

    def of_page(self, page: str) -> list[Row]:
        """Make the row of every setting of the page; on the HUD page those of its pieces too."""
        found = [setting for setting in declared(type(self.settings)) if setting.page == page]
        pieces = PIECES if page == Page.HUD else ()
        return [*map(self._row, found), *map(self._piece, pieces)]

    def window_size(self) -> Row:
        """The size of the window: SIZES and the present one."""
        present = self.settings.window_width, self.settings.window_height
        sizes = sorted({*SIZES, present})
        return lambda rect: Choice(
            rect, "Window", [f"{width} x {height}" for width, height in sizes], index=sizes.index(present),
            change=lambda chosen: self._set(window_width=sizes[chosen][0], window_height=sizes[chosen][1]),
            hint="When it does not fill the screen.",
        )  # fmt: skip

    def scene(self, words: str, hint: str, route: Route) -> Row:
        """A button to another screen."""
        return lambda rect: Button(rect, words, lambda: self._engine.push(route), hint=hint)

    def _row(self, setting: Setting) -> Row:
        if setting.choices:
            return self._choice(setting)
        return {bool: self._toggle, str: self._text}.get(setting.kind, self._slider)(setting)

    def _value(self, setting: Setting) -> Any:
        return getattr(self.settings, setting.name)

    def _set(self, **fields: object) -> None:
        self._engine.apply(self.settings.changed(**fields))

    def _piece(self, piece: type[HudPiece]) -> Row:
        return lambda rect: Toggle(
            rect, piece.label, on=piece.is_on(self.settings), hint=piece.help,
            change=lambda on: self._engine.apply(piece.turned(self.settings, on)),
        )  # fmt: skip

    def _toggle(self, setting: Setting) -> Row:
        return lambda rect: Toggle(
            rect, setting.label, on=self._value(setting), hint=setting.hint,
            change=lambda on: self._set(**{setting.name: on}),
        )  # fmt: skip

    def _choice(self, setting: Setting) -> Row:
        return lambda rect: Choice(
            rect, setting.label, [option.capitalize() for option in setting.choices], hint=setting.hint,
            index=setting.choices.index(self._value(setting)),
            change=lambda chosen: self._set(**{setting.name: setting.choices[chosen]}),
        )  # fmt: skip

    def _slider(self, setting: Setting) -> Row:
        low, high, step = setting.span

        def change(chosen: float) -> None:
            self._set(**{setting.name: setting.kind(chosen)})
            if setting.page == Page.SOUND:
                self._engine.sound.play("hit")

        return lambda rect: Slider(
            rect, setting.label, value=min(high, max(low, self._value(setting))), low=low, high=high, step=step,
            show=setting.shown.format, change=change, hint=setting.hint,
        )  # fmt: skip

    def _text(self, setting: Setting) -> Row:
        """An empty text changes nothing."""
        value = self._value(setting)

        def accept(typed: str) -> None:
            if typed:
                self._set(**{setting.name: typed})
                self._refresh()

        route = routes.EnterText(setting.label, value, accept, int(setting.high), setting.hint)
        press = partial(self._engine.push, route)
        return lambda rect: TextField(rect, setting.label, value=value, press=press, hint=setting.hint)
