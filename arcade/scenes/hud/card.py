"""The controls of one person on a card, line by line: on keys, on a pad, with the mouse."""

from __future__ import annotations

import pygame

from arcade.engine.input.key_bindings import DeviceBindings
from arcade.engine.input.sources import source_words
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Widget, draw_ring
from arcade.games.controls import ControlRow
from arcade.scenes.hud.presses import DIRECTIONS, Alternative, draw_presses, presses
from arcade.scenes.hud.seat_cards import SeatCard

CAPS = (34, 28)
"""Lines of a drawn key: the smaller ones where more ways to do a thing fit into their column with them."""

MOST = 9
"""Lines of a card; where there were more, groups are told as one."""

Line = tuple[str, tuple[ControlRow, ...]]
"""What can be done, in words, and the rows that it stands for."""


def card_lines(card: SeatCard) -> list[Line]:
    """What a card tells, line by line."""
    crowded = len(card.controls.rows) > MOST
    lines: list[Line] = []
    for words, rows in card.groups().items():
        if crowded or (len(rows) > 2 and all(map(_goes_its_way, rows))):
            lines.append((words, rows))
        else:
            lines += [(row.words, (row,)) for row in rows]
    return lines[:MOST]


def _goes_its_way(row: ControlRow) -> bool:
    """Walk left, on left."""
    control = row.controls[0] if row.controls else ""
    return control in DIRECTIONS and row.words.lower().endswith(control)


class ControlLine(Widget):
    """One thing that can be done: its words, the keys, the buttons.  It has the focus to be read, not to be pressed."""

    WORDS, KEYS, PAD, WIDTH = 14, 210, 436, 560
    """Where its columns begin, and where it ends."""

    def __init__(self, rect: pygame.Rect, line: Line, card: SeatCard) -> None:
        super().__init__(rect)
        self.words, self._rows = line
        self._card = card
        self.hint = "   ".join(self._told(layout) for layout in (card.keyboard, card.pad))

    def _told(self, layout: DeviceBindings) -> str:
        ways = [" ".join(source_words(layout.kind, source) for source in way) for way in presses(self._rows, layout)]
        return f"{layout.kind.capitalize()}: {' or '.join(ways) or 'nothing'}"

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        words = theme.paragraph(self.words, width=self.KEYS - self.WORDS - 12, size=theme.SMALL, bold=True)
        canvas.blit(words, words.get_rect(midleft=(self.rect.left + self.WORDS, self.rect.centery)))
        self._draw_caps(canvas, self._card.keyboard, self.KEYS, self.PAD)
        self._draw_caps(canvas, self._card.pad, self.PAD, self.WIDTH)
        if focused:
            draw_ring(canvas, self.rect)

    def _draw_caps(self, canvas: pygame.Surface, layout: DeviceBindings, start: int, end: int) -> None:
        """As many ways to do it as there is room for."""
        ways, at = presses(self._rows, layout), (self.rect.left + start, self.rect.centery)
        if not ways:
            theme.draw_text(canvas, "nothing", at, size=theme.SMALL, colour=theme.FAINT, anchor="midleft")
            return
        picture = widest(ways, layout.kind, room=end - start - 14)
        canvas.blit(picture, picture.get_rect(midleft=at))


@theme.kept(256)
def widest(ways: tuple[Alternative, ...], kind: str, *, room: int) -> pygame.Surface:
    """The caps of as many of the ways as fit into `room`, of one at least."""
    tries = [(count, size) for count in range(len(ways), 0, -1) for size in CAPS]
    pictures = [draw_presses(kind, ways[:count], size=size) for count, size in tries]
    return next((picture for picture in pictures if picture.get_width() <= room), pictures[-1])
