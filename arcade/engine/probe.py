"""``python -m arcade.engine.probe``: what SDL finds on this machine, as JSON; in a process that may hang or crash."""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def probe() -> dict[str, Any]:
    """``display`` and ``sound``, each the driver's name or "" with ``display_error``, ``sound_error``; ``pads``."""
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    import pygame

    from arcade.engine.window.video import DisplayError, open_display

    found: dict[str, Any] = {"display": "", "display_error": "", "sound": "", "sound_error": "", "pads": []}
    try:
        open_display()
        width, height = pygame.display.get_desktop_sizes()[0]
        found |= {"display": pygame.display.get_driver(), "size": [width, height]}
    except (DisplayError, pygame.error) as error:
        found["display_error"] = str(error)
    try:
        pygame.mixer.init()
        found["sound"] = pygame.mixer.get_driver()
    except pygame.error as error:
        found["sound_error"] = str(error)
    pygame.joystick.init()
    found["pads"] = [pygame.joystick.Joystick(number).get_name() for number in range(pygame.joystick.get_count())]
    return found


if __name__ == "__main__":
    json.dump(probe(), sys.stdout)
