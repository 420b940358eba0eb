"""Move lists of board games as players write them, from the `moves` of a view."""

from __future__ import annotations

from collections.abc import Sequence


def move_rows(moves: Sequence[str]) -> list[str]:
    """Return numbered rows of a move of each side, as in "12. Nf3 Nc6"."""
    return [f"{place // 2 + 1}. {' '.join(moves[place : place + 2])}" for place in range(0, len(moves), 2)]
