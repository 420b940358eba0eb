"""Ladder pages of ratings over time, the record of a pair, and cycles of three players."""

from __future__ import annotations

import math
from collections.abc import Callable

import pygame

from agents.ladder.ratings.pairs import HeadToHead, PairTable
from agents.ladder.ratings.standings import Course, expected_share
from agents.ladder.ratings.views import Line as ViewLine
from agents.ladder.ratings.views.built_in import CYCLES
from arcade.engine.ui import theme
from arcade.engine.ui.axes import short_number
from arcade.engine.ui.old_charts import LINES, Line, LineChart
from arcade.engine.ui.table import DataTable
from arcade.engine.ui.widgets import Button, Choice, Widget
from arcade.scenes.ladder.pages import AREA, FEW_WORDS, LadderPage, cell_words, ui_columns, ui_rows
from arcade.session.ladder_book import LadderSheet

RECORD = pygame.Rect(AREA.left, AREA.top + 62, 520, AREA.h - 62)
CHART = pygame.Rect(RECORD.right + 16, RECORD.top, AREA.right - RECORD.right - 16, RECORD.h)
NAME = pygame.Rect(AREA.left, AREA.top, 520, 48)

Ask = Callable[[str, list[str], int, Callable[[int], None]], None]
SCALES = ("OpenSkill", "Elo")


class CoursePage(LadderPage):
    """Eight players at a time, the strongest first."""

    title = "Over time"

    def __init__(self, meet: Callable[[str, str], None]) -> None:
        super().__init__(meet)
        rect = (AREA.left, AREA.top + 58, AREA.w, AREA.h - 58)
        self._chart = LineChart(rect, "", show="{:.4g}".format, empty=FEW_WORDS)
        self._scale = Choice(
            (AREA.left, AREA.top, 400, 46), "Scale", SCALES, change=self._fill,
            hint="OpenSkill's mu, or Elo, after each match",
        )  # fmt: skip
        self._group = Choice(
            (AREA.left + 420, AREA.top, 400, 46), "Places", ("none",), change=self._fill,
            hint="The players drawn, by their places in the table",
        )  # fmt: skip

    def fits(self, sheet: LadderSheet | None) -> bool:
        return sheet is None or not sheet.standings.facts.cooperative

    def set_sheet(self, sheet: LadderSheet | None) -> None:
        super().set_sheet(sheet)
        count = len(sheet.courses) if sheet is not None else 0
        groups = [f"{first + 1} to {min(first + LINES, count)}" for first in range(0, count, LINES)]
        self._group.options = groups or ["none"]
        self._group.index = min(self._group.index, len(self._group.options) - 1)
        self._fill()

    def widgets(self) -> list[Widget]:
        return [self._scale, self._group, self._chart]

    def _fill(self, index: int = 0) -> None:
        courses, scale = self.sheet.courses if self.sheet is not None else (), self._scale.value
        shown = courses[self._group.index * LINES : (self._group.index + 1) * LINES]
        lines = [course_line(course, scale, number) for number, course in enumerate(shown)]
        title = f"{scale}{' (mu)' if scale == SCALES[0] else ''} after each match of the game"
        self._chart.set_lines(lines, title=title)


def course_line(course: Course, scale: str, number: int, *, bold: bool = False) -> Line:
    """Return the line of a chart for a course, in colour `number`."""
    values = course.elo if scale == "Elo" else course.mu
    return Line(course.name, list(zip(course.numbers.tolist(), values.tolist(), strict=True)), number, bold=bold)


