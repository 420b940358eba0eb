"""Ladder pages of ratings over time, and of two players against each other."""

from __future__ import annotations

import math
from collections.abc import Callable

import pygame

from agents.ladder.ratings.pairs import HeadToHead
from agents.ladder.ratings.standings import Course, expected_share
from arcade.engine.ui import theme as themes
from arcade.engine.ui.axes import short_number
from arcade.engine.ui.charts import LINES, Line, LineChart
from arcade.engine.ui.controls import Button, Choice
from arcade.engine.ui.layout import Column, Panel, Row
from arcade.engine.ui.texts import Label, Paragraph, Picture
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _, local_number, percent
from arcade.scenes.ladder.pages import FEW_WORDS, LadderPage, cell_words
from arcade.session.ladder_book import LadderSheet
from arcade.session.ladder_texts import FEW_MATCHES

Ask = Callable[[str, list[str], int, Callable[[int], None]], None]
AFTER = N_("Rating after each match")


class CoursePage(LadderPage):
    """Eight players at a time, the strongest first."""

    title = N_("Over time")

    def __init__(self, meet: Callable[[str, str], None]) -> None:
        super().__init__(meet)
        self._chart = LineChart("", show=_four_figures, empty=FEW_WORDS, few=FEW_MATCHES, height=420)
        self._group = 0

    def fits(self, sheet: LadderSheet | None) -> bool:
        return sheet is None or not sheet.standings.facts.cooperative

    def body(self) -> Widget:
        count = len(self.sheet.courses) if self.sheet is not None else 0
        groups = [f"{first + 1} – {min(first + LINES, count)}" for first in range(0, count, LINES)]
        self._group = min(self._group, max(0, len(groups) - 1))
        places = Choice(
            _("Places"), groups, index=self._group, change=self._set_group, grow=1,
            hint=_("The players drawn, by their places in the table"),
        ) if len(groups) > 1 else None  # fmt: skip
        self._fill()
        return Column([places, self._chart], grow=1)

    def _set_group(self, index: int) -> None:
        self._group = index
        self._fill()

    def _fill(self) -> None:
        courses = self.sheet.courses if self.sheet is not None else ()
        drawn = courses[self._group * LINES : (self._group + 1) * LINES]
        lines = [course_line(course, self.shown(course.name), number) for number, course in enumerate(drawn)]
        self._chart.set_lines(lines, title=_(AFTER))


def course_line(course: Course, name: str, number: int, *, bold: bool = False) -> Line:
    """Return the line of a chart for a course, in colour `number`."""
    return Line(name, list(zip(course.numbers.tolist(), course.points.tolist(), strict=True)), number, bold=bold)


