"""The layout kit: widgets measure and arrange themselves, at any size and scale."""

import pygame
import pytest

from arcade import language
from arcade.engine.input.events import Device, KeyInput, MenuInput, PointerInput
from arcade.engine.input.finger import Finger
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button, Choice, Slider, Toggle
from arcade.engine.ui.focus import Focus
from arcade.engine.ui.layout import Centred, Column, Grid, Panel, Row, Spacer
from arcade.engine.ui.lists import Item, ListView
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.tabs import Tabs
from arcade.engine.ui.texts import Label, Paragraph, Picture
from arcade.engine.ui.theme import Theme, unit_for
from arcade.engine.ui.tiles import TileGrid, TileText

KEYS = Device("keyboard", "arrows")
SIZES = [(640, 360), (1280, 720), (1280, 1024), (3440, 1440), (3840, 2160)]


def theme_of(size=(1280, 720), scale=1.0):
    return Theme("night", window=size, scale=scale)


def laid_out(tree, theme=None):
    theme = theme or theme_of()
    tree.arrange(theme, pygame.Rect((0, 0), theme.window))
    return theme


def buttons(count):
    return [Button(f"Button {number}", lambda: None) for number in range(count)]


def test_a_unit_grows_with_window_and_scale_and_leaves_a_least_page():
    assert unit_for((1280, 720), 1) == 1
    assert unit_for((1920, 1080), 2) == 3
    assert unit_for((640, 360), 1) == pytest.approx(0.7)
    for size in SIZES:
        theme = theme_of(size, 3)
        assert theme.page[0] >= 425
        assert theme.page[1] >= 235


def test_text_is_drawn_with_the_pixels_of_the_window():
    small, large = (theme_of(size).text("Play").get_height() for size in ((1280, 720), (3840, 2160)))
    assert large == pytest.approx(3 * small, abs=3)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scale", [1, 2, 3])
def test_a_row_stands_in_a_column_where_it_is_too_narrow(size, scale):
    row = Row(buttons(4))
    theme = laid_out(row, theme_of(size, scale))
    rects = [child.rect for child in row.children]
    assert all(rect.left >= 0 and rect.right <= size[0] for rect in rects)
    assert not any(a.colliderect(b) for i, a in enumerate(rects) for b in rects[i + 1 :])
    stands = len({rect.top for rect in rects}) == 4
    assert stands == row.is_stacked(theme, size[0])


def test_growing_children_share_the_spare_room():
    left, right = Button("a", lambda: None, grow=3), Button("b", lambda: None, grow=1)
    laid_out(Row([left, right], gap=0))
    assert (left.rect.w, right.rect.w) == (960, 320)
    top, spare = Label("a"), Spacer()
    laid_out(Column([top, spare], gap=0))
    assert spare.rect.bottom == 720


def test_a_grid_has_as_many_columns_as_fit():
    for width, columns in ((1280, 4), (640, 2), (300, 1)):
        grid = Grid(buttons(8), cell=300, gap=10)
        theme = theme_of()
        grid.arrange(theme, pygame.Rect(0, 0, width, 720))
        assert len({child.rect.left for child in grid.children}) == columns == grid.columns(theme, width)


def test_what_does_not_fit_scrolls_to_the_focus_and_back():
    column = Column(buttons(40))
    scroll = Scroll(column)
    laid_out(scroll)
    focus = Focus(scroll)
    for _ in range(39):
        focus.handle(MenuInput("down", KEYS))
    assert focus.focused is column.children[39]
    assert scroll.rect.contains(focus.focused.rect)
    focus.handle(MenuInput("down", KEYS))  # round the end
    assert focus.focused is column.children[0]
    assert scroll.rect.contains(focus.focused.rect)


