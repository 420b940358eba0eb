"""Totals of recordings by person and game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agents.seats.controller import HUMAN_KINDS
from arcade.recordings.card import RecordingCard


@dataclass(frozen=True, kw_only=True)
class Total:
    """The recordings of one person in one game."""

    person: str | None  # the name; "" for all people without one, None for recordings of AI alone
    game: str
    recordings: int = 0
    seconds: float = 0.0  # of whole recordings
    ticks: int = 0  # of them, without trimmed ones
    wins: int = 0
    draws: int = 0
    losses: int = 0


def totals(cards: Iterable[RecordingCard]) -> list[Total]:
    """Totals by person and game, those with names first; a person in two seats of a recording counts once."""
    found: dict[tuple[str | None, str], Total] = {}
    for card in cards:
        for person in _people(card) or [None]:
            before = found.get((person, card.game), Total(person=person, game=card.game))
            found[person, card.game] = _with(before, card)
    return sorted(
        found.values(), key=lambda total: (not total.person, total.person is None, total.person or "", total.game)
    )


def _people(card: RecordingCard) -> list[str | None]:
    """Every person who decided at some time, also those who took over from AI for a moment."""
    deciders = [one for seat in card.deciders.values() for one in seat]
    return list(dict.fromkeys(person for _, kind, person, _ in deciders if kind in HUMAN_KINDS))


def _with(total: Total, card: RecordingCard) -> Total:
    start, end = card.ticks_that_count
    outcomes = {card.outcome(agent) for agent, name in card.people.items() if name == total.person}
    alone = outcomes.pop() if len(outcomes) == 1 else ""  # a person on both sides neither wins nor loses
    return Total(
        person=total.person,
        game=total.game,
        recordings=total.recordings + 1,
        seconds=total.seconds + card.seconds,
        ticks=total.ticks + end - start,
        wins=total.wins + (alone == "win"),
        draws=total.draws + (alone == "draw"),
        losses=total.losses + (alone == "loss"),
    )
