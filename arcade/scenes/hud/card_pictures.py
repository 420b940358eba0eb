"""Labelled pictures of a gamepad and a mouse."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from arcade.engine.input.key_bindings import DeviceBindings
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Widget
from arcade.scenes.hud.card import Line
from arcade.scenes.hud.presses import presses
from arcade.scenes.pictograms import PARTS, mouse_picture, pad_picture, part_of
from arcade.scenes.pictograms.controls import HEIGHT, WIDTH

LABEL = 112  # width in pixels of the labels beside the gamepad


class PadPicture(Widget):
    """A gamepad with labels, each once a side."""

    def __init__(self, rect: pygame.Rect, lines: Sequence[Line], bindings: DeviceBindings, *, team: int) -> None:
        super().__init__(rect)
        self.label, self.hint, self._team = "Gamepad", "What its buttons and sticks do", team
        self.doing = pad_words(lines, bindings)

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        lit = frozenset(part for parts in self.doing.values() for part in parts)
        light = theme.team_colour(self._team)
        picture = pad_picture(lit, size=self.rect.h - 20, light=light)
        pad = canvas.blit(picture, picture.get_rect(center=self.rect.center))
        for is_left in (True, False):
            self._draw_labels(canvas, pad, is_left=is_left)
        if focused:
            theme.draw_focus(canvas, self.rect)

    def _draw_labels(self, canvas: pygame.Surface, pad: pygame.Rect, *, is_left: bool) -> None:
        """Draw each label level with its parts, or below the label before, and a line to each part."""
        bottom = self.rect.top
        for words, parts in sorted(self._on(is_left).items(), key=lambda label: [PARTS[part][1] for part in label[1]]):
            spots = [_spot(part, pad) for part in parts]
            picture = theme.paragraph(words, width=LABEL, size=16)
            rect = picture.get_rect(centery=round(sum(y for _, y in spots) / len(spots)))
            rect.top = max(rect.top, bottom + 4)
            rect.right = self.rect.left + LABEL if is_left else self.rect.right
            if not is_left:
                rect.left = self.rect.right - LABEL
            for spot in spots:
                start = (rect.right + 6 if is_left else rect.left - 6, rect.centery)
                pygame.draw.aaline(canvas, theme.INK, start, spot)
            canvas.blit(picture, rect)
            bottom = rect.bottom

    def _on(self, is_left: bool) -> dict[str, list[str]]:
        """Return the labels of one side, with their parts."""
        found = (
            (words, [p for p in parts if (PARTS[p][0] < WIDTH / 2) == is_left]) for words, parts in self.doing.items()
        )
        return {words: parts for words, parts in found if parts}


class MouseWords(Widget):
    """A mouse and its label."""

    def __init__(self, rect: pygame.Rect, doing: str, *, team: int) -> None:
        super().__init__(rect)
        self.label, self.hint, self._team = "Mouse", doing, team

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        picture = mouse_picture(size=self.rect.h - 12, light=theme.team_colour(self._team))
        where = canvas.blit(picture, picture.get_rect(midleft=(self.rect.left + 60, self.rect.centery)))
        text = theme.paragraph(self.hint, width=self.rect.right - where.right - 40)
        canvas.blit(text, text.get_rect(midleft=(where.right + 24, self.rect.centery)))
        if focused:
            theme.draw_focus(canvas, self.rect)


def pad_words(lines: Sequence[Line], bindings: DeviceBindings) -> dict[str, list[str]]:
    """Return each label of a gamepad with its parts; the rows of a group share one label."""
    found: dict[str, list[str]] = {}
    for _, rows in lines:
        for row in rows:
            parts = found.setdefault(row.group or row.words, [])
            sources = [source for way in presses((row,), bindings) for source in way]
            parts += [part for part in map(part_of, sources) if part in PARTS and part not in parts]
    return found


def _spot(part: str, pad: pygame.Rect) -> tuple[float, float]:
    return pad.left + PARTS[part][0] * pad.w / WIDTH, pad.top + PARTS[part][1] * pad.h / HEIGHT
