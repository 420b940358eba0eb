"""What machines can say to each other: phrases, which each of them shows in its own language."""

from __future__ import annotations

from arcade.language import N_, _

PHRASES = (
    N_("Hello!"), N_("Ready?"), N_("One moment, please"), N_("Well played!"), N_("Thank you!"), N_("Sorry!"),
    N_("Once more?"), N_("Bye!"),
)  # fmt: skip
"""By number; new ones go to the end."""

EVERY = 0.5
"""Seconds between two phrases of one machine; more of them are dropped."""


def phrase_text(name: str, number: int) -> str:
    """What a machine of that name says; "" for a phrase that is unknown here."""
    return f"{name}: {_(PHRASES[number])}" if 0 <= number < len(PHRASES) else ""
