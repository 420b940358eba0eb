"""Theme: colours, text sizes, spacing, and cached text.

Colours change with the palette, so read them when drawing (``theme.INK``).  A cached picture is made under `kept`, or
again when `version` changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from typing import Any, ParamSpec, TypeVar

import pygame

from arcade.assets import asset
from arcade.palettes import PALETTES
from arcade.palettes import Colour as Colour

P = ParamSpec("P")
R = TypeVar("R")

_first = PALETTES["night"]
GROUND: Colour = _first.ground  # behind everything
PANEL: Colour = _first.panel
RAISED: Colour = _first.raised  # a control on a panel
EDGE: Colour = _first.edge
WELL: Colour = _first.well  # behind the pictures of games
INK: Colour = _first.ink  # text
MUTED: Colour = _first.muted  # second text
FAINT: Colour = _first.faint  # third text, and disabled controls
FOCUS: Colour = _first.focus  # around the focused control
GREEN: Colour = _first.green  # all is well
YELLOW: Colour = _first.yellow  # it waits
WARNING: Colour = _first.warning
TEAMS: tuple[Colour, ...] = _first.teams
BLUE: Colour = TEAMS[0]
ORANGE: Colour = TEAMS[1]  # also of a page's main button
_NOTHING: Colour = (1, 2, 3)  # transparent in a cached picture

SMALL, BODY, LARGE, TITLE, HERO = 18, 22, 30, 44, 72  # pixels at 720 lines
SMALLEST = 14  # pixels; smaller text is unreadable at 720 lines
GAP, MARGIN, RADIUS = 12, 40, 12  # between things, to the window's edge, of corners

version = 0  # counts changes of colours and sizes
_look = ("night", 1.0)
_kept: list[Callable[[], None]] = []


def use(palette: str, *, scale: float = 1.0) -> None:
    """Set the palette and the user's scale."""
    global version, _look
    if palette not in PALETTES:
        raise ValueError(f"expected a palette among {', '.join(PALETTES)}, got: {palette!r}")
    if (palette, scale) != _look:
        version, _look = version + 1, (palette, scale)
        of = asdict(PALETTES[palette])
        names = {name.upper(): colour for name, colour in of.items()}
        globals().update(names, BLUE=of["teams"][0], ORANGE=of["teams"][1])
        forget_fonts()


def scale() -> float:
    """Return the user's scale of text and controls: 1 … 3."""
    return _look[1]


def scaled(size: float) -> int:
    """Scale a size outside magnified pages, as in the bars of a match."""
    return round(size * scale())


def kept(maxsize: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache a function's pictures until colours or fonts change."""

    def keep(make: Callable[P, R]) -> Callable[P, R]:
        keeper = lru_cache(maxsize)(make)
        _kept.append(keeper.cache_clear)
        return keeper  # type: ignore[return-value]

    return keep


@kept(64)
def font(size: int = BODY, *, bold: bool = False) -> pygame.font.Font:
    """Return the typeface at `size` pixels."""
    if size < SMALLEST:
        raise ValueError(f"expected text of {SMALLEST} pixels or more, got: {size}")
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(asset("fonts", "Inter-SemiBold.otf" if bold else "Inter-Regular.otf"), size)


@kept(1024)
def text(line: str, *, size: int = BODY, colour: Colour | None = None, bold: bool = False) -> pygame.Surface:
    """Return a line of text as a transparent, cached picture; do not draw on it."""
    return font(size, bold=bold).render(line, True, colour or INK)


@kept(256)
def paragraph(
    text: str, *, width: int, size: int = BODY, colour: Colour | None = None, bold: bool = False
) -> pygame.Surface:
    """Return text broken into lines at most `width` pixels wide."""
    return font(size, bold=bold).render(text, True, colour or INK, None, width)


@kept(512)
def fitted(
    line: str, *, width: int, size: int = BODY, colour: Colour | None = None, bold: bool = False,
    keep_end: bool = False,
) -> pygame.Surface:  # fmt: skip
    """Return a line of text, cut to `width` pixels with an ellipsis; `keep_end` cuts the beginning."""
    face = font(size, bold=bold)
    if face.size(line)[0] > width:
        while line and face.size(line + "…")[0] > width:
            line = line[1:] if keep_end else line[:-1]
        line = "…" + line.lstrip() if keep_end else line.rstrip() + "…"
    return text(line, size=size, colour=colour, bold=bold)


def team_colour(team: int) -> Colour:
    """Return the colour of a team, by its index in GameSpec.teams."""
    return TEAMS[team % len(TEAMS)]


def forget_fonts() -> None:
    """Drop all cached fonts and pictures; needed after pygame.font.quit()."""
    for forget in _kept:
        forget()


def draw_text(
    canvas: pygame.Surface, line: str, at: tuple[int, int], *, size: int = BODY, colour: Colour | None = None,
    bold: bool = False, anchor: str = "topleft", width: int | None = None,
) -> pygame.Rect:  # fmt: skip
    """Draw a line of text with its `anchor` (a pygame Rect attribute) at `at`; returns its rectangle."""
    look: dict[str, Any] = {"size": size, "colour": colour, "bold": bold}
    picture = text(line, **look) if width is None else fitted(line, width=width, **look)
    return canvas.blit(picture, picture.get_rect(**{anchor: at}))


def draw_panel(
    canvas: pygame.Surface, rect: pygame.Rect, *, fill: Colour | None = None, edge: Colour | None = None
) -> None:
    """Draw a rounded plate."""
    pygame.draw.rect(canvas, fill or PANEL, rect, border_radius=RADIUS)
    if edge is not None:
        pygame.draw.rect(canvas, edge, rect, width=2, border_radius=RADIUS)


def plate(size: tuple[int, int]) -> pygame.Surface:
    """Return a rounded plate with transparent corners, to draw on."""
    picture = pygame.Surface(size)
    picture.fill(_NOTHING)
    picture.set_colorkey(_NOTHING, pygame.RLEACCEL)
    draw_panel(picture, picture.get_rect())
    return picture


def draw_focus(canvas: pygame.Surface, rect: pygame.Rect, *, over: bool = False) -> None:
    """Draw the focus ring, which stands out on any ground, also without colours; a second `over` a plate like it."""
    pygame.draw.rect(canvas, GROUND, rect.inflate(12, 12), width=7, border_radius=RADIUS + 5)
    pygame.draw.rect(canvas, FOCUS, rect.inflate(8, 8), width=3, border_radius=RADIUS + 3)
    if over:
        pygame.draw.rect(canvas, GROUND, rect.inflate(-6, -6), width=2, border_radius=RADIUS - 3)


def dim(canvas: pygame.Surface, strength: int = 170) -> None:
    """Darken the canvas for an overlay; strength 0 … 255."""
    canvas.blit(_veil(canvas.get_size(), strength), (0, 0))


@kept(4)
def _veil(size: tuple[int, int], strength: int) -> pygame.Surface:
    veil = pygame.Surface(size, pygame.SRCALPHA)
    veil.fill((*GROUND, strength))
    return veil