def test_down_at_the_last_widget_scrolls_to_what_lies_below_it_before_it_goes_round():
    first, last = rows = buttons(2)
    picture = Picture(lambda *place: None, width=400, height=1000)
    scroll = Scroll(Column([*rows, picture]))
    laid_out(scroll)
    focus = Focus(scroll, first=last)
    while picture.rect.bottom > scroll.rect.bottom:
        before = scroll.offset
        focus.handle(MenuInput("down", KEYS))
        assert scroll.offset > before
        assert focus.focused is last
    focus.handle(MenuInput("down", KEYS))
    assert focus.focused is first
    assert scroll.rect.contains(first.rect)


def test_a_wheel_and_a_drag_scroll_and_a_hidden_widget_takes_no_click():
    pressed = []
    column = Column([Button(f"{n}", lambda n=n: pressed.append(n)) for n in range(40)])
    scroll, foot = Scroll(column), Button("foot", lambda: pressed.append("foot"))
    tree = Column([scroll, foot])
    laid_out(tree)
    focus = Focus(tree)
    assert focus.handle(PointerInput("wheel", (100, 100), wheel=-2))
    assert column.children[0].rect.top == -120
    focus.handle(PointerInput("press", foot.rect.center, 1))
    assert pressed == ["foot"]


def finger(*places):
    """The events of a finger that touches the first place and moves to the others."""
    hand = Finger()
    events = [*hand.press(places[0])]
    for place in places[1:]:
        events += hand.move(place)
    return [*events, *hand.release(places[-1])]


def test_a_finger_scrolls_and_presses_only_by_a_tap():
    pressed = []
    column = Column([Button(f"{n}", lambda n=n: pressed.append(n)) for n in range(40)])
    scroll = Scroll(column)
    laid_out(scroll)
    focus = Focus(scroll)
    for event in finger((100, 400), (102, 300), (104, 200)):
        focus.handle(event)
    assert (column.children[0].rect.top, pressed) == (-200, [])
    for event in finger((100, 10), (104, 13)):
        focus.handle(event)
    assert pressed == [3]


def test_a_finger_scrolls_a_list_by_its_rows_and_drags_a_slider():
    view, slider = ListView([f"row {n}" for n in range(90)]), Slider("Volume", value=0.0)
    tree = Column([view, slider])
    theme = laid_out(tree)
    tree.draw(pygame.Surface(theme.window), theme)
    focus = Focus(tree)
    row = view.row_rect(1).h
    for event in finger((100, 400), (100, 400 - row), (100, 400 - 3 * row)):
        focus.handle(event)
    assert (view.top, view.index) == (3, 0)
    bar = slider.value_side(theme)
    for event in finger((bar.left + 20, bar.centery), (bar.centerx, bar.centery)):
        focus.handle(event)
    assert slider.value > 0.3


def test_a_short_page_shrinks_its_list_before_it_scrolls():
    view = ListView([f"row {n}" for n in range(100)], rows=12)
    page = Scroll(Column([Label("title"), view]))
    laid_out(page, theme_of((640, 360)))
    assert page.scroll_by(1) is False
    assert 3 <= view.room < 12
    view.select(99)
    assert 99 in view.visible


def test_a_list_is_left_at_its_ends_and_turned_by_pages():
    view, below = ListView([f"row {n}" for n in range(30)]), Button("below", lambda: None)
    tree = Column([view, below])
    laid_out(tree)
    focus = Focus(tree)
    focus.handle(MenuInput("next", KEYS))
    assert view.index == view.room
    view.select(29)
    focus.handle(MenuInput("down", KEYS))
    assert focus.focused is below


def test_form_rows_are_changed_by_keys_and_mouse():
    found = []
    choice = Choice("Colours", ["Night", "Day"], change=found.append)
    toggle = Toggle("Mute", change=found.append)
    slider = Slider("Volume", value=0.5, change=found.append)
    tree = Column([choice, toggle, slider])
    theme = laid_out(tree)
    tree.draw(pygame.Surface(theme.window), theme)
    focus = Focus(tree)
    for action in ("right", "down", "accept", "down", "left"):
        focus.handle(MenuInput(action, KEYS))
    assert found == [1, True, 0.4]
    bar = slider.value_side(theme)
    focus.handle(PointerInput("press", (bar.left + 20, bar.centery), 1))
    assert slider.value < 0.2
    assert choice.spoken == "Colours, Day"


