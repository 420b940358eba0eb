"""Every widget by each device alone."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame
import pytest

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import Focus, Item, ListMenu
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.toasts import Toasts
from arcade.engine.ui.widgets import Button, Choice, Slider, TextField, Toggle
from tests.support.virtual_pad import VirtualPad


@pytest.fixture(autouse=True)
def fresh_fonts():
    theme.forget_fonts()
    pygame.font.init()
    yield
    theme.forget_fonts()


@pytest.fixture
def page():
    """A page with one of each, what was done to it, and its focus group."""
    done: dict[str, object] = {}

    def note(name):
        return lambda *value: done.__setitem__(name, value[0] if value else True)

    widgets = {
        "button": Button((20, 100, 300, 50), "Go", note("button")),
        "choice": Choice((20, 160, 600, 50), "Colour", ["red", "green", "blue"], change=note("choice")),
        "toggle": Toggle((20, 220, 600, 50), "Sound", change=note("toggle")),
        "slider": Slider((20, 280, 600, 50), "Volume", value=0.5, change=note("slider")),
        "field": TextField((20, 340, 600, 50), "Name", value="Ada", press=note("field")),
        "off": Button((20, 400, 300, 50), "Not now", note("off"), enabled=False),
        "list": ListMenu((20, 460, 600, 138), [f"Row {i}" for i in range(9)], pick=note("list")),
    }
    return widgets, done, Focus(list(widgets.values()))


def test_keys_alone_reach_and_use_everything(page, menu):
    widgets, done, focus = page
    assert focus.focused is widgets["button"]
    for action in (
        "accept",
        "down",
        "right",
        "right",
        "down",
        "accept",
        "down",
        "left",
        "left",
        "down",
        "accept",
        "down",
        "down",
        "down",
        "accept",
    ):
        assert focus.handle(menu(action))
    expected = {"button": True, "choice": 2, "toggle": True, "slider": 0.3, "field": True, "list": 2}
    assert done == expected


def test_the_mouse_alone_reaches_and_uses_everything(page, click):
    widgets, done, focus = page
    for pos in ((100, 120), (600, 180), (500, 240), (100, 420), (100, 460 + 46 + 5)):
        for event in click(pos):
            focus.handle(event)
    bar = widgets["slider"]._bar()
    focus.handle(PointerInput("press", (bar.left, bar.centery), button=1))
    focus.handle(PointerInput("move", (2000, 0)))  # dragged beyond its end and off the widget
    focus.handle(PointerInput("release", (2000, 0), button=1))
    focus.handle(PointerInput("move", (bar.left, bar.centery)))
    assert done == {"button": True, "choice": 1, "toggle": True, "list": 1, "slider": 1.0}


def test_a_press_counts_also_where_another_page_heard_the_last_release(page, click):
    _, done, focus = page
    focus.handle(PointerInput("press", (100, 120), button=1))  # a button that opened a page, which was left by a key
    for event in click((500, 240)):
        focus.handle(event)
    assert done == {"button": True, "toggle": True}


def test_one_pad_alone_reaches_and_uses_everything(page, turns):
    _, done, focus = page
    turns.scene.handle = lambda event: focus.handle(event) and None
    with VirtualPad() as pad:
        turns.frame()
        steps = ["a", "down", "right", "down", "a", "down", "left", "down", "down", "down", "a"]
        for control in steps:
            pad.press(control)
            pad.release(control)
            turns.frame()
    assert done == {"button": True, "choice": 1, "toggle": True, "slider": 0.4, "list": 1}


def test_the_focus_follows_the_mouse_and_skips_what_is_off(page):
    widgets, _, focus = page
    focus.handle(PointerInput("move", (100, 240)))
    assert focus.focused is widgets["toggle"]
    focus.handle(PointerInput("move", (100, 420)))
    assert focus.focused is widgets["toggle"]


def test_up_from_the_top_goes_to_the_bottom_but_not_while_it_repeats(page, menu):
    widgets, _, focus = page
    assert not focus.handle(menu("up", repeated=True))
    focus.handle(menu("up"))
    assert focus.focused is widgets["list"]


def test_sideways_goes_to_the_neighbour(menu):
    row = [Button((x, 10, 90, 40), str(x), lambda: None) for x in (0, 100, 200)]
    focus = Focus(row)
    focus.handle(menu("right"))
    assert focus.focused is row[1]
    assert focus.handle(menu("right"))
    assert not focus.handle(menu("right"))
    assert focus.focused is row[2]


def test_down_goes_to_what_stands_right_below_however_wide(menu):
    tab, chart, lower = (
        Button(rect, "", lambda: None) for rect in ((0, 0, 90, 40), (0, 50, 600, 100), (0, 160, 200, 100))
    )
    focus = Focus([tab, chart, lower])
    for action, expected in (("down", chart), ("down", lower), ("up", chart), ("up", tab)):
        focus.handle(menu(action))
        assert focus.focused is expected


def test_accept_does_not_repeat(page, menu):
    _, done, focus = page
    focus.handle(menu("accept", repeated=True))
    assert done == {}


def test_back_is_left_to_the_scene(page, menu):
    _, _, focus = page
    assert not focus.handle(menu("back"))


def test_the_wheel_scrolls_and_changes(page):
    widgets, done, focus = page
    focus.handle(PointerInput("wheel", (100, 500), wheel=-3))
    assert widgets["list"].scroll.top == 3
    focus.handle(PointerInput("wheel", (100, 500), wheel=-99))
    assert widgets["list"].scroll.top == 6
    focus.handle(PointerInput("wheel", (100, 180), wheel=-1))
    assert done["choice"] == 1


def test_a_long_list_keeps_the_chosen_row_in_sight(menu):
    moved: list[int] = []
    rows = ListMenu((0, 0, 300, 46 * 4), [Item(f"Row {i}", "x") for i in range(50)], moved=moved.append)
    for _ in range(10):
        rows.menu(menu("down"))
    assert rows.index in rows.scroll.rows
    rows.menu(menu("previous"))
    assert rows.index == 6
    assert moved == [*range(1, 11), 6]
    rows.select(49)
    assert rows.scroll.top == 46


def test_a_row_that_is_off_is_not_picked(menu):
    picked: list[int] = []
    rows = ListMenu((0, 0, 300, 200), [Item("no", enabled=False)], pick=picked.append)
    rows.menu(menu("accept"))
    ListMenu((0, 0, 300, 200), [], pick=picked.append).menu(menu("accept"))
    assert picked == []


def test_everything_can_be_drawn_and_the_focus_is_seen(page):
    _, _, focus = page
    canvas = pygame.Surface((800, 700))
    focus.draw(canvas)
    ring = focus.focused.rect.inflate(8, 8)
    assert canvas.get_at((ring.centerx, ring.top + 1))[:3] == theme.FOCUS


def test_toasts_go_by_themselves_newest_last():
    toasts = Toasts(seconds=2, most=2)
    for words in ("one", "two", "three", "two", "three"):
        toasts.say(words)
    toasts.update(10.0)
    assert toasts.messages == ("two", "three")
    toasts.draw(pygame.Surface((400, 300)), look=Theme())
    assert toasts.draw_clear(pygame.Surface((400, 300)), [], foot=300, look=Theme())
    toasts.update(12.5)
    assert toasts.messages == ()


def test_a_long_message_has_two_lines_and_stays_until_it_can_be_read():
    canvas, toasts = pygame.Surface((1280, 720)), Toasts(seconds=2)
    for words in ("Saved", "what was expected and what came instead of it " * 4):
        toasts.say(words)
    toasts.update(10.0)
    long, short = toasts.draw_clear(canvas, [], foot=676, look=Theme())
    assert short.h < long.h < 2 * short.h
    assert not long.colliderect(short)
    toasts.update(15.0)
    assert [words[:4] for words in toasts.messages] == ["what"]
    toasts.update(40.0)
    assert toasts.messages == ()


def test_messages_over_a_page_cover_nothing_that_is_taken_and_keep_the_ends_of_paths():
    canvas, toasts = pygame.Surface((1280, 720)), Toasts()
    heading, back, row = pygame.Rect(40, 28, 300, 52), pygame.Rect(1120, 28, 120, 48), pygame.Rect(40, 90, 1200, 400)
    for words in ("Saved: /home/" + "folder/" * 40 + "clip.mp4", "Saved"):
        toasts.say(words)
    plates = toasts.draw_clear(canvas, [heading, back, row], foot=676, look=Theme())
    assert [plate.collidelist([heading, back, row, *plates[:place]]) for place, plate in enumerate(plates)] == [-1, -1]
    assert heading.right < plates[0].left < plates[0].right < back.left, "the newest between the heading and Back"
    assert plates[0].centerx == 640
    assert plates[1].top > row.bottom, "all of the width is free there"
    assert plates[1].w > 1000
    assert plates[1].bottom < 676
    page = pygame.Rect(0, 0, 1280, 720)
    assert not toasts.draw_clear(canvas, [page], foot=676, look=Theme()), "never over what the next press acts on"
    assert len(toasts.draw_clear(canvas, [page, row], foot=676, look=Theme())) == 1


def test_text_is_drawn_once_and_cut_where_it_is_too_wide():
    assert theme.text("same") is theme.text("same")
    assert theme.fitted("a very long line of words", width=100).get_width() <= 100
    assert theme.paragraph("words " * 40, width=200).get_width() <= 200


def test_contradictory_widgets_are_refused():
    with pytest.raises(ValueError, match="expected options"):
        Choice((0, 0, 1, 1), "x", [])
    with pytest.raises(ValueError, match="expected 0"):
        Slider((0, 0, 1, 1), "x", value=2)


def test_menu_input_names_its_device(menu):
    assert isinstance(menu("up"), MenuInput)
    assert menu("up").device.word == "keyboard:wasd"
