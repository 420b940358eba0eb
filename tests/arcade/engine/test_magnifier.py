"""Pages larger than the window: what has the focus is seen, and the mouse reaches every corner."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame
import pytest

from arcade.engine.input.events import PointerInput
from arcade.engine.ui.menus import Focus, Item, ListMenu
from arcade.engine.ui.table import Column, DataTable
from arcade.engine.ui.widgets import Button
from arcade.engine.window.scene import Scene
from tests.support.virtual_pad import VirtualPad

BORDER = 8  # pixels of its own colour at either side of each button
CORNERS = [(0, 0), (1279, 0), (0, 719), (1279, 719), (640, 360), (100, 700)]


class Page(Scene):
    """Buttons in the corners and in the middle, each between two bars of a colour of its own."""

    magnified = True

    def __init__(self) -> None:
        self.pressed: list[int] = []
        self.pointed: list[tuple[int, int]] = []
        self.rects = [pygame.Rect(x, y, 200, 60) for x, y in ((10, 10), (1070, 10), (540, 330), (10, 640), (1070, 640))]
        self.focus = Focus(
            [Button(rect, str(n), lambda n=n: self.pressed.append(n)) for n, rect in enumerate(self.rects)]
        )

    @property
    def attention(self) -> tuple[pygame.Rect, ...]:
        return self.focus.focused.rect, self.focus.focused.attention

    def handle(self, event):
        if isinstance(event, PointerInput):
            self.pointed.append(event.pos)
        self.focus.handle(event)

    def draw(self, canvas):
        canvas.fill((10, 20, 30))
        for n, rect in enumerate(self.rects):
            pygame.draw.rect(canvas, (250, n * 50, 0), rect.inflate(2 * BORDER, 0))
            pygame.draw.rect(canvas, (60, 60, 60), rect)


class Reading(Page):
    """The same, to be read first; its focus begins in the last corner."""

    read_first = True

    def __init__(self) -> None:
        super().__init__()
        self.focus.focus(self.focus.widgets[4])


@pytest.fixture
def page(turns):
    turns.engine.push(page := Page())
    turns.frame()
    return page


def enlarge(turns, scale: float) -> None:
    turns.engine.apply(turns.engine.settings.changed(ui_scale=scale), save=False)
    settle(turns)


def settle(turns) -> None:
    for _ in range(2):
        turns.frame(1.0)


def move(turns, pos) -> None:
    turns.post(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0))
    settle(turns)


def seen(turns, page, number: int) -> int:
    """How many pixels wide that button's left edge is on the canvas, at its middle."""
    colour = (250, number * 50, 0)
    y = round((page.rects[number].centery - turns.engine.magnifier.view.top) * turns.engine.magnifier.scale)
    row = pygame.surfarray.array3d(turns.engine.canvas)[:, y]
    return int((row == colour).all(axis=1).sum())


@pytest.mark.parametrize("scale", [1.5, 2.0, 3.0])
def test_what_has_the_focus_is_seen_and_larger(turns, page, scale):
    enlarge(turns, scale)
    for key, number in [(None, 0), (pygame.K_RIGHT, 1), (pygame.K_DOWN, 4), (pygame.K_LEFT, 3), (pygame.K_UP, 0)]:
        if key is not None:
            turns.tap(key)
            settle(turns)
        assert page.focus.focused is page.focus.widgets[number]
        assert turns.engine.magnifier.view.contains(page.rects[number])
        assert seen(turns, page, number) == pytest.approx(2 * BORDER * scale, abs=3 * scale)  # at either side, smoothed


