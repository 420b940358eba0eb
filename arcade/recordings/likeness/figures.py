"""The figures of a comparison, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.statistics import Mean, mean_of, rate_of
from arcade.recordings.likeness.reactions import NONE, Reactions

OUTCOMES = ("win", "draw", "loss")
PLAYERS = ("person", "clone")
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True, eq=False)
class Habits:
    """Playing habits of one player."""

    runs: NDArray[np.int64]  # decisions for which each action lasted
    reactions: Reactions = NONE
    seconds: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))  # to decide, in a turn-based game


@dataclass(frozen=True, kw_only=True)
class Results:
    """Results of the same matches for one player."""

    outcomes: list[str]  # win, draw, loss, "" where nobody can win
    returns: list[float]
    seeds: list[int]

    def as_json(self) -> dict[str, Any]:
        rates = {word: _json(rate_of(self.outcomes.count(word), len(self.outcomes))) for word in OUTCOMES}
        winnable = any(self.outcomes)
        mean = _json(mean_of(self.returns, self.seeds))
        return {"played": len(self.returns), "outcomes": rates if winnable else None, "return": mean}


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Agreement of the clone with held-out decisions of the person, each figure with its 95 % interval."""

    decisions: int
    same: Mean | None  # share where the clone's most likely action was taken
    at_changes: Mean | None  # the same, only where the person changed the action
    repeating: Mean | None  # the share of repeating the person's last action
    log_likelihood: Mean | None  # mean natural log likelihood of a decision
    chance: float | None  # the same for random legal actions; None for a box

    def as_json(self) -> dict[str, Any]:
        means = {name: _json(getattr(self, name)) for name in ("same", "at_changes", "repeating", "log_likelihood")}
        return {"decisions": self.decisions, **means, "log_likelihood_of_chance": self.chance}


@dataclass(frozen=True, kw_only=True, eq=False)
class Likeness:
    """All figures; players are ``person`` and ``clone``."""

    snapshot: str
    game: str
    person: str  # description from the query
    recordings: int
    held_out: int  # of those
    agreement: Agreement
    habits: Mapping[str, Habits]
    results: Mapping[str, Results]
    results_held_out: int  # of the matches, those held out
    left_out: Mapping[str, int]  # reason why matches could not be repeated → how many
    reference: str  # seat word of the reference player, "" for none
    fps: float  # ticks a second; 0: turn-based

    def as_json(self) -> dict[str, Any]:
        return {
            "snapshot": self.snapshot, "game": self.game, "person": self.person,
            "takes": self.recordings, "held_out": self.held_out,
            "agreement": self.agreement.as_json(),
            "runs": self._compared(lambda habits: habits.runs),
            "reaction": self._reaction() if self.reference else None,
            "seconds_to_decide": None if self.fps else self._compared(lambda habits: habits.seconds),
            "matches": {
                **{player: self.results[player].as_json() for player in PLAYERS},
                "held_out": self.results_held_out, "left_out": dict(self.left_out),
            },
        }  # fmt: skip

    def _reaction(self) -> dict[str, Any]:
        compared = self._compared(lambda habits: habits.reactions.ticks)
        for player in PLAYERS:
            found = self.habits[player].reactions
            compared[player] |= {"changes": found.count, "answered": len(found.ticks), "by_chance": found.by_chance}
        return compared | {"reference": self.reference, "ms_a_tick": 1000 / self.fps}

    def _compared(self, of: Callable[[Habits], NDArray[Any]]) -> dict[str, Any]:
        """A sample of each player and the distances between them, None for an empty sample."""
        from scipy import stats  # on demand: its import takes most of a second

        samples = [of(self.habits[player]) for player in PLAYERS]
        both = all(len(sample) for sample in samples)
        return {
            **{player: _sample(sample) for player, sample in zip(PLAYERS, samples, strict=True)},
            "kolmogorov_smirnov": float(stats.ks_2samp(*samples, method="asymp").statistic) if both else None,
            "wasserstein": float(stats.wasserstein_distance(*samples)) if both else None,
        }


def _sample(values: NDArray[Any]) -> dict[str, Any]:
    if not len(values):
        return {"count": 0, "mean": None, "quantiles": None}
    quantiles = dict(zip(map(str, QUANTILES), np.quantile(values, QUANTILES).tolist(), strict=True))
    return {"count": len(values), "mean": float(values.mean()), "quantiles": quantiles}


def _json(figure: Any) -> dict[str, Any] | None:
    return None if figure is None else asdict(figure)
