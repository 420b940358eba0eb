"""Offer: a match as a machine finds it; Before: as it has hosted it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arcade.together.messages import End, Place, Player
from arcade.together.terms import Terms


@dataclass(frozen=True)
class Offer:
    """A match as its host offers it to this machine."""

    terms: Terms
    free: Sequence[str]  # the seats that this machine may take
    begun: bool = False  # the match is under way: `free` are this machine's own seats, which it had left


@dataclass(frozen=True, kw_only=True)
class Before:
    """What a machine knows of a match that it has hosted until now."""

    number: int
    host: int  # the number of the new host
    era: int
    digests: list[int]
    lineup: Mapping[str, Player]
    names: Mapping[str, str]
    places: Mapping[int, Place]
    end: End | None
