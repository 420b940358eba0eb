"""The clipboard of the system, for text."""

from __future__ import annotations

from contextlib import suppress

import pygame


def copy_text(text: str) -> bool:
    """Put text on the clipboard; False where there is none."""
    try:
        pygame.scrap.put_text(text)
    except pygame.error:
        return False
    return True


def is_control_held() -> bool:
    """Whether Ctrl is down, or Cmd on a Mac."""
    return bool(pygame.key.get_mods() & (pygame.KMOD_CTRL | pygame.KMOD_META))


def pasted_text() -> str:
    """The text on the clipboard; "" for none."""
    with suppress(pygame.error):
        return str(pygame.scrap.get_text())
    return ""