class PairPage(LadderPage):
    """Two players' results; in cooperative games their scores together and alone."""

    title = "Two players"

    def __init__(self, meet: Callable[[str, str], None], ask: Ask) -> None:
        """`ask` shows a list to pick from: title, options, present index, and the function that gets the new one."""
        super().__init__(meet)
        self._ask = ask
        self._chosen: list[str] = ["", ""]
        self._chart = LineChart(CHART, "", show="{:.4g}".format, empty="Rated by score: no course")
        self._lines: list[tuple[str, bool]] = []

    def show(self, name: str, other: str) -> None:
        """Show these two players."""
        self._chosen = [name, other]
        self._fill()

    def set_sheet(self, sheet: LadderSheet | None) -> None:
        super().set_sheet(sheet)
        names = sheet.names if sheet is not None else ()
        if sheet is not None and len(names) > 1 and not set(self._chosen) <= set(names):
            self._chosen = [names[0], sheet.partner(names[0])]
        self._fill()

    def widgets(self) -> list[Widget]:
        if not self._ready:
            return []
        hint = "Choose another player"
        return [
            Button(NAME, self._chosen[0], lambda: self._pick(0), hint=hint),
            Button(NAME.move(NAME.w + 16, 0), self._chosen[1], lambda: self._pick(1), hint=hint),
            Button((AREA.right - 128, AREA.top, 128, 48), "Swap", self._turn, hint="Swap the two players"),
            self._chart,
        ]

    def draw(self, canvas: pygame.Surface) -> None:
        theme.draw_panel(canvas, RECORD)
        if not self._ready:
            few = theme.paragraph(FEW_WORDS, width=RECORD.w - 60, colour=theme.MUTED)
            canvas.blit(few, few.get_rect(center=RECORD.center))
            return
        for place, (words, is_large) in enumerate(self._lines):
            at = (RECORD.left + 24, RECORD.top + 150 + place * 42)
            size = theme.BODY if is_large else theme.SMALL
            colour = theme.INK if is_large else theme.MUTED
            theme.draw_text(canvas, words, at, size=size, colour=colour, width=RECORD.w - 48)
        assert self.sheet is not None
        standings = self.sheet.standings
        if standings.matrix is not None:
            draw_record(canvas, standings.matrix.pair(*self._chosen))
        else:
            _draw_score(canvas, standings.pairs, *self._chosen)

    @property
    def _ready(self) -> bool:
        return self.sheet is not None and len(self.sheet.names) > 1

    def _pick(self, which: int) -> None:
        assert self.sheet is not None
        names = [name for name in self.sheet.names if name != self._chosen[1 - which]]

        def take(index: int) -> None:
            pair = [*self._chosen]
            pair[which] = names[index]
            self.meet(pair[0], pair[1])

        self._ask("Player", names, names.index(self._chosen[which]), take)

    def _turn(self) -> None:
        self.meet(self._chosen[1], self._chosen[0])

    def _fill(self) -> None:
        if not self._ready or self.sheet is None:
            return
        standings = self.sheet.standings
        by_name = {course.name: course for course in self.sheet.courses}
        courses = [by_name[name] for name in self._chosen if name in by_name]
        self._chart.set_lines(
            [course_line(course, "OpenSkill", number, bold=number == 0) for number, course in enumerate(courses)],
            title="OpenSkill (mu) after each match of the game",
        )
        if standings.matrix is None:
            self._lines = _score_lines(standings.pairs, *self._chosen)
        else:
            record, expected = standings.matrix.pair(*self._chosen), expected_share(standings, *self._chosen)
            self._lines = record_lines(record, expected)


def record_lines(record: HeadToHead, expected: float | None) -> list[tuple[str, bool]]:
    """Return the lines below the record, and whether each is large."""
    lines = [("No match between these two yet", True)]
    if record.games:
        lines = [
            (f"{record.name} wins {record.rate:.0%}", True),
            (f"95 % interval {record.low:.0%} to {record.high:.0%}; draws count half", False),
        ]
    if expected is not None:
        lines.append((f"Their ratings predict {expected:.0%}", False))
        if record.games and not record.low <= expected <= record.high:
            lines.append(("The record differs from what the ratings predict", False))
    return lines


def draw_record(canvas: pygame.Surface, record: HeadToHead) -> None:
    """Draw wins, draws and losses as numbers and as one bar."""
    third = (RECORD.w - 48) // 3
    parts = (
        (record.wins, "won", theme.BLUE),
        (record.draws, "drawn", theme.FAINT),
        (record.losses, "lost", theme.ORANGE),
    )
    left = RECORD.left + 24
    for place, (count, word, colour) in enumerate(parts):
        x = RECORD.left + 24 + place * third
        _draw_figure(canvas, f"{count:,}", word, x, colour)
        if record.games:
            width = round((RECORD.w - 48) * count / record.games)
            pygame.draw.rect(canvas, colour, (left, RECORD.top + 90, max(0, width - 2), 22), border_radius=4)
            left += width


def _draw_score(canvas: pygame.Surface, table: PairTable, name: str, other: str) -> None:
    value = float(table.values[table.names.index(name), table.names.index(other)])
    _draw_figure(canvas, "–" if math.isnan(value) else short_number(value), "together", RECORD.left + 24, theme.BLUE)


def _draw_figure(canvas: pygame.Surface, figure: str, unit: str, left: int, colour: theme.Colour) -> None:
    area = theme.draw_text(canvas, figure, (left, RECORD.top + 20), size=theme.TITLE, bold=True, colour=colour)
    theme.draw_text(canvas, unit, (area.right + 10, area.bottom - 12), colour=theme.MUTED, anchor="bottomleft")


