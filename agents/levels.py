"""Levels: four named strengths for every game that has snapshots, from the pool itself and human limits.

A level takes a snapshot so far up in the order of strength and holds it to limits.  The order is the ladder's, where it
rates all of them, else that of training: env steps, then age.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.card import SnapshotCard
from agents.controller import LEVELS, AgentID
from agents.limits import Limits
from agents.snapshot import Snapshot, SnapshotError, SnapshotStore


@dataclass(frozen=True, slots=True)
class Level:
    """One of the four."""

    strength: float  # how far up in the order its snapshot stands: 0 the weakest, 1 the strongest
    real_time: Limits  # what holds it in a game that goes on by itself
    turn_based: Limits  # and in one that waits for each move


# A person's answer to a picture takes 200 to 300 ms, and hands that play press six to ten keys a second.
RULES: Mapping[str, Level] = {
    "easy": Level(0.5, Limits(300, 5, 0.2), Limits(noise=0.35)),
    "normal": Level(0.67, Limits(220, 8, 0.05), Limits(noise=0.15)),
    "hard": Level(0.83, Limits(120, 15), Limits(noise=0.04)),
    "expert": Level(1.0, Limits(), Limits()),
}
assert tuple(RULES) == LEVELS


def limits_of(level: str, *, turn_based: bool) -> Limits:
    """What holds a level in a game of that kind."""
    rule = RULES[level]
    return rule.turn_based if turn_based else rule.real_time


def level_of(limits: Limits, *, turn_based: bool) -> str:
    """The name of the level that has just these limits, "" where none has."""
    return next((name for name in RULES if limits.any and limits_of(name, turn_based=turn_based) == limits), "")


def snapshot_of(level: str, game: str, agent: AgentID, store: SnapshotStore) -> Snapshot:
    """The snapshot that plays `level` on that seat; one that is refused is passed over for the next weaker.

    Raises SnapshotError where the store has none for the seat.
    """
    cards = by_strength([card for card in store.list(game) if card.plays(agent)], store)
    place = round(RULES[level].strength * (len(cards) - 1))
    for card in [*reversed(cards[: place + 1]), *cards[place + 1 :]]:
        try:
            return store.get(card.name, game=game)
        except SnapshotError:
            continue  # kept in the store's `refused`
    return store.get("latest", game=game, agent=agent)  # raises, with what there is


def by_strength(cards: Sequence[SnapshotCard], store: SnapshotStore) -> list[SnapshotCard]:
    """The weakest first."""
    if store.rating is not None:
        rated = [(store.rating(card.game, card.name), card.step, card) for card in cards]
        known = [(rating, step, card.name, card) for rating, step, card in rated if rating is not None]
        if len(known) == len(cards):
            return [card for *_, card in sorted(known, key=lambda row: row[:3])]
    return sorted(cards, key=lambda card: (card.step, card.created, card.name))
