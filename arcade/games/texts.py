"""The texts that games declare as plain data, in the language in use: summaries, seats, controls, actions and units."""

from __future__ import annotations

import re

from arcade.language import _

_VALUE = re.compile(r"(?<= )(?:(?P<number>\d+)|(?P<letter>[A-Z]))(?=$|, )")


def translated(text: str) -> str:
    """Return the text in the language in use; a number or letter at its end stays.

    >>> language.use("de")
    >>> translated("Piston 12"), translated("say C, left")
    ('Kolben 12', 'sagt C, links')
    """
    found = _VALUE.search(text)
    return _(message(text)).format(**found.groupdict()) if found else _(text)


def message(text: str) -> str:
    """Return the text as it is in the catalogues: "Piston {number}"."""
    return _VALUE.sub(lambda found: f"{{{found.lastgroup}}}", text, count=1)
