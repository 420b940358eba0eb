"""Seat word ``level:even`` in cooperative games: finds the partner of about the people's own strength.

All have one score there, and no winner.  Partners are even where the team scores what a team of such partners does:
the level is chosen whose teams' score is nearest to that of the people's newest matches.  With a weaker partner a team
scores more than that partner's teams, with a stronger one less, so that the choice settles at the people's own level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from agents.ladder.ratings.rows import Row, counts
from agents.seats.controller import LEVELS
from agents.seats.even import EvenMatch, Opponent

NEWEST = 5
"""Matches of the people that count."""


def find_partner(
    people: Sequence[str], others: Sequence[Opponent], scores: Sequence[float], together: Mapping[str, float]
) -> EvenMatch:
    """The level of `others` for `people` with these `scores`, newest last; the easiest where nothing is known.

    `together` has the score of a team by the level of all its members, {} where it was not measured.
    """
    team = " and ".join(people) or "you"
    levels = [one for one in others if one.choice.kind == "level" and not one.slips and one.choice.argument in LEVELS]
    if not together or not levels:
        return EvenMatch(others[0], "No scores of these levels are known: the easiest")
    if not scores:
        return EvenMatch(levels[0], f"No match of {team} yet: the easiest first")
    own = fmean(scores[-NEWEST:])
    found = min(levels, key=lambda one: abs(together[one.choice.argument] - own))
    nearest = together[found.choice.argument]
    return EvenMatch(found, f"{team} scored {own:.4g} in the newest matches, a team of this level {nearest:.4g}")


def scores_of(people: Iterable[str], rows: Iterable[Row], settings: Mapping[str, object]) -> list[float]:
    """The scores of whole matches with all `people` in them, of games with these settings, oldest first."""
    team = set(people)
    return [
        fmean(row["returns"].values())
        for row in rows
        if counts(row) and row["ended"] == "finished" and row["returns"] and None not in row["returns"].values()
        and row["settings"].get("game_kwargs", {}) == settings and team <= set(row["lineup"].values())
    ]  # fmt: skip
