"""Casting: who sits where in the episodes that begin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arcade.games.spec import GameSpec
from trainer.config import RunConfig
from trainer.sampling.opponents import LIVE, Opponents
from trainer.sampling.plan import PolicyPlan

NOBODY = -1


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """For M episodes of games with A seats; each seat either learns or is an opponent's."""

    learner: NDArray[np.intp]  # (M, A): index of the policy that plays there and learns, NOBODY for an opponent's
    opponent: NDArray[np.intp]  # (M, A): number of the opponent that plays there, NOBODY where one learns
    policy: NDArray[np.intp]  # (M,): index of the policy whose episode it is
    team: NDArray[np.intp]  # (M,): the team that it plays in
    rival: NDArray[np.intp]  # (M,): number of the opponent that the result is booked against, LIVE for none


class Casting:
    """An episode belongs to one team; the other teams are live policies, or opponents from their policies' pools."""

    def __init__(self, run: RunConfig, spec: GameSpec, plan: PolicyPlan, opponents: Opponents) -> None:
        self._run, self._opponents = run, opponents
        self._policy_of_seat = np.array([plan.index(agent) for agent in spec.agents])
        self._team_of_seat = np.array([spec.team_of(agent) for agent in spec.agents])
        self._ids = [policy.id for policy in plan.policies]
        self._trained = np.array([policy.id in plan.trained for policy in plan.policies])
        learning = self._trained[self._policy_of_seat]
        self._teams = np.unique(self._team_of_seat[learning])
        seats = [np.argmax(self._team_of_seat == team) for team in range(len(spec.teams))]
        self._first_of_team = self._policy_of_seat[seats]

    def begin_fragment(self, rng: np.random.Generator) -> None:
        """Choose the few snapshots that episodes of this fragment draw from."""
        self._opponents.begin_fragment(rng)

    def cast(self, count: int, rng: np.random.Generator) -> Cast:
        """The seats of `count` new episodes."""
        team = rng.choice(self._teams, count)
        own = self._team_of_seat[None, :] == team[:, None]
        opponent = np.full(own.shape, NOBODY, np.intp)
        rival = np.full(count, LIVE, np.intp)
        if len(np.unique(self._team_of_seat)) > 1:
            live = rng.random(count) < self._run.play_against_latest_model_ratio
            for index, id in enumerate(self._ids):
                seats = self._policy_of_seat == index
                drawn = np.where(live, LIVE, self._opponents.draw(id, count, rng))
                theirs = ~own & seats[None, :] & (drawn != LIVE)[:, None]
                opponent = np.where(theirs, drawn[:, None], opponent)
                rival = np.where(theirs.any(axis=1) & (rival == LIVE), drawn, rival)
        learner = np.where(opponent == NOBODY, self._policy_of_seat[None, :], NOBODY)
        return Cast(learner, opponent, self._first_of_team[team], team, rival)
