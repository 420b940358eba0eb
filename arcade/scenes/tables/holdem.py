"""The table of Texas hold'em, with limits and without."""

from __future__ import annotations

from arcade.scenes.tables.poker import PokerTable


class HoldemTable(PokerTable):
    """Two cards in each hand, five in common."""
