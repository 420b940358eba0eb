"""SettingsRows: makes the rows of settings pages, each tied to the fields that it changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from arcade.engine.ui.widgets import Button, Choice, Slider, TextField, Toggle, Widget
from arcade.engine.window.engine import Engine
from arcade.engine.window.route import Route
from arcade.scenes import routes
from arcade.session.people import LONGEST

Row = Callable[[pygame.Rect], Widget]
"""Makes a row in that rectangle."""


class SettingsRows:
    """Every method is a row for one field, with what the settings now are."""

    def __init__(self, engine: Engine, *, refresh: Callable[[], None]) -> None:
        """`refresh` is called when a row shows no more what is set."""
        self.engine, self._refresh = engine, refresh

    def toggle(self, field: str, words: str, hint: str) -> Row:
        """On or off."""
        on = bool(getattr(self.engine.settings, field))
        return lambda rect: Toggle(rect, words, on=on, change=lambda value: self._set(**{field: value}), hint=hint)

    def choice(self, field: str, words: str, hint: str, options: Sequence[str]) -> Row:
        """One of several words."""
        index = list(options).index(getattr(self.engine.settings, field))
        shown = [option.capitalize() for option in options]

        def change(chosen: int) -> None:
            self._set(**{field: options[chosen]})

        return lambda rect: Choice(rect, words, shown, index=index, change=change, hint=hint)

    def slider(
        self, field: str, words: str, hint: str, *, low: float, high: float, step: float,
        show: Callable[[float], str] = lambda value: f"{value:.0%}", sound: bool = False,
    ) -> Row:  # fmt: skip
        """A number; `sound` lets it be heard."""
        value = min(high, max(low, getattr(self.engine.settings, field)))

        def change(chosen: float) -> None:
            self._set(**{field: chosen})
            if sound:
                self.engine.sound.play("hit")

        return lambda rect: Slider(
            rect, words, value=value, low=low, high=high, step=step, show=show, change=change, hint=hint
        )

    def name(self, words: str, hint: str) -> Row:
        """The player's name; an empty one changes nothing."""

        def change(value: str) -> None:
            if value.strip():
                self._set(player_name=value.strip())

        def edit(on: bool) -> None:
            self.engine.text_entry = on

        value = self.engine.settings.player_name

        def take(typed: str) -> None:
            change(typed)
            self._refresh()

        def ask() -> None:
            self.engine.push(routes.EnterText(words, value, take, LONGEST, hint))

        return lambda rect: TextField(
            rect, words, value=value, limit=LONGEST, change=change, editing=edit, ask=ask, hint=hint
        )

    def window(self, words: str, hint: str, sizes: Sequence[tuple[int, int]]) -> Row:
        """Size of the window: the usual ones and the present one."""
        present = self.engine.settings.window_width, self.engine.settings.window_height
        sizes = sorted({*sizes, present})
        shown = [f"{width} x {height}" for width, height in sizes]

        def change(chosen: int) -> None:
            self._set(window_width=sizes[chosen][0], window_height=sizes[chosen][1])

        return lambda rect: Choice(rect, words, shown, index=sizes.index(present), change=change, hint=hint)

    def scene(self, words: str, hint: str, route: Route) -> Row:
        """A button to another screen."""
        return lambda rect: Button(rect, words, lambda: self.engine.push(route), hint=hint)

    def _set(self, **fields: object) -> None:
        self.engine.apply(self.engine.settings.changed(**fields))
