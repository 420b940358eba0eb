"""Toasts: short messages that disappear by themselves."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Theme

AROUND = 8  # free units around a message
LEAST = 240  # units: least width of a message
WIDE = 900  # units of the window from which a message is in large letters, with at most two lines over a picture
LINES, MOST_LINES = 2, 5  # most lines of a message that is cut, and of one that is shown whole
A_LETTER = 0.06  # seconds to read a letter: long messages stay longer


class Toasts:
    """The messages of the last seconds."""

    def __init__(self, *, seconds: float = 4.0, most: int = 3) -> None:
        self._seconds, self._most = seconds, most
        self._shown: list[tuple[str, float | None, str]] = []  # text, since when (None: not yet shown), topic
        self._placed_for: tuple[object, ...] = ()
        self._plates: list[tuple[pygame.Surface, pygame.Rect]] = []

    def say(self, text: str, *, about: str = "") -> None:
        """Show a message, in place of an earlier one `about` the same topic, or with the same text."""
        about = about or text
        others = [shown for shown in self._shown if shown[2] != about]
        self._shown = [*others, (text, None, about)][-self._most :]

    def forget(self, *, about: str = "") -> None:
        """Show no message any more, or none `about` a topic."""
        self._shown = [shown for shown in self._shown if about and shown[2] != about]

    def update(self, now: float) -> None:
        """Drop the messages that were shown long enough at `now` (seconds)."""
        stamped = [(text, now if since is None else since, about) for text, since, about in self._shown]
        self._shown = [shown for shown in stamped if now - shown[1] < max(self._seconds, len(shown[0]) * A_LETTER)]

    @property
    def messages(self) -> tuple[str, ...]:
        """The present messages."""
        return tuple(text for text, _, _ in self._shown)

    def draw(self, canvas: pygame.Surface, *, look: Theme, above: int | None = None) -> None:
        """Draw the messages over a picture, the newest lowest, at the foot or above the bar at `above`."""
        px = look.px
        foot = canvas.get_height() - px(24) if above is None else above - px(AROUND)
        lines = LINES if look.page[0] >= WIDE else MOST_LINES
        for text in reversed(self.messages):
            picture = _picture(text, canvas.get_width() - px(60), look, lines)
            plate = canvas.blit(picture, picture.get_rect(midbottom=(canvas.get_width() // 2, foot)))
            foot = plate.top - px(AROUND)

    def draw_clear(
        self,
        canvas: pygame.Surface,
        taken: Sequence[pygame.Rect],
        *,
        look: Theme,
        foot: int,
        texts: Sequence[pygame.Rect] = (),
    ) -> list[pygame.Rect]:
        """Draw the messages over a page that ends at `foot`, the newest first, at the highest place clear of `taken`.

        A message covers none of `texts` where it has room in other lines of its own, or over the foot.
        Without a free place the newest may cover all but the last of `taken`.  Returns the rectangles.
        """
        key = (self.messages, canvas.get_size(), look, foot, *map(tuple, taken), "texts", *map(tuple, texts))
        if key != self._placed_for:  # not sought anew in each frame
            self._placed_for = key
            self._plates = self._place(canvas.get_size(), foot, taken, texts, look)
        for picture, plate in self._plates:
            canvas.blit(picture, plate)
        return [plate for _picture, plate in self._plates]

    def _place(
        self, size: tuple[int, int], foot: int, taken: Sequence[pygame.Rect], texts: Sequence[pygame.Rect], look: Theme
    ) -> list[tuple[pygame.Surface, pygame.Rect]]:
        around = look.px(AROUND)
        room = pygame.Rect(0, 0, size[0], foot).inflate(-2 * around, -2 * around)
        whole = pygame.Rect(room.topleft, (room.w, size[1] - room.top - around // 2))
        plates: list[tuple[pygame.Surface, pygame.Rect]] = []
        for text in reversed(self.messages):
            drawn = [plate for _picture, plate in plates]
            found = (
                _whole(text, room, [*taken, *texts, *drawn], look)
                or _whole(text, whole, [*taken, *texts, *drawn], look)
                or _whole(text, room, [*taken, *drawn], look)
                or _shorter(text, room, [*taken, *drawn], look)
            )
            if found is None and not plates:
                found = _whole(text, room, taken[-1:], look) or _shorter(text, room, taken[-1:], look)
            if found is None:
                break
            picture, place = found
            plates.append((picture, picture.get_rect(midtop=(size[0] // 2, place.top)).clamp(place)))
        return plates


_Place = tuple[pygame.Surface, pygame.Rect]


def _whole(text: str, room: pygame.Rect, taken: Sequence[pygame.Rect], look: Theme) -> _Place | None:
    """Find a place for all of a message, on few lines rather than many."""
    for lines in range(1, MOST_LINES + 1):
        picture = _in_lines(text, lines, room.w, look)
        if picture is None:
            continue
        place = _free_place(room, picture.get_size(), taken, look.px(AROUND), picture.get_width())
        if place is not None:
            return picture, place
    return None


def _shorter(text: str, room: pygame.Rect, taken: Sequence[pygame.Rect], look: Theme) -> _Place | None:
    """Find a place for as much of a message as has room."""
    wanted = _picture(text, room.w, look).get_size()
    place = _free_place(room, wanted, taken, look.px(AROUND), look.px(LEAST))
    return None if place is None else (_picture(text, place.w, look, LINES, place.h), place)


def _free_place(
    room: pygame.Rect, wanted: tuple[int, int], taken: Sequence[pygame.Rect], around: int, least: int
) -> pygame.Rect | None:
    """Find the highest place of the wanted size, else the widest one of that height; None for a narrow one."""
    blocked = [rect.inflate(2 * around, 2 * around) for rect in taken]
    best = pygame.Rect(0, 0, min(least, wanted[0]) - 1, 0)
    for top in range(room.top, room.bottom - wanted[1] + 1, around):
        gap = _widest_gap(pygame.Rect(room.left, top, room.w, wanted[1]), blocked)
        best = gap if gap.w > best.w else best
        if best.w >= wanted[0]:
            break
    return best if best.h else None


def _widest_gap(band: pygame.Rect, blocked: Sequence[pygame.Rect]) -> pygame.Rect:
    """Return the widest free part of `band`."""
    blocks = sorted((rect.left, rect.right) for rect in blocked if rect.colliderect(band))
    left, widest = band.left, (0, 0)
    for start, end in [*blocks, (band.right, band.right)]:
        widest = max(widest, (start - left, left))
        left = max(left, end)
    return pygame.Rect(widest[1], band.top, widest[0], band.h)


def _size(look: Theme) -> float:
    return themes.BODY if look.page[0] >= WIDE else themes.SMALL


@lru_cache(32)
def _in_lines(text: str, lines: int, most: int, look: Theme) -> pygame.Surface | None:
    """Draw all of a message on its plate in that many lines of about the same width; None where it has no room."""
    across = look.px(20)
    size = _size(look)
    whole = look.font(size).size(text)[0]
    width, room = whole // lines + 1, most - 2 * across
    while width <= room:
        words = look.paragraph.make(text, width=width, size=size)
        if words.get_height() <= (lines + 0.5) * look.line_height(size) and words.get_width() <= width:
            return _plate(words, look)
        width += max(1, whole // (8 * lines))
    return None


@lru_cache(8)
def _picture(text: str, width: int, look: Theme, lines: int = LINES, height: int = 10_000) -> pygame.Surface:
    """Draw a message on its plate, without its last sentences, or cut in its middle, where it needs too many lines."""
    across, down = look.px(20), look.px(10)
    room, size = width - 2 * across, _size(look)
    line = look.line_height(size)
    high = (min(lines, max(1, (height - 2 * down) // line)) + 0.5) * line  # accents rise a little above a line

    def draw(words: str) -> pygame.Surface:
        return look.paragraph.make(words, width=room, size=size)  # hardly any message comes twice

    for words in _shortened(text):
        shown = draw(words)
        if shown.get_height() <= high:
            break
    else:  # not even the first sentence fits
        fits = bisect_right(
            range(len(words) + 1), 0, key=lambda letters: draw(_cut(words, letters)).get_height() > high
        )
        shown = draw(_cut(words, fits - 1))
    return _plate(shown, look)


def _plate(words: pygame.Surface, look: Theme) -> pygame.Surface:
    across, down = look.px(20), look.px(10)
    plate = pygame.Surface((words.get_width() + 2 * across, words.get_height() + 2 * down), pygame.SRCALPHA)
    look.draw_panel(plate, plate.get_rect(), fill=look.colours.raised, edge=look.colours.edge)
    plate.blit(words, (across, down))
    return plate


def _shortened(text: str) -> list[str]:
    """The whole text, then without its last sentence, and so on down to the first one."""
    sentences = text.split(". ")
    parts = [". ".join(sentences[:count]) + "." for count in range(len(sentences) - 1, 0, -1)]
    return [text, *parts]


def _cut(text: str, letters: int) -> str:
    """Keep a third of the letters from the beginning, the rest from the end, for the sake of paths."""
    if letters >= len(text):
        return text
    first = letters // 3
    return f"{text[:first].rstrip()}…{text[first - letters :].lstrip() if letters else ''}"
