"""Offer: a match as a machine finds it, before it joins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arcade.together.terms import Terms


@dataclass(frozen=True)
class Offer:
    """A match as its host offers it to this machine."""

    terms: Terms
    free: Sequence[str]  # the seats that this machine may take
    begun: bool = False  # the match is under way: `free` are this machine's own seats, which it had left
    takeable: Sequence[str] = ()  # AI seats that this machine may take in mid-match
