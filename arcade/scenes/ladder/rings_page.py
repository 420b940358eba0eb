"""RingsPage: three players of which each beats the next, which no rating can express."""

from __future__ import annotations

import math
from collections.abc import Callable

import pygame

from agents.ladder.ratings.views import Line
from agents.ladder.ratings.views.built_in import CYCLES
from arcade.engine.ui import theme
from arcade.engine.ui.table import DataTable
from arcade.engine.ui.widgets import Widget
from arcade.scenes.ladder.pages import AREA, LadderPage, ui_columns, ui_rows
from arcade.session.ladder_book import LadderSheet

LIST = pygame.Rect(AREA.left, AREA.top, 690, AREA.h)
RING = pygame.Rect(LIST.right + 16, AREA.top, AREA.right - LIST.right - 16, AREA.h)


class RingsPage(LadderPage):
    """The most certain rings first; the chosen one is drawn.  Accept shows its first two players."""

    title = "Rings"

    def __init__(self, meet: Callable[[str, str], None]) -> None:
        super().__init__(meet)
        self._rings: list[Line] = []
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


def _draw_ring(canvas: pygame.Surface, ring: Line) -> None:
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
