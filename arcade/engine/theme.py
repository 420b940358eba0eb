"""One visual language: colours, type sizes, spacing, and text that is drawn once and kept."""

from __future__ import annotations

from functools import lru_cache

import pygame

from arcade.assets import asset

Colour = tuple[int, int, int]

# Dark and warm; blue and orange stay apart for the common kinds of colour blindness (Okabe and Ito 2008).
NIGHT: Colour = (24, 22, 27)  # behind everything
PANEL: Colour = (38, 35, 42)
RAISED: Colour = (54, 50, 59)  # a control on a panel
EDGE: Colour = (84, 78, 92)
INK: Colour = (245, 240, 232)  # text
MUTED: Colour = (184, 176, 168)  # second text, 7:1 on NIGHT
FAINT: Colour = (140, 132, 130)  # disabled
BLUE: Colour = (86, 180, 233)  # left team
ORANGE: Colour = (240, 160, 48)  # right team, and the focus
GREEN: Colour = (64, 190, 150)
ROSE: Colour = (230, 130, 170)
YELLOW: Colour = (240, 228, 100)
WARNING: Colour = (255, 120, 90)
FOCUS = ORANGE
_NOTHING: Colour = (1, 2, 3)  # stands for no colour at all in a picture that is kept
TEAMS: tuple[Colour, ...] = (BLUE, ORANGE, GREEN, ROSE, YELLOW, (170, 150, 240), (200, 200, 200), (190, 130, 80))

SMALL, BODY, LARGE, TITLE, HERO = 18, 22, 30, 44, 72  # pixels at 720 lines
GAP, MARGIN, RADIUS = 12, 40, 12  # between things, to the window's edge, of corners


@lru_cache(maxsize=64)
def font(size: int = BODY, *, bold: bool = False) -> pygame.font.Font:
    """Our typeface at `size` pixels."""
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(asset("fonts", "Inter-SemiBold.otf" if bold else "Inter-Regular.otf"), size)


@lru_cache(maxsize=1024)
def text(words: str, *, size: int = BODY, colour: Colour = INK, bold: bool = False) -> pygame.Surface:
    """One line of text as a picture with transparency; the same words are drawn once. Do not draw on it."""
    return font(size, bold=bold).render(words, True, colour)


@lru_cache(maxsize=256)
def paragraph(words: str, *, width: int, size: int = BODY, colour: Colour = INK, bold: bool = False) -> pygame.Surface:
    """Text broken into lines at most `width` pixels wide; a newline starts a new line."""
    return font(size, bold=bold).render(words, True, colour, None, width)


@lru_cache(maxsize=512)
def fitted(
    words: str, *, width: int, size: int = BODY, colour: Colour = INK, bold: bool = False, keep_end: bool = False
) -> pygame.Surface:
    """One line of text, cut with an ellipsis, at its beginning where `keep_end`, if wider than `width` pixels."""
    face = font(size, bold=bold)
    if face.size(words)[0] > width:
        while words and face.size(words + "…")[0] > width:
            words = words[1:] if keep_end else words[:-1]
        words = "…" + words.lstrip() if keep_end else words.rstrip() + "…"
    return text(words, size=size, colour=colour, bold=bold)


def team_colour(team: int) -> Colour:
    """The colour of the team with that index, as in GameSpec.team_of."""
    return TEAMS[team % len(TEAMS)]


def forget_fonts() -> None:
    """Drop every kept font and picture of text; needed after pygame.font was quit."""
    for kept in (font, text, paragraph, fitted):
        kept.cache_clear()


def draw_text(
    canvas: pygame.Surface,
    words: str,
    at: tuple[int, int],
    *,
    size: int = BODY,
    colour: Colour = INK,
    bold: bool = False,
    anchor: str = "topleft",
    width: int | None = None,
) -> pygame.Rect:
    """Put one line of text with its `anchor` (a pygame Rect attribute) at `at`; returns where it lies."""
    look = {"size": size, "colour": colour, "bold": bold}
    picture = text(words, **look) if width is None else fitted(words, width=width, **look)
    return canvas.blit(picture, picture.get_rect(**{anchor: at}))


def draw_panel(canvas: pygame.Surface, rect: pygame.Rect, *, fill: Colour = PANEL, edge: Colour | None = None) -> None:
    """A rounded plate to put things on."""
    pygame.draw.rect(canvas, fill, rect, border_radius=RADIUS)
    if edge is not None:
        pygame.draw.rect(canvas, edge, rect, width=2, border_radius=RADIUS)


def plate(size: tuple[int, int]) -> pygame.Surface:
    """A rounded plate as a picture of its own, to be drawn on and kept; what lies behind its corners is seen."""
    picture = pygame.Surface(size)
    picture.fill(_NOTHING)
    picture.set_colorkey(_NOTHING, pygame.RLEACCEL)
    draw_panel(picture, picture.get_rect())
    return picture


def draw_focus(canvas: pygame.Surface, rect: pygame.Rect) -> None:
    """The ring around what the next press would act on; wide enough to see without its colour."""
    pygame.draw.rect(canvas, FOCUS, rect.inflate(8, 8), width=3, border_radius=RADIUS + 3)


def dim(canvas: pygame.Surface, strength: int = 170) -> None:
    """Darken all that is drawn so far, for an overlay; strength 0 … 255."""
    canvas.blit(_veil(canvas.get_size(), strength), (0, 0))


@lru_cache(maxsize=4)
def _veil(size: tuple[int, int], strength: int) -> pygame.Surface:
    veil = pygame.Surface(size, pygame.SRCALPHA)
    veil.fill((*NIGHT, strength))
    return veil
