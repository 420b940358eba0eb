"""Matchmaker: the opponents of each policy in the next fragment; `opponent_shares` computes their shares (PFSP)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from agents.matchmaking.pool import Pool
from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from trainer.config import ConfigError, RunConfig
from trainer.config.reading import make_config
from trainer.league.opponent_shares import RESET_CHANCE, Odds, Rotation, league_odds, make_odds, with_fixed
from trainer.sampling.episodes import OpponentMix
from trainer.sampling.plan import PolicyPlan

CHANGEABLE = ("play_against_latest_model_ratio", "newest_ratio", "fixed_ratio", "weighting")
"""Settings of `opponents` that may change during a run."""


class Matchmaker:
    """`fixed` are the seat words of fixed opponents, with the agents whose seats each can take."""

    def __init__(
        self, run: RunConfig, spec: GameSpec, plan: PolicyPlan, fixed: Mapping[str, Collection[AgentID]]
    ) -> None:
        self.run = run  # replaced when its matchmaking changes
        self._fixed = {
            policy.id: tuple(word for word, agents in fixed.items() if set(policy.agents) <= set(agents))
            for policy in plan.policies
        }
        self.meets = {policy.id: _others(policy.id, plan, spec) for policy in plan.policies}
        self._rng = np.random.default_rng([run.seed, 1])
        self._rotations: dict[tuple[str, str], Rotation] = {}

    def odds(self, policy: str, pool: Pool) -> dict[str, Odds]:
        """Policy of other seats to the opponents that `policy` meets there."""
        opponents, live = self.run.opponents, self.run.play_against_latest_model_ratio
        if opponents.league:
            (seats_of,) = self.meets[policy]
            odds = league_odds(policy, pool)
            return {seats_of: with_fixed(odds, pool, opponents.fixed_ratio, self._fixed[seats_of])}
        return {
            other: make_odds(pool, opponents, live=live, seats_of=other, fixed=self._fixed[other])
            for other in self.meets[policy]
        }

    def mix(self, policy: str, pool: Pool, alive: Collection[str], *, step: int) -> OpponentMix:
        """The opponents of `policy`; `alive` are those in running episodes."""
        live, live_policy, seats = 1.0, "", {}
        alive = [name for name in alive if name in pool.index]
        for other, odds in self.odds(policy, pool).items():
            rotation = self._rotations.setdefault((policy, other), self._new_rotation())
            seats[other] = rotation.choose(odds, alive, step=step, rng=self._rng)
            live, live_policy = odds.live, odds.live_policy
            left = 1.0 - odds.live - sum(seats[other].values())
            if left > 1e-9:
                seats[other][""] = left
        return OpponentMix(live, live_policy, seats)

    def _new_rotation(self) -> Rotation:
        return Rotation(self.run.opponents.names_a_fragment, self.run.opponents.swap_steps)

    def weights(self, policy: str, pool: Pool) -> dict[str, float]:
        """Name of each member that `policy` may meet to its share of the episodes."""
        return {name: share for odds in self.odds(policy, pool).values() for name, share in odds.shares.items()}

    def draw_reset(self, policy: str) -> bool:
        """Whether to reset a frozen policy to its first weights; drawn at random for a league's exploiters."""
        chance = RESET_CHANCE.get(policy, 0.0) if self.run.opponents.league else 0.0
        return bool(self._rng.random() < chance)

    def status(self) -> dict[str, Any]:
        """The shares and weighting in force, with defaults put in."""
        return matchmaking_of(self.run) | {"play_against_latest_model_ratio": self.run.play_against_latest_model_ratio}

    def as_data(self) -> dict[str, Any]:
        rotations = [[*key, rotation.last_swap, rotation.drawn] for key, rotation in self._rotations.items()]
        return {"rng": self._rng.bit_generator.state, "changed": matchmaking_of(self.run), "rotations": rotations}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore `as_data`."""
        self._rng.bit_generator.state = data["rng"]
        for policy, other, last_swap, drawn in data.get("rotations", ()):  # older checkpoints have none
            rotation = self._new_rotation()
            rotation.last_swap, rotation.drawn = last_swap, dict(drawn)
            self._rotations[policy, other] = rotation
        self.run = change_matchmaking(self.run, data["changed"])


def matchmaking_of(run: RunConfig) -> dict[str, Any]:
    """The settings that may change, with their values."""
    return {name: getattr(run.opponents, name) for name in CHANGEABLE}


def change_matchmaking(run: RunConfig, changes: Mapping[str, Any]) -> RunConfig:
    """The run with other shares and weighting; raises ConfigError naming the field."""
    if unknown := [name for name in changes if name not in CHANGEABLE]:
        raise ConfigError(f"matchmaking: expected some of {', '.join(CHANGEABLE)}, got: {unknown[0]!r}")
    data = run.model_dump(mode="json")
    data["opponents"] |= changes
    return make_config(data)


def _others(policy: str, plan: PolicyPlan, spec: GameSpec) -> tuple[str, ...]:
    """Policies of the seats in the other teams wherever this one plays."""
    own = set(plan[policy].agents)
    teams = [team for team, members in enumerate(spec.teams) if own & set(members)]
    seats = [a for team in teams for other, members in enumerate(spec.teams) if other != team for a in members]
    return tuple(dict.fromkeys(plan.policy_of[agent] for agent in seats))
