"""Series: best of three, five or seven matches."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agents.ladder.ratings.rows import DECIDED
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.play.result import MatchResult

LENGTHS = (1, 3, 5, 7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The wins in a best of three, five or seven.

    A party is the team it began as, and keeps its wins when sides are swapped.

    >>> series = Series(best_of=3, wins=(1, 0)).swapped()
    >>> series.tally
    (0, 1)
    """

    best_of: int = 1  # odd; 1 is a single match
    wins: tuple[int, ...]  # of each party
    swaps: int = 0  # how often all moved to the next team's seats

    def __post_init__(self) -> None:
        if self.best_of not in LENGTHS:
            raise ValueError(f"expected best_of in {LENGTHS}, got: {self.best_of}")

    @staticmethod
    def begin(spec: GameSpec, best_of: int = 1) -> Series:
        """Return a series without matches."""
        return Series(best_of=best_of, wins=(0,) * len(spec.teams))

    @property
    def tally(self) -> tuple[int, ...]:
        """The wins of the parties, by their present teams."""
        return tuple(self.wins[self._party(team)] for team in range(len(self.wins)))

    @property
    def winner(self) -> int | None:
        """The present team of the winner; None while the series is open."""
        return next((team for team, wins in enumerate(self.tally) if wins > self.best_of // 2), None)

    @property
    def text(self) -> str:
        """The state as text; "" for a single match."""
        if self.best_of == 1:
            return ""
        tally = " : ".join(map(str, self.tally))
        return _("Best of {count}   {tally}").format(count=self.best_of, tally=tally)

    def after(self, spec: GameSpec, result: MatchResult) -> Series:
        """Return the series with this match counted, unless it was left or failed; a draw is no win."""
        if result.ended not in DECIDED:
            return self
        winners = [spec.team_of(agent) for agent in spec.agents if result.outcome(str(agent)) == "win"]
        first = winners[0] if winners and len(spec.teams) > 1 else None
        wins = tuple(n + (first is not None and party == self._party(first)) for party, n in enumerate(self.wins))
        return replace(self, wins=wins)

    def swapped(self) -> Series:
        """Return the series after all moved to the next team's seats, see `swapped_lineup`."""
        return replace(self, swaps=self.swaps + 1)

    def next(self) -> Series:
        """Return the series of the next match: this one, or a new one if it is decided."""
        return replace(self, wins=(0,) * len(self.wins)) if self.winner is not None else self

    def _party(self, team: int) -> int:
        return (team - self.swaps) % len(self.wins)
