"""Series between two sides that change teams or, in a team, seats, stepped together: `play_sides`, `play_partners`."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from agents.ladder.ratings.rows import MOST_TICKS
from agents.policies.batch import BatchPolicy
from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.match.batch.plan import Fixture, MatchPlan
from arcade.match.batch.vectorised import VectorisedMatches
from arcade.match.play.result import MatchResult

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
) -> Generator[None, None, list[SideResult]]:
    """Play `games` matches, `first` on each of `teams` in turn (by default on all) and `second` on all others.

    Yields after every tick, so that other work never waits long.  Raises UserError where a policy or the game fails.
    """
    teams = teams or range(len(spec.teams))
    own = [teams[number % len(teams)] for number in range(games)]
    lineups = [
        [_policy(first if spec.team_of(agent) == team else second, agent) for agent in spec.agents] for team in own
    ]
    results = yield from _play(spec, lineups, seed)
    return [SideResult(own[number], results[number]) for number in sorted(results)]


def play_partners(
    spec: GameSpec, first: Side, second: Side, *, games: int, seed: int
) -> Generator[None, None, list[SideResult]]:
    """As `play_sides` in a game of one team: both sides play every other seat of it, and change seats each match."""
    lineups = [
        [_policy((first, second)[(place + number) % 2], agent) for place, agent in enumerate(spec.agents)]
        for number in range(games)
    ]
    results = yield from _play(spec, lineups, seed)
    return [SideResult(0, results[number]) for number in sorted(results)]


def _play(
    spec: GameSpec, lineups: Sequence[Sequence[BatchPolicy]], seed: int
) -> Generator[None, None, dict[int, MatchResult]]:
    """The result of a match of each lineup, which has a policy for each agent, by its number."""
    policies = list(dict.fromkeys(policy for lineup in lineups for policy in lineup))
    seeds = np.random.default_rng(seed).integers(2**31, size=len(lineups)).tolist()
    fixtures = [
        Fixture(number=number, seed=seeds[number], players=tuple(map(policies.index, lineup)))
        for number, lineup in enumerate(lineups)
    ]
    plan = MatchPlan(spec=spec, max_ticks=MOST_TICKS, vectorise=True)
    matches = VectorisedMatches(plan, fixtures, policies=dict(enumerate(policies)))
    results: dict[int, MatchResult] = {}
    with closing(matches.play()) as ticks:
        for ended in ticks:
            results |= {one.fixture.number: one.result for one in ended if one.result}
            if matches.error:
                break
            yield
    if matches.error:
        raise matches.error
    return results


def win_rate(played: Sequence[SideResult]) -> float:
    """Of the first side; a draw is half a win."""
    return sum(game.points for game in played) / len(played)


def policies_of(side: Side) -> tuple[BatchPolicy, ...]:
    """All policies of a side."""
    return tuple(side.values()) if isinstance(side, Mapping) else (side,)


def _policy(side: Side, agent: AgentID) -> BatchPolicy:
    return side[agent] if isinstance(side, Mapping) else side
