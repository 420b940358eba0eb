"""Axes that people read, charts and tables that draw once and only what changed."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame
import pytest

from arcade.engine.input.events import MOUSE, MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.charts import Line, LineChart, Span, figures_needed, nice_ticks, short_number
from arcade.engine.ui.table import HEAD, ROW, Bar, Column, DataTable

LARGEST = 1e15  # beyond it, values are no measurement and never drawn


@pytest.fixture(autouse=True)
def fresh_fonts():
    theme.forget_fonts()
    pygame.font.init()
    yield
    theme.forget_fonts()


@pytest.fixture
def canvas() -> pygame.Surface:
    return pygame.Surface((800, 600))


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0"), (12, "12"), (0.125, "0.125"), (-0.5, "-0.5"), (1500, "1.5k"), (999_999, "1M"), (2_340_000, "2.34M"),
     (1.2e-5, "1.2e-05"), (3e14, "300T"), (-1e15, "-1000T"), (1e-300, "0")],
)  # fmt: skip
def test_a_number_takes_three_figures(value, words) -> None:
    assert short_number(value) == words


def test_ticks_are_written_as_they_are():
    ticks = nice_ticks(24.4e6, 25.3e6, 4)
    assert [short_number(tick, figures=figures_needed(ticks)) for tick in ticks] == ["24.5M", "24.75M", "25M", "25.25M"]
    assert figures_needed(nice_ticks(0, 400_000, 4)) == 3


def test_a_long_name_keeps_what_tells_it_apart():
    def seen(*names: str) -> list[bytes]:
        return [pygame.image.tobytes(theme.fitted(name, width=120, keep_end=True), "RGBA") for name in names]

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


def test_a_chart_is_drawn_once_and_again_when_it_has_new_points(canvas) -> None:
    chart = LineChart((0, 0, 400, 240), "Return")
    chart.draw(canvas)
    empty = pygame.image.tobytes(canvas, "RGB")
    points = [(0.0, 1.0), (10.0, 2.0)]
    chart.set_lines([Line("", points)])
    for _ in range(3):
        chart.draw(canvas)
        chart.set_lines([Line("", points)])
    assert chart.drawn == 2
    assert pygame.image.tobytes(canvas, "RGB") != empty
    points.append((20.0, 0.5))
    chart.set_lines([Line("", points)])
    chart.draw(canvas)
    assert chart.drawn == 3
    chart.rect.size = (700, 500)
    chart.draw(canvas)
    assert chart.drawn == 4


@pytest.mark.parametrize("size", [(60, 50), (291, 240), (1200, 500)])
def test_a_chart_stands_any_size_any_values_and_many_lines(size) -> None:
    canvas = pygame.Surface((1280, 720))
    chart = LineChart((0, 0, *size), "A title that is longer than the chart is wide")
    lines = [Line(f"line {place}" * 9, [(x, (-1) ** x * 10.0**place) for x in range(place + 1)]) for place in range(15)]
    chart.set_lines([*lines, Line("none", []), Line("flat", [(1.0, 3.0)] * 2)])
    chart.draw(canvas, focused=True)
    chart.set_lines([Line("", [(float(x), float(x % 7)) for x in range(5000)])])
    chart.draw(canvas)


def test_a_line_that_rises_ends_higher_than_it_began(canvas) -> None:
    chart = LineChart((0, 0, 400, 300), "Return")
    chart.set_lines([Line("", [(float(x), float(x)) for x in range(100)])])
    chart.draw(canvas)
    early, late = (max(range(60, 260), key=lambda y: canvas.get_at((x, y)).g) for x in (120, 340))
    assert canvas.get_at((120, early)).g > 150
    assert late < early - 50


def test_a_chart_is_pressed_by_key_and_by_mouse() -> None:
    pressed: list[LineChart] = []
    chart = LineChart((0, 0, 400, 240), "Return", press=pressed.append)
    chart.menu(MenuInput("accept", MOUSE))
    chart.pointer(PointerInput("press", (5, 5), button=1))
    assert pressed == [chart, chart]
    assert not LineChart((0, 0, 400, 240), "Return").focusable


def table(rows: int) -> DataTable:
    made = DataTable((0, 0, 600, HEAD + 5 * ROW), [Column("Name", 2), Column("Wins", 2), Column("Games", figures=True)])
    made.set_rows([(f"row {place}", Bar(0.5, 0.4, 0.6, "50%"), str(place)) for place in range(rows)])
    return made


def test_a_table_scrolls_by_keys_and_by_wheel_and_lets_go_at_its_ends(canvas) -> None:
    made = table(20)
    assert not made.menu(MenuInput("up", MOUSE)), "the focus goes on to what stands above"
    for _ in range(7):
        assert made.menu(MenuInput("down", MOUSE))
    assert (made.index, made.scroll.top) == (7, 3)
    made.pointer(PointerInput("wheel", (50, 100), wheel=-4))
    assert made.scroll.top == 15, "the last five rows"
    made.pointer(PointerInput("move", (50, HEAD + ROW + 4)))
    assert made.index == 16
    made.draw(canvas, focused=True)
    made.set_rows([])
    made.draw(canvas)
    assert made.index == 0


def test_what_a_table_shows_changes_with_its_rows(canvas) -> None:
    made = table(3)
    made.draw(canvas)
    before = pygame.image.tobytes(canvas, "RGB")
    made.draw(canvas)
    assert pygame.image.tobytes(canvas, "RGB") == before
    made.set_rows([("another", "not played yet", "0")])
    made.draw(canvas)
    assert pygame.image.tobytes(canvas, "RGB") != before
