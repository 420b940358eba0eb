"""Move lists of board games as players write them, from the `moves` of a view."""

from __future__ import annotations

from collections.abc import Sequence


def move_rows(moves: Sequence[str], turns_per_move: int = 1) -> list[str]:
    """Return numbered rows of a move of each side: "12. Nf3 Nc6" with two turns a move, else "23. D4 Q16"."""
    return [
        f"{row_number(place // 2, turns_per_move)}. {' '.join(moves[place : place + 2])}"
        for place in range(0, len(moves), 2)
    ]


def row_number(row: int, turns_per_move: int) -> int:
    """Return the number before a row of two turns."""
    return row * 2 // turns_per_move + 1
