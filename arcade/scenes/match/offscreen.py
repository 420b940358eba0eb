"""What a match looks like where no window shows it."""

from __future__ import annotations

import pygame

from arcade.games.spec import GameSpec
from arcade.match.stage.tick import Frame, Tick
from arcade.scenes.match.picture import GamePicture, Shown

SIZE = (1280, 720)


def picture_of(spec: GameSpec, tick: Tick) -> Frame | None:
    """The game's own frame, or its table with no more on it than anybody may see; None where there is neither."""
    canvas = pygame.Surface(SIZE, depth=32)
    if tick.frame is not None or not GamePicture(spec).draw(canvas, canvas.get_rect(), Shown(tick, None)):
        return tick.frame
    return pygame.surfarray.array3d(canvas).swapaxes(0, 1)
