"""The running episodes of a vectorised env, and the results of those that end."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from arcade.games.spec import GameSpec
from trainer.sampling.casting import Cast, Casting
from trainer.sampling.opponents import LIVE, Opponents
from trainer.sampling.plan import PolicyPlan


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """The result of one episode for the team of its policy."""

    policy: str  # its id
    opponent: str  # snapshot name, seat word or live:POLICY; "" against itself
    outcome: float  # 1 won, 0.5 drawn, 0 lost; 0.5 against itself
    score: float  # mean return of the team's seats
    ticks: int
    team: int = 0
    again: bool = False  # the episode has another policy's result, too


class Episodes:
    """N episodes with A seats: their casts, returns and lengths."""

    def __init__(self, spec: GameSpec, plan: PolicyPlan, opponents: Opponents, *, num_envs: int) -> None:
        self._spec, self._plan, self._opponents = spec, plan, opponents
        self.casting = Casting(spec, plan, opponents)
        seats = (num_envs, len(spec.agents))
        self.cast = Cast(np.zeros(seats, np.intp), np.full(seats, LIVE, np.intp), *np.zeros((3, num_envs), np.intp))
        self._returns = np.zeros(seats)
        self._ticks = np.zeros(num_envs, np.intp)
        self._in_team = np.array([[agent in team for team in spec.teams] for agent in spec.agents])
        self._results: list[EpisodeResult] = []

    def begin(self, envs: NDArray[np.intp], rng: np.random.Generator) -> None:
        """Draw the seats of new episodes in `envs`."""
        drawn = self.casting.cast(len(envs), rng)
        for field in fields(Cast):
            getattr(self.cast, field.name)[envs] = getattr(drawn, field.name)
        self._returns[envs], self._ticks[envs] = 0.0, 0

    def step(self, rewards: NDArray[np.float32]) -> None:
        """Add one tick with its rewards (N, A)."""
        self._returns += rewards
        self._ticks += 1

    def end(self, envs: NDArray[np.intp]) -> None:
        """Note the results of the episodes in `envs`."""
        for env in envs.tolist():
            rival = int(self.cast.rival[env])
            self._results += self._result(env, rival) if rival != LIVE else self._results_of_all(env)

    def pop_results(self) -> list[EpisodeResult]:
        """The results since the last call."""
        results, self._results = self._results, []
        return results

    def alive(self) -> frozenset[str]:
        """Names of the opponents."""
        return frozenset(self._opponents.names[n] for n in np.unique(self.cast.opponent).tolist() if n != LIVE)

    def lineup(self, env: int) -> dict[str, str]:
        """Agent to the name of its policy."""
        seats = zip(self._spec.agents, self.cast.learner[env].tolist(), self.cast.opponent[env].tolist(), strict=True)
        return {
            str(agent): self._plan.policies[index].id if number == LIVE else self._opponents.names[number]
            for agent, index, number in seats
        }

    def _result(self, env: int, rival: int) -> list[EpisodeResult]:
        """None against an opponent that failed: random play finished the episode."""
        policy, name = self._plan.policies[self.cast.policy[env]].id, self.casting.name_of(rival)
        if name in self._opponents.dropped:
            return []
        totals = (self._returns[env] @ self._in_team / self._in_team.sum(axis=0)).tolist()
        own = totals.pop(team := int(self.cast.team[env]))
        outcome = 0.5 + 0.5 * float(np.sign(own - max(totals, default=own)))
        return [EpisodeResult(policy, name, outcome, own, int(self._ticks[env]), team)]

    def _results_of_all(self, env: int) -> list[EpisodeResult]:
        """One for each learning policy, which play all seats."""
        scores = {
            policy.id: float(self._returns[env, own].mean())
            for index, policy in enumerate(self._plan.policies)
            if policy.id in self._plan.trained and (own := self.cast.learner[env] == index).any()
        }
        return [
            EpisodeResult(policy, "", 0.5, score, int(self._ticks[env]), again=number > 0)
            for number, (policy, score) in enumerate(scores.items())
        ]
