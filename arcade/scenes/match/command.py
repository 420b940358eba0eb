"""Command: what can be done at a board besides a move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """A button beside the board and in the pause menu, and its key."""

    key: str  # as KeyInput names it
    label: str  # marked with N_
    press: Callable[[], None]
    danger: bool = False
