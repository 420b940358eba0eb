"""What a comparison found, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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
    """How one of the two plays, whatever comes of it."""

    runs: NDArray[np.int64]  # decisions that each action lasted
    reactions: Reactions = NONE
    seconds: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))  # to decide, in a game of turns


@dataclass(frozen=True, kw_only=True)
class Results:
    """How the same matches came out for one of the two."""

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
    """The clone asked about the person's own decisions, which it has not learnt from; each with its 95 % interval."""

    decisions: int
    same: Mean | None  # share of them where the person did what the clone holds for the best
    at_changes: Mean | None  # the same, of those alone at which the person began another action
    repeating: Mean | None  # what the share would be of somebody who does again what the person did last
    log_likelihood: Mean | None  # natural logarithm of what the clone gave to what the person did, by decision
    chance: float | None  # the same of somebody who draws any legal action; None for a box

    def as_json(self) -> dict[str, Any]:
        means = {name: _json(getattr(self, name)) for name in ("same", "at_changes", "repeating", "log_likelihood")}
        return {"decisions": self.decisions, **means, "log_likelihood_of_chance": self.chance}


@dataclass(frozen=True, kw_only=True, eq=False)
class Likeness:
    """Everything; players are ``person`` and ``clone``."""

    snapshot: str
    game: str
    person: str  # who is compared with, in the words that chose the recordings
    recordings: int
    held_out: int  # of those
    agreement: Agreement
    habits: Mapping[str, Habits]
    results: Mapping[str, Results]
    results_held_out: int  # of the matches, those that the clone has not learnt from
    left_out: Mapping[str, int]  # why a match could not be played again → how many
    reference: str  # seat word of who says when a reaction is due, "" where there is none
    fps: float  # ticks a second; 0 in a game of turns

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
        """A sample of each player, and how far those are from each other; None where one has nothing."""
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
    return None if figure is None else figure.as_json()
