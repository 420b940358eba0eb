"""Format: the contract of a tournament format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents.ladder.ratings.sequential import SequentialTest
from arcade.tournaments.pairings import Entrant, Group, Outcome


@dataclass(frozen=True, kw_only=True)
class PairingSettings:
    """The settings of a plan that a format decides by."""

    game: str
    entrants: tuple[Entrant, ...]
    games: int = 10  # seeds of each meeting; each is played once in every seating
    rounds: int = 0  # at most; 0: the format's own
    bound: float = 50.0  # half the width of every interval at the end, in points of Elo, where the format has a bound
    seed: int = 0
    elo0: float = 0.0  # hypotheses and error probabilities of a test of two entrants, as in `SequentialTest`
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05
    max_games: int = 20_000  # of such a test

    @property
    def test(self) -> SequentialTest:
        """The test of two entrants; raises UserError for settings that contradict each other."""
        return SequentialTest(elo0=self.elo0, elo1=self.elo1, alpha=self.alpha, beta=self.beta)


class Format(ABC):
    """Chooses the groups that meet in each round.

    It decides by the outcomes of earlier rounds alone and draws only from the plan's seed, so that a resumed tournament
    plays the same matches.
    """

    name: str
    has_rounds = True  # whether a plan may set their number
    has_bound = False  # whether it plays until every interval is narrow
    cooperative = False  # whether it suits cooperative games
    is_listed = True  # whether people choose it for any number of entrants

    @abstractmethod
    def groups(
        self, settings: PairingSettings, played: Sequence[Outcome], *, round: int, sides: int, cooperative: bool
    ) -> list[Group]:
        """The groups of round 0, 1, …, given the outcomes of all earlier ones; [] where the tournament is over."""

    def usual_rounds(self, settings: PairingSettings) -> int:
        """The most rounds, by default."""
        return 1

    def most_matches(self, settings: PairingSettings) -> int | None:
        """The most matches of the tournament, whose progress is counted in them; None where it is counted by round."""
        return None

    def points(self, settings: PairingSettings, outcomes: Sequence[Outcome], *, rounds: int) -> list[float]:
        """The points of each entrant, by which the standings are sorted first; [] where there are none."""
        return []

    def findings(self, settings: PairingSettings, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        """Return further keys of the tournament's result."""
        return {}
