"""Texts of others on a terminal."""

from __future__ import annotations


def plain(text: str) -> str:
    """A text of anyone, without what a terminal would obey.

    >>> plain("name" + chr(27) + "[2J")
    'name\N{REPLACEMENT CHARACTER}[2J'
    """
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)
