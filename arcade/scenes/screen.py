"""Screen: base of the full-page scenes: backdrop, heading, foot, focus, sounds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Generic, TypeVar

import pygame

from arcade.engine.input.events import InputEvent, KeyInput, MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import Focus
from arcade.engine.ui.widgets import Button, Widget
from arcade.engine.window.scene import Host, Route, Scene
from arcade.session.services import Services

FOOT = 44  # height of the line of hints at the bottom
P = TypeVar("P", bound=Any)  # a TabPage, or another class with its title and hint
LEGEND = "Arrows, stick or mouse: move    {enter}, {a} or click: choose    {esc} or {b}: back"


class Screen(Scene):
    """A page of widgets.  A subclass defines `widgets`, and may draw more in `draw_page`."""

    heading = ""
    legend = LEGEND
    magnified = True
    explains = False  # True: the page itself says what the focused thing does
    grace = 0.0
    """Seconds without presses after a page came by itself: they were meant for the page before it."""

    def __init__(self, services: Services, route: Route) -> None:
        self.services, self.route = services, route
        self.focus = Focus([])
        self._heading = pygame.Rect(0, 0, 0, 0)
        self._came_at = 0.0

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self._came_at = engine.clock()
        self.rebuild()

    def widgets(self) -> list[Widget]:
        """Make the widgets of the page, in reading order."""
        return []

    def rebuild(self, *, keep: int | None = None) -> None:
        """Make the widgets again, with the focus on number `keep`."""
        self.focus = Focus(self.widgets(), moved=lambda: self.engine.sound.play("move"))
        if keep is not None and 0 <= keep < len(self.focus.widgets):
            self.focus.focus(self.focus.widgets[keep], silently=True)

    def refresh(self) -> None:
        """Make the widgets again; the focus stays at its place on the page, or at its number."""
        focused = self.focus.focused
        self.rebuild(keep=self.focus.widgets.index(focused) if focused is not None else None)
        for widget in self.focus.widgets:
            if focused is not None and widget.rect.topleft == focused.rect.topleft:
                self.focus.focus(widget, silently=True)
                return

    def back_button(self, hint: str = "Previous page") -> Button:
        """The button in the upper right corner."""
        return Button((1120, 28, 120, 48), "Back", self.back, hint=hint)

    @property
    def listens(self) -> bool:
        """Whether presses are meant for this page."""
        return self.engine.clock() - self._came_at >= self.grace

    def handle(self, event: InputEvent) -> bool | None:
        is_press = isinstance(event, MenuInput) or (isinstance(event, PointerInput) and event.kind == "press")
        if is_press and not self.listens:
            return None
        accepting = isinstance(event, MenuInput) and event.action == "accept" and not event.repeated
        if accepting and self.focus.focused is not None:
            self.engine.sound.play("accept")
        if self.focus.handle(event):
            return None
        if isinstance(event, MenuInput) and not event.repeated:
            if event.action == "back":
                self.back()
            elif event.action == "start":
                self.start(event)
        return None

    def back(self) -> None:
        """Esc or B: leave the page."""
        self.engine.sound.play("back")
        self.engine.pop()

    def start(self, event: MenuInput) -> None:
        """P or a pad's Start."""

    def draw(self, canvas: pygame.Surface) -> None:
        canvas.blit(backdrop(canvas.get_size()), (0, 0))
        if self.heading:
            self._heading = theme.draw_text(canvas, self.heading, (theme.MARGIN, 28), size=theme.TITLE, bold=True)
        self.draw_page(canvas)
        self.focus.draw(canvas)

    @property
    def attention(self) -> tuple[pygame.Rect, ...]:
        focused = self.focus.focused
        return () if focused is None else (focused.rect, focused.attention)

    def draw_over(self, canvas: pygame.Surface) -> None:
        hint = "" if self.explains and theme.scale() == 1 else self.focus.hint
        legend = self.engine.bindings.fill_in(self.legend)
        foot = draw_foot(canvas, hint, legend, label=getattr(self.focus.focused, "label", ""))
        self.engine.toasts.draw_clear(
            canvas, [self.engine.where_seen(rect) for rect in self._taken()], foot=foot.top, look=self.engine.theme
        )

    def _taken(self) -> list[pygame.Rect]:
        """The areas that no message may cover: the heading, the widgets, and last the focused one."""
        focused = self.focus.focused
        others = [widget for widget in self.focus.widgets if widget.focusable and widget is not focused]
        return [self._heading, *(widget.rect for widget in (*others, focused) if widget is not None)]

    def draw_page(self, canvas: pygame.Surface) -> None:
        """Draw what lies behind the widgets."""


class Overlay(Screen):
    """Lies over a paused match, which P, a pad's Start and its own `key` resume."""

    transparent = True
    key = ""

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, KeyInput) and event.pressed and event.name == self.key:
            self.back()
            return None
        return super().handle(event)

    def start(self, event: MenuInput) -> None:
        self.engine.pop()


