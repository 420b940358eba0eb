"""The table of Leduc hold'em."""

from __future__ import annotations

from arcade.scenes.tables.poker import PokerTable


class LeducTable(PokerTable):
    """One card in each hand, one in common."""