def test_tabs_turn_by_keys_and_click_and_stay_in_view():
    turned = []
    tabs = Tabs([f"A long title {n}" for n in range(20)], index=0, turn=turned.append)
    theme = laid_out(Column([tabs]))
    focus = Focus(tabs)
    focus.handle(MenuInput("right", KEYS))
    assert turned == [1]
    tabs.turn_by(18)
    tabs.arrange(theme, tabs.rect)
    assert tabs.rect.contains(tabs.areas[19])


def test_tabs_that_scrolled_are_clicked_where_they_are_seen():
    turned = []
    tabs = Tabs(["One", "Two"], index=0, turn=turned.append)
    scroll = Scroll(Column([*buttons(40), tabs]))
    laid_out(scroll)
    focus = Focus(scroll)
    focus.focus(tabs)
    assert scroll.rect.contains(tabs.areas[1])
    focus.handle(PointerInput("press", tabs.areas[1].center, 1))
    assert turned == [1]


def test_a_dialog_is_no_higher_than_its_window():
    body = Scroll(Paragraph("many words " * 400))
    box = Panel(Column([body, Button("OK", lambda: None)]))
    tree = Centred(box, width=600)
    for size in SIZES:
        laid_out(tree, theme_of(size))
        tree.forget()
        assert pygame.Rect((0, 0), size).contains(box.rect)
        assert box.rect.contains(box.children[0].children[1].rect)


def test_texts_of_the_pseudo_language_are_longer_and_keep_their_fields():
    try:
        language.use("pseudo")
        assert language._("Play {game}").format(game="Go") == "[Pláý Go~~~]"
        assert language.ngettext("{count} match", "{count} matches", 2).format(count=2).startswith("[2 m")
    finally:
        language.use("en")
    assert language._("Play") == "Play"


def test_the_headings_of_a_list_are_never_selected():
    picked = []
    titles = [Item("AI", heading=True), "easy", Item("Engines", heading=True), "Stockfish"]
    view = ListView(titles, press=picked.append)
    laid_out(view)
    assert view.index == 1
    assert not view.menu(MenuInput("up", KEYS)), "the list is left at its top"
    view.menu(MenuInput("down", KEYS))
    assert view.index == 3
    view.pointer(PointerInput("press", view.row_rect(2).center, button=1))
    assert not picked
    view.menu(MenuInput("up", KEYS))
    view.menu(MenuInput("accept", KEYS))
    assert picked == [1]


def test_home_and_end_go_to_the_ends_of_a_list_and_of_a_grid_of_tiles():
    for view in (ListView([f"row {n}" for n in range(100)]), tiles(52)):
        laid_out(view)
        focus = Focus(view)
        focus.handle(KeyInput("end", pressed=True))
        assert view.index == (99 if isinstance(view, ListView) else 51)
        focus.handle(KeyInput("home", pressed=True))
        assert view.index == 0


def tiles(count, **more):
    drawn = []

    def picture(index, size):
        drawn.append(index)

    more.setdefault("press", lambda index: None)
    grid = TileGrid([TileText(f"Game {n}") for n in range(count)], picture=picture, **more)
    grid.drawn = drawn
    return grid


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scale", [1, 2, 3])
def test_a_grid_of_tiles_draws_what_is_visible_and_scrolls_to_the_selection(size, scale):
    grid = tiles(500)
    theme = laid_out(grid, theme_of(size, scale))
    for step in ("down", "down", "next", "right"):
        grid.menu(MenuInput(step, KEYS))
        assert grid.rect.contains(grid.tile_rect(grid.index)) or grid.rows_shown == 1
        assert grid.tile_rect(grid.index).top >= grid.rect.top
    grid.draw(pygame.Surface(size), theme)
    assert grid.index in grid.drawn
    assert len(grid.drawn) <= (grid.rows_shown + 1) * grid.columns


