"""Charts of standings, drawn by matplotlib.

The colours are safe for colour-blind readers (Okabe and Ito, "Color Universal Design", 2008), and no picture relies on
colour alone.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.ladder.ratings.pairs import Cycle
from agents.ladder.ratings.standings import GameStandings, courses, expected_share, most_played
from agents.ladder.ratings.views import Interval, views_of

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#777777"
COURSES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#777777")
STROKES = ("-", "--", "-.", ":")
MOST_ROWS, MOST_CELLS, MOST_PAIRS, MOST_CYCLES = 40, 24, 30, 6
"""Limits of one picture; the tables are complete."""

NAME = 30  # most letters of a player's name

MORE_FONTS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "PingFang SC", "Hiragino Sans", "Microsoft YaHei", "Malgun Gothic",
    "Arial Unicode MS",
)  # fmt: skip
"""Fallbacks for letters that matplotlib's own font lacks; only installed ones are used."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG with its texts."""

    name: str  # of the file, without its ending
    title: str
    note: str  # how to read it
    png: bytes


def pictures_of(standings: GameStandings) -> list[Picture]:
    """Draw every picture of the game; none before its first match that counts."""
    import matplotlib

    if not standings.table:
        return []
    makers = (_intervals, _grid) if standings.facts.cooperative else (_intervals, _courses, _grid, _pairs, _cycles)
    plain: Any = {"text.parse_math": False, "font.size": 10, "font.family": _fonts()}  # a name may have a $
    with matplotlib.rc_context(plain), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a box replaces it; the page has the name
        made = [maker(standings) for maker in makers]
    return [picture for picture in made if picture is not None]


def _fonts() -> list[str]:
    from matplotlib.font_manager import get_font_names

    here = set(get_font_names())
    return ["sans-serif", *(name for name in MORE_FONTS if name in here)]


def _intervals(standings: GameStandings) -> Picture:
    """Draw every column of the first view that has intervals, side by side."""
    view = views_of(standings)[0]
    lines = [*islice(view.lines(standings), MOST_ROWS)]
    columns = [one for one in view.columns if any(isinstance(one.cell(line), Interval) for line in lines)]
    figure = _figure(11, 1.4 + 0.28 * len(lines))
    all_axes = figure.subplots(1, len(columns), sharey=True, squeeze=False)[0]
    for axes, column, colour, mark in zip(all_axes, columns, (BLUE, ORANGE, GREY), "os^", strict=False):
        cells = [(place, column.cell(line)) for place, line in enumerate(lines)]
        _dots(axes, [(place, *_ends(cell)) for place, cell in cells if isinstance(cell, Interval)], colour, mark)
        axes.set_xlabel(column.title)
    _name_rows(all_axes[0], [line["name"] for line in lines])
    return _picture(view.name, "Scores" if standings.facts.cooperative else "Ratings", f"{view.caption}.", figure)


def _ends(cell: Interval) -> tuple[float, float, float]:
    low, high = (cell.value if end is None else end for end in (cell.low, cell.high))
    return cell.value, low, high


def _courses(standings: GameStandings) -> Picture | None:
    found = courses(standings, [one.name for one in standings.table[: len(COURSES)]])
    if not found:
        return None
    figure = _figure(11, 5)
    axes = figure.subplots()
    for course, colour, stroke in zip(found, COURSES, cycle(STROKES), strict=False):
        axes.plot(course.numbers, course.points, stroke, color=colour, lw=1.8, label=_short(course.name))
        axes.errorbar(
            course.numbers[-1], course.points[-1], yerr=course.half[-1], fmt="o", color=colour, capsize=4, ms=4
        )
    axes.set_xlabel("match of the game")
    axes.set_ylabel("Rating")
    axes.grid(alpha=0.3)
    figure.legend(loc="outside right upper")
    note = f"The first {len(found)} players of the table after each match; the last point has its 95% interval."
    return _picture("history", "Rating over time", note, figure)


def _grid(standings: GameStandings) -> Picture:
    found, versus = standings.pairs, standings.matrix is not None
    count = min(MOST_CELLS, len(found.names))
    values = found.values[:count, :count]
    figure = _figure(4.4 + 0.44 * count, 2.0 + 0.36 * count)
    axes = figure.subplots()
    shades: dict[str, Any] = {"cmap": _two_sided(), "vmin": 0, "vmax": 1} if versus else {"cmap": "cividis"}
    image = axes.imshow(np.ma.masked_invalid(values), aspect="auto", **shades)
    axes.set_facecolor("#eeeeee")
    _write_values(image, values, (lambda rate: f"{100 * rate:.0f}") if versus else "{:.3g}".format)
    axes.set_xticks(range(count), [f"{place + 1}" for place in range(count)])
    axes.set_yticks(range(count), [f"{_short(name)}  {place + 1}" for place, name in enumerate(found.names[:count])])
    axes.xaxis.tick_top()
    figure.colorbar(image, label="share won by the row, draws as half" if versus else "mean score together")
    more = f" The first {count} of {len(found.names)} players." if count < len(found.names) else ""
    if versus:
        note = f"Percentage that the row won against the column; grey: no match.{more}"
        return _picture("matrix", "Win rates of all pairs", note, figure)
    note = f"Mean score of matches together; on the diagonal of matches alone.{more}"
    return _picture("cross-play", "Cross-play", note, figure)