def _score_lines(table: PairTable, name: str, other: str) -> list[tuple[str, bool]]:
    one, two = table.names.index(name), table.names.index(other)
    return [
        (cell_words(table, one, two), True),
        (cell_words(table, one, one), False),
        (cell_words(table, two, two), False),
    ]


LIST = pygame.Rect(AREA.left, AREA.top, 690, AREA.h)
RING = pygame.Rect(LIST.right + 16, AREA.top, AREA.right - LIST.right - 16, AREA.h)


class RingsPage(LadderPage):
    """The most certain rings first; the chosen one is drawn.  Accept shows its first two players."""

    title = "Rings"

    def __init__(self, meet: Callable[[str, str], None]) -> None:
        super().__init__(meet)
        self._rings: list[ViewLine] = []
        self._table = DataTable(
            LIST, ui_columns(CYCLES.columns[:-1]), empty="No rings among three players found",
            hint="The last beats the first; the 95 % interval of each win rate lies above one half",
            press=lambda row: meet(self._rings[row]["first"], self._rings[row]["second"]),
        )  # fmt: skip

    def fits(self, sheet: LadderSheet | None) -> bool:
        return sheet is None or not sheet.standings.facts.cooperative

    def set_sheet(self, sheet: LadderSheet | None) -> None:
        super().set_sheet(sheet)
        self._rings = sheet.lines.get(CYCLES.name, []) if sheet is not None else []
        self._table.set_rows(ui_rows(CYCLES.columns[:-1], self._rings))

    def widgets(self) -> list[Widget]:
        return [self._table]

    def draw(self, canvas: pygame.Surface) -> None:
        theme.draw_panel(canvas, RING)
        if self._rings:
            _draw_ring(canvas, self._rings[self._table.index])
            return
        words = theme.paragraph(
            "A ring needs three players with enough matches: about ten a pair where each wins nine of ten, forty "
            "where each wins two of three.",
            width=RING.w - 60, colour=theme.MUTED,
        )  # fmt: skip
        canvas.blit(words, words.get_rect(center=RING.center))


def _draw_ring(canvas: pygame.Surface, ring: ViewLine) -> None:
    """Draw names at the corners of a triangle, arrows from winner to loser, and the win rates beside them."""
    title = f"Each beats the next; with 95 % certainty more than {ring['low']:.0%}"
    at = (RING.left + 20, RING.top + 18)
    theme.draw_text(canvas, title, at, size=theme.SMALL, colour=theme.MUTED, width=RING.w - 40)
    centre = pygame.Vector2(RING.centerx, RING.centery + 50)
    corners = [centre + pygame.Vector2(spot) for spot in ((0, -150), (158, 110), (-158, 110))]
    plates = [
        _draw_name(canvas, name, corner)
        for name, corner in zip([ring[name] for name in CYCLES.players], corners, strict=True)
    ]
    for place, rate in enumerate(ring[f"{name}_rate"] for name in CYCLES.players):
        after = (place + 1) % 3
        begin, end = corners[place], corners[after]
        free = [
            dot for share in range(101) if not _near(dot := begin.lerp(end, share / 100), plates[place], plates[after])
        ]
        _draw_arrow(canvas, free[0], free[-1])
        middle = free[0].lerp(free[-1], 0.5)
        beside = middle + (middle - centre).normalize() * 34
        theme.draw_text(canvas, f"{rate:.0%}", (round(beside.x), round(beside.y)), bold=True, anchor="center")


def _draw_name(canvas: pygame.Surface, name: str, corner: pygame.Vector2) -> pygame.Rect:
    words = theme.fitted(name, width=150, size=theme.BODY, bold=True)
    area = words.get_rect(center=corner).inflate(24, 16)
    theme.draw_panel(canvas, area, fill=theme.RAISED)
    canvas.blit(words, words.get_rect(center=area.center))
    return area


def _near(dot: pygame.Vector2, *plates: pygame.Rect) -> bool:
    return any(plate.inflate(24, 24).collidepoint(dot) for plate in plates)


def _draw_arrow(canvas: pygame.Surface, begin: pygame.Vector2, end: pygame.Vector2) -> None:
    pygame.draw.line(canvas, theme.BLUE, begin, end, 4)
    angle = math.degrees(math.atan2(end.y - begin.y, end.x - begin.x))
    tip = [end + pygame.Vector2(*spot).rotate(angle) for spot in ((12, 0), (-8, 9), (-8, -9))]
    pygame.draw.polygon(canvas, theme.BLUE, tip)
