"""Casting: draws the policies of new episodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from arcade.games.spec import GameSpec
from trainer.sampling.opponents import LIVE, Opponents
from trainer.sampling.plan import PolicyPlan

LIVE_RIVAL = "live:"
"""The prefix of an opponent that is another learning policy; its id follows."""

NO_LEARNER = -1

Numbers = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class OpponentMix:
    """The opponents in one policy's episodes.  By default learning policies play every seat."""

    live: float  # share of the episodes in which learning policies play all other seats
    live_policy: str = ""  # id of that policy; "": the seats' own
    seats: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """In other episodes, by the id of the seats' own policy: {opponent: weight}; "" is the policy itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """M episodes with A seats; a learning policy or an opponent plays each seat."""

    learner: Numbers  # (M, A): index of the learning policy of the seat, NO_LEARNER where an opponent plays
    opponent: Numbers  # (M, A): number of the opponent in the seat, LIVE where a learning policy plays
    policy: Numbers  # (M,): index of the policy that the episode belongs to
    team: Numbers  # (M,): the team of that policy
    rival: Numbers  # (M,): number of the opponent in the result; LIVE against itself; LIVE - 1 - index for another
    #                 learning policy


class Casting:
    """Draws for each episode the policy and team that it belongs to, and by its mix the seats of the other teams."""

    def __init__(self, spec: GameSpec, plan: PolicyPlan, opponents: Opponents) -> None:
        self._opponents = opponents
        self._ids = [policy.id for policy in plan.policies]
        self._policy_of_seat = np.array([plan.index(agent) for agent in spec.agents])
        self._team_of_seat = np.array([spec.team_of(agent) for agent in spec.agents])
        self._pairs, self._chances = self._own_episodes(plan, spec)
        self._tables: dict[str, list[tuple[int, Numbers, NDArray[np.float64]]]] = {}
        self.mixes: Mapping[str, OpponentMix] = {}

    def set_mixes(self, mixes: Mapping[str, OpponentMix]) -> None:
        """Set the mix of each policy, for the episodes that begin from now on."""
        self.mixes = mixes
        self._tables = {id: self._make_tables(mix) for id, mix in mixes.items()}

    def cast(self, count: int, rng: np.random.Generator) -> Cast:
        """Draw the seats of `count` new episodes."""
        policy, team = self._pairs[rng.choice(len(self._pairs), count, p=self._chances)].T
        own = self._team_of_seat[None, :] == team[:, None]
        guest = own & ~np.isin(policy, self._policy_of_seat)[:, None]  # of a policy without seats of its own
        learner = np.where(guest, policy[:, None], np.broadcast_to(self._policy_of_seat, own.shape))
        opponent, rival = np.full(own.shape, LIVE, np.intp), np.full(count, LIVE, np.intp)
        for index in [] if own.all() else np.unique(policy).tolist():
            rows = np.flatnonzero(policy == index)
            learner[rows], opponent[rows], rival[rows] = self._draw(index, learner[rows], own[rows], rng)
        return Cast(np.where(opponent == LIVE, learner, NO_LEARNER), opponent, policy, team, rival)

    def name_of(self, rival: int) -> str:
        """An opponent's name, live:POLICY, or "" for the policy itself."""
        if rival < LIVE:
            return LIVE_RIVAL + self._ids[LIVE - 1 - rival]
        return "" if rival == LIVE else self._opponents.names[rival]

    def _draw(
        self, index: int, learner: Numbers, own: NDArray[np.bool_], rng: np.random.Generator
    ) -> tuple[Numbers, Numbers, Numbers]:
        """Learners (m, A), opponents (m, A) and rivals (m,) in episodes of one policy."""
        opponent, rival = np.full(own.shape, LIVE, np.intp), np.full(len(own), LIVE, np.intp)
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
            learner = np.where(~own & (opponent == LIVE), other, learner)
            rival = np.where((rival == LIVE) & (other != index), LIVE - 1 - other, rival)
        return learner, opponent, rival

    def _make_tables(self, mix: OpponentMix) -> list[tuple[int, Numbers, NDArray[np.float64]]]:
        tables = []
        for id, weights in mix.seats.items():
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
