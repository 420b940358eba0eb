"""The changes of ratings by one match, as text for the results screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from arcade.match.play.result import MatchResult

if TYPE_CHECKING:
    from agents.ladder.ladder import Ladder
    from agents.ladder.ratings.online import Rating

Roles = Mapping[str, str]
"""Agent to role, as `GameFacts` has them."""


@dataclass(frozen=True, slots=True)
class RatingChanges:
    """The text for each agent, "" for a match that is not rated, and a warning where the result was not saved."""

    texts: dict[str, str] = field(default_factory=dict)
    warning: str = ""


def keep_result(result: MatchResult, path: Path) -> RatingChanges:
    """Add `result` to the ladder at `path` and return the changes.  Reads and writes the disk."""
    from agents.ladder.ladder import Ladder, LadderError
    from arcade.games import facts_of

    facts = facts_of(result.game)
    roles = facts.roles if facts is not None else {}
    try:
        with Ladder(path) as ladder:
            changes = _scores if len(result.teams) == 1 else _ratings
            return RatingChanges(changes(result, ladder, roles))
    except LadderError as error:
        return RatingChanges(warning=str(error))


def _ratings(result: MatchResult, ladder: Ladder, roles: Roles) -> dict[str, str]:
    """Each player's Elo before and after the match."""
    from agents.ladder.ratings.rows import player_name

    before = {rating.name: replace(rating) for rating in ladder.ratings(result.game, roles=roles)}
    if result.rated:
        ladder.add(result.as_json())
    after = {rating.name: rating for rating in ladder.ratings(result.game, roles=roles)}
    names = {agent: player_name(label, roles.get(agent, "")) for agent, label in result.lineup.items()}
    return {agent: _elo_text(before.get(name), after.get(name)) for agent, name in names.items()}


def _elo_text(before: Rating | None, after: Rating | None) -> str:
    """``1000 → 1016 (+16)``"""
    if after is None or after == before:
        return ""
    if before is None:
        return f"{after.elo:.0f} (new)"
    return f"{before.elo:.0f} → {after.elo:.0f} ({after.elo - before.elo:+.0f})"


def _scores(result: MatchResult, ladder: Ladder, roles: Roles) -> dict[str, str]:
    """In a cooperative game, each player's mean score over the matches like this one, which is among them."""
    from agents.ladder.ratings.pairs import scores
    from agents.ladder.ratings.rows import counts, scored_as

    number = ladder.add(result.as_json()) if result.rated else 0
    rows = ladder.results(result.game)
    own = next((row for row in reversed(rows) if row["id"] == number and counts(row)), None)
    if own is None:
        return {}
    is_alone = len(set(result.lineup.values())) == 1
    means = {(one.label, one.role): one.alone if is_alone else one.mixed for one in scores(rows, roles)}
    found = {agent: means.get((label, scored_as(own, roles.get(agent, "")))) for agent, label in result.lineup.items()}
    return {agent: f"mean {mean.mean:.3g} of {mean.count}" for agent, mean in found.items() if mean}
