"""PaceBar: buttons to step, slow, speed up and rewind a paused match."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.input.events import InputEvent, KeyInput, MenuInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Grid, Panel, Spacer
from arcade.engine.ui.texts import Label
from arcade.engine.ui.widget import Widget
from arcade.language import _
from arcade.scenes import routes
from arcade.scenes.screen import LOW, Overlay
from arcade.session.match.moment_texts import moment_of
from arcade.session.match.pace import change_pace, speed_text
from arcade.session.services import Services


class PaceBar(Overlay):
    """Lies over the match, whose controllers still get input for the ticks that are stepped.

    Directions of a player's device go to the game alone; Tab, or a gamepad's L and R, move along the bar.
    """

    updates_below = True
    passes_presses = True
    bar: Widget

    def __init__(self, services: Services, route: routes.Pace) -> None:
        super().__init__(services, route)
        self._session = route.session

    @property
    def covered(self) -> tuple[int, int]:  # type: ignore[override]
        return 0, self.bar.rect.h

    def build(self) -> Widget:
        pace, clock = self._session.pace, self.engine.clock
        entries: tuple[tuple[str, str, Callable[[], object]], ...] = (
            (_("One step"), "F7", pace.step), (_("Slower"), "F5", lambda: pace.shift(-1, clock())),
            (_("Faster"), "F6", lambda: pace.shift(1, clock())), (_("Back"), "F8", pace.back),
            (_("Resume"), "Esc", self.engine.pop),
        )  # fmt: skip
        low = self.engine.theme.page[1] < LOW  # the picture needs the room
        size, height, cell = (themes.SMALL, 30, 116) if low else (themes.BODY, 42, 130)
        buttons = [
            Button(f"{words}  {key}", press, primary=key == "F7", key=key, height=height, size=size)
            for words, key, press in entries
        ]
        words = Label(self._words, bold=True, size=size)
        self.bar = Panel(Column([words, Grid(buttons, cell=cell, gap=8)], gap=6), padding=6 if low else 10)
        return Column([Spacer(), self.bar], gap=0)

    def _words(self) -> str:
        """The moment of the match, its tick and speed."""
        match = self._session.match
        if match.tick is None:
            return ""
        words = _("Rewinding …") if match.rewinding else _("Paused at {moment}")
        place, speed = match.tick.index, speed_text(self._session.pace.speed)
        more = _("tick {tick}    speed {speed}").format(tick=place, speed=speed)
        return f"{words.format(moment=moment_of(match))}    {more}"

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, KeyInput) and event.pressed:
            change_pace(self._session.pace, event.name, self.engine.clock())
        elif isinstance(event, MenuInput) and event.action in ("next", "previous"):
            widgets, by = self.focus.widgets, 1 if event.action == "next" else -1
            place = widgets.index(self.focus.focused) if self.focus.focused is not None else 0
            self.focus.focus(widgets[(place + by) % len(widgets)])
        elif not (isinstance(event, MenuInput) and self._is_game(event)):
            return super().handle(event)
        return None

    def back(self) -> None:
        self.engine.pop()

    def update(self, now: float) -> None:
        """The match below is updated, and shows its result where it ends."""
        if not self._session.is_running:
            self.engine.pop()

    def draw_behind(self, canvas: pygame.Surface) -> None:
        """The match stays as it is."""

    def draw_over(self, canvas: pygame.Surface) -> None:
        self.engine.toasts.draw(canvas, above=self.bar.rect.top, look=self.theme)

    def _is_game(self, event: MenuInput) -> bool:
        """Whether it is a direction on a player's device."""
        directions = ("up", "down", "left", "right")
        return event.action in directions and bool(self.engine.devices.listeners(event.device))
