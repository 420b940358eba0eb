"""Toasts: short messages over a page or a picture that go away by themselves."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import pygame

from arcade.engine.ui import theme

AROUND = 8  # pixels around a message that stay free
LEAST = 240  # pixels of width below which a message says nothing
LINES = 2  # that a message may have where one is too short for it
A_LETTER = 0.06  # seconds that reading a letter takes at a glance: long messages stay longer


class Toasts:
    """What was said in the last seconds."""

    def __init__(self, *, seconds: float = 4.0, most: int = 3) -> None:
        self._seconds, self._most = seconds, most
        self._shown: list[tuple[str, float | None, str]] = []  # words, when they came (None: not yet), about what

    def say(self, words: str, *, about: str = "") -> None:
        """Show `words` from the next update on, in place of what was said `about` the same thing, or in these words."""
        about = about or words
        kept = [shown for shown in self._shown if shown[2] != about]
        self._shown = [*kept, (words, None, about)][-self._most :]

    def update(self, now: float) -> None:
        """Drop what has been seen long enough at `now` (seconds), to be read at least."""
        stamped = [(words, now if since is None else since, about) for words, since, about in self._shown]
        self._shown = [shown for shown in stamped if now - shown[1] < max(self._seconds, len(shown[0]) * A_LETTER)]

    @property
    def words(self) -> tuple[str, ...]:
        """What is shown now."""
        return tuple(words for words, _, _ in self._shown)

    def draw(self, canvas: pygame.Surface, *, above: int | None = None) -> None:
        """Draw them over a picture, the newest lowest, at the canvas's foot or over a bar that begins at `above`."""
        foot = canvas.get_height() - 24 if above is None else above - 8
        for words in reversed(self.words):
            picture = _picture(words, canvas.get_width() - 60)
            plate = canvas.blit(picture, picture.get_rect(midbottom=(canvas.get_width() // 2, foot)))
            foot = plate.top - AROUND

    def draw_clear(self, canvas: pygame.Surface, taken: Sequence[pygame.Rect], *, foot: int) -> list[pygame.Rect]:
        """Draw them over a page that ends at `foot`, the newest first, as far up as none of `taken` is covered.

        Where nothing is free the newest covers what it must, though never the last of `taken`.  Returns where they lie.
        """
        room = pygame.Rect(0, 0, canvas.get_width(), foot).inflate(-2 * AROUND, -2 * AROUND)
        plates: list[pygame.Rect] = []
        for words in reversed(self.words):
            wanted = _picture(words, room.w).get_size()
            place = _free_place(room, wanted, [*taken, *plates])
            if place is None and not plates:
                place = _free_place(room, wanted, taken[-1:])
            if place is None:
                break
            picture = _picture(words, place.w, place.h)
            plates.append(
                canvas.blit(picture, picture.get_rect(midtop=(canvas.get_width() // 2, place.top)).clamp(place))
            )
        return plates


def _free_place(room: pygame.Rect, wanted: tuple[int, int], taken: Sequence[pygame.Rect]) -> pygame.Rect | None:
    """The highest place that has the wanted size, else the widest of that height; None for none worth having."""
    held = [rect.inflate(2 * AROUND, 2 * AROUND) for rect in taken]
    best = pygame.Rect(0, 0, min(LEAST, wanted[0]) - 1, 0)
    for top in range(room.top, room.bottom - wanted[1] + 1, AROUND):
        gap = _widest_gap(pygame.Rect(room.left, top, room.w, wanted[1]), held)
        best = gap if gap.w > best.w else best
        if best.w >= wanted[0]:
            break
    return best if best.h else None


def _widest_gap(band: pygame.Rect, held: Sequence[pygame.Rect]) -> pygame.Rect:
    """The widest part of `band` from edge to edge that none of `held` reaches into."""
    blocks = sorted((rect.left, rect.right) for rect in held if rect.colliderect(band))
    left, widest = band.left, (0, 0)
    for start, end in [*blocks, (band.right, band.right)]:
        widest = max(widest, (start - left, left))
        left = max(left, end)
    return pygame.Rect(widest[1], band.top, widest[0], band.h)


@theme.kept(64)
def _picture(words: str, width: int, height: int = 10_000) -> pygame.Surface:
    """A message on its plate, at most so wide and high; its middle goes where it needs more lines than it may have."""
    size = theme.scaled(theme.BODY)
    room, line = width - 40, theme.font(size).get_linesize()
    high = (min(LINES, max(1, (height - 20) // line)) + 0.5) * line  # accents stand a little above a line

    def told(letters: int) -> pygame.Surface:
        return theme.paragraph(_cut(words, letters), width=room, size=size)

    fits = bisect_right(range(len(words) + 1), 0, key=lambda letters: told(letters).get_height() > high)
    text = told(fits - 1)
    plate = pygame.Surface((text.get_width() + 40, text.get_height() + 20), pygame.SRCALPHA)
    theme.draw_panel(plate, plate.get_rect(), fill=theme.RAISED, edge=theme.EDGE)
    plate.blit(text, (20, 10))
    return plate


def _cut(words: str, letters: int) -> str:
    """So many of them: a third from the beginning, the rest from the end, where a path has what matters most."""
    if letters >= len(words):
        return words
    first = letters // 3
    return f"{words[:first].rstrip()}…{words[first - letters :].lstrip() if letters else ''}"
