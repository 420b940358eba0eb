"""Casting: draws the policies of new episodes, and names them in the results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
    """M episodes of games with A seats; a learning policy or an opponent plays each seat."""

    learner: Numbers  # (M, A): index of the learning policy of the seat, NO_LEARNER where an opponent plays
    opponent: Numbers  # (M, A): number of the opponent in the seat, LIVE where a learning policy plays
    policy: Numbers  # (M,): index of the policy that the episode belongs to
    team: Numbers  # (M,): the team of that policy
    rival: Numbers  # (M,): number of the opponent in the result; LIVE against itself; LIVE - 1 - index for another
    #                 learning policy


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


class Casting:
    """Draws for each episode the policy and team that it belongs to, and by its mix the seats of the other teams."""

    def __init__(self, spec: GameSpec, plan: PolicyPlan, opponents: Opponents) -> None:
        self._opponents = opponents
        self._ids = [policy.id for policy in plan.policies]
        self._policy_of_seat = np.array([plan.index(agent) for agent in spec.agents])
        self._team_of_seat = np.array([spec.team_of(agent) for agent in spec.agents])
        self._pairs, self._chances = self._own_episodes(plan, spec)
        self._mixes: dict[int, tuple[OpponentMix, list[tuple[int, Numbers, NDArray[np.float64]]]]] = {}

    def set_mixes(self, mixes: Mapping[str, OpponentMix]) -> None:
        """Set the mix of each policy, for the episodes that begin from now on."""
        self._mixes = {self._ids.index(id): (mix, self._tables(mix)) for id, mix in mixes.items()}

    def cast(self, count: int, rng: np.random.Generator) -> Cast:
        """Draw the seats of `count` new episodes."""
        policy, team = self._pairs[rng.choice(len(self._pairs), count, p=self._chances)].T
        own = self._team_of_seat[None, :] == team[:, None]
        mine = own & ~np.isin(policy, self._policy_of_seat)[:, None]  # for a policy without seats of its own
        learner = np.where(mine, policy[:, None], np.broadcast_to(self._policy_of_seat, own.shape))
        opponent = np.full(own.shape, LIVE, np.intp)
        rival = np.full(count, LIVE, np.intp)
        if own.all():
            return Cast(learner, opponent, policy, team, rival)
        for index in np.unique(policy):
            rows = np.flatnonzero(policy == index)
            opponent[rows], rival[rows] = self._draw(int(index), own[rows], rng)
            self._seat_live(int(index), rows, learner, own, opponent, rival)
        return Cast(np.where(opponent == LIVE, learner, NO_LEARNER), opponent, policy, team, rival)

    def name_of(self, rival: int) -> str:
        """An opponent's name, live:POLICY, or "" for the policy itself."""
        if rival < LIVE:
            return LIVE_RIVAL + self._ids[LIVE - 1 - rival]
        return "" if rival == LIVE else self._opponents.names[rival]

    def _draw(self, index: int, own: NDArray[np.bool_], rng: np.random.Generator) -> tuple[Numbers, Numbers]:
        """Opponents (m, A) and rivals (m,) in episodes of one policy."""
        opponent, rival = np.full(own.shape, LIVE, np.intp), np.full(len(own), LIVE, np.intp)
        mix, tables = self._mixes.get(index, (OpponentMix(1.0), []))
        live = rng.random(len(own)) < mix.live
        for seats_of, numbers, bounds in tables:
            drawn = numbers[np.searchsorted(bounds, rng.random(len(own)) * bounds[-1], side="right")]
            drawn[live] = LIVE
            drawn_for = ~own & (self._policy_of_seat == seats_of)[None, :] & (drawn != LIVE)[:, None]
            opponent = np.where(drawn_for, drawn[:, None], opponent)
            rival = np.where(drawn_for.any(axis=1) & (rival == LIVE), drawn, rival)
        return opponent, rival

    def _seat_live(self, index: int, rows: Numbers, learner: Numbers, own: Any, opponent: Any, rival: Numbers) -> None:
        """Give the seats of the other teams without an opponent to the mix's live policy."""
        mix = self._mixes.get(index, (OpponentMix(1.0), []))[0]
        if mix.live_policy:
            other = self._ids.index(mix.live_policy)
            free = ~own[rows] & (opponent[rows] == LIVE)
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
        """All (learning policy, team of it) and their chances: even among teams, then among a team's policies."""
        pairs, chances = [], []
        for team, members in enumerate(spec.teams):
            own = [i for i, p in enumerate(plan.policies) if p.id in plan.trained and set(p.agents) & set(members)]
            pairs += [(i, team) for i in own]
            chances += [1 / len(own) for _ in own]
        return np.array(pairs, np.intp).reshape(-1, 2), np.array(chances) / sum(chances)