@pytest.mark.parametrize("scale", [1.5, 2.0, 3.0])
@pytest.mark.parametrize("kind", ["list", "table"])
def test_of_a_row_that_is_too_wide_its_beginning_is_seen(turns, scale, kind):
    area = pygame.Rect(40, 180, 1200, 400)
    page = Page()
    if kind == "list":
        wide = ListMenu(area, [Item(f"Row {n}") for n in range(6)])
    else:
        wide = DataTable(area, (Column("Name"), Column("Rating")))
        wide.set_rows([(f"Row {n}", "7") for n in range(6)])
    page.focus = Focus([wide])
    turns.engine.push(page)
    turns.frame()
    enlarge(turns, scale)
    assert turns.engine.magnifier.view.left <= area.left
    assert turns.engine.magnifier.view.top <= area.top + 40


@pytest.mark.parametrize("scale", [1.0, 1.5, 3.0])
def test_the_mouse_reaches_every_corner(turns, page, scale):
    enlarge(turns, scale)
    move(turns, (300, 300))
    for corner in CORNERS:
        move(turns, corner)
        assert page.pointed[-1] == pytest.approx(corner, abs=2)


def test_a_click_lands_on_what_is_seen_under_the_pointer(turns, page):
    enlarge(turns, 3)
    move(turns, (300, 300))
    move(turns, page.rects[4].center)
    turns.post(pygame.MOUSEBUTTONDOWN, pos=page.rects[4].center, button=1)
    turns.frame()
    assert page.pressed == [4]


def test_a_mouse_that_lies_still_leads_nowhere(turns, page):
    enlarge(turns, 2)
    move(turns, (100, 300))
    turns.tap(pygame.K_RIGHT)
    settle(turns)
    before = turns.engine.magnifier.view
    move(turns, (100, 300))
    assert turns.engine.magnifier.view == before
    move(turns, (110, 300))
    assert turns.engine.magnifier.view != before


def test_what_the_moving_view_brings_under_the_mouse_has_the_focus(turns, page):
    enlarge(turns, 2)
    move(turns, (640, 300))
    turns.post(pygame.MOUSEMOTION, pos=page.rects[4].center, rel=(0, 0), buttons=(0, 0, 0))
    settle(turns)
    turns.frame()
    assert page.focus.focused is page.focus.widgets[4]


def test_the_view_moves_smoothly(turns, page):
    enlarge(turns, 2)
    before = turns.engine.magnifier.view
    turns.tap(pygame.K_RIGHT)
    turns.frame()
    one = turns.engine.magnifier.view
    settle(turns)
    there = turns.engine.magnifier.view
    assert before.left < one.left < there.left


def test_f3_turns_through_the_whole_page(turns, page):
    enlarge(turns, 2)
    seen = set()
    for _ in range(8):
        turns.tap(pygame.K_F3)
        settle(turns)
        view = turns.engine.magnifier.view
        seen |= {place for place in CORNERS if view.collidepoint(place)}
    assert seen == set(CORNERS)
    turns.tap(pygame.K_RIGHT)
    settle(turns)
    assert turns.engine.magnifier.view.contains(page.rects[1])


def test_the_right_stick_looks_around(turns, page):
    enlarge(turns, 2)
    with VirtualPad() as pad:
        turns.frame()
        before = turns.engine.magnifier.view
        pad.axis("rx", 1.0)
        for _ in range(30):
            turns.frame()
        there = turns.engine.magnifier.view
        assert before.left + 100 < there.left
        pad.axis("rx", 0.0)
        settle(turns)
        assert turns.engine.magnifier.view.left == pytest.approx(there.left, abs=100)


def test_what_is_read_first_is_shown_from_its_top(turns, page):
    page.focus.focus(page.focus.widgets[4])
    enlarge(turns, 2)
    assert turns.engine.magnifier.view.contains(page.rects[4])
    turns.engine.push(Reading())
    settle(turns)
    assert turns.engine.magnifier.view.topleft == (0, 0)
    turns.tap(pygame.K_RIGHT)
    settle(turns)
    assert turns.engine.magnifier.view.topleft != (0, 0)


def test_a_scene_that_is_no_page_stays_as_it_is(turns, page):
    enlarge(turns, 3)
    page.magnified = False
    turns.frame()
    assert seen(turns, page, 4) == 2 * BORDER
