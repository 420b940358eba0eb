"""RLCard's poker games with limits, Leduc and Texas hold'em for two: what a seat knows, and hands dealt from that.

Rules: https://rlcard.org/games.html; a round begins with the player after the one that moved last.  Actions are
RLCard's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.players.holdem_hands import scores

CALL, RAISE, FOLD, CHECK = range(4)
NAMES = ("call", "raise", "fold", "check")
BLINDS = (1, 2)

_LEDUC = ("SJ", "HJ", "SQ", "HQ", "SK", "HK")
_HOLDEM = tuple(suit + rank for suit in "SHDC" for rank in "A23456789TJQK")  # as holdem_hands counts them
_HOLDEM_SHOWN = (0, 3, 4, 5)

Held = tuple[tuple[int, ...], tuple[int, ...]]
"""The cards of both players."""

Kinds = tuple[Sequence[int], Sequence[int]]
"""Of each player in each round, a number for its cards: alike cards have the same."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One of the games."""

    cards: tuple[str, ...]  # by RLCard's names
    held: int  # cards of each player
    shown: tuple[int, ...]  # common cards in each round, those of earlier ones included
    bets: tuple[int, ...]  # of each round
    raises: int  # in a round, at most
    compare: Callable[[Held, Sequence[int]], tuple[Kinds, int]]  # with the whole board: `kinds` and `won` of Dealt


@dataclass(frozen=True, slots=True)
class Betting:
    """What both players see of a hand; player 0 has the small blind and begins."""

    chips: tuple[int, int] = BLINDS  # in the pot
    player: int = 0  # to move; -1 at the end
    round: int = 0
    raises: int = 0  # of the round
    passes: int = 0  # since the last raise, and the raise itself
    folded: int = -1  # who gave up
    line: tuple[int, ...] = ()  # the actions so far

    def legal(self, rules: Rules) -> tuple[int, ...]:
        """RLCard's legal actions."""
        owes = self.chips[self.player] < max(self.chips)
        raises = (RAISE,) if self.raises < rules.raises else ()
        return (CALL, *raises, FOLD) if owes else (*raises, FOLD, CHECK)

    def after(self, action: int, rules: Rules) -> Betting:
        """The betting after a legal action."""
        most, other = max(self.chips), 1 - self.player
        paid = {CALL: most, RAISE: most + rules.bets[self.round]}.get(action, self.chips[self.player])
        chips = (paid, self.chips[1]) if self.player == 0 else (self.chips[0], paid)
        new = replace(self, chips=chips, player=other, line=(*self.line, action))
        if action == FOLD:
            return replace(new, player=-1, folded=self.player)
        if action == RAISE:
            return replace(new, raises=self.raises + 1, passes=1)
        if self.passes < 1:
            return replace(new, passes=self.passes + 1)
        is_last = self.round + 1 == len(rules.bets)
        return replace(new, player=-1 if is_last else other, round=self.round + 1, raises=0, passes=0)


@dataclass(frozen=True, slots=True, eq=False)
class Dealt:
    """A hand with all cards, for `InformationSetSearch`."""

    rules: Rules
    betting: Betting
    held: Held
    board: tuple[int, ...]  # of all rounds
    kinds: Kinds
    won: int  # by player 0 at a showdown: 1, 0 or -1

    @property
    def player(self) -> int:
        return self.betting.player

    @property
    def actions(self) -> Sequence[int]:
        """Without giving up where it costs nothing to stay."""
        legal = self.betting.legal(self.rules)
        return [action for action in legal if action != FOLD or CHECK not in legal]

    @property
    def gain(self) -> float:
        betting = self.betting
        if betting.folded >= 0:
            return float(betting.chips[1] if betting.folded == 1 else -betting.chips[0])
        return float(self.won * betting.chips[0])

    def play(self, action: int) -> Dealt:
        return replace(self, betting=self.betting.after(action, self.rules))

    def known(self) -> Hashable:
        player = self.betting.player
        return player, self.kinds[player][self.betting.round], self.betting.line


