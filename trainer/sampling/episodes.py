"""Running episodes of a vectorised env: draws the policy of each seat, reports results (OpponentMix, EpisodeResult)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agents.matchmaking.pool import LIVE_RIVAL
from arcade.games.spec import GameSpec
from arcade.match.batch.opponents import LIVE, Opponents
from trainer.sampling.plan import PolicyPlan

NO_LEARNER = -1

Numbers = NDArray[np.intp]

Table = tuple[int, Numbers, NDArray[np.float64]]
"""Index of the seats' own policy, the numbers that may play them, and their cumulative weights."""


@dataclass(frozen=True, slots=True)
class OpponentMix:
    """The opponents in one policy's episodes.  By default learning policies play every seat."""

    live: float  # share of the episodes in which learning policies play all other seats
    live_policy: str = ""  # id of that policy; "": the seats' own
    seats: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """In other episodes, by the id of the seats' own policy: {opponent: weight}; "" is the policy itself."""
    partners: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """In seats of the own team, by the id of the seats' own policy: {partner: share of the episodes}."""

    @property
    def names(self) -> set[str]:
        """All opponents and partners; "" may be one."""
        return {name for weights in (*self.seats.values(), *self.partners.values()) for name in weights}


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """The result of one episode for the team of its policy."""

    policy: str  # its id
    opponent: str  # snapshot name, seat word or live:POLICY; "" against itself; the partner without another
    outcome: float  # 1 won, 0.5 drawn, 0 lost; 0.5 against itself
    score: float  # mean return of the team's seats
    ticks: int
    team: int = 0
    again: bool = False  # the episode has another policy's result, too
    partner: str = ""  # in seats of the own team; the outcome is not the policy's alone


