"""PaceBar: buttons to step, slow, speed up and rewind a paused match."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.input.events import InputEvent, KeyInput, MenuInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.scenes import routes
from arcade.scenes.screen import Overlay
from arcade.session.match.pace import change_pace, moment_of, speed_text
from arcade.session.services import Services

WIDTH = 160
"""Of a button at the default scale, beside the text; enlarged, the buttons have a row of their own."""


class PaceBar(Overlay):
    """Lies over the match, whose controllers still get input for the ticks that are stepped.

    Directions of a player's device go to the game alone; Tab, or a gamepad's L and R, move along the bar.
    """

    magnified = False
    updates_below = True

    def __init__(self, services: Services, route: routes.Pace) -> None:
        super().__init__(services, route)
        self._session = route.session

    @property
    def covered(self) -> int:  # type: ignore[override]
        return self._bar.h

    def widgets(self) -> list[Widget]:
        pace, clock = self._session.pace, self.engine.clock
        entries: tuple[tuple[str, str, Callable[[], object]], ...] = (
            ("One tick", "F7", pace.step), ("Slower", "F5", lambda: pace.shift(-1, clock())),
            ("Faster", "F6", lambda: pace.shift(1, clock())), ("Back", "F8", pace.back),
            ("Resume", "Esc", self.engine.pop),
        )  # fmt: skip
        large, bar, size = theme.scale() > 1, self._bar, min(theme.scaled(theme.BODY), 52)
        width = (bar.w - 2 * theme.MARGIN - 4 * theme.GAP) // 5 if large else WIDTH
        height = theme.scaled(40) if large else 50
        left = bar.right - theme.MARGIN - 5 * width - 4 * theme.GAP
        first = pygame.Rect(left, bar.bottom - height - 10, width, height)
        return [
            Button(
                first.move(place * (width + theme.GAP), 0), words if large else f"{words}  {key}", press,
                primary=key == "F7", size=size,
            )
            for place, (words, key, press) in enumerate(entries)
        ]  # fmt: skip

    @property
    def _bar(self) -> pygame.Rect:
        """The area at the foot of the picture."""
        width, height = self.engine.canvas.get_size()
        high = 70 if theme.scale() == 1 else theme.scaled(72) + 20
        return pygame.Rect(0, height - high, width, high)

    @property
    def _words(self) -> tuple[str, str]:
        """The moment of the match; its tick and speed."""
        match = self._session.match
        if match.tick is None:
            return "", ""
        where = "Rewinding …" if match.rewinding else f"Paused at {moment_of(match)}"
        return where, f"tick {match.tick.index}    speed {speed_text(self._session.pace.speed)}"

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

    def draw(self, canvas: pygame.Surface) -> None:
        bar, (where, rest) = self._bar, self._words
        pygame.draw.rect(canvas, theme.PANEL, bar)
        if theme.scale() > 1:
            at = (theme.MARGIN, bar.top + theme.scaled(18))
            size, width = theme.scaled(theme.BODY), bar.w - 2 * theme.MARGIN
            theme.draw_text(canvas, f"{where}    {rest}", at, size=size, anchor="midleft", width=width)
        else:
            theme.draw_text(canvas, where, (theme.MARGIN, bar.top + 24), bold=True, anchor="midleft", width=330)
            at = (theme.MARGIN, bar.top + 50)
            theme.draw_text(canvas, rest, at, size=theme.SMALL, colour=theme.MUTED, anchor="midleft", width=330)
        self.focus.draw(canvas)

    def draw_over(self, canvas: pygame.Surface) -> None:
        """The bar takes the place of the foot."""
        self.engine.toasts.draw(canvas, above=self._bar.top, look=self.engine.theme)

    def _is_game(self, event: MenuInput) -> bool:
        """Whether it is a direction on a player's device."""
        directions = ("up", "down", "left", "right")
        return event.action in directions and bool(self.engine.devices.listeners(event.device))
