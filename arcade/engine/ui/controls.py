"""Controls: buttons and the rows of a form, for keys, one gamepad, the mouse or a finger alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.texts import Text, text_of
from arcade.engine.ui.theme import Colour, Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.language import _, percent

Press = Callable[[], object]
BUTTON_HIGH, ROW_HIGH = 48, 52  # units


def _ignore(value: Any) -> None:
    """Take no note of a change."""


class Button(Widget):
    """Calls `press` on accept or a click.

    `primary`: the main button of the page; `danger`: it destroys something, and looks so.
    """

    focusable = True

    def __init__(
        self, label: Text, press: Press, *, primary: bool = False, danger: bool = False, enabled: bool = True,
        hint: str = "", size: float = themes.BODY, grow: float = 0.0, key: str = "", chosen: bool = False,
        height: float = BUTTON_HIGH,
    ) -> None:  # fmt: skip
        super().__init__(grow=grow, enabled=enabled)
        self.text, self.press, self.primary, self.danger = label, press, primary, danger
        self.hint, self.size, self.key, self.chosen, self.height = hint, size, key, chosen, height

    @property
    def label(self) -> str:  # type: ignore[override]
        return text_of(self.text)

    def natural(self, theme: Theme, width: int) -> Size:
        wide, _high = theme.font(self.size, bold=True).size(self.label)
        return min(width, wide + theme.px(44)), max(theme.px(self.height), theme.line_height(self.size) + theme.px(12))

    def least(self, theme: Theme) -> int:
        wide, _high = theme.font(self.size, bold=True).size(self.label)
        return min(wide + theme.px(24), theme.px(LEAST_BUTTON))

    def pressed(self) -> bool:
        self.press()
        return True

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        fill, ink = self._colours(theme)
        edge = theme.colours.warning if self.danger and self.enabled else None
        theme.draw_panel(canvas, self.rect, fill=fill, edge=edge if self.enabled else theme.colours.raised)
        inside = self.rect.inflate(-theme.px(10), -theme.px(6))
        if self.chosen:  # not by colour alone
            bar = pygame.Rect(0, 0, self.rect.w // 2, theme.px(4))
            bar.midbottom = self.rect.midbottom
            pygame.draw.rect(canvas, theme.colours.focus, bar)
        theme.draw_text(
            canvas, self.label, inside.center, anchor="center", width=inside.w, height=inside.h, size=self.size,
            colour=ink, bold=True,
        )  # fmt: skip
        if self.focused:
            theme.draw_focus(canvas, self.rect, over=self.primary)

    def _colours(self, theme: Theme) -> tuple[Colour, Colour]:
        """Return the colours of plate and text."""
        colours = theme.colours
        if not self.enabled:
            return colours.ground, colours.faint
        if self.primary:
            return colours.focus, colours.ground
        return colours.raised, colours.warning if self.danger else colours.ink


LEAST_BUTTON = 190


class FormRow(Widget):
    """A title on a plate with a smaller `note`, and a value at the right; without a title the value takes it all."""

    focusable = True
    value_width = 280  # units

    def __init__(self, label: str, *, hint: str = "", note: str = "", key: str = "", grow: float = 0.0) -> None:
        super().__init__(grow=grow)
        self.label, self.hint, self.note, self.key = label, hint, note, key

    def natural(self, theme: Theme, width: int) -> Size:
        high = max(theme.px(ROW_HIGH), theme.line_height() + theme.px(16))
        if not self.is_tall(theme, width):
            title, _high = theme.font().size(self.label)
            wanted = title + theme.px(self.value_width + 60) if self.label else theme.px(self.value_width)
            return min(width, max(wanted, theme.px(480))), high
        return width, high + theme.line_height() + theme.px(6)

    def least(self, theme: Theme) -> int:
        return theme.px(300)

    def is_tall(self, theme: Theme, width: int) -> bool:
        """Whether the value stands below the title within `width` pixels."""
        title, _high = theme.font().size(self.label)
        return bool(self.label) and title + theme.px(self.value_width + 40) > width

    def value_side(self, theme: Theme) -> pygame.Rect:
        """The part of the value."""
        rect = self.rect
        if not self.label:
            return rect.copy()
        if self.is_tall(theme, rect.w):
            top = theme.line_height() + theme.px(10)
            return pygame.Rect(rect.left, rect.top + top, rect.w, rect.h - top)
        wide = max(theme.px(self.value_width), rect.w // 2)
        title, _high = theme.font().size(self.label)
        wide = min(wide, rect.w - title - theme.px(28))
        return pygame.Rect(rect.right - wide, rect.top, wide, rect.h)

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        rect, side = self.rect, self.value_side(theme)
        self._side = side
        theme.draw_panel(canvas, rect, fill=theme.colours.raised)
        if self.label:
            tall = side.left == rect.left
            middle = rect.top + (side.top - rect.top + theme.px(8)) // 2 if tall else rect.centery
            room = (rect.right if tall else side.left) - rect.left - theme.px(28)
            title = theme.draw_text(
                canvas, self.label, (rect.left + theme.px(16), middle), anchor="midleft", width=max(room, 1),
                height=(side.top - rect.top if tall else rect.h) - theme.px(6),
            )  # fmt: skip
            left = room - title.w - theme.px(12)
            if self.note and left > theme.px(40):
                at = title.right + theme.px(12), middle
                theme.draw_text(
                    canvas, self.note, at, width=left, size=themes.SMALL, colour=theme.colours.muted, anchor="midleft"
                )
        self.draw_value(canvas, theme, side)
        if self.focused:
            theme.draw_focus(canvas, rect)

    def draw_value(self, canvas: pygame.Surface, theme: Theme, side: pygame.Rect) -> None:
        """Draw the value in `side`."""

    _side = pygame.Rect(0, 0, 0, 0)  # of the value, when it was drawn last

    @property
    def value_text(self) -> str:
        """The value in words."""
        return ""

    @property
    def spoken(self) -> str:
        return ", ".join(filter(None, (self.label, self.value_text, self.note)))


class Choice(FormRow):
    """One of several options, changed by left and right, accept, a click on either side, or the wheel."""

    def __init__(
        self, label: str, options: Sequence[str], *, index: int = 0, change: Callable[[int], None] = _ignore,
        hint: str = "", note: str = "", key: str = "", grow: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(label, hint=hint, note=note, key=key, grow=grow)
        if not options or not 0 <= index < len(options):
            raise ValueError(f"expected options and 0 <= index < {len(options)}, got: {index}")
        self.options, self.index, self._change = list(options), index, change

    @property
    def value(self) -> str:
        return self.options[self.index]

    @property
    def value_text(self) -> str:
        return self.value

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
        if not event.is_click:
            return False
        self.step(-1 if self._side.left < event.pos[0] < self._side.centerx else 1)
        return True

    def draw_value(self, canvas: pygame.Surface, theme: Theme, side: pygame.Rect) -> None:
        room = side.w - theme.px(64)
        theme.draw_text(
            canvas, self.value, side.center, anchor="center", bold=True, width=room, height=side.h - theme.px(6)
        )
        for x, way in ((side.left + theme.px(16), -1), (side.right - theme.px(16), 1)):
            tip, base, half = (x + way * theme.px(7), side.centery), x - way * theme.px(5), theme.px(9)
            corners = [tip, (base, side.centery - half), (base, side.centery + half)]
            pygame.draw.polygon(canvas, theme.colours.ink, corners)


class Toggle(FormRow):
    """On or off, by accept, left and right, or a click."""

    value_width = 130

    def __init__(
        self, label: str, *, on: bool = False, change: Callable[[bool], None] = _ignore, hint: str = "", key: str = "",
        note: str = "", grow: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(label, hint=hint, key=key, note=note, grow=grow)
        self.on, self._change = on, change

    @property
    def value_text(self) -> str:
        return _("On") if self.on else _("Off")

    def pressed(self) -> bool:
        self.on = not self.on
        self._change(self.on)
        return True

    def menu(self, event: MenuInput) -> bool:
        return event.action in ("accept", "left", "right") and (event.repeated or self.pressed())

    def draw_value(self, canvas: pygame.Surface, theme: Theme, side: pygame.Rect) -> None:
        half = theme.px(15)
        track = pygame.Rect(side.right - theme.px(72), side.centery - half, theme.px(60), 2 * half)
        pygame.draw.rect(canvas, theme.colours.green if self.on else theme.colours.edge, track, border_radius=half)
        knob = (track.right - half if self.on else track.left + half, track.centery)
        pygame.draw.circle(canvas, theme.colours.ink, knob, theme.px(11))
        at = track.left - theme.px(14), track.centery  # colour alone is not enough
        theme.draw_text(canvas, self.value_text, at, anchor="midright", bold=True)


class Slider(FormRow):
    """A number between two bounds, by left and right, or by dragging."""

    def __init__(
        self, label: str, *, value: float, low: float = 0.0, high: float = 1.0, step: float = 0.1,
        change: Callable[[float], None] = _ignore, show: Callable[[float], str] = percent, hint: str = "",
        key: str = "", grow: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(label, hint=hint, key=key, grow=grow)
        if not low < high or not low <= value <= high or step <= 0:
            raise ValueError(f"expected {low} <= value <= {high} and a step above 0, got: {value}, {step}")
        self.value, self.low, self.high, self.step, self.show = value, low, high, step, show
        self._change, self._dragging, self._bar = change, False, pygame.Rect(0, 0, 1, 1)

    @property
    def value_text(self) -> str:
        return self.show(self.value)

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
        if self._dragging and event.kind in ("press", "move"):
            bar = self._bar
            self.set(self.low + (event.pos[0] - bar.left) / max(1, bar.w) * (self.high - self.low))
        return self._dragging or event.kind == "release"

    def draw_value(self, canvas: pygame.Surface, theme: Theme, side: pygame.Rect) -> None:
        room = max(theme.font(bold=True).size(self.show(end))[0] for end in (self.low, self.high))
        width = side.w - theme.px(52) - max(room, theme.px(56))
        bar = self._bar = pygame.Rect(side.left + theme.px(16), side.centery - theme.px(4), width, theme.px(8))
        at = bar.left + round((self.value - self.low) / (self.high - self.low) * bar.w)
        pygame.draw.rect(canvas, theme.colours.edge, bar, border_radius=theme.px(4))
        filled = (bar.left, bar.top, at - bar.left, bar.h)
        pygame.draw.rect(canvas, theme.colours.teams[0], filled, border_radius=theme.px(4))
        pygame.draw.circle(canvas, theme.colours.ink, (at, bar.centery), theme.px(12))
        end = side.right - theme.px(16), bar.centery
        theme.draw_text(canvas, self.value_text, end, anchor="midright", bold=True)


class TextField(FormRow):
    """A line of text in a box; accept or a click calls `press`, which asks for another one."""

    def __init__(
        self, label: str, *, value: Text, press: Press, hint: str = "", key: str = "", placeholder: str = "",
        grow: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(label, hint=hint, key=key, grow=grow)
        self.value, self._press, self.placeholder = value, press, placeholder

    @property
    def value_text(self) -> str:
        return text_of(self.value)

    def pressed(self) -> bool:
        self._press()
        return True

    def draw_value(self, canvas: pygame.Surface, theme: Theme, side: pygame.Rect) -> None:
        area = side.inflate(-theme.px(16), -theme.px(12))
        pygame.draw.rect(canvas, theme.colours.ground, area, border_radius=theme.px(8))
        text, colour = (
            self.value_text or self.placeholder,
            theme.colours.ink if self.value_text else theme.colours.faint,
        )
        at = area.left + theme.px(12), area.centery
        width = area.w - theme.px(24)
        theme.draw_text(canvas, text, at, anchor="midleft", width=width, height=area.h, colour=colour)
