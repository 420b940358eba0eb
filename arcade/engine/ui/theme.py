"""Theme: colours, text sizes, spacing, and cached text."""

from __future__ import annotations

import io
from collections import deque
from functools import lru_cache
from pathlib import Path
from typing import Any

import pygame

from arcade.assets import asset
from arcade.engine.ui.picture_cache import PictureCache
from arcade.palettes import PALETTES
from arcade.palettes import Colour as Colour

SMALL, BODY, LARGE, TITLE, HERO = 18, 22, 30, 44, 72  # units
SMALLEST = 14  # units; smaller text is unreadable
GAP, MARGIN, RADIUS = 12, 40, 12  # between things, to the window's edge, of corners

Size = tuple[int, int]
TEXT_WINDOWS = 2
"""Pictures of lines that are kept, in windows full of them; the same for paragraphs."""
LEAST_SHARE = 0.8
"""Of its size that a text may be shrunk to before it is broken into lines."""
LEAST_BROKEN = 80
"""Units of a line from which on a word that is longer is broken."""
LEAST_PAGE = 426, 236
"""Least width and height of a page in units: at scale 3 in a window of 16:9."""
LEAST_UNIT = 0.7
"""Least pixels a unit at scale 1, so that text stays readable in a small window."""


def unit_for(window: Size, scale: float) -> float:
    """Return the pixels a unit: one at 1280 x 720 and scale 1.

    >>> unit_for((1920, 1080), 2.0)
    3.0
    """
    whole = min(window[0] / 1280, window[1] / 720)
    most = min(window[0] / LEAST_PAGE[0], window[1] / LEAST_PAGE[1])
    return min(max(whole, LEAST_UNIT) * scale, max(most, 0.1))


