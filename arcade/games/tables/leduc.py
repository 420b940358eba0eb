"""Leduc hold'em for one seat: six cards, one in hand, one in common.

Southey et al., "Bayes' Bluff", UAI 2005; https://pettingzoo.farama.org/environments/classic/leduc_holdem/
"""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID
from arcade.games.tables.poker import PokerHand, limit_words


def view(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """What `agent` may know, or what anybody may with None."""
    hand = PokerHand(env, agent)
    board = hand.raw(0)["public_card"]
    return hand.view(held=1, board=[board] if board else [], board_size=1, words=limit_words(hand))
