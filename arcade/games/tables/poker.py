"""What RLCard's three poker games have in common: bets, folds, who showed their cards and why.

https://rlcard.org/games.html; a card is suit and rank, as in "SA" (the ace of spades) and "HT" (the ten of hearts).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.seats.controller import AgentID

Card = str

_SAID = {
    "FOLD": "fold",
    "CHECK_CALL": "stays",
    "RAISE_HALF_POT": "+ ½ pot",
    "RAISE_POT": "+ pot",
    "ALL_IN": "all in",
}
"""The actions of RLCard's no-limit game, which are an enum; those of the other two are words already."""


class PokerHand:
    """One hand of poker as RLCard plays it, read for one looker; every fact but the cards is public."""

    def __init__(self, env: Any, agent: AgentID | None) -> None:
        table = env.unwrapped
        self.agents: list[AgentID] = list(table.possible_agents)
        self.engine = table.env  # RLCard's
        self.game = self.engine.game
        self._looker = agent
        self.over = bool(self.engine.is_over())

    @property
    def turn(self) -> AgentID | None:
        """Who is to act, None at the end."""
        return None if self.over else self.agents[self.game.game_pointer]

    @property
    def showdown(self) -> bool:
        """True where the hand ended with two seats or more in it: these turn their cards up, nobody else does."""
        return self.over and sum(not self.has_folded(place) for place in range(len(self.agents))) > 1

    def has_folded(self, place: int) -> bool:
        status = self.game.players[place].status  # a str in two games, an enum in the third
        return str(getattr(status, "name", status)).lower() == "folded"

    def raw(self, place: int) -> dict[str, Any]:
        """RLCard's own state of that player, with that player's cards and nobody else's."""
        state: dict[str, Any] = self.engine.get_state(place)["raw_obs"]
        return state

    def hand(self, place: int) -> list[Card]:
        """The cards of a seat as far as the looker may see them; [] where they lie face down."""
        may_see = self.agents[place] == self._looker or (self.showdown and not self.has_folded(place))
        if not may_see:
            return []
        held = self.raw(place)["hand"]
        return [held] if isinstance(held, str) else list(held)

    def to_call(self) -> int:
        """Chips that whoever is to act lacks to stay in."""
        raised = self.game.round.raised
        return int(max(raised) - raised[self.game.game_pointer])

    def view(self, *, held: int, board: Sequence[Card], board_size: int, words: Sequence[str]) -> dict[str, Any]:
        """`held` cards a seat, `board` the cards in common so far, `words` each action as it is now."""
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
            "stack": None if stack is None else int(stack),  # None: chips without end
            "folded": self.has_folded(place),
            "said": self._said(place),
            "won": self._won(place),
        }

    def _said(self, place: int) -> str:
        """The newest action of the seat, "" before its first."""
        mine = [str(getattr(action, "name", action)) for who, action in self.engine.action_recorder if who == place]
        return _SAID.get(mine[-1], mine[-1]) if mine else ""

    def _won(self, place: int) -> int | None:
        """Chips won (or lost, below 0) in the whole hand; None while it is played."""
        if not self.over:
            return None
        in_blinds = self.engine.name != "no-limit-holdem"  # RLCard pays out two of its games in big blinds
        return round(float(self.engine.get_payoffs()[place]) * (self.game.big_blind if in_blinds else 1))


def limit_words(hand: PokerHand) -> tuple[str, str, str, str]:
    """The four actions of a game with fixed bets, with their chips."""
    call = hand.to_call()
    return f"Call {call}", f"Raise: put in {call + int(hand.game.round.raise_amount)}", "Fold", "Check"
