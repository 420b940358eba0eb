"""Players of Texas hold'em for two, with limits and without: the chance to win against the price of staying in.

The chance is measured on drawn boards against hands that the opponent may hold, those weighing more that fit its bets
(Billings, Davidson, Schaeffer, Szafron 2002, The Challenge of Poker: hand strength, potential and weighting).  A level
below expert misjudges its chance, as people do, and the lower ones call too much.  Against an opponent whose raises say
nothing the expert without limits plays for the lead at the end of the session: it waits for a chance to win all that is
better than that of playing on, and risks nothing that it need not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.seats.controller import SeatSpec
from arcade.games.house.poker_session import STACK
from arcade.games.players.holdem_hands import CARDS, draw_rivals, promise
from arcade.games.players.holdem_lead import Lead, Move
from arcade.games.players.mistakes import BEGINNER, level_now


@dataclass(frozen=True, slots=True)
class Habits:
    """How a level plays."""

    error: float  # standard deviation of its mistakes about its chance to win
    looseness: float  # how much it overrates its chance when it is to pay
    timidity: float  # how much more it wants before it raises
    reads: bool  # whether bets tell it about the opponent's cards


HABITS = {
    BEGINNER: Habits(error=0.4, looseness=0.5, timidity=0.3, reads=False),
    "easy": Habits(error=0.2, looseness=0.25, timidity=0.2, reads=False),
    "normal": Habits(error=0.12, looseness=0.12, timidity=0.1, reads=False),
    "hard": Habits(error=0.05, looseness=0.05, timidity=0.03, reads=False),
    "expert": Habits(error=0.0, looseness=0.0, timidity=0.0, reads=True),
}


@dataclass(frozen=True, slots=True)
class Spot:
    """What a decision is about, in chips."""

    pot: float
    price: float  # to stay in
    own: float = 0  # in the pot


class HoldemPlayer(ABC):
    """Plays one hand or a session; called with RLCard's observation: first 52 entries for own and common cards."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert", mistakes: float = 0) -> None:
        self._rng, self._level, self._mistakes = rng, level, mistakes
        self._habits = HABITS[level]  # in this hand
        self._held: frozenset[int] = frozenset()
        self._bets = 0  # of the opponent in this hand
        self._turns, self._raises = 6, 2  # of the opponent, with what is expected of an unknown one

    def __call__(self, observation: Any, action_mask: Any) -> int:
        cards = frozenset(np.flatnonzero(observation[:CARDS]).tolist())
        if len(cards) == 2 and cards != self._held:
            self._held, self._bets = cards, 0
            self._habits = HABITS[level_now(self._level, self._mistakes, self._rng)]
            self._begin()
        spot = self._spot(observation, action_mask)
        self._turns += 1
        if self._is_raised(observation, spot):
            self._bets, self._raises = self._bets + 1, self._raises + 1
        chance = self._chance(sorted(self._held), sorted(cards - self._held)) if self._held <= cards else 0.5
        return self._act(spot, chance, action_mask)

    def _chance(self, held: list[int], board: list[int]) -> float:
        """The share of the pot that the own cards win, as the level sees it."""
        if len(held) != 2 or len(board) not in (0, 3, 4, 5):
            return 0.5  # it joined after the flop
        hands, wins = draw_rivals(held, board, self._rng)
        weights = np.ones(len(hands))
        if self._reads and self._bets:
            often = self._raises / self._turns  # who raises often has less when it does
            weights = promise(hands, board) ** (self._bets * max(0.0, 1.2 - 2 * often))
        return float(np.average(wins, weights=weights)) + float(self._rng.normal(0, self._habits.error))

    @property
    def _reads(self) -> bool:
        return self._habits.reads

    def _begin(self) -> None:  # noqa: B027
        """Another hand has begun."""

    @abstractmethod
    def _spot(self, observation: Any, mask: Any) -> Spot:
        """The pot and the price."""

    @abstractmethod
    def _is_raised(self, observation: Any, spot: Spot) -> bool:
        """Whether the opponent raised since the own last turn."""

    @abstractmethod
    def _act(self, spot: Spot, chance: float, mask: Any) -> int:
        """The action for a chance to win."""


CALL, RAISE, FOLD, CHECK = range(4)


class LimitPlayer(HoldemPlayer):
    """Texas hold'em with limits; after the cards are the raises of the four rounds, five entries each."""

    def _begin(self) -> None:
        self._own_raises = [0] * 4

    def _spot(self, observation: Any, mask: Any) -> Spot:
        self._counts = observation[CARDS:].reshape(4, 5).argmax(axis=1).tolist()
        cards = int(observation[:CARDS].sum())
        self._round = {2: 0, 5: 1, 6: 2, 7: 3}.get(cards, 3)
        level = 4 + sum(2 * size * count for size, count in zip((2, 2, 4, 4), self._counts, strict=True))
        price = 0
        if mask[CALL]:
            price = 1 if self._round == 0 and not self._counts[0] else (2, 2, 4, 4)[self._round]
        return Spot(level - price, price)

    def _is_raised(self, observation: Any, spot: Spot) -> bool:
        return bool(self._counts[self._round]) and spot.price > 0

    def _act(self, spot: Spot, chance: float, mask: Any) -> int:
        habits, rng = self._habits, self._rng
        raises = self._counts[self._round]
        want = (0.54 if not spot.price else 0.6 + 0.07 * raises) + habits.timidity
        is_bluff = not spot.price and chance < 0.3 and rng.random() < 0.12
        if mask[RAISE] and ((chance > want and rng.random() < 0.95) or is_bluff):
            return RAISE
        if mask[CHECK]:
            return CHECK
        return CALL if chance + habits.looseness > spot.price / (spot.pot + spot.price) + 0.03 else FOLD


