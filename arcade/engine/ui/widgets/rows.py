"""Rows of a form: words at the left, what they are set to at the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets.base import Area, Widget, draw_ring


class Row(Widget):
    """Words on a plate, and beside them what a subclass draws and changes; without words that has it all.

    A `note` follows the words, smaller.
    """

    def __init__(self, rect: Area, words: str, *, hint: str = "", note: str = "") -> None:
        super().__init__(rect)
        self.words, self.hint, self.note = words, hint, note

    @property
    def value_side(self) -> pygame.Rect:
        """The part beside the words."""
        rect = self.rect
        return pygame.Rect(rect.centerx, rect.top, rect.w - rect.w // 2, rect.h) if self.words else rect.copy()

    @property
    def words_room(self) -> int:
        """Pixels for the words."""
        return self.rect.w // 2 - 24

    @property
    def attention(self) -> pygame.Rect:
        return self.value_side

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        rect = self.rect
        theme.draw_panel(canvas, rect, fill=theme.RAISED)
        if self.words:
            at = (rect.left + 16, rect.centery)
            told = theme.draw_text(canvas, self.words, at, anchor="midleft", width=self.words_room)
            at, left = (told.right + 12, rect.centery), self.words_room - told.w - 12
            if self.note and left > 0:
                theme.draw_text(
                    canvas, self.note, at, size=theme.SMALL, colour=theme.MUTED, anchor="midleft", width=left
                )
        self.draw_value(canvas)
        if focused:
            draw_ring(canvas, rect)

    def draw_value(self, canvas: pygame.Surface) -> None:
        """What it is set to."""


class Choice(Row):
    """One of several words, changed by left and right, accept, a click on either side, or the wheel."""

    def __init__(
        self,
        rect: Area,
        words: str,
        options: Sequence[str],
        *,
        index: int = 0,
        change: Callable[[int], None] | None = None,
        hint: str = "",
        note: str = "",
    ) -> None:
        super().__init__(rect, words, hint=hint, note=note)
        if not options or not 0 <= index < len(options):
            raise ValueError(f"expected options and 0 <= index < {len(options)}, got: {index}")
        self.options, self.index = list(options), index
        self._change = change

    @property
    def value(self) -> str:
        """The word that is chosen."""
        return self.options[self.index]

    def step(self, by: int) -> None:
        """Go `by` options on, round the end."""
        self.index = (self.index + by) % len(self.options)
        if self._change is not None:
            self._change(self.index)

    def menu(self, event: MenuInput) -> bool:
        by = {"left": -1, "right": 1, "accept": 1}.get(event.action, 0)
        if by and not (event.action == "accept" and event.repeated):
            self.step(by)
        return by != 0

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel" and event.wheel:
            self.step(-1 if event.wheel > 0 else 1)
        elif event.kind == "press" and event.button == 1:
            self.step(-1 if event.pos[0] < self.value_side.centerx else 1)
        else:
            return False
        return True

    def draw_value(self, canvas: pygame.Surface) -> None:
        area = self.value_side
        theme.draw_text(canvas, self.value, area.center, anchor="center", bold=True, width=area.w - 60)
        _arrow(canvas, (area.left + 16, area.centery), -1)
        _arrow(canvas, (area.right - 16, area.centery), 1)


class Toggle(Row):
    """On or off, by accept, left and right, or a click."""

    def __init__(
        self, rect: Area, words: str, *, on: bool = False, change: Callable[[bool], None] | None = None, hint: str = ""
    ) -> None:
        super().__init__(rect, words, hint=hint)
        self.on = on
        self._change = change

    def flip(self) -> None:
        """Turn it over."""
        self.on = not self.on
        if self._change is not None:
            self._change(self.on)

    def menu(self, event: MenuInput) -> bool:
        if event.action not in ("accept", "left", "right"):
            return False
        if not event.repeated:
            self.flip()
        return True

    def pointer(self, event: PointerInput) -> bool:
        if event.kind != "press" or event.button != 1:
            return False
        self.flip()
        return True

    @property
    def words_room(self) -> int:
        """All but the switch and what it says."""
        return self.rect.w - 160

    def draw_value(self, canvas: pygame.Surface) -> None:
        area = self.value_side
        track = pygame.Rect(0, 0, 60, 30)
        track.midright = (area.right - 12, area.centery)
        pygame.draw.rect(canvas, theme.GREEN if self.on else theme.EDGE, track, border_radius=15)
        knob = (track.right - 15 if self.on else track.left + 15, track.centery)
        pygame.draw.circle(canvas, theme.INK, knob, 11)
        words = "On" if self.on else "Off"  # said in words too: colour alone is not enough
        theme.draw_text(canvas, words, (track.left - 14, track.centery), anchor="midright", bold=True)


class Slider(Row):
    """A number between two bounds, by left and right, by dragging, or by the wheel."""

    def __init__(
        self,
        rect: Area,
        words: str,
        *,
        value: float,
        low: float = 0.0,
        high: float = 1.0,
        step: float = 0.1,
        change: Callable[[float], None] | None = None,
        show: Callable[[float], str] = lambda value: f"{value:.0%}",
        hint: str = "",
    ) -> None:
        super().__init__(rect, words, hint=hint)
        if not low < high or not low <= value <= high or step <= 0:
            raise ValueError(f"expected {low} <= value <= {high} and a step above 0, got: {value}, {step}")
        self.value, self.low, self.high, self.step, self.show = value, low, high, step, show
        self._change = change
        self.dragging = False

    def set(self, value: float) -> None:
        """Move it to the nearest step within the bounds."""
        steps = round((value - self.low) / self.step)
        value = round(min(self.high, max(self.low, self.low + steps * self.step)), 9)
        if value != self.value:
            self.value = value
            if self._change is not None:
                self._change(value)

    def menu(self, event: MenuInput) -> bool:
        by = {"left": -1, "right": 1}.get(event.action, 0)
        self.set(self.value + by * self.step)
        return by != 0

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "press" and event.button == 1:
            self.dragging = True
        elif event.kind == "release":
            self.dragging = False
        elif event.kind == "wheel":
            self.set(self.value + (self.step if event.wheel > 0 else -self.step))
        if self.dragging and event.kind in ("press", "move"):
            bar = self._bar()
            self.set(self.low + (event.pos[0] - bar.left) / bar.w * (self.high - self.low))
        return self.dragging or event.kind in ("wheel", "release")

    def draw_value(self, canvas: pygame.Surface) -> None:
        bar = self._bar()
        at = bar.left + round((self.value - self.low) / (self.high - self.low) * bar.w)
        pygame.draw.rect(canvas, theme.EDGE, bar, border_radius=4)
        pygame.draw.rect(canvas, theme.BLUE, (bar.left, bar.top, at - bar.left, bar.h), border_radius=4)
        pygame.draw.circle(canvas, theme.INK, (at, bar.centery), 12)
        theme.draw_text(
            canvas, self.show(self.value), (self.rect.right - 16, bar.centery), anchor="midright", bold=True
        )

    def _bar(self) -> pygame.Rect:
        area = self.value_side
        return pygame.Rect(area.left + 16, area.centery - 4, area.w - 120, 8)


class TextField(Row):
    """A line that is typed; accept starts typing and ends it.

    `ask` is called instead where no keyboard is in hand: by a pad's press and by a click.
    """

    def __init__(
        self,
        rect: Area,
        words: str,
        *,
        value: str = "",
        limit: int = 24,
        change: Callable[[str], None] | None = None,
        editing: Callable[[bool], None] | None = None,
        ask: Callable[[], None] | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(rect, words, hint=hint)
        self.value, self.limit = value, limit
        self._change, self._editing, self._ask = change, editing, ask
        self.typing = False

    def edit(self, on: bool) -> None:
        """Start or end typing; `editing` is told, so that a scene can set ``engine.text_entry``."""
        self.typing = on
        if self._editing is not None:
            self._editing(on)

    def type(self, text: str) -> None:
        """Add characters while typing, up to `limit`."""
        if self.typing and text:
            self._set((self.value + text)[: self.limit])

    def backspace(self) -> None:
        """Take the last character off while typing."""
        if self.typing:
            self._set(self.value[:-1])

    def menu(self, event: MenuInput) -> bool:
        if event.action == "accept" and not event.repeated:
            self._begin_or_end(by_keyboard=event.device.kind == "keyboard")
        elif event.action == "back" and self.typing:
            self.edit(False)
        else:
            return self.typing
        return True

    def pointer(self, event: PointerInput) -> bool:
        if event.kind != "press" or event.button != 1:
            return False
        if not self.typing:
            self._begin_or_end(by_keyboard=False)
        return True

    def _begin_or_end(self, *, by_keyboard: bool) -> None:
        if self._ask is not None and not by_keyboard and not self.typing:
            self._ask()
        else:
            self.edit(not self.typing)

    def draw_value(self, canvas: pygame.Surface) -> None:
        area = self.value_side.inflate(-16, -12)
        pygame.draw.rect(canvas, theme.GROUND, area, border_radius=8)
        where = theme.draw_text(canvas, self.value, (area.left + 12, area.centery), anchor="midleft", width=area.w - 24)
        if self.typing:
            pygame.draw.line(canvas, theme.INK, (where.right + 2, area.top + 7), (where.right + 2, area.bottom - 8), 2)

    def _set(self, value: str) -> None:
        self.value = value
        if self._change is not None:
            self._change(value)


def _arrow(canvas: pygame.Surface, at: tuple[int, int], side: int) -> None:
    x, y = at
    pygame.draw.polygon(canvas, theme.INK, [(x + 7 * side, y), (x - 5 * side, y - 9), (x - 5 * side, y + 9)])
