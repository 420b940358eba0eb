"""Captions: a line of text for each sound."""

from __future__ import annotations

import pygame

from arcade.engine.audio.sound import CAPTIONS, Sound
from arcade.engine.ui import theme

SECONDS = 1.5  # that a caption stays


class Captions:
    """The captions of a Sound, drawn after the scenes."""

    def __init__(self, sound: Sound) -> None:
        self._sound = sound
        self._played = 0
        self._until = float("-inf")
        self.words = ""  # the present caption

    def update(self, now: float) -> None:
        """Notice the sounds since the last call."""
        played = sum(self._sound.played.get(effect, 0) for effect in CAPTIONS)
        if played != self._played:
            self._played, self._until = played, now + SECONDS
        self.words = f"♪ {CAPTIONS[self._sound.newest]}" if now < self._until else ""

    def draw(self, canvas: pygame.Surface) -> None:
        """Draw a plate at the lower left."""
        if self.words:
            picture = theme.text(self.words)
            plate = picture.get_rect().inflate(32, 16)
            plate.bottomleft = (theme.GAP, canvas.get_height() - 56)
            theme.draw_panel(canvas, plate, fill=theme.GROUND, edge=theme.EDGE)
            canvas.blit(picture, picture.get_rect(center=plate.center))
