"""Texts of others, for a terminal or a screen."""

from __future__ import annotations


def plain(text: str) -> str:
    """A text of anyone, without what a terminal would obey.

    >>> plain("name" + chr(27) + "[2J")
    'name\N{REPLACEMENT CHARACTER}[2J'
    """
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def line(text: object, *, most: int) -> str:
    """The printable characters of `text`, `most` of them; "" for anything that is no text."""
    if not isinstance(text, str):
        return ""
    return (text if text.isprintable() else "".join(filter(str.isprintable, text[: 4 * most])))[:most]
