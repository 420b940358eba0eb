"""Widgets: controls for keys, one gamepad or the mouse alone: buttons, and the rows of a form.

A scene puts widgets into a `Focus` group, hands it every MenuInput and PointerInput, and draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme

Area = pygame.Rect | tuple[int, int, int, int]
Press = Callable[[], object]

UNPLACED = pygame.Rect(0, 0, 0, 0)  # of a widget before `column` places it


class Widget:
    """A control in a rectangle.  Focusable widgets can be the target of the next press."""

    focusable = True

    def __init__(self, rect: Area, *, enabled: bool = True) -> None:
        self.rect = pygame.Rect(rect)
        self.enabled = enabled
        self.hint = ""  # a sentence for the foot of the screen while the widget has the focus

    def pressed(self) -> bool:
        """Act on accept or a click; return whether the widget did."""
        return False

    def menu(self, event: MenuInput) -> bool:
        """Handle a menu step while focused; return whether the widget used it."""
        return event.is_accept and self.pressed()

    def pointer(self, event: PointerInput) -> bool:
        """Handle a mouse event over the widget; return whether the widget used it."""
        return event.is_click and self.pressed()

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        """Draw the widget; `focused` with the focus ring."""

    @property
    def attention(self) -> pygame.Rect:
        """The part to keep in view while focused, where the whole does not fit."""
        return self.rect


class PaintedWidget(Widget):
    """A widget with a cached picture, painted again for other values of `shown`, another size and another theme."""

    _picture: pygame.Surface | None = None
    _painted: tuple[object, ...] = ()  # what the picture depends on
    drawn = 0  # counts the pictures

    @property
    def shown(self) -> object:
        """The values in the picture."""
        return None

    def paint(self) -> pygame.Surface:
        """Make the picture."""
        raise NotImplementedError

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        wanted = self.shown, theme.version, self.rect.size
        if self._picture is None or self._painted != wanted:
            self._picture, self._painted = self.paint(), wanted
            self.drawn += 1
        canvas.blit(self._picture, self.rect)
        if focused:
            theme.draw_focus(canvas, self.rect)


class Button(Widget):
    """Calls `press` on accept or a click."""

    def __init__(
        self, rect: Area, label: str, press: Press, *,
        primary: bool = False, enabled: bool = True, hint: str = "", size: int = theme.BODY,
    ) -> None:  # fmt: skip
        super().__init__(rect, enabled=enabled)
        self.label, self.press, self.primary, self.hint, self.size = label, press, primary, hint, size

    def pressed(self) -> bool:
        self.press()
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        fill = theme.ORANGE if self.primary else theme.RAISED
        ink = theme.GROUND if self.primary else theme.INK
        if not self.enabled:
            fill, ink = theme.GROUND, theme.FAINT
        theme.draw_panel(canvas, self.rect, fill=fill, edge=None if self.enabled else theme.RAISED)
        at, width = self.rect.center, self.rect.w - 16
        theme.draw_text(canvas, self.label, at, anchor="center", width=width, size=self.size, colour=ink, bold=True)
        if focused:
            theme.draw_focus(canvas, self.rect, over=self.primary)


def column(widgets: Sequence[Widget], first: pygame.Rect, *, gap: int = 8, bottom: int | None = None) -> list[Widget]:
    """Place the widgets one below the other, with less height where they would reach below `bottom`."""
    step = first.h + gap
    if bottom is not None:
        step = min(step, (bottom + gap - first.top) // max(1, len(widgets)))
    for place, widget in enumerate(widgets):
        widget.rect = pygame.Rect(first.left, first.top + place * step, first.w, step - gap)
    return list(widgets)


def _ignore(value: Any) -> None:
    """Take no note of a change."""


class Row(Widget):
    """A title on a plate with a smaller `note`; without a title the value takes the whole row."""

    def __init__(self, rect: Area, label: str, *, hint: str = "", note: str = "") -> None:
        super().__init__(rect)
        self.label, self.hint, self.note = label, hint, note

    @property
    def value_side(self) -> pygame.Rect:
        """The part beside the title."""
        rect = self.rect
        return pygame.Rect(rect.centerx, rect.top, rect.w - rect.w // 2, rect.h) if self.label else rect.copy()

    @property
    def label_width(self) -> int:
        """The title's width in pixels."""
        return self.rect.w // 2 - 24

    @property
    def attention(self) -> pygame.Rect:
        return self.value_side

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        rect, room = self.rect, self.label_width
        theme.draw_panel(canvas, rect, fill=theme.RAISED)
        if self.label:
            title = theme.draw_text(canvas, self.label, (rect.left + 16, rect.centery), anchor="midleft", width=room)
            at, left = (title.right + 12, rect.centery), room - title.w - 12
            if self.note and left > 0:
                look: dict[str, Any] = {"size": theme.SMALL, "colour": theme.MUTED, "anchor": "midleft"}
                theme.draw_text(canvas, self.note, at, width=left, **look)
        self.draw_value(canvas)
        if focused:
            theme.draw_focus(canvas, rect)

    def draw_value(self, canvas: pygame.Surface) -> None:
        """Draw the value."""


def draw_arrows(canvas: pygame.Surface, area: pygame.Rect) -> None:
    """Draw an arrow at both ends of `area`, for a value that is stepped."""
    for x, side in ((area.left + 16, -1), (area.right - 16, 1)):
        tip, base = (x + 7 * side, area.centery), x - 5 * side
        pygame.draw.polygon(canvas, theme.INK, [tip, (base, area.centery - 9), (base, area.centery + 9)])


