"""LineChart of pages of fixed size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.axes import Span, figures_needed, nice_ticks, short_number
from arcade.engine.ui.widgets import Area, PaintedWidget

LINES = 8  # colours of lines
MEAN_WIDTH = 4  # pixels along x that share one mean of the points
LABEL, PAD = 14, 12  # size of the figures on the axes, and the margin
Dot = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """One curve: finite points by rising x."""

    name: str  # "" in a chart of one line: its title says it
    points: Sequence[tuple[float, float]]
    number: int = 0  # of its colour, below LINES
    bold: bool = False  # drawn thicker, above the others

    @property
    def colour(self) -> theme.Colour:
        """In the palette in use."""
        return theme.TEAMS[self.number % LINES]


class LineChart(PaintedWidget):
    """A panel with a title, the newest values, a grid and the lines; accept or a click calls `press`."""

    def __init__(
        self, rect: Area, title: str, *, show: Callable[[float], str] = short_number, low: float | None = None,
        high: float | None = None, empty: str = "No data yet", press: Callable[[LineChart], None] | None = None,
        hint: str = "",
    ) -> None:  # fmt: skip
        """`show` formats a y value; `low` and `high` fix the y axis."""
        super().__init__(rect)
        self.label, self.hint, self.empty = title, hint, empty
        self.focusable = press is not None
        self._show, self._low, self._high, self._press = show, low, high, press
        self.lines: tuple[Line, ...] = ()

    def set_lines(self, lines: Sequence[Line], *, title: str = "") -> None:
        """Show these lines, under another `title` if given; cheap without a change."""
        self.label = title or self.label
        self.lines = tuple(line for line in lines if line.points)

    @property
    def shown(self) -> object:
        return self.label, [(line.name, line.number, len(line.points), line.points[-1]) for line in self.lines]

    def pressed(self) -> bool:
        if self._press is not None:
            self._press(self)
        return self._press is not None

    def paint(self) -> pygame.Surface:
        picture = theme.plate(self.rect.size)
        top = self._draw_head(picture)
        if not self.lines:
            at = (self.rect.w // 2, (self.rect.h + top) // 2)
            theme.draw_text(picture, self.empty, at, size=theme.SMALL, colour=theme.FAINT, anchor="center")
            return picture
        xs, ys = self._spans()
        plot = self._draw_axes(picture, top, xs, ys)
        for line in sorted(self.lines, key=lambda line: line.bold):
            places = ((xs.place(x, plot.w), ys.place(y, plot.h)) for x, y in line.points)
            _draw_line(picture, line, [(plot.left + x, plot.bottom - y) for x, y in places])
        return picture

    def _spans(self) -> tuple[Span, Span]:
        xs, ys = zip(*(point for line in self.lines for point in line.points), strict=True)
        low = min(ys) if self._low is None else self._low
        high = max(ys) if self._high is None else self._high
        return Span.around(min(xs), max(xs), padded=False), Span.around(low, high, padded=self._low is None)

    def _draw_head(self, picture: pygame.Surface) -> int:
        """Draw the title and the newest values; returns the top of the plot."""
        only = self.lines[0] if len(self.lines) == 1 and not self.lines[0].name else None
        right = self.rect.w - PAD
        if only is not None:
            value = theme.text(self._show(only.points[-1][1]), size=theme.SMALL, bold=True, colour=only.colour)
            right = picture.blit(value, value.get_rect(topright=(right, 10))).left
        theme.draw_text(picture, self.label, (PAD, 10), size=theme.SMALL, bold=True, width=max(40, right - PAD - 10))
        return 40 if only is not None or not self.lines else self._draw_legend(picture)

    def _draw_legend(self, picture: pygame.Surface) -> int:
        """Draw names and newest values in at most two rows, and the number of those without room."""
        x, y, left, right = PAD, 36, len(self.lines), self.rect.w - PAD
        for line in self.lines:
            name = f"{line.name} {self._show(line.points[-1][1])}"  # snapshot names differ at their end
            text = theme.fitted(name, width=200, size=LABEL + 2, colour=line.colour, keep_end=True)
            if x + text.get_width() + 16 > right and x > PAD:
                x, y = PAD, y + 20
            if y > 56:
                theme.draw_text(picture, f"+{left}", (right, 36), size=LABEL, colour=theme.FAINT, anchor="topright")
                return 80
            pygame.draw.rect(picture, line.colour, (x, y + 7, 10, 5 if line.bold else 3))
            picture.blit(text, (x + 14, y))
            x, left = x + text.get_width() + 30, left - 1
        return y + 26

    def _draw_axes(self, picture: pygame.Surface, top: int, xs: Span, ys: Span) -> pygame.Rect:
        """Draw grid and figures; returns the plot."""
        rows = [(value, self._show(value)) for value in nice_ticks(ys.low, ys.high, 4)]
        font = theme.font(LABEL)
        left = PAD + 8 + max((font.size(text)[0] for _, text in rows), default=0)
        plot = pygame.Rect(left, top + 6, self.rect.w - left - PAD - 6, self.rect.h - top - 6 - 32)
        for value, text in rows:
            y = plot.bottom - ys.place(value, plot.h)
            pygame.draw.line(picture, theme.RAISED, (plot.left, y), (plot.right, y))
            theme.draw_text(picture, text, (left - 8, y), size=LABEL, colour=theme.MUTED, anchor="midright")
        pygame.draw.line(picture, theme.EDGE, plot.bottomleft, plot.bottomright)
        columns = nice_ticks(xs.low, xs.high, max(2, plot.w // 90))
        figures = figures_needed(columns)
        for value in columns:
            x = plot.left + xs.place(value, plot.w)
            pygame.draw.line(picture, theme.EDGE, (x, plot.bottom), (x, plot.bottom + 4))
            text = short_number(value, figures=figures)
            half = font.size(text)[0] // 2
            at = (min(max(x, plot.left + half), plot.right + 6 - half), plot.bottom + 7)
            theme.draw_text(picture, text, at, size=LABEL, colour=theme.MUTED, anchor="midtop")
        return plot


def _draw_line(picture: pygame.Surface, line: Line, dots: Sequence[Dot]) -> None:
    """Draw the points; many of them faintly, and their means as the line."""
    means = _means(dots)
    if len(means) < len(dots):
        faint = tuple(round(ink * 0.35 + ground * 0.65) for ink, ground in zip(line.colour, theme.PANEL, strict=True))
        pygame.draw.aalines(picture, faint, False, dots)
    for x, y in ((0, 0), (0, 1), *(((1, 0), (1, 1)) if line.bold else ())):  # a wide line has no smooth edge
        if len(means) > 1:
            pygame.draw.aalines(picture, line.colour, False, [(left + x, top + y) for left, top in means])
    pygame.draw.circle(picture, line.colour, means[-1], 4 if line.bold else 3)


def _means(dots: Sequence[Dot]) -> list[tuple[float, float]]:
    """Replace the dots of every few pixels along x by their mean, but keep the last."""
    places: dict[int, list[Dot]] = {}
    for dot in dots[:-1]:
        places.setdefault(dot[0] // MEAN_WIDTH, []).append(dot)
    means = [(sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near)) for near in places.values()]
    return [*means, dots[-1]]