class Theme:
    """Colours, sizes and text of the screens, at the window's own resolution; handed down to every widget.

    Sizes are in units, which `px` turns into pixels; the sizes of text are SMALL, BODY, LARGE, TITLE and HERO::

        theme.draw_text(canvas, "Play", rect.center, anchor="center", colour=theme.colours.muted)

    A picture of text is cached, so do not draw on it.  An object is never changed: another palette, window or scale is
    another Theme, so that caches may keep it as their key.  Themes of the same values are equal, so that these have one
    entry for all of them; but not those from before a quit of pygame, whose fonts are dead.
    """

    def __init__(
        self, palette: str = "night", *, window: Size = (1280, 720), scale: float = 1.0, unit: float = 0.0
    ) -> None:
        """`unit`: pixels a unit, 0 for those of the window and the scale."""
        if palette not in PALETTES:
            raise ValueError(f"expected a palette among {', '.join(PALETTES)}, got: {palette!r}")
        self.palette, self.colours, self.window, self.scale = palette, PALETTES[palette], window, scale
        self.unit = unit or unit_for(window, scale)
        self._values = palette, window, scale, self.unit, _font_generation()
        self._hash = hash(self._values)
        self.gap, self.margin, self.radius = self.px(GAP), self.px(MARGIN), self.px(RADIUS)
        pictures = TEXT_WINDOWS * 4 * window[0] * window[1]
        self.font = lru_cache(64)(self._font)
        self.text = PictureCache(self._text, most_bytes=pictures)
        self.paragraph = PictureCache(self._paragraph, most_bytes=pictures)
        self.fit = lru_cache(1024)(self._fit)
        self.cut = lru_cache(256)(self._cut)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Theme) and self._values == other._values

    def __hash__(self) -> int:
        return self._hash

    def like(self, palette: str, window: Size, scale: float) -> Theme:
        """Return this theme, or another one for other values."""
        same = (palette, window, scale) == (self.palette, self.window, self.scale)
        return self if same else Theme(palette, window=window, scale=scale)

    def forget(self) -> None:
        """Free all fonts and pictures: another theme is used from now on."""
        for cached in (self.font, self.text, self.paragraph, self.fit, self.cut):
            cached.cache_clear()

    def forget_unused(self) -> None:
        """Free the pictures of texts that were not drawn since the last call."""
        self.text.forget_unused()
        self.paragraph.forget_unused()

    @property
    def page(self) -> tuple[float, float]:
        """Width and height of the window in units."""
        return self.window[0] / self.unit, self.window[1] / self.unit

    def px(self, units: float) -> int:
        """Return a length in pixels; at least 1 for one above 0."""
        return max(1, round(units * self.unit)) if units > 0 else round(units * self.unit)

    def _font(self, size: float = BODY, *, bold: bool = False) -> pygame.font.Font:
        """Return the typeface at `size` units."""
        if size < SMALLEST:
            raise ValueError(f"expected text of {SMALLEST} units or more, got: {size}")
        if not pygame.font.get_init():
            pygame.font.init()
        name = "Inter-SemiBold.otf" if bold else "Inter-Regular.otf"
        return pygame.font.Font(io.BytesIO(_typeface(name)), self.px(size))

    def _text(
        self, line: str, *, size: float = BODY, colour: Colour | None = None, bold: bool = False
    ) -> pygame.Surface:
        """Return a line of text as a transparent picture."""
        return self.font(size, bold=bold).render(line, True, colour or self.colours.ink)

    def _paragraph(
        self, text: str, *, width: int, size: float = BODY, colour: Colour | None = None, bold: bool = False,
        align: int = pygame.FONT_LEFT,
    ) -> pygame.Surface:  # fmt: skip
        """Return text broken into lines at most `width` pixels wide."""
        face = self.font(size, bold=bold)
        face.align = align
        return face.render(text, True, colour or self.colours.ink, None, max(1, width))

    def fitted(
        self, text: str, *, width: int, height: int = 0, size: float = BODY, colour: Colour | None = None,
        bold: bool = False, keep_end: bool = False, align: int = pygame.FONT_LEFT,
    ) -> pygame.Surface:  # fmt: skip
        """Return text within `width` pixels: in smaller letters where needed, else with an ellipsis in its middle.

        Several lines are used where they fit into `height` and one line would be a lot smaller than `size`.
        `keep_end` cuts the beginning.
        """
        fitting, wraps = self.fit(text, width=width, height=height, size=size, bold=bold)
        look: dict[str, Any] = {"size": fitting or SMALLEST, "colour": colour, "bold": bold}
        if wraps:
            return self.paragraph(text, width=width, align=align, **look)
        if not fitting:
            text = self.cut(text, width, bold=bold, keep_end=keep_end)
        return self.text(text, **look)

    def _fit(self, text: str, *, width: int, height: int, size: float, bold: bool) -> tuple[float, bool]:
        """Return the size that `fitted` uses, 0 where the text must be cut, and whether it is broken into lines."""
        sizes = [*range(int(size), SMALLEST, -2), SMALLEST]
        in_one = next((n for n in sizes if "\n" not in text and self._wide(text, n, bold=bold) <= width), 0)
        if in_one < size * LEAST_SHARE and height:
            for in_lines in sizes:
                if self._wraps(text, width, height, in_lines, bold=bold):
                    return in_lines, True
        is_broken = (
            not in_one
            and height
            and width >= self.px(LEAST_BROKEN)
            and self._is_within(text, width, height, SMALLEST, bold=bold)
        )
        return (SMALLEST, True) if is_broken else (in_one, False)

    def _wide(self, line: str, size: float, *, bold: bool) -> int:
        width: int = self.font(size, bold=bold).size(line)[0]
        return width

    def _wraps(self, text: str, width: int, height: int, size: float, *, bold: bool) -> bool:
        """Return whether the text fits between its words into lines."""
        is_whole = all(self._wide(word, size, bold=bold) <= width for word in text.split())
        return is_whole and self._is_within(text, width, height, size, bold=bold)

    def _is_within(self, text: str, width: int, height: int, size: float, *, bold: bool) -> bool:
        """Return whether the text fits into lines, of which a narrow one may break a word."""
        return self.paragraph(text, width=width, size=size, bold=bold).get_height() <= height + self.px(2)

    def _cut(self, line: str, width: int, *, bold: bool, keep_end: bool) -> str:
        """Return what fits in the smallest letters, with an ellipsis in place of the middle, or of the beginning.

        Names in a list often begin alike and differ at their ends.
        """
        kept = line
        while line and self._wide(kept, SMALLEST, bold=bold) > width:
            line = line[1:] if keep_end else line[: len(line) // 2] + line[len(line) // 2 + 1 :]
            head = 0 if keep_end else (len(line) + 1) // 2
            kept = f"{line[:head].rstrip()}…{line[head:].lstrip()}"
        clipped_texts.append(kept)
        return kept

    def line_height(self, size: float = BODY) -> int:
        """Return the height of a line of text in pixels."""
        height: int = self.font(size).get_linesize()
        return height

    def team_colour(self, team: int) -> Colour:
        """Return the colour of a team, by its index in GameSpec.teams."""
        return self.colours.teams[team % len(self.colours.teams)]

    def draw_text(
        self, canvas: pygame.Surface, line: str, at: tuple[int, int], *, size: float = BODY,
        colour: Colour | None = None, bold: bool = False, anchor: str = "topleft", width: int | None = None,
        height: int = 0,
    ) -> pygame.Rect:  # fmt: skip
        """Draw text with its `anchor` (a pygame Rect attribute) at `at`, as `fitted` does; returns its rectangle."""
        look: dict[str, Any] = {"size": size, "colour": colour, "bold": bold}
        sides = {"left": pygame.FONT_LEFT, "right": pygame.FONT_RIGHT}
        align = next((side for word, side in sides.items() if anchor.endswith(word)), pygame.FONT_CENTER)
        picture = (
            self.text(line, **look) if width is None
            else self.fitted(line, width=width, height=height, align=align, **look)
        )  # fmt: skip
        return canvas.blit(picture, picture.get_rect(**{anchor: at}))

    def draw_panel(
        self, canvas: pygame.Surface, rect: pygame.Rect, *, fill: Colour | None = None, edge: Colour | None = None
    ) -> None:
        """Draw a rounded plate."""
        pygame.draw.rect(canvas, fill or self.colours.panel, rect, border_radius=self.radius)
        if edge is not None:
            pygame.draw.rect(canvas, edge, rect, width=self.px(2), border_radius=self.radius)

    def draw_focus(self, canvas: pygame.Surface, rect: pygame.Rect, *, over: bool = False) -> None:
        """Draw the focus ring, which stands out on any ground; a second one `over` a plate of its colour."""
        wide, near = self.px(6), self.px(4)
        pygame.draw.rect(canvas, self.colours.ground, rect.inflate(2 * wide, 2 * wide), self.px(7), self.radius + wide)
        pygame.draw.rect(canvas, self.colours.focus, rect.inflate(2 * near, 2 * near), self.px(3), self.radius + near)
        if over:
            inner = rect.inflate(-self.px(6), -self.px(6))
            pygame.draw.rect(canvas, self.colours.ground, inner, self.px(2), max(0, self.radius - self.px(3)))

    def dim(self, canvas: pygame.Surface, strength: int = 170) -> None:
        """Darken the canvas for an overlay; strength 0 … 255."""
        left, ground = 255 - strength, [round(share * strength / 255) for share in self.colours.ground]
        canvas.fill((left, left, left), special_flags=pygame.BLEND_RGB_MULT)
        canvas.fill(ground, special_flags=pygame.BLEND_RGB_ADD)


_probes: list[pygame.font.Font] = []
"""One font of each time that pygame's fonts were initialised, the newest last."""


def _font_generation() -> int:
    """Return how often pygame's fonts were initialised, as far as themes have noticed."""
    pygame.font.init()
    try:
        _probes[-1].get_height()
    except (IndexError, pygame.error):
        _probes.append(pygame.font.Font(io.BytesIO(_typeface("Inter-Regular.otf")), 8))
    return len(_probes)


@lru_cache
def _typeface(name: str) -> bytes:
    """A font file, read once: each font of a path would keep a descriptor, and draw at half the speed."""
    return Path(asset("fonts", name)).read_bytes()


clipped_texts: deque[str] = deque(maxlen=64)
"""The last lines that were cut for want of room, for the check of all screens."""
