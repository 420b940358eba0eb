"""The names of playing cards, for the narrator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arcade.language import N_, _

_SUITS = {"S": N_("{rank} of spades"), "H": N_("{rank} of hearts"), "D": N_("{rank} of diamonds"),
          "C": N_("{rank} of clubs")}  # fmt: skip
_RANKS: Mapping[str, str] = {"A": N_("ace"), "K": N_("king"), "Q": N_("queen"), "J": N_("jack"), "T": "10"}


def card_name(card: str) -> str:
    """Name a card of suit and rank.

    >>> card_name("HQ"), card_name("S7")
    ('queen of hearts', '7 of spades')
    """
    suit, rank = card[0], card[1:]
    return _(_SUITS[suit]).format(rank=_(_RANKS.get(rank, rank)))


def card_names(cards: Sequence[str]) -> str:
    """Name several cards."""
    return ", ".join(map(card_name, cards))
