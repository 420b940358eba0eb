"""The rounds of a tournament: the pairings that come next, given the outcomes so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arcade.tournaments.formats import FORMATS
from arcade.tournaments.outcomes import Outcome
from arcade.tournaments.pairings import Pairing, TournamentError, pairings_of
from arcade.tournaments.plan import TournamentPlan

Outcomes = Mapping[int, Outcome]
"""By the number of the match; grows while the rounds are iterated."""


def rounds_of(plan: TournamentPlan, outcomes: Outcomes, *, sides: int, cooperative: bool) -> Iterator[list[Pairing]]:
    """Yield the pairings of each round; the next one is asked for once all of the last are in `outcomes`.

    Raises TournamentError where the entrants cannot meet.
    """
    if cooperative and not plan.form.cooperative:
        names = " or ".join(name for name, form in FORMATS.items() if form.cooperative)
        raise TournamentError(f"expected {names} in {plan.game}, a cooperative game, got: {plan.format}")
    if len(plan.entrants) < (1 if cooperative else sides):
        words = ", ".join(entrant.word for entrant in plan.entrants) or "none"
        raise TournamentError(f"expected at least {sides} entrants in {plan.game}, one a team, got: {words}")
    return _rounds(plan, outcomes, sides, cooperative)


def _rounds(plan: TournamentPlan, outcomes: Outcomes, sides: int, cooperative: bool) -> Iterator[list[Pairing]]:
    first = 0
    for round in range(plan.rounds or plan.form.usual_rounds(plan)):
        played = [outcomes[number] for number in range(first)]
        groups = plan.form.groups(plan, played, round=round, sides=sides, cooperative=cooperative)
        if not groups:
            return
        pairings = pairings_of(groups, plan.entrants, games=plan.games, seed=plan.seed, round=round, first=first)
        first += len(pairings)
        yield pairings