class Choice(Row):
    """One of several options, changed by left and right, accept, a click on either side, or the wheel."""

    def __init__(
        self, rect: Area, label: str, options: Sequence[str], *,
        index: int = 0, change: Callable[[int], None] = _ignore, hint: str = "", note: str = "",
    ) -> None:  # fmt: skip
        super().__init__(rect, label, hint=hint, note=note)
        if not options or not 0 <= index < len(options):
            raise ValueError(f"expected options and 0 <= index < {len(options)}, got: {index}")
        self.options, self.index, self._change = list(options), index, change

    @property
    def value(self) -> str:
        return self.options[self.index]

    def step(self, by: int) -> None:
        """Move by `by` options, round the end."""
        self.index = (self.index + by) % len(self.options)
        self._change(self.index)

    def menu(self, event: MenuInput) -> bool:
        by = {"left": -1, "right": 1, "accept": 1}.get(event.action, 0)
        if by and not (event.action == "accept" and event.repeated):
            self.step(by)
        return by != 0

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel" and event.wheel:
            self.step(-1 if event.wheel > 0 else 1)
        elif event.is_click:
            self.step(-1 if event.pos[0] < self.value_side.centerx else 1)
        else:
            return False
        return True

    def draw_value(self, canvas: pygame.Surface) -> None:
        area = self.value_side
        theme.draw_text(canvas, self.value, area.center, anchor="center", bold=True, width=area.w - 60)
        draw_arrows(canvas, area)


class Toggle(Row):
    """On or off, by accept, left and right, or a click."""

    def __init__(
        self, rect: Area, label: str, *, on: bool = False, change: Callable[[bool], None] = _ignore, hint: str = ""
    ) -> None:
        super().__init__(rect, label, hint=hint)
        self.on, self._change = on, change

    def pressed(self) -> bool:
        self.on = not self.on
        self._change(self.on)
        return True

    def menu(self, event: MenuInput) -> bool:
        return event.action in ("accept", "left", "right") and (event.repeated or self.pressed())

    @property
    def label_width(self) -> int:
        return self.rect.w - 160

    def draw_value(self, canvas: pygame.Surface) -> None:
        area = self.value_side
        track = pygame.Rect(area.right - 72, area.centery - 15, 60, 30)
        pygame.draw.rect(canvas, theme.GREEN if self.on else theme.EDGE, track, border_radius=15)
        knob = (track.right - 15 if self.on else track.left + 15, track.centery)
        pygame.draw.circle(canvas, theme.INK, knob, 11)
        state = "On" if self.on else "Off"  # colour alone is not enough
        theme.draw_text(canvas, state, (track.left - 14, track.centery), anchor="midright", bold=True)


class Slider(Row):
    """A number between two bounds, by left and right, by dragging, or by the wheel."""

    def __init__(
        self, rect: Area, label: str, *, value: float, low: float = 0.0, high: float = 1.0, step: float = 0.1,
        change: Callable[[float], None] = _ignore, show: Callable[[float], str] = "{:.0%}".format, hint: str = "",
    ) -> None:  # fmt: skip
        super().__init__(rect, label, hint=hint)
        if not low < high or not low <= value <= high or step <= 0:
            raise ValueError(f"expected {low} <= value <= {high} and a step above 0, got: {value}, {step}")
        self.value, self.low, self.high, self.step, self.show = value, low, high, step, show
        self._change, self._dragging = change, False

    def set(self, value: float) -> None:
        """Move to the nearest step within the bounds."""
        steps = round((value - self.low) / self.step)
        value = round(min(self.high, max(self.low, self.low + steps * self.step)), 9)
        if value != self.value:
            self.value = value
            self._change(value)

    def menu(self, event: MenuInput) -> bool:
        by = {"left": -1, "right": 1}.get(event.action, 0)
        self.set(self.value + by * self.step)
        return by != 0

    def pointer(self, event: PointerInput) -> bool:
        if event.is_click or event.kind == "release":
            self._dragging = event.is_click
        elif event.kind == "wheel":
            self.set(self.value + (self.step if event.wheel > 0 else -self.step))
        if self._dragging and event.kind in ("press", "move"):
            bar = self._bar()
            self.set(self.low + (event.pos[0] - bar.left) / bar.w * (self.high - self.low))
        return self._dragging or event.kind in ("wheel", "release")

    def draw_value(self, canvas: pygame.Surface) -> None:
        bar = self._bar()
        at = bar.left + round((self.value - self.low) / (self.high - self.low) * bar.w)
        pygame.draw.rect(canvas, theme.EDGE, bar, border_radius=4)
        pygame.draw.rect(canvas, theme.BLUE, (bar.left, bar.top, at - bar.left, bar.h), border_radius=4)
        pygame.draw.circle(canvas, theme.INK, (at, bar.centery), 12)
        end = (self.rect.right - 16, bar.centery)
        theme.draw_text(canvas, self.show(self.value), end, anchor="midright", bold=True)

    def _bar(self) -> pygame.Rect:
        area = self.value_side
        return pygame.Rect(area.left + 16, area.centery - 4, area.w - 120, 8)


class TextField(Row):
    """A line of text in a box; accept or a click calls `press`, which asks for another one."""

    def __init__(self, rect: Area, label: str, *, value: str, press: Press, hint: str = "") -> None:
        super().__init__(rect, label, hint=hint)
        self.value, self._press = value, press

    def pressed(self) -> bool:
        self._press()
        return True

    def draw_value(self, canvas: pygame.Surface) -> None:
        area = self.value_side.inflate(-16, -12)
        pygame.draw.rect(canvas, theme.GROUND, area, border_radius=8)
        theme.draw_text(canvas, self.value, (area.left + 12, area.centery), anchor="midleft", width=area.w - 24)
