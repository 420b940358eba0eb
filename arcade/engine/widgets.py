"""Widgets: what can be seen and pressed, by keys, one pad or the mouse alone.

A scene puts widgets into a `Focus` group, hands it every MenuInput and PointerInput, and draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from arcade.engine import theme
from arcade.engine.events import MenuInput, PointerInput

Press = Callable[[], None]


class Widget:
    """Something in a rectangle.  `focusable` ones can be the target of the next press."""

    focusable = True

    def __init__(self, rect: pygame.Rect | tuple[int, int, int, int], *, enabled: bool = True) -> None:
        self.rect = pygame.Rect(rect)
        self.enabled = enabled
        self.hint = ""  # a sentence for the foot of the screen while it has the focus

    def menu(self, event: MenuInput) -> bool:
        """A menu step while it has the focus; True where it used it."""
        return False

    def pointer(self, event: PointerInput) -> bool:
        """A mouse event over it; True where it used it."""
        return False

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        """Draw it; `focused` with the focus ring."""


class Label(Widget):
    """A line of text; `anchor` says which point of the text lies on that point of the rectangle."""

    focusable = False

    def __init__(
        self,
        rect: pygame.Rect | tuple[int, int, int, int],
        words: str = "",
        *,
        size: int = theme.BODY,
        colour: theme.Colour | None = None,
        bold: bool = False,
        anchor: str = "midleft",
    ) -> None:
        super().__init__(rect)
        self.words, self.size, self.colour, self.bold, self.anchor = words, size, colour, bold, anchor

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        theme.draw_text(
            canvas,
            self.words,
            getattr(self.rect, self.anchor),
            size=self.size,
            colour=self.colour,
            bold=self.bold,
            anchor=self.anchor,
            width=self.rect.w,
        )


class Button(Widget):
    """Does `press` on accept, start or a click."""

    def __init__(
        self,
        rect: pygame.Rect | tuple[int, int, int, int],
        words: str,
        press: Press,
        *,
        primary: bool = False,
        enabled: bool = True,
        hint: str = "",
    ) -> None:
        super().__init__(rect, enabled=enabled)
        self.words, self.press, self.primary, self.hint = words, press, primary, hint

    def menu(self, event: MenuInput) -> bool:
        if event.action != "accept" or event.repeated:
            return False
        self.press()
        return True

    def pointer(self, event: PointerInput) -> bool:
        if event.kind != "press" or event.button != 1:
            return False
        self.press()
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        fill = theme.ORANGE if self.primary else theme.RAISED
        ink = theme.NIGHT if self.primary else theme.INK
        if not self.enabled:
            fill, ink = theme.PANEL, theme.FAINT
        theme.draw_panel(canvas, self.rect, fill=fill)
        theme.draw_text(
            canvas, self.words, self.rect.center, colour=ink, bold=True, anchor="center", width=self.rect.w - 16
        )
        if focused:
            _ring(canvas, self.rect, over=self.primary)


class Choice(Widget):
    """One of several words, changed by left and right, accept, a click on either side, or the wheel."""

    def __init__(
        self,
        rect: pygame.Rect | tuple[int, int, int, int],
        words: str,
        options: Sequence[str],
        *,
        index: int = 0,
        change: Callable[[int], None] | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(rect)
        if not options or not 0 <= index < len(options):
            raise ValueError(f"expected options and 0 <= index < {len(options)}, got: {index}")
        self.words, self.options, self.index, self.hint = words, list(options), index, hint
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
            self.step(-1 if event.pos[0] < self._value_rect().centerx else 1)
        else:
            return False
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        _row(canvas, self.rect, self.words)
        area = self._value_rect()
        theme.draw_text(canvas, self.value, area.center, anchor="center", bold=True, width=area.w - 60)
        _arrow(canvas, (area.left + 16, area.centery), -1)
        _arrow(canvas, (area.right - 16, area.centery), 1)
        if focused:
            _ring(canvas, self.rect)

    def _value_rect(self) -> pygame.Rect:
        return _value_side(self.rect, bool(self.words))


class Toggle(Widget):
    """On or off, by accept, left and right, or a click."""

    def __init__(
        self,
        rect: pygame.Rect | tuple[int, int, int, int],
        words: str,
        *,
        on: bool = False,
        change: Callable[[bool], None] | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(rect)
        self.words, self.on, self.hint = words, on, hint
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

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        _row(canvas, self.rect, self.words)
        area = _value_side(self.rect, True)
        track = pygame.Rect(0, 0, 60, 30)
        track.midright = (area.right - 12, area.centery)
        pygame.draw.rect(canvas, theme.GREEN if self.on else theme.EDGE, track, border_radius=15)
        knob = (track.right - 15 if self.on else track.left + 15, track.centery)
        pygame.draw.circle(canvas, theme.INK, knob, 11)
        words = "On" if self.on else "Off"  # said in words too: colour alone is not enough
        theme.draw_text(canvas, words, (track.left - 14, track.centery), anchor="midright", bold=True)
        if focused:
            _ring(canvas, self.rect)


class Slider(Widget):
    """A number between two bounds, by left and right, by dragging, or by the wheel."""

    def __init__(
        self,
        rect: pygame.Rect | tuple[int, int, int, int],
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
        super().__init__(rect)
        if not low < high or not low <= value <= high or step <= 0:
            raise ValueError(f"expected {low} <= value <= {high} and a step above 0, got: {value}, {step}")
        self.words, self.value, self.low, self.high, self.step = words, value, low, high, step
        self.show, self.hint = show, hint
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

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        _row(canvas, self.rect, self.words)
        bar = self._bar()
        at = bar.left + round((self.value - self.low) / (self.high - self.low) * bar.w)
        pygame.draw.rect(canvas, theme.EDGE, bar, border_radius=4)
        pygame.draw.rect(canvas, theme.BLUE, (bar.left, bar.top, at - bar.left, bar.h), border_radius=4)
        pygame.draw.circle(canvas, theme.INK, (at, bar.centery), 12)
        theme.draw_text(
            canvas, self.show(self.value), (self.rect.right - 16, bar.centery), anchor="midright", bold=True
        )
        if focused:
            _ring(canvas, self.rect)

    def _bar(self) -> pygame.Rect:
        area = _value_side(self.rect, bool(self.words))
        return pygame.Rect(area.left + 16, area.centery - 4, area.w - 120, 8)


class TextField(Widget):
    """A line that is typed; accept starts typing and ends it (a pad leaves it as it is)."""

    def __init__(
        self,
        rect: pygame.Rect | tuple[int, int, int, int],
        words: str,
        *,
        value: str = "",
        limit: int = 24,
        change: Callable[[str], None] | None = None,
        editing: Callable[[bool], None] | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(rect)
        self.words, self.value, self.limit, self.hint = words, value, limit, hint
        self._change, self._editing = change, editing
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
            self.edit(not self.typing)
        elif event.action == "back" and self.typing:
            self.edit(False)
        else:
            return self.typing
        return True

    def pointer(self, event: PointerInput) -> bool:
        if event.kind != "press" or event.button != 1:
            return False
        self.edit(True)
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        _row(canvas, self.rect, self.words)
        area = _value_side(self.rect, bool(self.words)).inflate(-16, -12)
        pygame.draw.rect(canvas, theme.NIGHT, area, border_radius=8)
        where = theme.draw_text(canvas, self.value, (area.left + 12, area.centery), anchor="midleft", width=area.w - 24)
        if self.typing:
            pygame.draw.line(canvas, theme.INK, (where.right + 2, area.top + 7), (where.right + 2, area.bottom - 8), 2)
        if focused:
            _ring(canvas, self.rect)

    def _set(self, value: str) -> None:
        self.value = value
        if self._change is not None:
            self._change(value)


class Panel(Widget):
    """A plate behind other widgets, with a title."""

    focusable = False

    def __init__(self, rect: pygame.Rect | tuple[int, int, int, int], title: str = "") -> None:
        super().__init__(rect)
        self.title = title

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        theme.draw_panel(canvas, self.rect)
        if self.title:
            at = (self.rect.left + 20, self.rect.top + 16)
            theme.draw_text(canvas, self.title, at, size=theme.LARGE, bold=True, width=self.rect.w - 40)


def _row(canvas: pygame.Surface, rect: pygame.Rect, words: str) -> None:
    theme.draw_panel(canvas, rect, fill=theme.RAISED)
    if words:
        theme.draw_text(canvas, words, (rect.left + 16, rect.centery), anchor="midleft", width=rect.w // 2 - 24)


def _value_side(rect: pygame.Rect, labelled: bool) -> pygame.Rect:
    """The part of a row beside its words."""
    return pygame.Rect(rect.centerx, rect.top, rect.w - rect.w // 2, rect.h) if labelled else rect.copy()


def _arrow(canvas: pygame.Surface, at: tuple[int, int], side: int) -> None:
    x, y = at
    pygame.draw.polygon(canvas, theme.INK, [(x + 7 * side, y), (x - 5 * side, y - 9), (x - 5 * side, y + 9)])


def _ring(canvas: pygame.Surface, rect: pygame.Rect, *, over: bool = False) -> None:
    theme.draw_focus(canvas, rect)
    if over:  # on the focus colour itself, a second ring tells it apart
        pygame.draw.rect(canvas, theme.NIGHT, rect.inflate(-6, -6), width=2, border_radius=theme.RADIUS - 3)
