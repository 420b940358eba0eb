"""What a match did to the ladder: ratings before and after, for the results screen."""

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
class RatingChange:
    """One seat's player's Elo around one match, None: no rating; in a cooperative game its mean score instead."""

    before: float | None = None
    after: float | None = None
    score: float | None = None  # mean over the matches like this one, which is among them
    matches: int = 0  # so many

    @property
    def words(self) -> str:
        """``1000 → 1016 (+16)``, ``mean 12.5 of 3``, "" where the match was not rated."""
        if self.score is not None:
            return f"mean {self.score:.3g} of {self.matches}"
        if self.after is None:
            return ""
        if self.before is None:
            return f"{self.after:.0f} (new)"
        return f"{self.before:.0f} → {self.after:.0f} ({self.after - self.before:+.0f})"


@dataclass(frozen=True, slots=True)
class RatingChanges:
    """By agent, who sat there as rated, and a warning where the result could not be kept."""

    of: dict[str, RatingChange] = field(default_factory=dict)
    warning: str = ""


def keep_result(result: MatchResult, path: Path) -> RatingChanges:
    """Add `result` to the ladder at `path` and say what it changed.  Reads and writes the disk."""
    from agents.ladder.ladder import Ladder, LadderError
    from arcade.games import facts_of

    facts = facts_of(result.game)
    roles = facts.roles if facts is not None else {}
    try:
        with Ladder(path) as ladder:
            tell = _scores if len(result.teams) == 1 else _ratings
            return RatingChanges(tell(result, ladder, roles))
    except LadderError as error:
        return RatingChanges(warning=str(error))


def _ratings(result: MatchResult, ladder: Ladder, roles: Roles) -> dict[str, RatingChange]:
    """With an `after` where the match counted."""
    from agents.ladder.ratings.rows import player_name

    before = {rating.name: replace(rating) for rating in ladder.ratings(result.game, roles=roles)}
    if result.rated:
        ladder.add(result.as_json())
    after = {rating.name: rating for rating in ladder.ratings(result.game, roles=roles)}
    names = {agent: player_name(label, roles.get(agent, "")) for agent, label in result.lineup.items()}
    return {agent: _standing(before.get(name), after.get(name)) for agent, name in names.items()}


def _standing(before: Rating | None, after: Rating | None) -> RatingChange:
    return RatingChange(before.elo if before else None, after.elo if after and after != before else None)


def _scores(result: MatchResult, ladder: Ladder, roles: Roles) -> dict[str, RatingChange]:
    """Nothing where the match did not count."""
    from agents.ladder.ratings.rows import counts, scored_as
    from agents.ladder.ratings.scores import scores

    number = ladder.add(result.as_json()) if result.rated else 0
    rows = ladder.results(result.game)
    own = next((row for row in reversed(rows) if row["id"] == number and counts(row)), None)
    if own is None:
        return {}
    is_alone = len(set(result.lineup.values())) == 1
    means = {(one.label, one.role): one.alone if is_alone else one.mixed for one in scores(rows, roles)}
    found = {agent: means.get((label, scored_as(own, roles.get(agent, "")))) for agent, label in result.lineup.items()}
    return {agent: RatingChange(score=mean.mean, matches=mean.count) for agent, mean in found.items() if mean}
