"""The halves of one keyboard: who plays with which where some players name none."""

from __future__ import annotations

from collections.abc import Sequence

from agents.seats.controller import KEYBOARD_HALVES

SPARE = KEYBOARD_HALVES[-1]
"""The half that is dealt only where the others are too few."""


def deal_halves(words: Sequence[str]) -> list[list[str]]:
    """Deal the unnamed halves to the ``keyboard`` seats among `words`; the last only if needed, for one more player."""
    bare = sum(word == "keyboard" for word in words)
    unnamed = [half for half in KEYBOARD_HALVES if f"keyboard:{half}" not in words]
    if len(unnamed) > max(1, bare) and SPARE in unnamed:
        unnamed.remove(SPARE)
    return [unnamed[place::bare] for place in range(bare)]