def test_a_finger_scrolls_a_grid_of_tiles_up_and_down():
    grid, finger = tiles(500), Finger()
    laid_out(grid)
    pressed: list[int] = []
    grid._press = pressed.append

    def drag(start: int, end: int) -> None:
        moves = [(640, start + (end - start) * step // 10) for step in range(11)]
        events = [*finger.press(moves[0]), *(e for at in moves for e in finger.move(at)), *finger.release(moves[-1])]
        for event in events:
            grid.pointer(event)

    drag(600, 100)
    assert grid.top == 2
    drag(100, 600)
    assert grid.top == 0
    assert not pressed, "a finger that scrolls chooses nothing"


def test_a_step_at_the_edge_of_a_grid_of_tiles_leaves_it_and_a_click_presses_its_tile():
    pressed = []
    grid = tiles(7, press=pressed.append)
    laid_out(grid)
    assert not grid.menu(MenuInput("left", KEYS))
    assert not grid.menu(MenuInput("up", KEYS))
    grid.select(grid.columns - 1)
    assert not grid.menu(MenuInput("right", KEYS))
    assert grid.menu(MenuInput("down", KEYS)), "to the last tile, though it is not below"
    assert grid.index == 6
    assert not grid.menu(MenuInput("down", KEYS))
    grid.pointer(PointerInput("press", grid.tile_rect(2).center, button=1))
    assert (grid.index, pressed) == (2, [2])


def test_a_long_line_is_written_smaller_before_it_is_cut():
    theme = theme_of()
    whole = theme.text("Settings", size=44)
    smaller = theme.fitted("Settings", width=whole.get_width() * 2 // 3, size=44)
    assert smaller.get_width() <= whole.get_width() * 2 // 3
    assert smaller.get_height() < whole.get_height()
    themes.clipped_texts.clear()
    theme.fitted("Settings", width=20, size=44)
    assert list(themes.clipped_texts) != []


def test_a_long_text_is_broken_into_lines_where_there_is_height_and_never_cut():
    theme = theme_of()
    themes.clipped_texts.clear()
    words = "People without a name, against the random bot"
    one = theme.text(words, size=22)
    broken = theme.fitted(words, width=one.get_width() // 2, height=2 * one.get_height(), size=22)
    assert broken.get_width() <= one.get_width() // 2
    assert broken.get_height() <= 2 * one.get_height() + theme.px(2)
    assert list(themes.clipped_texts) == []


def test_a_label_that_is_too_long_for_its_room_takes_a_second_line():
    theme = theme_of()
    label = Label("7 recordings, 9 minutes long, one of which cannot be read")
    whole = label.natural(theme, 2000)
    label.forget()
    assert label.natural(theme, whole[0] // 2)[1] > whole[1]


def test_a_row_that_is_too_narrow_shares_its_room_by_what_each_child_needs_at_least():
    theme = theme_of()
    keys = [Button(letter, lambda: None, grow=1) for letter in "1234567890"]
    row = Row(keys, gap=0, stacks=False)
    row.arrange(theme, pygame.Rect(0, 0, theme.px(300), theme.px(48)))
    assert min(key.rect.w for key in keys) >= theme.px(20), "none is starved for the others"


@pytest.mark.parametrize(("count", "has_bar"), [(3, False), (60, True)])
def test_only_what_does_not_fit_leaves_room_for_a_bar(count, has_bar):
    theme, page = Theme(), pygame.Rect(0, 0, 1280, 720)
    rows = [Button(str(number), lambda: None) for number in range(count)]
    Scroll(Column(rows)).arrange(theme, page)
    assert (rows[0].rect.right < page.right) == has_bar
