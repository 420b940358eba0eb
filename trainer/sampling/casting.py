"""Casting: the policy of each seat in new episodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.spec import GameSpec
from trainer.sampling.opponents import LIVE, Opponents
from trainer.sampling.plan import PolicyPlan
from trainer.sampling.results import LIVE_RIVAL

NOBODY = -1

Numbers = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class OpponentMix:
    """The opponents of one policy's episodes.  Until one is set, learning policies play every seat."""

    live: float  # share of the episodes in which learning policies take all other seats
    live_policy: str = ""  # the one that then does; "": the seats' own
    seats: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """In the others: id of the policy of the seats to {opponent: weight}; "" is the policy itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """For M episodes of games with A seats; each seat either learns or is an opponent's."""

    learner: Numbers  # (M, A): index of the policy that plays there and learns, NOBODY for an opponent's
    opponent: Numbers  # (M, A): number of the opponent that plays there, NOBODY where one learns
    policy: Numbers  # (M,): index of the policy whose episode it is
    team: Numbers  # (M,): the team that it plays in
    rival: Numbers  # (M,): number of the opponent that the result is booked against; LIVE against itself; below that
    #                 LIVE - 1 - index of another learning policy


class Casting:
    """An episode belongs to one policy and its team; the seats of the other teams are taken as its mix says."""

    def __init__(self, spec: GameSpec, plan: PolicyPlan, opponents: Opponents) -> None:
        self._opponents = opponents
        self._ids = [policy.id for policy in plan.policies]
        self._policy_of_seat = np.array([plan.index(agent) for agent in spec.agents])
        self._team_of_seat = np.array([spec.team_of(agent) for agent in spec.agents])
        self._pairs, self._chances = self._own_episodes(plan, spec)
        self._mixes: dict[int, tuple[OpponentMix, list[tuple[int, Numbers, NDArray[np.float64]]]]] = {}

    def set_mixes(self, mixes: Mapping[str, OpponentMix]) -> None:
        """Of each policy; for the episodes that begin from now on."""
        self._mixes = {self._ids.index(id): (mix, self._tables(mix)) for id, mix in mixes.items()}

    def cast(self, count: int, rng: np.random.Generator) -> Cast:
        """The seats of `count` new episodes."""
        policy, team = self._pairs[rng.choice(len(self._pairs), count, p=self._chances)].T
        own = self._team_of_seat[None, :] == team[:, None]
        mine = own & ~np.isin(policy, self._policy_of_seat)[:, None]  # a policy that no seat has as its own
        learner = np.where(mine, policy[:, None], np.broadcast_to(self._policy_of_seat, own.shape))
        opponent = np.full(own.shape, NOBODY, np.intp)
        rival = np.full(count, LIVE, np.intp)
        if own.all():
            return Cast(learner, opponent, policy, team, rival)
        for index in np.unique(policy):
            rows = np.flatnonzero(policy == index)
            opponent[rows], rival[rows] = self._draw(int(index), own[rows], rng)
            self._seat_live(int(index), rows, learner, own, opponent, rival)
        return Cast(np.where(opponent == NOBODY, learner, NOBODY), opponent, policy, team, rival)

    def name_of(self, rival: int) -> str:
        """An opponent's name, live:POLICY, or "" for the policy itself."""
        if rival < LIVE:
            return LIVE_RIVAL + self._ids[LIVE - 1 - rival]
        return "" if rival == LIVE else self._opponents.names[rival]

    def _draw(self, index: int, own: NDArray[np.bool_], rng: np.random.Generator) -> tuple[Numbers, Numbers]:
        """Opponents (m, A) and rivals (m,) in episodes of one policy."""
        opponent, rival = np.full(own.shape, NOBODY, np.intp), np.full(len(own), LIVE, np.intp)
        mix, tables = self._mixes.get(index, (OpponentMix(1.0), []))
        live = rng.random(len(own)) < mix.live
        for seats_of, numbers, bounds in tables:
            drawn = numbers[np.searchsorted(bounds, rng.random(len(own)) * bounds[-1], side="right")]
            drawn[live] = LIVE
            theirs = ~own & (self._policy_of_seat == seats_of)[None, :] & (drawn != LIVE)[:, None]
            opponent = np.where(theirs, drawn[:, None], opponent)
            rival = np.where(theirs.any(axis=1) & (rival == LIVE), drawn, rival)
        return opponent, rival

    def _seat_live(self, index: int, rows: Numbers, learner: Numbers, own: Any, opponent: Any, rival: Numbers) -> None:
        """Learning policies take the seats of the other teams that no opponent has."""
        mix = self._mixes.get(index, (OpponentMix(1.0), []))[0]
        if mix.live_policy:
            other = self._ids.index(mix.live_policy)
            free = ~own[rows] & (opponent[rows] == NOBODY)
            learner[rows] = np.where(free, other, learner[rows])
            if other != index:
                rival[rows] = np.where(rival[rows] == LIVE, LIVE - 1 - other, rival[rows])

    def _tables(self, mix: OpponentMix) -> list[tuple[int, Numbers, NDArray[np.float64]]]:
        tables = []
        for id, weights in mix.seats.items():
            playing = {n: w for n, w in weights.items() if w > 0 and n not in self._opponents.dropped}
            if playing:
                numbers = [self._opponents.number(name) if name else LIVE for name in playing]
                tables.append((self._ids.index(id), np.array(numbers, np.intp), np.cumsum(list(playing.values()))))
        return tables

    def _own_episodes(self, plan: PolicyPlan, spec: GameSpec) -> tuple[Numbers, NDArray[np.float64]]:
        """Every (policy that learns, team that it plays in), and their chances: even among the teams, then even
        among a team's policies."""
        pairs, chances = [], []
        for team, members in enumerate(spec.teams):
            own = [i for i, p in enumerate(plan.policies) if p.id in plan.trained and set(p.agents) & set(members)]
            pairs += [(i, team) for i in own]
            chances += [1 / len(own) for _ in own]
        return np.array(pairs, np.intp).reshape(-1, 2), np.array(chances) / sum(chances)
