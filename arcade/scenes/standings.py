"""What a match did to the ladder: ratings before and after, for the results screen."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from arcade.match.result import MatchResult


@dataclass(frozen=True, slots=True)
class Standing:
    """One label's Elo around one match; None: no rating."""

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
    """Each label's standing, and a warning where the result could not be kept."""

    of: dict[str, Standing] = field(default_factory=dict)
    warning: str = ""


def keep_result(result: MatchResult, path: Path) -> Standings:
    """Add `result` to the ladder at `path` and say what it changed.  Reads and writes the disk."""
    from agents.ladder import Ladder, LadderError

    try:
        with Ladder(path) as ladder:
            before = {rating.name: rating.elo for rating in ladder.ratings(result.game)}
            if result.rated:
                ladder.add(result.as_json())
            after = {rating.name: rating.elo for rating in ladder.ratings(result.game)}
    except LadderError as error:
        return Standings(warning=str(error))
    rated = result.rated and not result.changes and result.ended in ("finished", "max_ticks")
    labels = set(result.lineup.values())
    return Standings({name: Standing(before.get(name), after.get(name) if rated else None) for name in labels})
