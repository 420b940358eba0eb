"""How far a player of no-limit hold'em is ahead in a session, as far as it can tell, and what a lead is worth.

A seat sees the chips in the pot and no showdown, so that a lead is a distribution: hands that ended by a fold are
certain, those that were shown down are won by the chance that the player gave itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import erf, sqrt

from arcade.games.classic import HANDS
from arcade.games.house.poker_session import STACK

_FOLDS, _FOLDS_ALL_IN = 0.25, 0.4  # of a careless opponent, to a bet on the river and to all chips
_RIVER = 3
_BLINDS = 1.5  # that a hand costs on average
_RARE = 1e-3


@dataclass(frozen=True, slots=True)
class Move:
    """The own last move of a hand, in chips."""

    own: float = 0.0  # in the pot before it
    most: float = 0.0  # of any player in the pot
    stake: float = 0.0  # of each player where it is called
    chance: float = 0.0  # to win
    round: int = 0
    folds: bool = False
    bets: bool = False
    checks: bool = False
    closes: bool = False  # no player can bet any more

    def results(self, begins: bool) -> tuple[tuple[float, float], ...]:
        """What a hand may have won that ended after it, with the chance of each; `begins`: with the small blind."""
        if self.folds:
            return ((-self.own, 1.0),)
        if not self.closes and self.round < _RIVER:
            return ((self.most, 1.0),)  # the opponent folded
        folded = 0.0  # the share of opponents
        if self.bets or (self.checks and begins):
            folded = _FOLDS_ALL_IN if self.closes else _FOLDS
        shown = 1 - folded
        return (self.most, folded), (self.stake, shown * self.chance), (-self.stake, shown * (1 - self.chance))


class Lead:
    """The own chips above those of the session's begin."""

    def __init__(self) -> None:
        self._chances: dict[int, float] = {0: 1.0}  # by lead
        self._hand = -1
        self._began = False

    @property
    def stack(self) -> float:
        """The chips that both can bet in this hand, as expected."""
        return STACK - sum(chance * abs(lead) for lead, chance in self._chances.items())

    @property
    def hands_left(self) -> int:
        """After this one."""
        return HANDS - 1 - self._hand

    def begin(self, begins: bool, last: Move) -> None:
        """Another hand, after the last move of the one before; `begins`: with the small blind, which alternates."""
        self._add(last.results(self._began))
        is_missed = begins and self._began  # the opponent folded its small blind in between
        if is_missed:
            self._add(((1.0, 1.0),))
        self._began, self._hand = begins, min(HANDS - 1, self._hand + 1 + is_missed)

    def see_all_in(self, stack: float) -> None:
        """The opponent is all in, which tells how far apart the stacks are."""
        apart = round(STACK - stack)
        fits = {lead: chance for lead, chance in self._chances.items() if abs(abs(lead) - apart) <= 1}
        self._chances = _scaled(fits or {apart: 0.5, -apart: 0.5}) if apart else {0: 1.0}

    def worth(self, won: float) -> float:
        """The chance to be ahead at the end of the session where this hand wins so many chips."""
        left = self.hands_left
        return sum(chance * _worth(lead + won, left) for lead, chance in self._chances.items())

    def _add(self, results: Iterable[tuple[float, float]]) -> None:
        found: dict[int, float] = {}
        for won, share in results:
            for lead, chance in self._chances.items():
                new = int(lead + won)
                if share and abs(new) <= STACK - 2:  # else the session would be over
                    found[new] = found.get(new, 0.0) + chance * share
        if found:
            self._chances = _scaled(found)


def _scaled(chances: dict[int, float]) -> dict[int, float]:
    total = sum(chances.values())
    return {lead: chance / total for lead, chance in chances.items() if chance > _RARE * total}


def _worth(lead: float, left: int) -> float:
    """Fitted to a dynamic program over the hands of a session against random moves."""
    if abs(lead) >= STACK or not left:
        return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
    if lead > _BLINDS * left + 1:
        return 1.0  # however the rest goes, folding is enough
    score = left / (left + 1)
    score += lead / (2 * left) if lead > 0 else lead / 50 - min(1.0, -lead / 12) / left
    return 0.5 * (1 + erf(score / sqrt(2)))
