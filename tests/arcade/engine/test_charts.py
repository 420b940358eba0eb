"""Axes that people read, charts and tables that draw once and only what changed."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame
import pytest

from arcade.engine.input.events import MOUSE, MenuInput, PointerInput
from arcade.engine.ui.axes import Span, figures_needed, nice_ticks, short_number
from arcade.engine.ui.charts import Line, LineChart, Sparkline
from arcade.engine.ui.heat_map import Heat, HeatMap
from arcade.engine.ui.tables import Bar, Column, DataTable
from arcade.engine.ui.theme import Theme

LARGEST = 1e15  # beyond it, values are no measurement and never drawn


@pytest.fixture
def canvas() -> pygame.Surface:
    return pygame.Surface((800, 600))


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0"), (12, "12"), (0.125, "0.125"), (-0.5, "−0.5"), (1500, "1.5k"), (999_999, "1M"), (2_340_000, "2.34M"),
     (1.2e-5, "1.2e-05"), (3e14, "300T"), (-1e15, "−1000T"), (1e-300, "0")],
)  # fmt: skip
def test_a_number_takes_three_figures(value, words) -> None:
    assert short_number(value) == words


def test_ticks_are_written_as_they_are():
    ticks = nice_ticks(24.4e6, 25.3e6, 4)
    assert [short_number(tick, figures=figures_needed(ticks)) for tick in ticks] == ["24.5M", "24.75M", "25M", "25.25M"]
    assert figures_needed(nice_ticks(0, 400_000, 4)) == 3


def test_a_long_name_keeps_what_tells_it_apart():
    def seen(*names: str) -> list[bytes]:
        return [pygame.image.tobytes(Theme().fitted(name, width=120, keep_end=True), "RGBA") for name in names]

    first, second = seen("volley-20261121-123259-0001 36%", "volley-20261121-123259-0002 36%")
    assert first != second
    (one,) = seen("another-run-of-20261122-123259-0001 36%")
    assert one == first, "the beginning is what gave way"


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (0, 6_553_600), (-0.031, -0.009), (-LARGEST, LARGEST), (5, 5 + 1e-9), (1e-9, 2e-9)]
)
def test_ticks_are_round_few_and_within(low, high) -> None:
    ticks = nice_ticks(low, high, 4)
    slack = (high - low) * 1e-6
    assert 2 <= len(ticks) <= 8
    assert all(low - slack <= tick <= high + slack for tick in ticks)
    assert nice_ticks(0, 1, 4) == pytest.approx([0, 0.25, 0.5, 0.75, 1])


@pytest.mark.parametrize(("low", "high"), [(0, 0), (3, 3), (-2, -2), (LARGEST, LARGEST), (0, 1e-300)])
def test_an_axis_has_room_also_around_one_value(low, high) -> None:
    for padded in (True, False):
        span = Span.around(low, high, padded=padded)
        assert span.low < span.high
        assert 0 <= span.place(low, 100) <= 100


def chart_of(lines=(), *, size=(400, 240), theme=None, title="Return", **more) -> tuple[LineChart, Theme]:
    made, theme = LineChart(title, lines, **more), theme or Theme()
    made.arrange(theme, pygame.Rect((0, 0), size))
    return made, theme


@pytest.mark.parametrize("width", [150, 400])
def test_a_chart_names_what_it_counts_along_clear_of_the_figures(canvas, monkeypatch, width) -> None:
    written: list[tuple[str, pygame.Rect]] = []
    draw = Theme.draw_text

    def note(theme, picture, text, *at, **look) -> pygame.Rect:
        written.append((text, rect := draw(theme, picture, text, *at, **look)))
        return rect

    monkeypatch.setattr(Theme, "draw_text", note)
    chart, theme = chart_of([Line("", [(0, 0.0), (300_000, 1.0)])], size=(width, 160), unit="steps")
    chart.draw(canvas, theme)
    unit = next(rect for text, rect in written if text == "steps")
    assert chart.rect.contains(unit)
    assert all(text == "steps" or not rect.colliderect(unit) for text, rect in written)


def test_a_chart_is_painted_once_and_again_when_it_has_new_points(canvas) -> None:
    chart, theme = chart_of()
    chart.draw(canvas, theme)
    empty = pygame.image.tobytes(canvas, "RGB")
    points = [(0.0, 1.0), (10.0, 2.0)]
    chart.set_lines([Line("", points)])
    for _ in range(3):
        chart.draw(canvas, theme)
        chart.set_lines([Line("", points)])
    assert chart.painted == 2
    assert pygame.image.tobytes(canvas, "RGB") != empty
    points.append((20.0, 0.5))
    chart.set_lines([Line("", points)])
    chart.draw(canvas, theme)
    assert chart.painted == 3
    chart.rect.size = (700, 500)
    chart.draw(canvas, theme)
    assert chart.painted == 4
    chart.draw(canvas, Theme("daylight"))
    assert chart.painted == 5


@pytest.mark.parametrize("size", [(60, 50), (291, 240), (1200, 500)])
@pytest.mark.parametrize("scale", [1, 3])
def test_a_chart_stands_any_size_any_values_and_many_lines(size, scale) -> None:
    canvas = pygame.Surface((1280, 720))
    lines = [Line(f"line {place}" * 9, [(x, (-1) ** x * 10.0**place) for x in range(place + 1)]) for place in range(15)]
    lines += [Line("none", []), Line("flat", [(1.0, 3.0)] * 2)]
    title = "A title that is longer than the chart is wide"
    chart, theme = chart_of(lines, size=size, theme=Theme(scale=scale), title=title)
    chart.focused = True
    chart.draw(canvas, theme)
    chart.set_lines([Line("", [(float(x), float(x % 7)) for x in range(5000)])])
    chart.draw(canvas, theme)


def test_a_line_that_rises_ends_higher_than_it_began(canvas) -> None:
    chart, theme = chart_of([Line("", [(float(x), float(x)) for x in range(100)])], size=(400, 300))
    chart.draw(canvas, theme)
    early, late = (max(range(60, 260), key=lambda y: canvas.get_at((x, y)).g) for x in (120, 340))
    assert canvas.get_at((120, early)).g > 150
    assert late < early - 50


def test_a_single_point_has_a_sentence_in_place_of_axes(canvas) -> None:
    few = "The line begins with the second match."

    def ink(points: list[tuple[float, float]]) -> int:
        chart, theme = chart_of([Line("", points)], size=(400, 240), few=few)
        canvas.fill((0, 0, 0))
        chart.draw(canvas, theme)
        row = [[canvas.get_at((x, y))[:3] == theme.colours.edge[:3] for x in range(400)] for y in range(240)]
        return max(map(sum, row))  # of the longest line, the axis

    assert ink([(1.0, 1500.0)]) < 100 < ink([(1.0, 1500.0), (2.0, 1512.0)])


def test_a_chart_is_pressed_by_key_and_by_mouse() -> None:
    pressed: list[LineChart] = []
    chart, _ = chart_of(press=pressed.append)
    chart.menu(MenuInput("accept", MOUSE))
    chart.pointer(PointerInput("press", (5, 5), button=1))
    assert pressed == [chart, chart]
    assert not LineChart("Return").focusable


def test_a_chart_is_read_aloud_with_its_newest_values() -> None:
    chart, _ = chart_of([Line("ann", [(0, 1), (9, 1500)]), Line("bo", [(0, 2)])])
    assert chart.spoken == "Return, ann 1.5k, bo 2"
    assert LineChart("Return").spoken == "Return, No data yet"


def test_a_sparkline_fills_its_room_and_stands_no_points(canvas) -> None:
    theme, line = Theme(), Sparkline([(0, 0.2), (5, 0.9)], low=0, high=1)
    line.arrange(theme, pygame.Rect(0, 0, 120, 40))
    line.draw(canvas, theme)
    ends = [max(range(40), key=lambda y: canvas.get_at((x, y)).b) for x in (6, 114)]
    assert ends[1] < ends[0] - 10, "it rises"
    Sparkline().draw(canvas, theme)
    Sparkline([(1, 1)]).draw(canvas, theme)


@pytest.mark.parametrize("scale", [1, 3])
def test_a_map_of_many_scrolls_to_its_last_cell_and_is_left_at_its_edge(canvas, scale) -> None:
    heat = HeatMap([f"player-{number}" for number in range(40)], lambda row, column: Heat("1%", 0.5))
    heat.arrange(Theme(scale=scale), pygame.Rect(40, 50, 700, 440))
    for action, steps in (("down", 39), ("right", 38)):
        for _ in range(steps):
            assert heat.menu(MenuInput(action, MOUSE))
            assert heat.rect.contains(heat.attention)
        assert not heat.menu(MenuInput(action, MOUSE))
    assert (heat.row, heat.column) == (39, 39)
    heat.draw(canvas, Theme(scale=scale))


def test_a_finger_scrolls_a_map_by_rows_and_keeps_the_rest() -> None:
    heat = HeatMap([f"player-{number}" for number in range(40)], lambda row, column: None)
    heat.arrange(Theme(), pygame.Rect(0, 0, 700, 300))
    shown, high = heat.rows, heat.cell_rect(1, 0).y - heat.cell_rect(0, 0).y
    for _ in range(5):  # the finger moves up by one and a quarter rows
        assert heat.pointer(PointerInput("scroll", heat.rect.center, pixels=-high // 4))
    assert heat.rows.start == shown.start + 1
    assert heat.row in heat.rows
    heat.pointer(PointerInput("scroll", heat.rect.center, pixels=-100 * high))
    assert heat.rows.stop == 40
    heat.pointer(PointerInput("scroll", heat.rect.center, pixels=200 * high))
    assert heat.rows == shown


def test_the_mouse_presses_the_cell_under_it() -> None:
    pressed = []
    heat = HeatMap("abc", lambda row, column: None, press=lambda *cell: pressed.append(cell))
    heat.arrange(Theme(), pygame.Rect(0, 0, 700, 300))
    heat.pointer(PointerInput("press", heat.cell_rect(2, 1).center, button=1))
    assert pressed == [(2, 1)]
    assert not heat.pointer(PointerInput("press", (5, 5), button=1)), "the names are no cells"


def table(rows: int) -> DataTable:
    columns = [Column("Name", 2), Column("Wins", 2), Column("Games", figures=True)]
    made = DataTable(columns, [(f"row {place}", Bar(0.5, 0.4, 0.6, "50%"), str(place)) for place in range(rows)])
    made.arrange(Theme(), pygame.Rect(0, 0, 600, 40 + 5 * 34))
    return made


def test_a_table_scrolls_by_keys_and_by_wheel_and_lets_go_at_its_ends(canvas) -> None:
    made = table(20)
    assert not made.menu(MenuInput("up", MOUSE)), "the focus goes on to what stands above"
    for _ in range(7):
        assert made.menu(MenuInput("down", MOUSE))
    assert (made.index, made.top) == (7, 3)
    made.pointer(PointerInput("wheel", (50, 100), wheel=-6))
    assert made.top == 15, "the last five rows"
    made.pointer(PointerInput("move", made.row_rect(16).center))
    assert made.index == 16
    made.draw(canvas, Theme())
    made.set_rows([])
    made.draw(canvas, Theme())
    assert made.index == 0


def test_what_a_table_shows_changes_with_its_rows(canvas) -> None:
    made, look = table(3), Theme()
    made.draw(canvas, look)
    before = pygame.image.tobytes(canvas, "RGB")
    made.draw(canvas, look)
    assert pygame.image.tobytes(canvas, "RGB") == before
    made.set_rows([("another", "not played yet", "0")])
    made.draw(canvas, look)
    assert pygame.image.tobytes(canvas, "RGB") != before
