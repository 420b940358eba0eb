"""Figures of the comparison: habits and results of both players, and Kolmogorov-Smirnov distances between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.statistics import as_data, mean_of, rate_of
from arcade.recordings.card import RecordingCard
from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.likeness.reactions import Classes, References, classes_of, run_lengths

OUTCOMES = ("win", "draw", "loss")
PLAYERS = ("person", "clone")
MEASURES = ("runs", "reaction", "seconds_to_decide")
"""Decisions for which an action lasts; ticks from each followed change of the reference; by turns, seconds."""

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


class Player:
    """The habits of a player over several episodes, and its results over several matches."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._samples: dict[str, list[NDArray[Any]]] = {name: [np.zeros(0)] for name in MEASURES}
        self._changes = self._by_chance = 0  # of the reference, all of them and those followed by chance
        self._results: list[tuple[str, float, int]] = []  # outcome, return and seed of each match

    def add(self, episode: SeatEpisode) -> Classes:
        """Add an episode; returns the classes of its actions."""
        done = classes_of(episode.sent, self._references.action)
        found = self._references.reactions(episode, done)
        for name, values in zip(MEASURES, (run_lengths(done), found.ticks, episode.times), strict=True):
            self._samples[name].append(values)
        self._changes += found.count
        self._by_chance += found.by_chance
        return done

    def add_match(self, card: RecordingCard, agent: str) -> None:
        """Add the result of a seat."""
        self._results.append((card.outcome(agent), card.returns.get(agent, 0.0), card.seed))

    def sample(self, measure: str) -> NDArray[np.float64]:
        """All values of one of MEASURES."""
        return np.concatenate(self._samples[measure])

    def reactions(self) -> dict[str, int]:
        """The number of changes of the reference, of those followed, and of those followed by chance."""
        answered = len(self.sample("reaction"))
        return {"changes": self._changes, "answered": answered, "by_chance": self._by_chance}

    def results(self) -> dict[str, Any]:
        """The results as plain data."""
        outcomes = [outcome for outcome, _, _ in self._results]
        rates = {name: as_data(rate_of(outcomes.count(name), len(outcomes))) for name in OUTCOMES}
        mean = as_data(mean_of([value for _, value, _ in self._results], [seed for _, _, seed in self._results]))
        return {"played": len(outcomes), "outcomes": rates if any(outcomes) else None, "return": mean}


@dataclass(frozen=True, eq=False)
class Likeness:
    """All figures as plain data, and the samples that they are of."""

    data: Mapping[str, Any]
    samples: Mapping[str, Mapping[str, NDArray[np.float64]]]  # one of MEASURES → one of PLAYERS → values

    @classmethod
    def of(
        cls, person: Player, clone: Player, facts: Mapping[str, Any], matches: Mapping[str, Any], *, reference: str,
        fps: float,
    ) -> Likeness:  # fmt: skip
        """Compare two players; `reference`: seat word, "" for none; `fps`: ticks a second, 0 for turns."""
        players = dict(zip(PLAYERS, (person, clone), strict=True))
        samples = {name: {player: one.sample(name) for player, one in players.items()} for name in MEASURES}
        runs, reaction, seconds = (_compared(samples[name]) for name in MEASURES)
        for player, one in players.items():
            reaction[player] |= one.reactions()
        if reference:
            reaction |= {"reference": reference, "ms_a_tick": 1000 / fps}
        results = {player: one.results() for player, one in players.items()}
        figures = {
            "runs": runs, "reaction": reaction if reference else None, "seconds_to_decide": None if fps else seconds,
            "matches": {**results, **matches},
        }  # fmt: skip
        return cls({**facts, **figures}, samples)

    def as_json(self) -> dict[str, Any]:
        return dict(self.data)


def _compared(samples: Mapping[str, NDArray[np.float64]]) -> dict[str, Any]:
    """A sample of each player and the distances between them, None for an empty sample."""
    from scipy import stats  # on demand: its import takes most of a second

    both = all(map(len, samples.values()))
    return {
        **{player: _sample(values) for player, values in samples.items()},
        "kolmogorov_smirnov": float(stats.ks_2samp(*samples.values(), method="asymp").statistic) if both else None,
        "wasserstein": float(stats.wasserstein_distance(*samples.values())) if both else None,
    }


def _sample(values: NDArray[np.float64]) -> dict[str, Any]:
    if not len(values):
        return {"count": 0, "mean": None, "quantiles": None}
    quantiles = dict(zip(map(str, QUANTILES), np.quantile(values, QUANTILES).tolist(), strict=True))
    return {"count": len(values), "mean": float(values.mean()), "quantiles": quantiles}
