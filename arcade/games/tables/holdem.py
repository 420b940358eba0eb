"""Texas hold'em for one seat, with limits and without.

https://pettingzoo.farama.org/environments/classic/texas_holdem/ and …/texas_holdem_no_limit/
"""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID
from arcade.games.tables.poker import PokerHand, limit_words


def view(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """What `agent` may know, or what anybody may with None."""
    hand = PokerHand(env, agent)
    words = limit_words(hand) if hasattr(hand.game.round, "raise_amount") else _no_limit_words(hand)
    return hand.view(held=2, board=hand.raw(0)["public_cards"], board_size=5, words=words)


def _no_limit_words(hand: PokerHand) -> tuple[str, ...]:
    call, pot = hand.to_call(), int(hand.game.dealer.pot)
    stack = int(hand.game.players[hand.game.game_pointer].remained_chips)
    return (
        "Fold",
        f"Call {min(call, stack)}" if call else "Check",
        f"Raise half the pot: {pot // 2}",
        f"Raise the pot: {pot}",
        f"All in: {stack}",
    )