class Episodes:
    """N episodes with A seats: the policy of each seat, returns and lengths.

    Each episode belongs to a learning policy and a team of it, whose mix fills the seats of the other teams.
    """

    def __init__(self, spec: GameSpec, plan: PolicyPlan, opponents: Opponents, *, num_envs: int) -> None:
        self._spec, self._plan, self._opponents = spec, plan, opponents
        self._ids = [policy.id for policy in plan.policies]
        self._policy_of_seat = np.array([self._ids.index(plan.policy_of[agent]) for agent in spec.agents])
        self._team_of_seat = np.array([spec.team_of(agent) for agent in spec.agents])
        in_team = self._team_of_seat[:, None] == np.arange(len(spec.teams))
        self._means = in_team / in_team.sum(axis=0)  # (A, teams): a seat's part in the mean of a team
        self._pairs, self._chances = self._own_episodes(plan, spec)
        self._tables: dict[str, list[Table]] = {}
        self._partners: dict[str, tuple[float, list[Table]]] = {}  # share of the episodes; the partners in them
        self.mixes: Mapping[str, OpponentMix] = {}
        seats = (num_envs, len(spec.agents))
        self.learner = np.zeros(seats, np.intp)  # index of the learning policy, NO_LEARNER where an opponent plays
        self.opponent = np.full(seats, LIVE, np.intp)  # number of the opponent, LIVE where a learning policy plays
        self.policy, self.team = np.zeros((2, num_envs), np.intp)  # index of the policy of the episode; its team
        self.rival = np.zeros(num_envs, np.intp)
        """(N,): number of the opponent in the result; LIVE against itself; LIVE - 1 - index for another learning
        policy."""
        self.partner = np.full(num_envs, LIVE, np.intp)  # number of the first partner; LIVE without one
        self._returns = np.zeros(seats)
        self._ticks = np.zeros(num_envs, np.intp)
        self._results: list[EpisodeResult] = []

    def set_mixes(self, mixes: Mapping[str, OpponentMix]) -> None:
        """Set the mix of each policy, for the episodes that begin from now on."""
        self.mixes = mixes
        self._tables = {id: self._make_tables(mix.seats) for id, mix in mixes.items()}
        self._partners = {
            id: (max(sum(shares.values()) for shares in mix.partners.values()), tables)
            for id, mix in mixes.items() if (tables := self._make_tables(mix.partners))
        }  # fmt: skip

    def begin(self, envs: Numbers, rng: np.random.Generator) -> None:
        """Draw the seats of new episodes in `envs`."""
        policy, team = self._pairs[rng.choice(len(self._pairs), len(envs), p=self._chances)].T
        own = self._team_of_seat == team[:, None]
        guest = own & ~np.isin(policy, self._policy_of_seat)[:, None]  # of a policy without seats of its own
        self.policy[envs], self.team[envs] = policy, team
        self.learner[envs] = np.where(guest, policy[:, None], self._policy_of_seat)
        self.opponent[envs], self.rival[envs], self.partner[envs] = LIVE, LIVE, LIVE
        self._returns[envs], self._ticks[envs] = 0.0, 0
        for index in np.unique(policy).tolist():
            rows = np.flatnonzero(policy == index)
            if not own.all():
                self._draw(index, envs[rows], own[rows], rng)
            if self._ids[index] in self._partners:
                self._draw_partners(index, envs[rows], own[rows], rng)

    def step(self, rewards: NDArray[np.float32]) -> None:
        """Add one tick with its rewards (N, A)."""
        self._returns += rewards
        self._ticks += 1

    def end(self, envs: NDArray[np.intp]) -> None:
        """Note the results of the episodes in `envs`."""
        if not len(envs):
            return
        means = (self._returns[envs] @ self._means).tolist()
        met = np.where(self.rival[envs] == LIVE, self.partner[envs], self.rival[envs]).tolist()
        for env, rival, totals in zip(envs.tolist(), met, means, strict=True):
            self._results += self._result(env, rival, totals) if rival != LIVE else self._results_of_all(env)

    def pop_results(self) -> list[EpisodeResult]:
        """The results since the last call."""
        results, self._results = self._results, []
        return results

    def alive(self) -> frozenset[str]:
        """Names of the opponents."""
        return frozenset(self._opponents.names[n] for n in np.unique(self.opponent).tolist() if n != LIVE)

    def lineup(self, env: int) -> dict[str, str]:
        """Agent to the name of its policy."""
        seats = zip(self._spec.agents, self.learner[env].tolist(), self.opponent[env].tolist(), strict=True)
        return {
            str(agent): self._plan.policies[index].id if number == LIVE else self._opponents.names[number]
            for agent, index, number in seats
        }

    def _result(self, env: int, rival: int, totals: list[float]) -> list[EpisodeResult]:
        """None against an opponent that failed: random play finished the episode.  `totals` are the teams' returns."""
        policy = self._ids[self.policy[env]]
        name = LIVE_RIVAL + self._ids[LIVE - 1 - rival] if rival < LIVE else self._opponents.names[rival]
        number = int(self.partner[env])
        partner = "" if number == LIVE else self._opponents.names[number]
        if {name, partner} & self._opponents.dropped.keys():
            return []
        own = totals.pop(team := int(self.team[env]))
        best = max(totals, default=own)
        outcome = 0.5 + 0.5 * ((own > best) - (own < best))
        return [EpisodeResult(policy, name, outcome, own, int(self._ticks[env]), team, partner=partner)]

    def _results_of_all(self, env: int) -> list[EpisodeResult]:
        """One for each learning policy, which play all seats."""
        scores = {
            policy.id: float(self._returns[env, own].mean())
            for index, policy in enumerate(self._plan.policies)
            if policy.id in self._plan.trained and (own := self.learner[env] == index).any()
        }
        return [
            EpisodeResult(policy, "", 0.5, score, int(self._ticks[env]), again=number > 0)
            for number, (policy, score) in enumerate(scores.items())
        ]

    def _draw(self, index: int, envs: Numbers, own: NDArray[np.bool_], rng: np.random.Generator) -> None:
        """Draw the opponents in episodes of one policy; `own`, (m, A), are the seats of its team."""
        opponent, rival, learner = self.opponent[envs], self.rival[envs], self.learner[envs]
        mix = self.mixes.get(self._ids[index], OpponentMix(1.0))
        live = rng.random(len(own)) < mix.live
        for seats_of, numbers, bounds in self._tables.get(self._ids[index], ()):
            drawn = numbers[np.searchsorted(bounds, rng.random(len(own)) * bounds[-1], side="right")]
            drawn[live] = LIVE
            drawn_for = ~own & (self._policy_of_seat == seats_of)[None, :] & (drawn != LIVE)[:, None]
            opponent = np.where(drawn_for, drawn[:, None], opponent)
            rival = np.where(drawn_for.any(axis=1) & (rival == LIVE), drawn, rival)
        if mix.live_policy:  # takes the seats of the other teams without an opponent
            other = self._ids.index(mix.live_policy)
            learner = np.where(~own, other, learner)
            rival = np.where((rival == LIVE) & (other != index), LIVE - 1 - other, rival)
        self.opponent[envs], self.rival[envs] = opponent, rival
        self.learner[envs] = np.where(opponent == LIVE, learner, NO_LEARNER)

    def _draw_partners(self, index: int, envs: Numbers, own: NDArray[np.bool_], rng: np.random.Generator) -> None:
        """Draw the partners in episodes of one policy, and their seats of its team `own`, (m, A).

        One seat, drawn at random, stays the policy's; each number of the others is as likely.
        """
        share, tables = self._partners[self._ids[index]]
        places = rng.random(own.shape) + ~own
        kept = np.where(self.learner[envs] == index, places, 2.0).argmin(axis=1)
        places[np.arange(len(envs)), kept] = 2.0
        count = rng.integers(1, np.maximum(own.sum(axis=1), 2)) * (rng.random(len(envs)) < share)
        given = (places < 1) & (places.argsort(axis=1).argsort(axis=1) < count[:, None])
        for seats_of, numbers, bounds in tables:
            drawn = numbers[np.searchsorted(bounds, rng.random(len(envs)) * bounds[-1], side="right")]
            seats = given & (self._policy_of_seat == seats_of)[None, :]
            self.opponent[envs] = np.where(seats, drawn[:, None], self.opponent[envs])
            first = seats.any(axis=1) & (self.partner[envs] == LIVE)
            self.partner[envs] = np.where(first, drawn, self.partner[envs])
        self.learner[envs] = np.where(self.opponent[envs] == LIVE, self.learner[envs], NO_LEARNER)

    def _make_tables(self, mix: Mapping[str, Mapping[str, float]]) -> list[Table]:
        tables = []
        for id, weights in mix.items():
            playing = {n: w for n, w in weights.items() if w > 0 and n not in self._opponents.dropped}
            if playing:
                numbers = [self._opponents.number(name) if name else LIVE for name in playing]
                tables.append((self._ids.index(id), np.array(numbers, np.intp), np.cumsum(list(playing.values()))))
        return tables

    def _own_episodes(self, plan: PolicyPlan, spec: GameSpec) -> tuple[Numbers, NDArray[np.float64]]:
        """All (learning policy, team of it) and their chances: even among teams, then among a team's policies."""
        pairs, chances = [], []
        for team, members in enumerate(spec.teams):
            own = [i for i, p in enumerate(plan.policies) if p.id in plan.trained and set(p.agents) & set(members)]
            pairs += [(i, team) for i in own]
            chances += [1 / len(own) for _ in own]
        return np.array(pairs, np.intp).reshape(-1, 2), np.array(chances) / sum(chances)
