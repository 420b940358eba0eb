"""The pool as the run knows it: which snapshots, and how the learning policy fares against each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from trainer.sampling.results import EpisodeResult


@dataclass(slots=True)
class Record:
    """Episodes of the learning policy against one opponent."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add(self, outcome: float) -> None:
        if outcome > 0.5:
            self.won += 1
        elif outcome < 0.5:
            self.lost += 1
        else:
            self.drawn += 1

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def win_rate(self) -> float:
        """Wins and half the draws over all games, 0.5 before the first."""
        return (self.won + 0.5 * self.drawn) / self.games if self.games else 0.5


@dataclass(slots=True)
class Pool:
    """Snapshots by name, oldest first, with the records since the run began and since the last freeze."""

    names: list[str] = field(default_factory=list)
    records: dict[str, Record] = field(default_factory=dict)
    since_freeze: dict[str, Record] = field(default_factory=dict)

    def add(self, name: str) -> None:
        """A snapshot joins; the count since the last freeze begins anew."""
        if name not in self.names:
            self.names.append(name)
        self.since_freeze = {}

    def count(self, results: Iterable[EpisodeResult]) -> None:
        for result in results:
            if result.opponent:
                self.records.setdefault(result.opponent, Record()).add(result.outcome)
                self.since_freeze.setdefault(result.opponent, Record()).add(result.outcome)

    def recent(self) -> Record:
        """All games against the pool's snapshots since the last freeze."""
        total = Record()
        for name, record in self.since_freeze.items():
            if name in self.names:
                total.won += record.won
                total.drawn += record.drawn
                total.lost += record.lost
        return total

    def win_rates(self) -> dict[str, float]:
        """Opponent to the learning policy's win rate since the last freeze, where they met; else over the run."""
        rates = {name: record.win_rate for name, record in self.records.items() if record.games}
        return rates | {name: record.win_rate for name, record in self.since_freeze.items() if record.games}

    def as_data(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Pool:
        return cls(
            list(data["names"]),
            {name: Record(**record) for name, record in data["records"].items()},
            {name: Record(**record) for name, record in data["since_freeze"].items()},
        )
