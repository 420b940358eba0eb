"""CoursePage: ratings over time."""

from __future__ import annotations

from collections.abc import Callable

from agents.ladder.ratings.figures import Course
from arcade.engine.ui.charts import LINES, Line, LineChart
from arcade.engine.ui.widgets import Choice, Widget
from arcade.scenes.ladder.pages import AREA, FEW_WORDS, LadderPage
from arcade.session.ladder_book import LadderSheet

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
