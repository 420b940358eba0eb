"""LineChart: curves over a common x, with axes that a person can read; drawn when they change and kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.axes import Span, figures_needed, nice_ticks, short_number
from arcade.engine.ui.widgets import Widget

LINES = 8  # colours that lines may have; a chart that wants a name to keep its colour chooses by itself

Dot = tuple[int, int]
MEAN_WIDTH = 4  # pixels along x for each of which a line goes through the mean of its points

LABEL, PAD = 14, 12  # size of the figures on the axes, and the room to the panel's edge


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


class LineChart(Widget):
    """A panel with a title, the newest values, a grid and the lines; `press` is called on accept or a click.

    `set_lines` is cheap: the picture is made at the next draw, and only after a change.
    """

    def __init__(
        self,
        rect: pygame.Rect | tuple[int, int, int, int],
        title: str,
        *,
        show: Callable[[float], str] = short_number,
        low: float | None = None,
        high: float | None = None,
        empty: str = "Nothing told yet",
        press: Callable[[LineChart], None] | None = None,
        hint: str = "",
    ) -> None:
        """`show` writes a y value; `low` and `high` hold the y axis where they are given."""
        super().__init__(rect)
        self.words, self.hint, self.empty = title, hint, empty
        self.focusable = press is not None
        self._show, self._low, self._high, self._press = show, low, high, press
        self._lines: tuple[Line, ...] = ()
        self._known: tuple[object, ...] = ()  # what tells one set of lines from another
        self._picture: pygame.Surface | None = None
        self._made_for: tuple[int, tuple[int, int]] | None = None  # theme.version and size of that picture
        self.drawn = 0  # how often the picture was made

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._lines

    def set_lines(self, lines: Sequence[Line], *, title: str = "") -> None:
        """Show these from the next draw on, under another `title` where one is given; the same again is no work."""
        self.words = title or self.words
        self._lines = tuple(line for line in lines if line.points)
        known = self.words, *((line.name, line.number, len(line.points), line.points[-1]) for line in self._lines)
        if known != self._known:
            self._known, self._picture = known, None

    def menu(self, event: MenuInput) -> bool:
        if self._press is None or event.action != "accept" or event.repeated:
            return False
        self._press(self)
        return True

    def pointer(self, event: PointerInput) -> bool:
        if self._press is None or event.kind != "press" or event.button != 1:
            return False
        self._press(self)
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        wanted = theme.version, self.rect.size
        if self._picture is None or self._made_for != wanted:
            self._picture, self._made_for = self._make(), wanted
            self.drawn += 1
        canvas.blit(self._picture, self.rect)
        if focused:
            theme.draw_focus(canvas, self.rect)

    def _make(self) -> pygame.Surface:
        picture = theme.plate(self.rect.size)
        top = self._draw_head(picture)
        if not self._lines:
            at = (self.rect.w // 2, (self.rect.h + top) // 2)
            theme.draw_text(picture, self.empty, at, size=theme.SMALL, colour=theme.FAINT, anchor="center")
            return picture
        xs, ys = self._spans()
        plot = self._draw_axes(picture, top, xs, ys)
        for line in sorted(self._lines, key=lambda line: line.bold):
            places = ((xs.place(x, plot.w), ys.place(y, plot.h)) for x, y in line.points)
            _draw_line(picture, line, [(plot.left + x, plot.bottom - y) for x, y in places])
        return picture

    def _spans(self) -> tuple[Span, Span]:
        points = [point for line in self._lines for point in line.points]
        low = min(y for _, y in points) if self._low is None else self._low
        high = max(y for _, y in points) if self._high is None else self._high
        xs = Span.around(min(x for x, _ in points), max(x for x, _ in points), padded=False)
        return xs, Span.around(low, high, padded=self._low is None)

    def _draw_head(self, picture: pygame.Surface) -> int:
        """Title, and the newest value of each line; returns where the plot may begin."""
        only = self._lines[0] if len(self._lines) == 1 and not self._lines[0].name else None
        width, right = self.rect.w - 2 * PAD, self.rect.w - PAD
        if only is not None:
            words = self._show(only.points[-1][1])
            look = {"size": theme.SMALL, "bold": True, "colour": only.colour}
            right = theme.draw_text(picture, words, (right, 10), anchor="topright", **look).left  # type: ignore[arg-type]
        theme.draw_text(picture, self.words, (PAD, 10), size=theme.SMALL, bold=True, width=max(40, right - PAD - 10))
        return 40 if only is not None or not self._lines else self._draw_legend(picture, width)

    def _draw_legend(self, picture: pygame.Surface, width: int) -> int:
        """The lines' names and newest values in at most two rows below the title; what does not fit is counted."""
        x, y, left = PAD, 36, len(self._lines)
        for line in self._lines:
            words = theme.fitted(  # the distinguishing part of snapshot names is at their end
                f"{line.name} {self._show(line.points[-1][1])}", width=200, size=LABEL + 2, colour=line.colour,
                keep_end=True,
            )  # fmt: skip
            if x + words.get_width() + 16 > PAD + width and x > PAD:
                x, y = PAD, y + 20
            if y > 56:
                theme.draw_text(
                    picture, f"+{left}", (self.rect.w - PAD, 36), size=LABEL, colour=theme.FAINT, anchor="topright"
                )
                return 80
            pygame.draw.rect(picture, line.colour, (x, y + 7, 10, 5 if line.bold else 3))
            picture.blit(words, (x + 14, y))
            x, left = x + words.get_width() + 30, left - 1
        return y + 26

    def _draw_axes(self, picture: pygame.Surface, top: int, xs: Span, ys: Span) -> pygame.Rect:
        """Grid and figures; returns where the lines go."""
        rows = [(value, self._show(value)) for value in nice_ticks(ys.low, ys.high, 4)]
        font = theme.font(LABEL)
        left = PAD + 8 + max((font.size(words)[0] for _, words in rows), default=0)
        plot = pygame.Rect(left, top + 6, self.rect.w - left - PAD - 6, self.rect.h - top - 6 - 32)
        for value, words in rows:
            y = plot.bottom - ys.place(value, plot.h)
            pygame.draw.line(picture, theme.RAISED, (plot.left, y), (plot.right, y))
            theme.draw_text(picture, words, (left - 8, y), size=LABEL, colour=theme.MUTED, anchor="midright")
        pygame.draw.line(picture, theme.EDGE, plot.bottomleft, plot.bottomright)
        columns = nice_ticks(xs.low, xs.high, max(2, plot.w // 90))
        figures = figures_needed(columns)
        for value in columns:
            x = plot.left + xs.place(value, plot.w)
            pygame.draw.line(picture, theme.EDGE, (x, plot.bottom), (x, plot.bottom + 4))
            words = short_number(value, figures=figures)
            half = font.size(words)[0] // 2
            at = (min(max(x, plot.left + half), plot.right + 6 - half), plot.bottom + 7)
            theme.draw_text(picture, words, at, size=LABEL, colour=theme.MUTED, anchor="midtop")
        return plot


def _draw_line(picture: pygame.Surface, line: Line, dots: Sequence[Dot]) -> None:
    """Where there are many points, their means are the line and they themselves lie faintly behind it."""
    means = _means(dots)
    if len(means) < len(dots):
        faint = tuple(round(ink * 0.35 + ground * 0.65) for ink, ground in zip(line.colour, theme.PANEL, strict=True))
        pygame.draw.aalines(picture, faint, False, dots)
    for x, y in ((0, 0), (0, 1), *(((1, 0), (1, 1)) if line.bold else ())):  # a wide line has no smooth edge
        if len(means) > 1:
            pygame.draw.aalines(picture, line.colour, False, [(left + x, top + y) for left, top in means])
    pygame.draw.circle(picture, line.colour, means[-1], 4 if line.bold else 3)


def _means(dots: Sequence[Dot]) -> list[tuple[float, float]]:
    """One dot for every few pixels along x, at the mean height of those there; the last one as it is."""
    places: dict[int, list[Dot]] = {}
    for dot in dots[:-1]:
        places.setdefault(dot[0] // MEAN_WIDTH, []).append(dot)
    means = [(sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near)) for near in places.values()]
    return [*means, dots[-1]]