class Dialog(Screen):
    """A box over the dimmed page below."""

    transparent = True
    updates_below = True
    box: pygame.Rect
    margin = 40, 24  # from the box to the heading

    def draw(self, canvas: pygame.Surface) -> None:
        theme.dim(canvas)
        theme.draw_panel(canvas, self.box, edge=theme.EDGE)
        left, top = self.margin
        at, width = (self.box.left + left, self.box.top + top), self.box.w - 2 * left
        self._heading = theme.draw_text(canvas, self.heading, at, size=theme.LARGE, bold=True, width=width)
        self.draw_page(canvas)
        self.focus.draw(canvas)


class TabPage:
    """A page of a screen with tabs; lives as long as the screen."""

    title = ""
    hint = ""  # of its tab

    def widgets(self) -> list[Widget]:
        """Return the widgets of the page."""
        return []

    def draw(self, canvas: pygame.Surface) -> None:
        """Draw what lies behind the widgets."""


class TabbedScreen(Screen, Generic[P]):
    """Tab and the shoulder buttons turn the pages round and round, each tab shows its page."""

    legend = "{tab} or {l}, {r}: next page    {enter}, {a} or click: choose    {esc} or {b}: back"
    first_tab: pygame.Rect
    pages: Sequence[P]
    page: P

    @property
    def fitting(self) -> Sequence[P]:
        """The pages with a tab."""
        return self.pages

    def tabs(self) -> list[Button]:
        """Make the tabs, from the first to the right."""
        first = self.first_tab
        return [
            Button(
                first.move(place * (first.w + theme.GAP), 0), page.title, partial(self.turn_to, page),
                primary=page is self.page, hint=page.hint,
            )
            for place, page in enumerate(self.fitting)
        ]  # fmt: skip

    def turn_to(self, page: P) -> None:
        """Show another page, with the focus on its tab."""
        self.page = page
        self.rebuild(keep=self.fitting.index(page))

    def handle(self, event: InputEvent) -> bool | None:
        by = {"next": 1, "previous": -1}.get(event.action, 0) if isinstance(event, MenuInput) else 0
        if not by:
            return super().handle(event)
        pages = self.fitting
        self.turn_to(pages[(pages.index(self.page) + by) % len(pages)])
        self.engine.sound.play("move")
        return None


def draw_foot(canvas: pygame.Surface, hint: str, legend: str, *, label: str = "") -> pygame.Rect:
    """Draw the bottom line and return its area: the hint of the focused widget, and the keys.

    Enlarged, it shows the widget's label too, and no keys.
    """
    if theme.scale() > 1:
        return _draw_large_foot(canvas, ": ".join(part for part in (label, hint) if part) or legend)
    area = pygame.Rect(0, canvas.get_height() - FOOT, canvas.get_width(), FOOT)
    pygame.draw.rect(canvas, theme.GROUND, area)
    pygame.draw.line(canvas, theme.RAISED, area.topleft, area.topright)
    at = (area.right - theme.MARGIN, area.centery)
    keys = theme.draw_text(canvas, legend, at, size=theme.SMALL, colour=theme.FAINT, anchor="midright")
    if hint:
        theme.draw_text(
            canvas, hint, (theme.MARGIN, area.centery), size=theme.SMALL, colour=theme.MUTED, anchor="midleft",
            width=keys.left - theme.MARGIN - theme.GAP * 2,
        )  # fmt: skip
    return area


def _draw_large_foot(canvas: pygame.Surface, text: str) -> pygame.Rect:
    """Draw two lines at most."""
    size = theme.scaled(theme.SMALL)
    picture = theme.paragraph(text, width=canvas.get_width() - 2 * theme.GAP, size=size, colour=theme.INK)
    height = min(picture.get_height(), 2 * theme.font(size).get_linesize())
    area = pygame.Rect(0, canvas.get_height() - height - theme.GAP, canvas.get_width(), height + theme.GAP)
    pygame.draw.rect(canvas, theme.GROUND, area)
    pygame.draw.line(canvas, theme.EDGE, area.topleft, area.topright, 2)
    canvas.blit(picture, (theme.GAP, area.top + theme.GAP // 2), (0, 0, picture.get_width(), height))
    return area


@theme.kept(2)
def backdrop(size: tuple[int, int]) -> pygame.Surface:
    """The background, with a blue glow on the left and an orange one on the right, like the teams."""
    small = pygame.Surface((320, 180))
    small.fill(theme.GROUND)
    for colour, centre in ((theme.BLUE, (0, 180)), (theme.ORANGE, (320, 0))):
        for radius in range(176, 0, -8):
            share = 0.13 * (1 - radius / 180) ** 1.5
            ink = tuple(round(n + (c - n) * share) for n, c in zip(theme.GROUND, colour, strict=True))
            pygame.draw.circle(small, ink, centre, radius)
    return pygame.transform.smoothscale(small, size)
