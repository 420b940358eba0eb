"""Texts with a number: one for 1, another for all other numbers."""

from __future__ import annotations


def counted(count: int, one: str, many: str) -> str:
    """Return the text for `count`; `many` has the number in its place {count}.

    >>> counted(1, "1 move", "{count} moves"), counted(2041, "1 move", "{count} moves")
    ('1 move', '2,041 moves')
    """
    return one if count == 1 else many.format(count=f"{count:,}")
