"""PaceBar: a match that stands, and is gone on with by hand: a tick at a time, slower, faster, back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pygame

from arcade.engine.input.events import InputEvent, KeyInput, MenuInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.match.pace import moment_words, speed_words
from arcade.session.services import Services

if TYPE_CHECKING:
    pass

WIDTH = 160
"""Of a button at the usual scale, beside the words; enlarged, the buttons have a row of their own."""


class PaceBar(Screen):
    """Lies over the match, which hears its players: what they hold counts for the tick that is taken.

    Directions of a device that plays are the game's alone; Tab, or a pad's L and R, move along the bar.
    """

    transparent = True
    magnified = False  # the game is what one looks at
    updates_below = True

    def __init__(self, services: Services, route: routes.Pace) -> None:
        super().__init__(services, route)
        self._session = route.session

    @property
    def covered(self) -> int:  # type: ignore[override]
        return self._bar.h

    def widgets(self) -> list[Widget]:
        entries = (
            ("One tick", "F7", self._session.pace.step),
            ("Slower", "F5", self._slower),
            ("Faster", "F6", self._faster),
            ("Back", "F8", self._back),
            ("Go on", "Esc", self.engine.pop),
        )
        large, bar, size = theme.scale() > 1, self._bar, min(theme.scaled(theme.BODY), 52)
        width = (bar.w - 2 * theme.MARGIN - 4 * theme.GAP) // 5 if large else WIDTH
        height = theme.scaled(40) if large else 50
        left = bar.right - theme.MARGIN - 5 * width - 4 * theme.GAP
        rects = [
            pygame.Rect(left + place * (width + theme.GAP), bar.bottom - height - 10, width, height)
            for place in range(5)
        ]
        return [
            Button(rect, words if large else f"{words}  {key}", press, primary=key == "F7", size=size)
            for rect, (words, key, press) in zip(rects, entries, strict=True)
        ]

    @property
    def _bar(self) -> pygame.Rect:
        """Where it lies: at the foot of the picture."""
        width, height = self.engine.canvas.get_size()
        high = 70 if theme.scale() == 1 else theme.scaled(72) + 20
        return pygame.Rect(0, height - high, width, high)

    @property
    def _words(self) -> tuple[str, str]:
        """Where the match stands, and the rest of what is to be known."""
        match = self._session.match
        if match.tick is None:
            return "", ""
        where = "Going back …" if match.rewinding else f"Stands at {moment_words(match)}"
        return where, f"tick {match.tick.index}    speed {speed_words(self._session.pace.speed)}"

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, KeyInput) and event.pressed:
            self._key(event.name)
        elif isinstance(event, MenuInput) and event.action in ("next", "previous"):
            self._move(1 if event.action == "next" else -1)
        elif not (isinstance(event, MenuInput) and self._is_game(event)):
            return super().handle(event)
        return None

    def back(self) -> None:
        self.engine.pop()

    def start(self, event: MenuInput) -> None:
        self.engine.pop()

    def update(self, now: float) -> None:
        """The match below is updated, and the services by it; a match that ends is left to it."""
        if not self._session.is_running:
            self.engine.pop()

    def draw(self, canvas: pygame.Surface) -> None:
        bar, (where, rest) = self._bar, self._words
        pygame.draw.rect(canvas, theme.PANEL, bar)
        if theme.scale() > 1:
            at = (theme.MARGIN, bar.top + theme.scaled(18))
            look: dict[str, Any] = {
                "size": theme.scaled(theme.BODY),
                "anchor": "midleft",
                "width": bar.w - 2 * theme.MARGIN,
            }
            theme.draw_text(canvas, f"{where}    {rest}", at, **look)
        else:
            theme.draw_text(canvas, where, (theme.MARGIN, bar.top + 24), bold=True, anchor="midleft", width=330)
            at = (theme.MARGIN, bar.top + 50)
            theme.draw_text(canvas, rest, at, size=theme.SMALL, colour=theme.MUTED, anchor="midleft", width=330)
        self.focus.draw(canvas)

    def draw_over(self, canvas: pygame.Surface) -> None:
        """No foot: the bar lies there."""
        self.engine.toasts.draw(canvas, above=self._bar.top)

    def _key(self, name: str) -> None:
        pace, now = self._session.pace, self.engine.clock()
        match name:
            case "f5":
                pace.slower(now)
            case "f6":
                pace.faster(now)
            case "f7":
                pace.step()
            case "f8":
                pace.back()

    def _back(self) -> None:
        self._session.pace.back()

    def _slower(self) -> None:
        self._session.pace.slower(self.engine.clock())

    def _faster(self) -> None:
        self._session.pace.faster(self.engine.clock())

    def _move(self, by: int) -> None:
        widgets, focused = self.focus.widgets, self.focus.focused
        place = widgets.index(focused) if focused is not None else 0
        self.focus.focus(widgets[(place + by) % len(widgets)])

    def _is_game(self, event: MenuInput) -> bool:
        """A direction of somebody who plays."""
        directions = ("up", "down", "left", "right")
        return event.action in directions and bool(self.engine.devices.hearing(event.device))