def _two_sided() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("losses to wins", [ORANGE, "#f7f7f7", BLUE])


def _write_values(image: Any, values: NDArray[np.float64], form: Callable[[float], str]) -> None:
    for row, column in np.argwhere(np.isfinite(values)).tolist():
        value = float(values[row, column])
        luminance = np.dot(image.cmap(image.norm(value))[:3], (0.299, 0.587, 0.114))
        ink = "black" if luminance > 0.5 else "white"
        image.axes.text(column, row, form(value), ha="center", va="center", size=8, color=ink)


def _pairs(standings: GameStandings) -> Picture | None:
    pairs = most_played(standings, MOST_PAIRS)
    if not pairs:
        return None
    figure = _figure(10, 1.4 + 0.3 * len(pairs))
    axes = figure.subplots()
    records = [(place, pair.rate, pair.low, pair.high) for place, pair in enumerate(pairs)]
    _dots(axes, records, BLUE, "o", label="share won, draws as half, with its 95% interval")
    expected = [(expected_share(standings, pair.name, pair.other), place) for place, pair in enumerate(pairs)]
    if known := [one for one in expected if one[0] is not None]:
        shares, places = zip(*known, strict=True)
        axes.scatter(shares, places, marker="D", facecolors="none", edgecolors=ORANGE, label="expected by the ratings")
    axes.axvline(0.5, color=GREY, lw=0.8)
    _name_rows(axes, [f"{_short(p.name, 20)} – {_short(p.other, 20)} ({p.games:,})" for p in pairs], most=60)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("share won by the first-named")
    figure.legend(loc="outside lower center", ncols=2)
    note = f"The pairs with most matches, {len(pairs)} at most, and their number."
    return _picture("pairs", "Head to head", note, figure)


def _cycles(standings: GameStandings) -> Picture | None:
    assert standings.matrix is not None
    cycles = standings.matrix.cycles()
    if not cycles:
        return None
    shown = cycles[:MOST_CYCLES]
    columns = min(3, len(shown))
    rows = math.ceil(len(shown) / columns)
    figure = _figure(4 * columns, 3.2 * rows)
    all_axes = np.ravel(figure.subplots(rows, columns, squeeze=False))
    for axes in all_axes:
        axes.set_axis_off()
    for axes, one in zip(all_axes, shown, strict=False):
        _draw_cycle(axes, one)
    note = f"Each beats the next, with the whole 95% interval above one half; the most certain of {len(cycles):,}."
    return _picture("cycles", "Cycles", note, figure)


def _draw_cycle(axes: Any, cycle: Cycle) -> None:
    corners = np.array([(0.0, 1.0), (1.0, -0.7), (-1.0, -0.7)])
    for place, rate in enumerate(cycle.rates):
        begin, end = corners[place], corners[(place + 1) % 3]
        way = {"arrowstyle": "-|>", "color": BLUE, "lw": 2, "shrinkA": 8, "shrinkB": 8, "mutation_scale": 16}
        axes.annotate("", xy=end, xytext=begin, arrowprops=way)
        axes.text(*((begin + end) / 2 * (1.55, 1.35)), f"{rate:.0%}", ha="center", va="center", weight="bold")
    for name, corner in zip(cycle.names, corners, strict=True):
        plate = {"boxstyle": "round", "facecolor": "#eeeeee", "edgecolor": "none"}
        side, outside = (1, "bottom") if corner[1] > 0 else (-1, "top")  # outside the arrows: a long name hides no tip
        axes.text(corner[0], corner[1] + 0.13 * side, _short(name, 18), ha="center", va=outside, bbox=plate)
    axes.set_xlim(-1.7, 1.7)
    axes.set_ylim(-1.2, 1.3)


def _dots(
    axes: Any, rows: Sequence[tuple[float, float, float, float]], colour: str, mark: str, *, label: str = ""
) -> None:
    """Draw the place, value and interval of each row."""
    if not rows:
        return
    places, values, lows, highs = (np.array(column) for column in zip(*rows, strict=True))
    around = np.maximum(0, [values - lows, highs - values])
    axes.errorbar(values, places, xerr=around, fmt=mark, color=colour, capsize=3, lw=1.4, ms=5, label=label)
    axes.grid(axis="x", alpha=0.3)


def _name_rows(axes: Any, names: Sequence[str], *, most: int = NAME) -> None:
    axes.set_yticks(range(len(names)), [_short(name, most) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)


def _short(name: str, most: int = NAME) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _picture(name: str, title: str, note: str, figure: Any) -> Picture:
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=110, metadata={"Software": None})  # without pyplot: no window
    return Picture(name, title, note, file.getvalue())