@dataclass(frozen=True, slots=True)
class Known:
    """What the player to move knows of a hand."""

    rules: Rules
    betting: Betting
    own: tuple[int, ...]
    board: tuple[int, ...]

    def deal(self, rng: np.random.Generator) -> Dealt:
        """The hand with the cards that are hidden drawn from the unseen ones."""
        rules = self.rules
        seen = {*self.own, *self.board}
        rest = rng.permutation([card for card in range(len(rules.cards)) if card not in seen]).tolist()
        other, drawn = tuple(rest[: rules.held]), rest[rules.held :]
        board = (*self.board, *drawn[: rules.shown[-1] - len(self.board)])
        held = (self.own, other) if self.betting.player == 0 else (other, self.own)
        return Dealt(rules, self.betting, held, board, *rules.compare(held, board))


def _leduc(held: Held, board: Sequence[int]) -> tuple[Kinds, int]:
    """A pair with the common card wins, else the higher rank."""
    ranks, common = [cards[0] // 2 for cards in held], board[0] // 2
    worth = [rank + 10 * (rank == common) for rank in ranks]
    kinds = tuple([rank, 10 * rank + common] for rank in ranks)
    return (kinds[0], kinds[1]), (worth[0] > worth[1]) - (worth[0] < worth[1])


def _holdem(held: Held, board: Sequence[int]) -> tuple[Kinds, int]:
    """Alike cards in the first round are one kind, later ones of one rank of hand."""
    kinds: tuple[list[int], list[int]] = ([_start(held[0])], [_start(held[1])])
    found = np.zeros(2, np.int64)
    for shown in _HOLDEM_SHOWN[1:]:
        found = scores(np.array([[*cards, *board[:shown]] for cards in held]))
        for own, worth in zip(kinds, found.tolist(), strict=True):
            own.append(16 * (worth >> 26) + (worth >> 13 & 0x1FFF).bit_length())
    return kinds, int(np.sign(found[0] - found[1]))


def _start(cards: Sequence[int]) -> int:
    low, high = sorted((card - 1) % 13 for card in cards)
    return 100 * high + 2 * low + (cards[0] // 13 == cards[1] // 13)


RULES = {
    "classic/leduc_holdem_v4": Rules(_LEDUC, 1, (0, 1), (2, 4), 2, _leduc),
    "classic/texas_holdem_v4": Rules(_HOLDEM, 2, _HOLDEM_SHOWN, (2, 2, 4, 4), 4, _holdem),
}


def read_known(game: str, observation: NDArray[np.uint8]) -> Known:
    """What `known` wrote."""
    rules, data = RULES[game], json.loads(bytes(observation))
    betting = Betting()
    for action in data["line"]:
        betting = betting.after(action, rules)
    return Known(rules, betting, tuple(data["own"]), tuple(data["board"]))


def known(game: Any) -> Mapping[str, NDArray[np.uint8]]:
    """What the player to move knows of its hand, JSON as uint8 (length,): `own` cards, the common `board`, and the
    `line` of all actions; the others get no bytes."""
    own = game.unwrapped
    engine = getattr(own, "hand", own).env
    found = dict.fromkeys(own.possible_agents, np.zeros(0, np.uint8))
    if engine.is_over():
        return found
    table, player = engine.game, engine.game.game_pointer
    cards = _LEDUC if hasattr(table, "public_card") else _HOLDEM
    common = [table.public_card] if cards is _LEDUC else table.public_cards
    hand = table.players[player].hand
    data = {
        "own": [cards.index(card.get_index()) for card in (hand if isinstance(hand, list) else [hand])],
        "board": [cards.index(card.get_index()) for card in common if card is not None],
        "line": [NAMES.index(action) for _, action in engine.action_recorder],
    }
    return found | {own.possible_agents[player]: np.frombuffer(json.dumps(data).encode(), np.uint8)}
