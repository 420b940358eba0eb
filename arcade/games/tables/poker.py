"""RLCard's poker games for one seat: Texas hold'em with and without limits, and Leduc hold'em.

https://rlcard.org/games.html; a card is suit and rank, as in "SA" (the ace of spades) and "HT" (the ten of hearts).
Leduc hold'em has six cards, one in hand and one in common: Southey et al., "Bayes' Bluff", UAI 2005.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.seats.controller import AgentID

Card = str

_ACTION_NAMES = {
    "FOLD": "fold",
    "CHECK_CALL": "stays",
    "RAISE_HALF_POT": "+ ½ pot",
    "RAISE_POT": "+ pot",
    "ALL_IN": "all in",
}
"""The actions of RLCard's no-limit game, an enum; those of the other two are words already."""


def view_holdem(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The hand as `agent` may know it, or a spectator (None)."""
    hand = PokerHand(env, agent)
    actions = _limit_actions(hand) if hasattr(hand.game.round, "raise_amount") else _no_limit_actions(hand)
    return hand.view(held=2, board=hand.raw(0)["public_cards"], board_size=5, words=actions)


def view_leduc(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The hand as `agent` may know it, or a spectator (None)."""
    hand = PokerHand(env, agent)
    board = hand.raw(0)["public_card"]
    return hand.view(held=1, board=[board] if board else [], board_size=1, words=_limit_actions(hand))


class PokerHand:
    """One hand of RLCard's poker as one looker sees it; everything but the cards is public."""

    def __init__(self, env: Any, agent: AgentID | None) -> None:
        table = env.unwrapped
        self.agents: list[AgentID] = list(table.possible_agents)
        self.engine = table.env  # RLCard's
        self.game = self.engine.game
        self._looker = agent
        self.over = bool(self.engine.is_over())

    @property
    def turn(self) -> AgentID | None:
        """The agent to act, None at the end."""
        return None if self.over else self.agents[self.game.game_pointer]

    @property
    def showdown(self) -> bool:
        """Whether the hand ended with two seats or more in it, which then show their cards."""
        return self.over and sum(not self.has_folded(place) for place in range(len(self.agents))) > 1

    def has_folded(self, place: int) -> bool:
        status = self.game.players[place].status  # a str in two games, an enum in the third
        return str(getattr(status, "name", status)).lower() == "folded"

    def raw(self, place: int) -> dict[str, Any]:
        """Return RLCard's own state of a player, with the cards of that player alone."""
        state: dict[str, Any] = self.engine.get_state(place)["raw_obs"]
        return state

    def hand(self, place: int) -> list[Card]:
        """Return the cards of a seat, [] where the looker may not see them."""
        if self.agents[place] != self._looker and (not self.showdown or self.has_folded(place)):
            return []
        held = self.raw(place)["hand"]
        return [held] if isinstance(held, str) else list(held)

    def to_call(self) -> int:
        """Return the chips that the agent to act needs to stay in."""
        raised = self.game.round.raised
        return int(max(raised) - raised[self.game.game_pointer])

    def view(self, *, held: int, board: Sequence[Card], board_size: int, words: Sequence[str]) -> dict[str, Any]:
        """Return the view with `held` cards a seat, the `board` so far, and the `words` of each action."""
        return {
            "seats": [self._seat(place, held) for place in range(len(self.agents))],
            "board": list(board),
            "board_size": board_size,
            "pot": sum(int(player.in_chips) for player in self.game.players),
            "turn": self.turn,
            "over": self.over,
            "showdown": self.showdown,
            "words": list(words),
        }

    def _seat(self, place: int, held: int) -> dict[str, Any]:
        player = self.game.players[place]
        stack = getattr(player, "remained_chips", None)
        return {
            "agent": self.agents[place],
            "hand": self.hand(place),
            "held": held,
            "bet": int(player.in_chips),
            "stack": None if stack is None else int(stack),  # None: unlimited
            "folded": self.has_folded(place),
            "said": self._newest_action(place),
            "won": self._won(place),
        }

    def _newest_action(self, place: int) -> str:
        """Return the newest action of the seat, "" before its first."""
        actions = [
            str(getattr(action, "name", action)) for actor, action in self.engine.action_recorder if actor == place
        ]
        return _ACTION_NAMES.get(actions[-1], actions[-1]) if actions else ""

    def _won(self, place: int) -> int | None:
        """Return the chips won (below 0: lost) in the whole hand; None while it is played."""
        if not self.over:
            return None
        in_blinds = self.engine.name != "no-limit-holdem"  # RLCard pays out two of its games in big blinds
        return round(float(self.engine.get_payoffs()[place]) * (self.game.big_blind if in_blinds else 1))


def _limit_actions(hand: PokerHand) -> tuple[str, ...]:
    call = hand.to_call()
    return f"Call {call}", f"Raise: put in {call + int(hand.game.round.raise_amount)}", "Fold", "Check"


def _no_limit_actions(hand: PokerHand) -> tuple[str, ...]:
    call, pot = hand.to_call(), int(hand.game.dealer.pot)
    stack = int(hand.game.players[hand.game.game_pointer].remained_chips)
    return (
        "Fold",
        f"Call {min(call, stack)}" if call else "Check",
        f"Raise half the pot: {pot // 2}",
        f"Raise the pot: {pot}",
        f"All in: {stack}",
    )
