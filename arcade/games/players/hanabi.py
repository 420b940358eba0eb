"""A player of Hanabi for two: published rule players up to hard, and at expert one with a convention for hints.

The convention is a simple form of that of HolmesBot and SmartBot (https://github.com/Quuxplusone/Hanabi): a hint means
that the newest card which it newly touches fits, and one to the card that would be discarded next saves it where it may
be the last of its kind.  With a partner who does not keep to it the expert plays by the rules of hard.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import SeatSpec
from arcade.games.players.hanabi_rules import (
    IGGI,
    NOVICE,
    OUTER,
    RASH,
    discard_useless,
    first_of,
    play_at_last,
    play_safe,
    tell_anything,
)
from arcade.games.players.hanabi_table import COLOUR, COPIES, DISCARD, PLAY, RANK, RANKS, Hand, Table
from arcade.games.players.mistakes import BEGINNER, level_now

RULES = {BEGINNER: RASH, "easy": NOVICE, "normal": OUTER, "hard": IGGI}


class Player:
    """Plays one game; called with the observation (658,) and the mask (20,)."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert", mistakes: float = 0) -> None:
        self._rng, self._level, self._mistakes = rng, level, mistakes
        self._own: list[bool] = []  # whether a hint said that the card fits, by own card
        self._theirs: list[bool] = []  # of the partner's cards, by the hints that were given
        self._is_relied_on = True  # the convention, until the partner shows that it has another
        self._expects_play = False  # the partner has a card to play by the convention
        self._risked = 0  # lives before a card was played on the word of a hint, 0 for none

    def __call__(self, observation: Any, action_mask: Any) -> int:
        table = Table(observation, action_mask)
        rules = RULES.get(level_now(self._level, self._mistakes, self._rng))
        if self._level != "expert" and rules is not None:
            return first_of(rules, table, self._rng)
        self._doubt(table)
        if not self._is_relied_on:
            return first_of(IGGI, table, self._rng)
        self._follow(table)
        action = self._choose(table) if rules is None else first_of(rules, table, self._rng)
        self._remember(table, action)
        return action

    def _doubt(self, table: Table) -> None:
        """Give the convention up where a hint misled, or the partner discards instead of a card it should play."""
        lost = self._risked - table.lives - (table.kind == 0 and not table.was_success)
        if lost > 0 or (self._expects_play and table.kind == 1):
            self._is_relied_on = False

    def _follow(self, table: Table) -> None:
        """Take in the partner's last action."""
        own, theirs = len(table.own), len(table.partner)
        self._own = (self._own + [False] * own)[:own]
        if table.kind in (0, 1) and table.position < len(self._theirs):
            del self._theirs[table.position]
        self._theirs = (self._theirs + [False] * theirs)[:theirs]
        if table.kind in (2, 3) and len(table.touched):
            focus = _focus(table, table.own, table.touched, is_colour=table.kind == 2)
            if focus is not None:
                self._own[focus] = True

    def _remember(self, table: Table, action: int) -> None:
        """Keep what the own action changes."""
        is_risk = PLAY <= action < COLOUR and table.share(table.playable)[action - PLAY] < 1 - 1e-9
        self._risked = table.lives if is_risk and self._own[action - PLAY] else 0
        self._expects_play = self._will_play(table)
        if action < COLOUR:
            del self._own[action % PLAY]
            return
        touched = next(touched for hint, touched in table.hints() if hint == action)
        focus = _focus(table, _told(table, action, touched), touched, is_colour=action < RANK)
        if focus is not None:
            self._theirs[focus] = True

    def _choose(self, table: Table) -> int:
        save = self._saving_hint(table)
        if save is not None:
            return save
        play = self._play(table)
        if play is not None:
            return play
        hint = self._best_hint(table) if table.tokens else None
        if hint is not None:
            return hint
        for rule in (play_at_last, discard_useless):
            action = rule(table, self._rng)
            if action is not None:
                return action
        if table.mask[DISCARD]:
            return DISCARD + self._least_valuable(table)
        harmless = [action for action, touched in table.hints() if self._worth(table, action, touched) > -1]
        return harmless[0] if harmless else first_of((tell_anything,), table, self._rng)

    def _play(self, table: Table) -> int | None:
        """Play a card that is certain to fit, else one that a hint meant, unless that cannot be."""
        safe = play_safe(table, self._rng)
        shares = table.share(table.playable)
        meant = [place for place, is_meant in enumerate(self._own) if is_meant and shares[place] > 0]
        if safe is not None or not meant:
            return safe
        best = max(meant, key=lambda place: shares[place])
        return PLAY + best if table.lives > 1 or shares[best] > 0.5 else None

    def _will_play(self, table: Table) -> bool:
        """Whether the partner has a card to play next."""
        return any(
            (meant or table.knows(place, table.playable)) and table.playable[card]
            for place, (card, meant) in enumerate(zip(table.partner, self._theirs, strict=True))
        )

    def _saving_hint(self, table: Table) -> int | None:
        """A hint that keeps the partner from discarding the last card of its kind."""
        chop = oldest_unhinted(table.theirs)
        if chop is None or not table.tokens or self._will_play(table):
            return None
        if not table.critical[table.partner[chop]]:
            return None
        if any(table.knows(place, ~table.useful) for place in range(len(table.partner))) and table.tokens < 8:
            return None  # it will discard that one
        hints = {action: self._worth(table, action, touched, chop) for action, touched in table.hints()}
        best = max(hints, key=lambda action: hints[action])
        return best if hints[best] > 0 else None

    def _best_hint(self, table: Table) -> int | None:
        hints = {action: self._worth(table, action, touched) for action, touched in table.hints()}
        best = max(hints, key=lambda action: hints[action])
        return best if hints[best] >= 1 else None

    def _worth(self, table: Table, action: int, touched: NDArray[np.intp], save: int | None = None) -> float:
        """How much a hint helps: a card to play counts 1, one saved 1, each fact a little; -1 and less: it misleads."""
        after = _told(table, action, touched)
        focus = _focus(table, after, touched, is_colour=action < RANK)
        worth = 0.02 * len(touched)
        if save is not None and save in touched:
            worth += 1
        alive = table.gone < COPIES
        for place, card in enumerate(table.partner):
            possible = after.possible[place] & alive
            known = bool(table.playable[possible].all())
            is_new = not self._theirs[place] and not table.knows(place, table.playable)
            if place == focus and not known and not (table.playable & possible).any():
                continue  # the partner sees that it cannot fit
            if (place == focus or known) and is_new:
                if table.playable[card] and not self._is_doubled(table, place):
                    worth += 1 + 0.1 * (RANKS - card % RANKS) / RANKS
                elif place == focus:
                    worth -= 3
        return worth

    def _is_doubled(self, table: Table, place: int) -> bool:
        """Whether another of the partner's cards that it will play is the same."""
        card = table.partner[place]
        return any(
            other != place and one == card and (self._theirs[other] or table.knows(other, table.playable))
            for other, one in enumerate(table.partner)
        )

    def _least_valuable(self, table: Table) -> int:
        """The own card to discard: the oldest that no hint touched, else the one that is least likely needed."""
        chop = oldest_unhinted(table.own)
        if chop is not None:
            return chop
        return int((table.share(table.useful) + table.share(table.critical) + np.array(self._own)).argmin())


