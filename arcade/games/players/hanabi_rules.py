"""Rules of published Hanabi players, tried one after the other.

Outer is that of Osawa 2015, Solving Hanabi: Estimating Hands by Opponent's Actions in Cooperative Game with Incomplete
Information; IGGI that of Walton-Rivers, Williams, Bartle, Perez-Liebana, Lucas 2017, Evaluating and Modelling
Hanabi-Playing Agents (https://arxiv.org/abs/1704.07069).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arcade.games.players.hanabi_table import COLOUR, DISCARD, PLAY, RANK, RANKS, Table

Rule = Callable[[Table, np.random.Generator], int | None]
"""The action that it proposes, None where it does not apply."""

_SURE = 1 - 1e-9


def play_safe(table: Table, rng: np.random.Generator) -> int | None:
    """Play a card that is certain to fit."""
    return _play(table, _SURE)


def play_rashly(table: Table, rng: np.random.Generator) -> int | None:
    """Play the card that is likeliest to fit, be it as likely not to."""
    return _play(table, 0.5)


def play_at_last(table: Table, rng: np.random.Generator) -> int | None:
    """Once the deck is empty, play the likeliest card, while a mistake does not end the game."""
    return _play(table, 0.01) if table.deck == 0 and table.lives > 1 else None


def _play(table: Table, least: float) -> int | None:
    shares = table.share(table.playable)
    best = int(shares.argmax())
    return PLAY + best if shares[best] >= least else None


def tell_playable(table: Table, rng: np.random.Generator) -> int | None:
    """Tell the colour or the rank of a card that fits, and of which the partner does not know that."""
    for place, card in enumerate(table.partner):
        if not table.tokens or not table.playable[card] or table.knows(place, table.playable):
            continue
        told = {COLOUR + card // RANKS: table.theirs.colours[place], RANK + card % RANKS: table.theirs.ranks[place]}
        new = [action for action, known in told.items() if not known]
        if new:
            return int(rng.choice(new))
    return None


def tell_anything(table: Table, rng: np.random.Generator) -> int | None:
    """Give any hint."""
    actions = [action for action, _ in table.hints()]
    return int(rng.choice(actions)) if actions else None


def discard_useless(table: Table, rng: np.random.Generator) -> int | None:
    """Discard a card that is certain to fit nowhere any more."""
    shares = table.share(~table.useful)
    best = int(shares.argmax())
    return _discard(table, best) if shares[best] >= _SURE else None


def discard_oldest(table: Table, rng: np.random.Generator) -> int | None:
    """Discard the oldest card."""
    return _discard(table, 0)


def discard_anything(table: Table, rng: np.random.Generator) -> int | None:
    """Discard any card."""
    return _discard(table, int(rng.integers(len(table.own))))


def _discard(table: Table, place: int) -> int | None:
    return DISCARD + place if table.mask[DISCARD + place] else None


def either(one: Rule, other: Rule) -> Rule:
    """Try one of two rules first, at random."""

    def rule(table: Table, rng: np.random.Generator) -> int | None:
        first, second = (one, other) if rng.random() < 0.5 else (other, one)
        action = first(table, rng)
        return second(table, rng) if action is None else action

    return rule


RASH: tuple[Rule, ...] = (play_rashly, either(tell_anything, discard_anything))
NOVICE: tuple[Rule, ...] = (play_safe, either(tell_anything, discard_anything))
OUTER: tuple[Rule, ...] = (play_safe, discard_useless, tell_playable, tell_anything, discard_anything)
IGGI: tuple[Rule, ...] = (play_safe, tell_playable, discard_useless, discard_oldest, tell_anything)


def first_of(rules: tuple[Rule, ...], table: Table, rng: np.random.Generator) -> int:
    """Return the action of the first rule that applies, else any legal one."""
    for rule in rules:
        action = rule(table, rng)
        if action is not None:
            return action
    return int(rng.choice(np.flatnonzero(table.mask)))