class PairPage(LadderPage):
    """Two players' results; in cooperative games their scores together and alone."""

    title = N_("Two players")

    def __init__(self, meet: Callable[[str, str], None], ask: Ask) -> None:
        """`ask` shows a list to pick from: title, options, present index, and the function that gets the new one."""
        super().__init__(meet)
        self._ask = ask
        self._chosen: list[str] = ["", ""]
        self._chart = LineChart(
            "", show=_four_figures, empty=N_("Rated by score: no course"), few=FEW_MATCHES, height=340
        )

    def show(self, name: str, other: str) -> None:
        """Show these two players."""
        self._chosen = [name, other]

    def set_sheet(self, sheet: LadderSheet | None) -> None:
        super().set_sheet(sheet)
        names = sheet.names if sheet is not None else ()
        if sheet is not None and len(names) > 1 and not set(self._chosen) <= set(names):
            self._chosen = [names[0], sheet.partner(names[0])]

    def body(self) -> Widget:
        if self.sheet is None or len(self.sheet.names) < 2:
            return Panel(Paragraph(_(FEW_WORDS), colour="muted"))
        hint = _("Choose another player")
        one, other = (self.shown(name) for name in self._chosen)
        players = Row([
            Button(one, lambda: self._pick(0), hint=hint, grow=1, key="one"),
            Button(other, lambda: self._pick(1), hint=hint, grow=1, key="other"),
            Button(_("Swap"), self._turn, hint=_("Swap the two players")),
        ])  # fmt: skip
        self._fill(self.sheet)
        record = Panel(self._record(self.sheet), grow=1, least=300)
        return Column([players, Row([record, self._chart], align="stretch", grow=1)], grow=1)

    def _record(self, sheet: LadderSheet) -> Widget:
        standings = sheet.standings
        if standings.matrix is None:
            return self._score(sheet)
        record, expected = standings.matrix.pair(*self._chosen), expected_share(standings, *self._chosen)
        lines = [
            Paragraph(text, size=themes.BODY if is_large else themes.SMALL, colour="ink" if is_large else "muted")
            for text, is_large in record_lines(record, expected, self.shown(record.name))
        ]
        parts = (
            (record.wins, _("won"), "team 1"),
            (record.draws, _("drawn"), "faint"),
            (record.losses, _("lost"), "team 2"),
        )
        figures = [_figure(local_number(f"{count:,}"), word, colour) for count, word, colour in parts]
        bar = Picture(lambda canvas, theme, area: _draw_bar(canvas, theme, area, record), width=480, height=22)
        return Column([Row(figures, gap=40, stacks=False), bar, *lines])

    def _score(self, sheet: LadderSheet) -> Widget:
        table = sheet.standings.pairs
        one, two = (table.names.index(name) for name in self._chosen)
        value = float(table.values[one, two])
        figure = "–" if math.isnan(value) else short_number(value)
        pairs = ((one, two), (one, one), (two, two))
        return Column([
            _figure(figure, _("together"), "team 1"),
            *(Paragraph(cell_words(table, *pair, self.shown)) for pair in pairs),
        ])  # fmt: skip

    def _pick(self, which: int) -> None:
        assert self.sheet is not None
        names = [name for name in self.sheet.names if name != self._chosen[1 - which]]

        def take(index: int) -> None:
            pair = [*self._chosen]
            pair[which] = names[index]
            self.meet(pair[0], pair[1])

        titles = [self.shown(name) for name in names]
        self._ask(_("Player"), titles, names.index(self._chosen[which]), take)

    def _turn(self) -> None:
        self.meet(self._chosen[1], self._chosen[0])

    def _fill(self, sheet: LadderSheet) -> None:
        by_name = {course.name: course for course in sheet.courses}
        courses = [by_name[name] for name in self._chosen if name in by_name]
        lines = [
            course_line(course, self.shown(course.name), number, bold=number == 0)
            for number, course in enumerate(courses)
        ]
        self._chart.set_lines(lines, title=_(AFTER))


def _figure(figure: str, word: str, colour: str) -> Widget:
    """Make a large number with a word below."""
    return Column([Label(figure, size=themes.TITLE, bold=True, colour=colour), Label(word, colour="muted")], gap=0)


def record_lines(record: HeadToHead, expected: float | None, name: str) -> list[tuple[str, bool]]:
    """Return the lines below the record, and whether each is large; `name` is what people read for the first."""
    lines = [(_("No match between these two yet"), True)]
    if record.games:
        low, high = percent(record.low), percent(record.high)
        lines = [
            (_("{player} wins {rate}").format(player=name, rate=percent(record.rate)), True),
            (_("95% interval {low} to {high}; draws count half").format(low=low, high=high), False),
        ]
    if expected is not None:
        lines.append((_("Their ratings predict {rate}").format(rate=percent(expected)), False))
        if record.games and not record.low <= expected <= record.high:
            lines.append((_("The record differs from what the ratings predict"), False))
    return lines


def _draw_bar(canvas: pygame.Surface, theme: Theme, area: pygame.Rect, record: HeadToHead) -> None:
    """Draw wins, draws and losses as one bar."""
    blue, orange = theme.colours.teams[:2]
    left = area.left
    for count, colour in ((record.wins, blue), (record.draws, theme.colours.faint), (record.losses, orange)):
        width = round(area.w * count / max(1, record.games))
        part = (left, area.top, max(0, width - theme.px(2)), area.h)
        pygame.draw.rect(canvas, colour, part, border_radius=theme.px(4))
        left += width


def _four_figures(value: float) -> str:
    return local_number(f"{value:.4g}")
