"""The contract of an executor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Self

from arcade.match.batch.plan import Fixture, MatchPlan, Played


class Executor(ABC):
    """Plays fixtures of one plan.  The outcomes are the same whatever the executor."""

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan

    @abstractmethod
    def play(self, fixtures: Sequence[Fixture]) -> Iterator[Played]:
        """Yield the outcome of each fixture as it ends, in any order."""

    def close(self) -> None:  # noqa: B027
        """Free the workers and drop matches under way; twice does no harm."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
