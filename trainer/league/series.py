"""A series between two sides in slices of time, its matches vectorised: for evaluation and placement."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agents.policies.batch import BatchPolicy
from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.match.batch.plan import Fixture, MatchPlan, Played
from arcade.match.batch.vectorised import VectorisedMatches
from arcade.match.play.result import MatchResult

MAX_TICKS = 20_000

Side = BatchPolicy | Mapping[AgentID, BatchPolicy]
"""The policy of all seats of a side, or one for each agent."""

_POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@dataclass(frozen=True, slots=True)
class SideResult:
    """One match of a series: the first side played the seats of `team`."""

    team: int
    result: MatchResult

    @property
    def points(self) -> float:
        """Of the first side: 1 for a win, 0.5 for a draw, 0 for a loss."""
        return _POINTS[self.result.outcome(self.result.teams[self.team][0])]


def play_sides(
    spec: GameSpec, first: Side, second: Side, *, games: int, seed: int, teams: Sequence[int] = ()
) -> list[SideResult]:
    """Play `games` matches, `first` on each of `teams` in turn (by default on all) and `second` on all others."""
    series = SidesSeries(spec, first, second, games=games, seed=seed, teams=teams)
    while not series.advance(seconds=1.0):
        pass
    return series.played


class SidesSeries:
    """The matches of `play_sides`, in slices of time, so that other work never waits long."""

    def __init__(
        self, spec: GameSpec, first: Side, second: Side, *, games: int, seed: int, teams: Sequence[int] = ()
    ) -> None:
        teams = teams or range(len(spec.teams))
        seeds = np.random.default_rng(seed).integers(2**31, size=games).tolist()
        self._teams = [teams[number % len(teams)] for number in range(games)]
        lineups = [
            [_policy(first if spec.team_of(agent) == team else second, agent) for agent in spec.agents]
            for team in self._teams
        ]
        policies = list(dict.fromkeys(policy for lineup in lineups for policy in lineup))
        fixtures = [
            Fixture(number=number, seed=seeds[number], players=tuple(map(policies.index, lineup)))
            for number, lineup in enumerate(lineups)
        ]
        plan = MatchPlan(spec=spec, max_ticks=MAX_TICKS, vectorise=True)
        self._matches = VectorisedMatches(plan, fixtures, policies=dict(enumerate(policies)))
        self._ticks = self._matches.play()
        self._played: list[Played] = []

    def advance(self, *, seconds: float) -> bool:
        """Play for about `seconds`, one tick at least; returns whether all matches are over.

        Raises UserError where a policy or the game fails.
        """
        end = time.monotonic() + seconds
        for played in self._ticks:
            self._played += played
            if self._matches.error or time.monotonic() >= end:
                break
        if self._matches.error:
            self.close()
            raise self._matches.error
        return len(self._played) == len(self._teams)

    @property
    def played(self) -> list[SideResult]:
        """The matches so far, in the order of the plan."""
        by_number = {one.fixture.number: one.result for one in self._played if one.result}
        return [SideResult(self._teams[number], by_number[number]) for number in sorted(by_number)]

    def close(self) -> None:
        """Drop the matches under way; twice does no harm."""
        self._ticks.close()


def win_rate(played: Sequence[SideResult]) -> float:
    """Of the first side; a draw is half a win."""
    return sum(game.points for game in played) / len(played)


def _policy(side: Side, agent: AgentID) -> BatchPolicy:
    return side[agent] if isinstance(side, Mapping) else side
