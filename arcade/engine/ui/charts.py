"""LineChart: curves over a common x, with readable axes; Sparkline: one small curve without axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.axes import Span, figures_needed, nice_ticks, short_number
from arcade.engine.ui.texts import colour_of
from arcade.engine.ui.theme import Colour, Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _

LINES = 8  # colours of lines
MEAN_WIDTH = 4  # units along x that share one mean of the points
LABEL, PAD = themes.SMALLEST, 12  # size of the figures on the axes, and the margin
LEGEND = 300  # units of a name in the legend
Dot = tuple[int, int]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """One curve: finite points by rising x."""

    name: str  # "" in a chart of one line: its title says it
    points: Sequence[Point]
    number: int = 0  # of its colour, below LINES
    bold: bool = False  # drawn thicker, above the others


class LineChart(Widget):
    """A panel with a title, the newest values, a grid and the lines; accept or a click calls `press`.

    It is painted again only for new points, another size or another theme.
    """

    def __init__(
        self, title: str, lines: Sequence[Line] = (), *, show: Callable[[float], str] = short_number,
        low: float | None = None, high: float | None = None, empty: str = N_("No data yet"), few: str = "",
        press: Callable[[LineChart], None] | None = None, hint: str = "", width: float = 360, height: float = 230,
        grow: float = 1.0, key: str = "", unit: str = "",
    ) -> None:  # fmt: skip
        """`show` formats a y value; `low` and `high` fix the y axis; width and height are in units.

        `unit` is that of the x axis, marked for translation.
        `few` is shown in place of axes where no line has a second point.
        """
        super().__init__(grow=grow)
        self.label, self.hint, self.empty, self.few, self.key = title, hint, empty, few, key
        self.width, self.height, self._unit = width, height, unit
        self.focusable = press is not None
        self._show, self._low, self._high, self._press = show, low, high, press
        self.lines: tuple[Line, ...] = ()
        self.painted = 0  # counts the pictures made
        self._kept: tuple[object, pygame.Surface] | None = None
        self.set_lines(lines)

    def set_lines(self, lines: Sequence[Line], *, title: str = "") -> None:
        """Show these lines, under another `title` if given; cheap without a change."""
        self.label = title or self.label
        self.lines = tuple(line for line in lines if line.points)

    @property
    def spoken(self) -> str:
        values = (f"{line.name} {self._show(line.points[-1][1])}".strip() for line in self.lines)
        return ", ".join((self.label, *(values if self.lines else (_(self.empty),))))

    def natural(self, theme: Theme, width: int) -> Size:
        return min(width, theme.px(self.width)), theme.px(self.height)

    def least(self, theme: Theme) -> int:
        return theme.px(min(self.width, 240))

    def least_height(self, theme: Theme, width: int) -> int:
        return min(theme.px(self.height), theme.px(150))

    def pressed(self) -> bool:
        if self._press is not None:
            self._press(self)
        return self._press is not None

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        seen = [(line.name, line.number, len(line.points), line.points[-1]) for line in self.lines]
        key = theme, self.rect.size, self.label, _(self._instead) if self._instead else "", seen
        if self._kept is None or self._kept[0] != key:
            self._kept = key, self._paint(theme)
            self.painted += 1
        canvas.blit(self._kept[1], self.rect)
        if self.focused:
            theme.draw_focus(canvas, self.rect)

    def _paint(self, theme: Theme) -> pygame.Surface:
        picture = pygame.Surface(self.rect.size, pygame.SRCALPHA)
        theme.draw_panel(picture, picture.get_rect())
        top = self._draw_head(picture, theme)
        if words := self._instead:
            text = theme.paragraph(
                _(words), width=self.rect.w - theme.px(2 * PAD), size=themes.SMALL, colour=theme.colours.faint
            )
            picture.blit(text, text.get_rect(center=(self.rect.w // 2, (self.rect.h + top) // 2)))
            return picture
        xs, ys = self._spans()
        plot = self._draw_axes(picture, theme, top, xs, ys)
        for line in sorted(self.lines, key=lambda line: line.bold):
            places = ((xs.place(x, plot.w), ys.place(y, plot.h)) for x, y in line.points)
            dots = [(plot.left + x, plot.bottom - y) for x, y in places]
            draw_curve(picture, theme, dots, colour=_colour(theme, line), bold=line.bold)
        return picture

    @property
    def _instead(self) -> str:
        """What is shown in place of lines and axes, "" where these are."""
        if not self.lines:
            return self.empty
        return self.few if all(len(line.points) < 2 for line in self.lines) else ""

    def _spans(self) -> tuple[Span, Span]:
        xs, ys = zip(*(point for line in self.lines for point in line.points), strict=True)
        low = min(ys) if self._low is None else self._low
        high = max(ys) if self._high is None else self._high
        return Span.around(min(xs), max(xs), padded=False), Span.around(low, high, padded=self._low is None)

    def _draw_head(self, picture: pygame.Surface, theme: Theme) -> int:
        """Draw the title and the newest values; returns the top of the plot."""
        only = self.lines[0] if len(self.lines) == 1 and not self.lines[0].name else None
        pad, top = theme.px(PAD), theme.px(10)
        right = self.rect.w - pad
        if only is not None:
            value = self._show(only.points[-1][1])
            at, look = (right, top), {"size": themes.SMALL, "colour": _colour(theme, only)}
            right = theme.draw_text(picture, value, at, bold=True, anchor="topright", **look).left  # type: ignore[arg-type]
        width, high = max(theme.px(40), right - pad - top), 2 * theme.line_height(themes.SMALL)
        title = theme.draw_text(picture, self.label, (pad, top), size=themes.SMALL, bold=True, width=width, height=high)
        below = title.bottom
        return below + theme.px(4) if only is not None or not self.lines else self._draw_legend(picture, theme, below)

    def _draw_legend(self, picture: pygame.Surface, theme: Theme, top: int) -> int:
        """Draw names and newest values in at most two rows, and the number of those without room."""
        px, pad, left, size = theme.px, theme.px(PAD), len(self.lines), LABEL + 2
        high, right = theme.line_height(size), self.rect.w - pad
        x, y, row = pad, top + px(2), 1
        for line in self.lines:
            name, colour = f"{line.name} {self._show(line.points[-1][1])}", _colour(theme, line)
            width = min(px(LEGEND), right - pad - px(14))
            text = theme.fitted(name, width=width, size=size, colour=colour, keep_end=True)
            if x + text.get_width() + px(14) > right and x > pad:
                x, y, row = pad, y + high, row + 1
            if row > 2:
                at = right, top - px(4)
                theme.draw_text(picture, f"+{left}", at, size=LABEL, colour=theme.colours.faint, anchor="bottomright")
                return y + px(4)
            mark = pygame.Rect(x, y + high // 2 - px(2), px(10), px(5 if line.bold else 3))
            pygame.draw.rect(picture, colour, mark)
            picture.blit(text, (x + px(14), y))
            x, left = x + text.get_width() + px(30), left - 1
        return y + high + px(4)

    def _draw_axes(self, picture: pygame.Surface, theme: Theme, top: int, xs: Span, ys: Span) -> pygame.Rect:
        """Draw grid and figures; returns the plot."""
        px, font, colours = theme.px, theme.font(LABEL), theme.colours
        foot = theme.line_height(LABEL) + px(14)
        room = self.rect.h - top - px(6) - foot
        rows = [(value, self._show(value)) for value in nice_ticks(ys.low, ys.high, min(4, max(1, room // px(26))))]
        left = px(PAD + 8) + max((font.size(text)[0] for _value, text in rows), default=0)
        plot = pygame.Rect(left, top + px(6), max(1, self.rect.w - left - px(PAD + 6)), max(1, room))
        for value, text in rows:
            y = plot.bottom - ys.place(value, plot.h)
            pygame.draw.line(picture, colours.raised, (plot.left, y), (plot.right, y), px(1))
            theme.draw_text(picture, text, (left - px(8), y), size=LABEL, colour=colours.muted, anchor="midright")
        pygame.draw.line(picture, colours.edge, plot.bottomleft, plot.bottomright, px(1))
        self._draw_columns(picture, theme, plot, xs)
        return plot

    def _draw_columns(self, picture: pygame.Surface, theme: Theme, plot: pygame.Rect, xs: Span) -> None:
        px, font = theme.px, theme.font(LABEL)
        columns = nice_ticks(xs.low, xs.high, max(1, plot.w // px(90)))
        figures, end, foot = figures_needed(columns), 0, plot.bottom + px(7)
        most = plot.right + px(6)
        if self._unit:
            unit = theme.draw_text(
                picture, _(self._unit), (most, foot), size=LABEL, colour=theme.colours.muted, anchor="topright"
            )
            most = unit.left - px(8)
        for value in columns:
            x = plot.left + xs.place(value, plot.w)
            pygame.draw.line(picture, theme.colours.edge, (x, plot.bottom), (x, plot.bottom + px(4)), px(1))
            text = short_number(value, figures=figures)
            half = font.size(text)[0] // 2
            at = min(max(x, plot.left + half), plot.right + px(6) - half), foot
            if at[0] - half > end and at[0] + half <= most:
                theme.draw_text(picture, text, at, size=LABEL, colour=theme.colours.muted, anchor="midtop")
                end = at[0] + half + px(6)


class Sparkline(Widget):
    """A curve over its last points, as small as a word; without points a faint line."""

    def __init__(
        self, points: Sequence[Point] = (), *, low: float | None = None, high: float | None = None, width: float = 120,
        height: float = 36, colour: str = "team 1", grow: float = 0.0,
    ) -> None:  # fmt: skip
        """`low` and `high` fix the y axis; width and height are in units."""
        super().__init__(grow=grow)
        self.points, self._low, self._high = points, low, high
        self.width, self.height, self.colour = width, height, colour

    def natural(self, theme: Theme, width: int) -> Size:
        return min(width, theme.px(self.width)), theme.px(self.height)

    def least(self, theme: Theme) -> int:
        return theme.px(min(self.width, 60))

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        area, points = self.rect.inflate(-theme.px(8), -theme.px(8)), self.points
        if len(points) < 2:
            pygame.draw.line(canvas, theme.colours.edge, area.midleft, area.midright, theme.px(1))
            return
        values = [y for _x, y in points]
        low, high = (
            (min(values) if self._low is None else self._low),
            (max(values) if self._high is None else self._high),
        )
        xs, ys = Span.around(points[0][0], points[-1][0], padded=False), Span.around(low, high, padded=False)
        dots = [(area.left + xs.place(x, area.w), area.bottom - ys.place(y, area.h)) for x, y in points]
        draw_curve(canvas, theme, dots, colour=colour_of(theme, self.colour))


def draw_curve(
    canvas: pygame.Surface, theme: Theme, dots: Sequence[Dot], *, colour: Colour, bold: bool = False
) -> None:
    """Draw the points; many of them faintly, and their means as the line."""
    means = _means(dots, theme.px(MEAN_WIDTH))
    if len(means) < len(dots):
        pairs = zip(colour, theme.colours.panel, strict=True)
        faint = tuple(round(ink * 0.35 + ground * 0.65) for ink, ground in pairs)
        pygame.draw.aalines(canvas, faint, False, dots)
    wide = theme.px(1) if bold else 0
    shifts = [(x, y) for x in range(wide + 1) for y in range(theme.px(1) + 1)]  # a wide line has no smooth edge
    for x, y in shifts if len(means) > 1 else ():
        pygame.draw.aalines(canvas, colour, False, [(left + x, top + y) for left, top in means])
    pygame.draw.circle(canvas, colour, means[-1], theme.px(4 if bold else 3))


def _colour(theme: Theme, line: Line) -> Colour:
    return theme.team_colour(line.number % LINES)


def _means(dots: Sequence[Dot], width: int) -> list[tuple[float, float]]:
    """Replace the dots of every `width` pixels along x by their mean, but keep the last."""
    places: dict[int, list[Dot]] = {}
    for dot in dots[:-1]:
        places.setdefault(dot[0] // width, []).append(dot)
    means = [(sum(x for x, _y in near) / len(near), sum(y for _x, y in near) / len(near)) for near in places.values()]
    return [*means, dots[-1]]
