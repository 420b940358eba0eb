"""Captions: show a line for each sound, for people who cannot hear it."""

from __future__ import annotations

import pygame

from arcade.engine.audio.sound import CAPTIONS, Sound
from arcade.engine.ui import theme

SECONDS = 1.5  # how long the words of one sound stay


class Captions:
    """Follows a Sound; `draw` comes after the scenes."""

    def __init__(self, sound: Sound) -> None:
        self._sound = sound
        self._played = 0
        self._until = float("-inf")
        self.words = ""
        """What is shown now."""

    def update(self, now: float) -> None:
        """Notice what was played since the last call."""
        played = sum(self._sound.played.get(effect, 0) for effect in CAPTIONS)
        if played != self._played:
            self._played, self._until = played, now + SECONDS
        self.words = f"♪ {CAPTIONS[self._sound.newest]}" if now < self._until else ""

    def draw(self, canvas: pygame.Surface) -> None:
        """A plate at the lower left."""
        if self.words:
            picture = theme.text(self.words)
            plate = picture.get_rect().inflate(32, 16)
            plate.bottomleft = (theme.GAP, canvas.get_height() - 56)
            theme.draw_panel(canvas, plate, fill=theme.GROUND, edge=theme.EDGE)
            canvas.blit(picture, picture.get_rect(center=plate.center))
