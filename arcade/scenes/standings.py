"""What a match did to the ladder: ratings before and after, for the results screen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from arcade.match.result import MatchResult

if TYPE_CHECKING:
    from agents.ratings.online import Rating


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat's player's Elo around one match; None: no rating."""

    before: float | None = None
    after: float | None = None

    @property
    def words(self) -> str:
        """``1000 → 1016 (+16)``, "" where the match was not rated."""
        if self.after is None:
            return ""
        if self.before is None:
            return f"{self.after:.0f} (new)"
        return f"{self.before:.0f} → {self.after:.0f} ({self.after - self.before:+.0f})"


@dataclass(frozen=True, slots=True)
class Standings:
    """By agent, who sat there as rated, and a warning where the result could not be kept."""

    of: dict[str, Standing] = field(default_factory=dict)
    warning: str = ""


def keep_result(result: MatchResult, path: Path) -> Standings:
    """Add `result` to the ladder at `path` and say what it changed.  Reads and writes the disk."""
    from agents.ladder import Ladder, LadderError
    from agents.ratings.rows import player_name
    from arcade.games import facts_of

    facts = facts_of(result.game)
    roles = facts.roles if facts is not None else {}
    try:
        with Ladder(path) as ladder:
            before = {rating.name: replace(rating) for rating in ladder.ratings(result.game, roles=roles)}
            if result.rated:
                ladder.add(result.as_json())
            after = {rating.name: rating for rating in ladder.ratings(result.game, roles=roles)}
    except LadderError as error:
        return Standings(warning=str(error))
    names = {agent: player_name(label, roles.get(agent, "")) for agent, label in result.lineup.items()}
    return Standings({agent: _standing(before.get(name), after.get(name)) for agent, name in names.items()})


def _standing(before: Rating | None, after: Rating | None) -> Standing:
    """With an end where the match counted."""
    return Standing(before.elo if before else None, after.elo if after and after != before else None)
