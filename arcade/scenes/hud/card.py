"""The controls of one person, line by line: keys, gamepad and mouse."""

from __future__ import annotations

import pygame

from arcade.engine.input.key_bindings import DeviceBindings
from arcade.engine.input.sources import source_label
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Widget
from arcade.games.controls import ControlRow
from arcade.scenes.hud.presses import DIRECTIONS, Alternative, draw_presses, presses
from arcade.scenes.hud.seat_cards import SeatCard

CAPS = (34, 28)  # heights of a drawn key; the smaller one where it leaves room for more alternatives
MOST = 9  # most lines of a card; with more, each group takes one line
Line = tuple[str, tuple[ControlRow, ...]]  # a line's text and controls


def card_lines(card: SeatCard) -> list[Line]:
    """Return the lines of a card."""
    crowded = len(card.controls.rows) > MOST
    lines: list[Line] = []
    for words, rows in card.groups().items():
        if crowded or (len(rows) > 2 and all(map(_goes_its_way, rows))):
            lines.append((words, rows))
        else:
            lines += [(row.words, (row,)) for row in rows]
    return lines[:MOST]


def _goes_its_way(row: ControlRow) -> bool:
    """Return whether the words end with the direction, as in: walk left, on left."""
    control = row.controls[0] if row.controls else ""
    return control in DIRECTIONS and row.words.lower().endswith(control)


class ControlLine(Widget):
    """One control: its words, keys and buttons.  It takes the focus to be read, not to be pressed."""

    WORDS, KEYS, PAD, WIDTH = 14, 210, 436, 560
    """Where the columns start, and the whole width."""

    def __init__(self, rect: pygame.Rect, line: Line, card: SeatCard) -> None:
        super().__init__(rect)
        self.label, self._rows = line
        self._card = card
        self.hint = "   ".join(self._describe(bindings) for bindings in (card.keyboard, card.pad))

    def _describe(self, bindings: DeviceBindings) -> str:
        ways = [
            " ".join(source_label(bindings.kind, source) for source in way) for way in presses(self._rows, bindings)
        ]
        return f"{bindings.kind.capitalize()}: {' or '.join(ways) or 'nothing'}"

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        words = theme.paragraph(self.label, width=self.KEYS - self.WORDS - 12, size=theme.SMALL, bold=True)
        canvas.blit(words, words.get_rect(midleft=(self.rect.left + self.WORDS, self.rect.centery)))
        self._draw_caps(canvas, self._card.keyboard, self.KEYS, self.PAD)
        self._draw_caps(canvas, self._card.pad, self.PAD, self.WIDTH)
        if focused:
            theme.draw_focus(canvas, self.rect)

    def _draw_caps(self, canvas: pygame.Surface, bindings: DeviceBindings, start: int, end: int) -> None:
        """Draw as many alternatives as fit."""
        ways, at = presses(self._rows, bindings), (self.rect.left + start, self.rect.centery)
        if not ways:
            theme.draw_text(canvas, "nothing", at, size=theme.SMALL, colour=theme.FAINT, anchor="midleft")
            return
        picture = widest(ways, bindings.kind, room=end - start - 14)
        canvas.blit(picture, picture.get_rect(midleft=at))


@theme.kept(256)
def widest(ways: tuple[Alternative, ...], kind: str, *, room: int) -> pygame.Surface:
    """Draw the caps of as many alternatives as fit into `room`, one at least."""
    tries = [(count, size) for count in range(len(ways), 0, -1) for size in CAPS]
    pictures = [draw_presses(kind, ways[:count], size=size) for count, size in tries]
    return next((picture for picture in pictures if picture.get_width() <= room), pictures[-1])
