"""GamepadPicture: a gamepad with a label for each of its parts that does something."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from arcade.engine.input.key_bindings import DeviceBindings
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Colour, Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.games.controls import ControlRow
from arcade.language import _
from arcade.scenes.hud.seat_cards import presses
from arcade.scenes.pictograms import PARTS, pad_picture, part_of
from arcade.scenes.pictograms.controls import HEIGHT, WIDTH

HIGH, LABEL = 200, 112  # units: height of the widget, width of the labels
Line = tuple[str, tuple[ControlRow, ...]]  # a line's text and controls


class GamepadPicture(Widget):
    """A gamepad with labels, each once a side.  It takes the focus to be read."""

    focusable = True

    def __init__(self, lines: Sequence[Line], bindings: DeviceBindings, *, light: Colour) -> None:
        super().__init__()
        self.label, self.hint, self._light = _("Gamepad"), _("What its buttons and sticks do"), light
        self.doing = pad_words(lines, bindings)

    def natural(self, theme: Theme, width: int) -> Size:
        return width, theme.px(HIGH)

    def least(self, theme: Theme) -> int:
        return theme.px(200)

    def pressed(self) -> bool:
        return True

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        lit = frozenset(part for parts in self.doing.values() for part in parts)
        beside = self.rect.w - 2 * self._label_width(theme) - theme.px(24)
        size = max(theme.px(60), min(self.rect.h - theme.px(20), beside * HEIGHT // WIDTH))
        picture = pad_picture(theme, lit, size=size, light=self._light)
        pad = canvas.blit(picture, picture.get_rect(center=self.rect.center))
        for is_left in (True, False):
            self._draw_labels(canvas, theme, pad, is_left=is_left)
        if self.focused:
            theme.draw_focus(canvas, self.rect)

    def _label_width(self, theme: Theme) -> int:
        return min(theme.px(LABEL), self.rect.w * 28 // 100)

    def _draw_labels(self, canvas: pygame.Surface, theme: Theme, pad: pygame.Rect, *, is_left: bool) -> None:
        """Draw each label level with its parts, or below the label before, and a line to each part."""
        bottom, width, gap = self.rect.top, self._label_width(theme), theme.px(6)
        for words, parts in sorted(self._on(is_left).items(), key=lambda label: [PARTS[part][1] for part in label[1]]):
            places = [PARTS[part] for part in parts]
            spots = [(pad.left + place[0] * pad.w / WIDTH, pad.top + place[1] * pad.h / HEIGHT) for place in places]
            picture = theme.paragraph(_(words), width=width, size=themes.SMALLEST)
            rect = picture.get_rect(centery=round(sum(y for _x, y in spots) / len(spots)))
            rect.top = max(rect.top, bottom + theme.px(2))
            rect.left = self.rect.left + width - rect.w if is_left else self.rect.right - width
            for spot in spots:
                start = (rect.right + gap if is_left else rect.left - gap, rect.centery)
                pygame.draw.aaline(canvas, theme.colours.ink, start, spot)
            canvas.blit(picture, rect)
            bottom = rect.bottom

    def _on(self, is_left: bool) -> dict[str, list[str]]:
        """Return the labels of one side, with their parts."""
        found = (
            (words, [p for p in parts if (PARTS[p][0] < WIDTH / 2) == is_left]) for words, parts in self.doing.items()
        )
        return {words: parts for words, parts in found if parts}


def pad_words(lines: Sequence[Line], bindings: DeviceBindings) -> dict[str, list[str]]:
    """Return each label of a gamepad with its parts; the rows of a group share one label."""
    found: dict[str, list[str]] = {}
    for _words, rows in lines:
        for row in rows:
            parts = found.setdefault(row.group or row.words, [])
            sources = [source for way in presses((row,), bindings) for source in way]
            parts += [part for part in map(part_of, sources) if part in PARTS and part not in parts]
    return found
