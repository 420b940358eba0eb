"""Texts with a number: one for 1, another for all other numbers."""

from __future__ import annotations

from arcade.language import local_number


def counted(count: int, one: str, many: str) -> str:
    """Return the text for `count`; `many` has the number in its place {count}.

    >>> counted(1, "1 move", "{count} moves"), counted(2041, "1 move", "{count} moves")
    ('1 move', '2,041 moves')
    """
    return one if count == 1 else many.format(count=local_number(f"{count:,}"))
