"""RLCard's poker games for one seat: Texas hold'em with and without limits, and Leduc hold'em.

https://rlcard.org/games.html; a card is suit and rank, as in "SA" (the ace of spades) and "HT" (the ten of hearts).
Leduc hold'em has six cards, one in hand and one in common: Southey et al., "Bayes' Bluff", UAI 2005.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents.seats.controller import AgentID
from arcade.games.house.poker_session import PokerSession, chips_won

Card = str

_ACTION_NAMES = {
    "FOLD": "fold",
    "CHECK_CALL": "stays in",
    "RAISE_HALF_POT": "+ ½ pot",
    "RAISE_POT": "+ pot",
    "ALL_IN": "all in",
}
"""The actions of RLCard's no-limit game, an enum; those of the other two are words already."""


_STREETS = {1: ("first round", "second round"), 5: ("pre-flop", "", "", "flop", "turn", "river")}
"""By the cards that there will be on the board: the part of a hand, by those that lie there."""

_RANKS = "23456789TJQKA"
_CATEGORIES = (
    "high card", "pair", "two pairs", "three of a kind", "straight", "flush", "full house", "four of a kind",
    "straight flush",
)  # fmt: skip
"""The categories of RLCard's evaluator, the lowest first."""


def view_holdem(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The hand as `agent` may know it, or a spectator (None)."""
    return _view(env, agent, _holdem_cards)


def view_leduc(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The hand as `agent` may know it, or a spectator (None)."""
    return _view(env, agent, _leduc_cards)


def _view(env: Any, agent: AgentID | None, cards: Callable[[PokerHand], dict[str, Any]]) -> dict[str, Any]:
    """The hand, its place in the session, and the `finished` hand before it, None for the first."""
    table = env.unwrapped
    hand = current_hand(table, agent)
    before, number = finished_hand(table, agent), getattr(table, "number", 1)
    shown = hand.view(cards(hand))
    if isinstance(table, PokerSession):
        _name_blinds(shown["seats"], table.small_blind)
    return {
        **shown,
        "choices": list(_limit_actions(hand) if hand.is_limited else _no_limit_actions(hand)),
        "number": number,
        "hands": getattr(table, "hands", 1),
        "finished": None if before is None else {**before.view(cards(before)), "number": number - 1},
    }


def _name_blinds(seats: list[dict[str, Any]], small: int) -> None:
    """Name the blinds of seats that have not acted."""
    for place, words in ((small, "small blind"), ((small + 1) % len(seats), "big blind")):
        seats[place]["said"] = seats[place]["said"] or words


def current_hand(table: Any, agent: AgentID | None) -> PokerHand:
    """Return the hand of a session, or of PettingZoo's env, as `agent` sees it."""
    if not isinstance(table, PokerSession):
        return PokerHand(table.env, table.possible_agents, agent)
    if table.over and table.finished is not None:
        return PokerHand(table.engine, table.possible_agents, agent, table.finished.stacks, table.finished.won)
    return PokerHand(table.engine, table.possible_agents, agent, table.stacks)


def finished_hand(table: Any, agent: AgentID | None) -> PokerHand | None:
    """Return the hand before the one that is played, None without one."""
    if not isinstance(table, PokerSession) or table.over or table.finished is None:
        return None
    before = table.finished
    return PokerHand(before.engine, table.possible_agents, agent, before.stacks, before.won)


def _holdem_cards(hand: PokerHand) -> dict[str, Any]:
    return {"held": 2, "board": list(hand.raw(0)["public_cards"]), "board_size": 5}


def _leduc_cards(hand: PokerHand) -> dict[str, Any]:
    board = hand.raw(0)["public_card"]
    return {"held": 1, "board": [board] if board else [], "board_size": 1}


class PokerHand:
    """One hand of RLCard's poker as one looker sees it; everything but the cards is public."""

    def __init__(
        self, engine: Any, agents: Sequence[AgentID], agent: AgentID | None,
        stacks: Sequence[int] = (), won: Sequence[int] = (),
    ) -> None:  # fmt: skip
        """`engine`: RLCard's env; `stacks`: of a session, before the hand or after it; `won`: chips, if it is over."""
        self.engine, self.agents, self._looker = engine, list(agents), agent
        self._stacks, self._won = stacks, won
        self.game = engine.game
        self.over = bool(engine.is_over())

    @property
    def is_limited(self) -> bool:
        """Whether bets have a fixed size."""
        return hasattr(self.game.round, "raise_amount")

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

    def stack(self, place: int) -> int | None:
        """Return the chips that a seat has left; None: unlimited."""
        if self._stacks:
            bet = 0 if self.over else int(self.game.players[place].in_chips)
            return max(0, int(self._stacks[place]) - bet)
        left = getattr(self.game.players[place], "remained_chips", None)
        return None if left is None else int(left)

    def view(self, cards: Mapping[str, Any]) -> dict[str, Any]:
        """Return the view; `cards`: how many a seat holds, those on the board, and how many there will be."""
        return {
            "seats": [self._seat(place, cards["held"], cards["board"]) for place in range(len(self.agents))],
            "board": cards["board"],
            "board_size": cards["board_size"],
            "pot": sum(int(player.in_chips) for player in self.game.players),
            "blinds": [int(self.game.small_blind), int(self.game.big_blind)],
            "begun": bool(self.engine.action_recorder),
            "turn": self.turn,
            "over": self.over,
            "showdown": self.showdown,
            "street": "showdown" if self.showdown else _STREETS[cards["board_size"]][len(cards["board"])],
        }

    def _seat(self, place: int, held: int, board: Sequence[Card]) -> dict[str, Any]:
        hand = self.hand(place)
        return {
            "agent": self.agents[place],
            "hand": hand,
            "held": held,
            "best": best_cards([*hand, *board]) if self.showdown and hand else None,
            "bet": int(self.game.players[place].in_chips),
            "stack": self.stack(place),
            "folded": self.has_folded(place),
            "said": self._newest_action(place),
            "won": self._chips_won(place),
        }

    def _newest_action(self, place: int) -> str:
        """Return the newest action of the seat, "" before its first."""
        actions = [
            str(getattr(action, "name", action)) for actor, action in self.engine.action_recorder if actor == place
        ]
        return _ACTION_NAMES.get(actions[-1], actions[-1]) if actions else ""

    def _chips_won(self, place: int) -> int | None:
        """Return the chips won (below 0: lost) in the whole hand; None while it is played."""
        if not self.over:
            return None
        return (self._won or chips_won(self.engine))[place]


def best_cards(cards: Sequence[Card]) -> dict[str, Any]:
    """Return what counts among a seat's cards: its `category`, and those `cards`, the most telling first.

    >>> best_cards(["SK", "HK"])
    {'category': 'pair', 'cards': ['SK', 'HK']}
    """
    if len(cards) < 5:  # Leduc hold'em
        category, best = "pair" if len({card[1] for card in cards}) < len(cards) else "high card", list(cards)
    else:
        from rlcard.games.limitholdem.utils import Hand  # the game's own evaluator: it decides who wins

        hand = Hand(list(cards))
        hand.evaluateHand()
        category, best = _CATEGORIES[hand.category - 1], list(hand.best_five)
    count = Counter(card[1] for card in best)
    best.sort(key=lambda card: (-count[card[1]], -_RANKS.index(card[1])))
    if [card[1] for card in best] == list("A5432"):
        best.append(best.pop(0))  # the ace is low in this straight
    return {"category": category, "cards": best}


Choice = tuple[str, int]
"""An action, and the chips that it names."""


def _limit_actions(hand: PokerHand) -> tuple[Choice, ...]:
    call = hand.to_call()
    return ("call", call), ("raise", call + int(hand.game.round.raise_amount)), ("fold", 0), ("check", 0)


def _no_limit_actions(hand: PokerHand) -> tuple[Choice, ...]:
    call, pot = hand.to_call(), int(hand.game.dealer.pot)
    stack = int(hand.game.players[hand.game.game_pointer].remained_chips)
    return (
        ("fold", 0),
        ("call", min(call, stack)) if call else ("check", 0),
        ("raise half the pot", pot // 2),
        ("raise the pot", pot),
        ("all in", stack),
    )
