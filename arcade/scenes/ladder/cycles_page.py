"""CyclesPage: cycles of three players, each of whom beats the next."""

from __future__ import annotations

import math
from collections.abc import Callable

import pygame

from agents.ladder.ratings.views import Line
from agents.ladder.ratings.views.built_in import CYCLES
from arcade.engine.ui import theme as themes
from arcade.engine.ui.layout import Column, Panel, Row
from arcade.engine.ui.tables import DataTable
from arcade.engine.ui.texts import Paragraph, Picture
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _, percent
from arcade.scenes.ladder.pages import LadderPage, ui_columns, ui_rows
from arcade.session.ladder_book import LadderSheet
from arcade.session.ladder_texts import shown_lines

NONE = N_(
    "A cycle needs three players with enough matches: about ten a pair where each wins nine of ten, forty "
    "where each wins two of three."
)
CORNERS = ((0.0, -1.0), (1.0, 0.75), (-1.0, 0.75))
"""Of the triangle, in half widths and half heights of the picture."""


class CyclesPage(LadderPage):
    """The most certain cycles first; the chosen one is drawn.  Accept shows its first two players."""

    title = N_("Cycles")

    def __init__(self, meet: Callable[[str, str], None]) -> None:
        super().__init__(meet)
        self._cycles: list[Line] = []
        self._table = DataTable((), press=self._press, grow=1, width=560, key="cycles")

    def fits(self, sheet: LadderSheet | None) -> bool:
        return sheet is None or not sheet.standings.facts.cooperative

    def body(self) -> Widget:
        self._cycles = self.sheet.lines.get(CYCLES.name, []) if self.sheet is not None else []
        shown = shown_lines(CYCLES, self._cycles, self.sheet.shown if self.sheet is not None else {})
        columns = CYCLES.columns[:-1]
        rows = ui_rows(columns, shown)
        self._table.columns, self._table.empty = ui_columns(columns, rows), _("No cycles of three players found")
        self._table.hint = _("The last beats the first; the 95% interval of each win rate lies above one half")
        self._table.set_rows(rows)
        if not self._cycles:
            return Panel(Paragraph(f"{self._table.empty}.\n\n{_(NONE)}", colour="muted"))
        picture = Picture(
            lambda canvas, theme, area: _draw_cycle(canvas, theme, area, shown[self._table.index]),
            width=420, height=360, least=300, grow=1,
        )  # fmt: skip
        title = Paragraph(self._certainty, size=themes.SMALL, colour="muted")
        cycle = Panel(Column([title, picture]), grow=1, least=420)
        return Row([self._table, cycle], align="stretch", grow=1)

    def _certainty(self) -> str:
        low = self._cycles[self._table.index]["low"]
        return _("Each beats the next; with 95% certainty more than {rate}").format(rate=percent(low))

    def _press(self, row: int) -> None:
        self.meet(self._cycles[row]["first"], self._cycles[row]["second"])


def _draw_cycle(canvas: pygame.Surface, theme: Theme, area: pygame.Rect, cycle: Line) -> None:
    """Draw names at the corners of a triangle, arrows from winner to loser, and the win rates beside them."""
    half = max(1.0, area.w / 2 - theme.px(80)), max(1.0, area.h / 2 - theme.px(30))
    middle = pygame.Vector2(area.center)
    corners = [middle + pygame.Vector2(x * half[0], y * half[1]) for x, y in CORNERS]
    plates = [
        _draw_name(canvas, theme, cycle[name], corner) for name, corner in zip(CYCLES.players, corners, strict=True)
    ]
    for place, rate in enumerate(cycle[f"{name}_rate"] for name in CYCLES.players):
        after = (place + 1) % 3
        begin, end = corners[place], corners[after]
        dots = [begin.lerp(end, part / 100) for part in range(101)]
        free = [dot for dot in dots if not _near(dot, theme.px(24), plates[place], plates[after])]
        if not free:
            continue
        _draw_arrow(canvas, theme, free[0], free[-1])
        beside = free[0].lerp(free[-1], 0.5)
        inward = (middle - beside).normalize() * theme.px(34) if middle != beside else pygame.Vector2()
        at = round(beside.x + inward.x), round(beside.y + inward.y)
        theme.draw_text(canvas, percent(rate), at, bold=True, anchor="center")


def _draw_name(canvas: pygame.Surface, theme: Theme, name: str, corner: pygame.Vector2) -> pygame.Rect:
    words = theme.fitted(name, width=theme.px(150), size=themes.BODY, bold=True)
    area = words.get_rect(center=corner).inflate(theme.px(24), theme.px(16))
    theme.draw_panel(canvas, area, fill=theme.colours.raised)
    canvas.blit(words, words.get_rect(center=area.center))
    return area


def _near(dot: pygame.Vector2, around: int, *plates: pygame.Rect) -> bool:
    return any(plate.inflate(around, around).collidepoint(dot) for plate in plates)


def _draw_arrow(canvas: pygame.Surface, theme: Theme, begin: pygame.Vector2, end: pygame.Vector2) -> None:
    colour, px = theme.colours.teams[0], theme.px
    pygame.draw.line(canvas, colour, begin, end, px(4))
    angle = math.degrees(math.atan2(end.y - begin.y, end.x - begin.x))
    tip = [end + pygame.Vector2(px(x), px(y)).rotate(angle) for x, y in ((12, 0), (-8, 9), (-8, -9))]
    pygame.draw.polygon(canvas, colour, tip)
