"""Difficulty levels: four named strengths for every game that has snapshots, made of a snapshot and human limits.

A level's snapshot is chosen by rating where the ladder rates all of them, else by training time; so weak snapshots,
however many, do not change the levels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.seats.choice import EVEN, LEVELS
from agents.seats.controller import AgentID
from agents.seats.limits import Limits
from agents.snapshots.card import SnapshotCard
from agents.snapshots.store import Snapshot, SnapshotError, SnapshotStore


@dataclass(frozen=True, slots=True)
class Level:
    """One difficulty level."""

    rating: float  # the place of its snapshot between the lowest rating of the pool, 0, and the highest, 1
    training: float  # where there are no ratings: its env steps as a share of the longest training; 0 < it <= 1
    real_time: Limits  # its limits in a real-time game
    turn_based: Limits  # its limits in a turn-based game


# People react to a picture after 200 to 300 ms, and press six to ten keys a second in play.
RULES: Mapping[str, Level] = {
    "easy": Level(0.35, 0.16, Limits(300, 5, 0.2), Limits(noise=0.35)),
    "normal": Level(0.55, 0.25, Limits(220, 8, 0.05), Limits(noise=0.15)),
    "hard": Level(0.8, 0.4, Limits(120, 15), Limits(noise=0.04)),
    "expert": Level(1.0, 1.0, Limits(), Limits()),
}
assert tuple(RULES) == LEVELS


def limits_of(level: str, *, turn_based: bool) -> Limits:
    """The limits of a level in a game of that kind; none for `even`, see `agents.seats.even`."""
    if level == EVEN:
        return Limits()
    rule = RULES[level]
    return rule.turn_based if turn_based else rule.real_time


def level_of(limits: Limits, *, turn_based: bool) -> str:
    """The name of the level that has just these limits, "" where none has."""
    return next((name for name in RULES if limits.any and limits_of(name, turn_based=turn_based) == limits), "")


def snapshot_of(level: str, game: str, agent: AgentID, store: SnapshotStore) -> Snapshot:
    """The snapshot that plays `level` on that seat; a refused one is skipped for the next best fit.

    Raises SnapshotError where the store has none for the seat.
    """
    cards = [card for card in store.list(game) if card.plays(agent)]
    for card in _nearest_first(RULES[level], cards, store):
        try:
            return store.get(card.name, game=game)
        except SnapshotError:
            continue  # kept in the store's `refused`
    return store.get("latest", game=game, agent=agent)  # raises, listing the snapshots


def _nearest_first(level: Level, cards: Sequence[SnapshotCard], store: SnapshotStore) -> list[SnapshotCard]:
    """By distance from the level's rating or training time; of equals the newest first."""
    newest = cards[::-1]
    ratings = {card.name: store.rating(card.game, card.name) if store.rating else None for card in cards}
    known = {name: rating for name, rating in ratings.items() if rating is not None}
    if len(known) == len(cards) > 0:
        low, high = min(known.values()), max(known.values())
        aim = low + level.rating * (high - low)
        return sorted(newest, key=lambda card: abs(known[card.name] - aim))
    steps = max(1.0, level.training * max((card.step for card in cards), default=0))
    return sorted(newest, key=lambda card: abs(math.log(max(1, card.step) / steps)))