def oldest_unhinted(hand: Hand) -> int | None:
    """Return the card that is discarded next, None where hints touched all."""
    free = np.flatnonzero(~hand.hinted)
    return int(free[0]) if len(free) else None


def _told(table: Table, action: int, touched: NDArray[np.intp]) -> Hand:
    """The partner's knowledge after a hint."""
    hand, is_touched = table.theirs, np.isin(np.arange(len(table.partner)), touched)
    cards = np.arange(len(COPIES))
    same = cards // RANKS == action - COLOUR if action < RANK else cards % RANKS == action - RANK
    possible = hand.possible & np.where(is_touched[:, None], same, ~same)
    if action < RANK:
        return Hand(possible, hand.colours | is_touched, hand.ranks)
    return Hand(possible, hand.colours, hand.ranks | is_touched)


def _focus(table: Table, hand: Hand, touched: NDArray[np.intp], *, is_colour: bool) -> int | None:
    """The card of `hand`, as known after a hint, that the hint says to play; None for a hint that saves."""
    before = hand.ranks if is_colour else hand.colours  # a card known by the other way is not new
    new = [int(place) for place in touched if not before[place]]
    untouched = np.flatnonzero(~hand.hinted)
    chop = min([*new, *untouched.tolist()], default=None)  # what would have been discarded next
    alive = table.gone < COPIES
    if chop is not None and chop in new and (table.critical & hand.possible[chop] & alive).any() and not is_colour:
        return None
    focus = max(new) if new else int(max(touched))
    return focus if (table.playable & hand.possible[focus] & alive).any() else None