GIVE_UP, CHECK_CALL, HALF, POT, ALL_IN = range(5)


_PATIENCE = 0.04  # how much more an expert wants before it raises an opponent that it does not know
_CALLED, _BET = 0.06, -0.04  # added to the chance after a call, and a bet, for each round to come
_ROUNDS = {2: 0, 5: 1, 6: 2, 7: 3}  # by the cards that are seen


class NoLimitPlayer(HoldemPlayer):
    """Texas hold'em without limits; after the cards are the own chips in the pot and the most of any player."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert", mistakes: float = 0) -> None:
        super().__init__(seat, rng, level=level, mistakes=mistakes)
        self._lead, self._last = Lead(), Move()
        self._is_new, self._is_wild = False, False  # the hand; an opponent that bets as no cards could tell it to

    @property
    def _reads(self) -> bool:
        return self._habits.reads and not self._is_wild

    def _begin(self) -> None:
        self._is_new = True

    def _spot(self, observation: Any, mask: Any) -> Spot:
        own, most = float(observation[CARDS]), float(observation[CARDS + 1])
        self._round = _ROUNDS.get(int(observation[:CARDS].sum()), 3)
        is_overbet = most - own > 2 * own + 2
        gave_up_for_nothing = self._is_new and self._last.checks and self._last.round < 3
        self._is_wild = self._is_wild or is_overbet or gave_up_for_nothing
        if self._is_new:
            self._lead.begin(own == 1, self._last)
            self._is_new = False
        if not mask[ALL_IN]:
            self._lead.see_all_in(most)
        return Spot(own + most, most - own, own)

    def _is_raised(self, observation: Any, spot: Spot) -> bool:
        return spot.price > 1

    def _act(self, spot: Spot, chance: float, mask: Any) -> int:
        decide = self._for_the_lead if self._habits.reads and self._is_wild else self._by_the_odds
        action = decide(spot, chance, mask)
        most, bet = spot.own + spot.price, self._sizes(spot).get(action, 0.0)
        self._last = Move(
            own=spot.own, most=most, stake=spot.own + bet if bet else most, chance=min(1.0, max(0.0, chance)),
            round=self._round, folds=action == GIVE_UP, bets=bet > 0, checks=action == CHECK_CALL and not spot.price,
            closes=not mask[ALL_IN] or spot.own + bet >= self._lead.stack - 1,
        )  # fmt: skip
        return action

    def _sizes(self, spot: Spot) -> dict[int, float]:
        """The chips of each bet."""
        return {POT: spot.pot, HALF: spot.pot // 2, ALL_IN: max(1.0, self._lead.stack - spot.own)}

    def _for_the_lead(self, spot: Spot, chance: float, mask: Any) -> int:
        """What makes it likeliest to be ahead at the end of the session."""
        to_come = 3 - self._round

        def worth(stake: float, wins: float) -> float:
            wins = min(1.0, max(0.0, wins))
            return wins * self._lead.worth(stake) + (1 - wins) * self._lead.worth(-stake)

        found = {CHECK_CALL: worth(spot.own + spot.price, chance + (_CALLED * to_come if mask[ALL_IN] else 0))}
        if spot.price:
            found[GIVE_UP] = self._lead.worth(-spot.own)
        for action, chips in self._sizes(spot).items():
            if mask[action]:
                found[action] = worth(spot.own + chips, chance + (_BET * to_come if action != ALL_IN else 0))
        return max(found, key=lambda action: found[action])

    def _by_the_odds(self, spot: Spot, chance: float, mask: Any) -> int:
        habits = self._habits
        timidity = _PATIENCE if habits.reads else habits.timidity
        sizes = {**self._sizes(spot), ALL_IN: STACK - spot.own}
        for action in (POT, HALF, ALL_IN):
            stake = min(1.0, (spot.own + sizes[action]) / STACK)  # to lose the stack ends the session
            if mask[action] and chance > 0.55 + 0.2 * stake + timidity:
                return action
        if not spot.price:
            return CHECK_CALL
        odds, stake = spot.price / (spot.pot + spot.price), min(1.0, (spot.own + spot.price) / STACK)
        return CHECK_CALL if chance + habits.looseness > odds + 0.05 + 0.05 * stake else GIVE_UP
