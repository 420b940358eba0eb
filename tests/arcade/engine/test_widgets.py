"""Every device alone reaches and uses every widget."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame
import pytest

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui.controls import Button, Choice, Slider, TextField, Toggle
from arcade.engine.ui.focus import Focus
from arcade.engine.ui.layout import Column, Row
from arcade.engine.ui.lists import Item, ListView
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.widget import Widget
from tests.support.virtual_pad import VirtualPad


def laid_out(tree: Widget) -> Focus:
    """Arrange and draw the tree, and focus its first widget."""
    pygame.font.init()
    theme, canvas = Theme(), pygame.Surface((1280, 720))
    tree.arrange(theme, canvas.get_rect())
    focus = Focus(tree)
    tree.draw(canvas, theme)
    return focus


@pytest.fixture
def page():
    """A page with one of each, what was done to it, and its focus."""
    done: dict[str, object] = {}

    def note(name):
        return lambda *value: done.__setitem__(name, value[0] if value else True)

    widgets = {
        "button": Button("Go", note("button")),
        "choice": Choice("Colour", ["red", "green", "blue"], change=note("choice")),
        "toggle": Toggle("Sound", change=note("toggle")),
        "slider": Slider("Volume", value=0.5, change=note("slider")),
        "field": TextField("Name", value="Ada", press=note("field")),
        "off": Button("Not now", note("off"), enabled=False),
        "list": ListView([f"Row {i}" for i in range(19)], press=note("list")),
    }
    return widgets, done, laid_out(Column(list(widgets.values())))


def test_keys_alone_reach_and_use_everything(page, menu):
    widgets, done, focus = page
    assert focus.focused is widgets["button"]
    steps = "accept down right right down accept down left left down accept down down down accept"
    for action in steps.split():
        assert focus.handle(menu(action))
    expected = {"button": True, "choice": 2, "toggle": True, "slider": 0.3, "field": True, "list": 2}
    assert done == expected


def test_the_mouse_alone_reaches_and_uses_everything(page, click):
    widgets, done, focus = page
    places = [widgets["button"].rect.center, widgets["choice"].rect.midright, widgets["toggle"].rect.center]
    for x, y in (*places, widgets["off"].rect.center, widgets["list"].row_rect(1).center):
        for event in click((x - 5, y)):
            focus.handle(event)
    bar = widgets["slider"].value_side(Theme())
    focus.handle(PointerInput("press", (bar.left + 20, bar.centery), button=1))
    focus.handle(PointerInput("move", (2000, 0)))  # dragged beyond its end and off the widget
    focus.handle(PointerInput("release", (2000, 0), button=1))
    focus.handle(PointerInput("move", (bar.left + 20, bar.centery)))
    assert done == {"button": True, "choice": 1, "toggle": True, "list": 1, "slider": 1.0}


def test_a_press_counts_also_where_another_page_heard_the_last_release(page, click):
    widgets, done, focus = page
    focus.handle(PointerInput("press", widgets["button"].rect.center, button=1))  # it opened a page left by a key
    for event in click(widgets["toggle"].rect.center):
        focus.handle(event)
    assert done == {"button": True, "toggle": True}


def test_one_pad_alone_reaches_and_uses_everything(page, turns):
    _, done, focus = page
    turns.scene.handle = lambda event: focus.handle(event) and None
    with VirtualPad() as pad:
        turns.frame()
        for control in ["a", "down", "right", "down", "a", "down", "left", "down", "down", "down", "a"]:
            pad.press(control)
            pad.release(control)
            turns.frame()
    assert done == {"button": True, "choice": 1, "toggle": True, "slider": 0.4, "list": 1}


def test_the_focus_follows_the_mouse_and_skips_what_is_off(page):
    widgets, _, focus = page
    focus.handle(PointerInput("move", widgets["toggle"].rect.center))
    assert focus.focused is widgets["toggle"]
    focus.handle(PointerInput("move", widgets["off"].rect.center))
    assert focus.focused is widgets["toggle"]


def test_up_from_the_top_goes_to_the_bottom_but_not_while_it_repeats(page, menu):
    widgets, _, focus = page
    assert not focus.handle(menu("up", repeated=True))
    focus.handle(menu("up"))
    assert focus.focused is widgets["list"]


def test_sideways_goes_to_the_neighbour(menu):
    row = [Button(f"{place}", lambda: None) for place in range(3)]
    focus = laid_out(Row(row))
    focus.handle(menu("right"))
    assert focus.focused is row[1]
    assert focus.handle(menu("right"))
    assert not focus.handle(menu("right"))
    assert focus.focused is row[2]


def test_down_goes_to_what_stands_right_below_however_wide(menu):
    tab, chart, lower = (Button("x" * size, lambda: None) for size in (3, 60, 20))
    focus = laid_out(Column([tab, chart, lower], align="start"))
    for action, expected in (("down", chart), ("down", lower), ("up", chart), ("up", tab)):
        focus.handle(menu(action))
        assert focus.focused is expected


def test_accept_does_not_repeat(page, menu):
    _, done, focus = page
    focus.handle(menu("accept", repeated=True))
    assert done == {}


def test_back_is_left_to_the_screen(page, menu):
    _, _, focus = page
    assert not focus.handle(menu("back"))


def test_a_long_list_scrolls_by_the_wheel_and_keeps_the_chosen_row_in_sight(menu):
    moved: list[int] = []
    rows = ListView([Item(f"Row {i}", "x") for i in range(50)], moved=moved.append)
    focus = laid_out(rows)
    focus.handle(PointerInput("wheel", (100, 100), wheel=-99))
    assert rows.visible[-1] == 49
    for _ in range(20):
        rows.menu(menu("down"))
    assert rows.index in rows.visible
    rows.menu(menu("previous"))
    assert rows.index == 20 - rows.room
    assert moved == [*range(1, 21), 20 - rows.room]
    rows.select(49)
    assert 49 in rows.visible


def test_a_row_that_is_off_is_not_picked(menu):
    picked: list[int] = []
    for items in ([Item("no", enabled=False)], []):
        laid_out(view := ListView(items, press=picked.append))
        view.menu(menu("accept"))
    assert picked == []


def test_the_focus_is_seen():
    theme, canvas = Theme(), pygame.Surface((1280, 720))
    tree = Column([Button("Go", lambda: None)], align="centre")
    tree.arrange(theme, pygame.Rect(100, 100, 400, 300))
    focus = Focus(tree)
    tree.draw(canvas, theme)
    ring = focus.focused.rect.inflate(2 * theme.px(4), 2 * theme.px(4))
    assert canvas.get_at((ring.centerx, ring.top + 1))[:3] == theme.colours.focus


def test_contradictory_widgets_are_refused():
    with pytest.raises(ValueError, match="expected options"):
        Choice("x", [])
    with pytest.raises(ValueError, match="expected 0"):
        Slider("x", value=2)


def test_menu_input_names_its_device(menu):
    assert isinstance(menu("up"), MenuInput)
    assert menu("up").device.word == "keyboard:wasd"


def test_of_two_that_are_as_near_the_first_is_next(menu):
    wide, left, right = (Button(words, lambda: None, grow=1) for words in ("Play", "Games", "Online"))
    focus = laid_out(Column([wide, Row([left, right])]))
    focus.handle(menu("down"))
    assert focus.focused is left
    focus.handle(menu("right"))
    focus.handle(menu("up"))
    assert focus.focused is wide
