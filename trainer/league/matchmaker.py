"""Matchmaker: the opponents of each policy in the next fragment; `opponent_shares` computes their shares (PFSP)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from agents.matchmaking.pool import Pool
from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from trainer.config import ConfigError, RunConfig
from trainer.config.reading import make_config
from trainer.league.opponent_shares import (
    RESET_CHANCE,
    Odds,
    Rotation,
    league_odds,
    make_odds,
    partner_odds,
    with_fixed,
)
from trainer.sampling.episodes import OpponentMix
from trainer.sampling.plan import PolicyPlan

CHANGEABLE = ("play_against_latest_model_ratio", "newest_ratio", "fixed_ratio", "weighting")
"""Settings of `opponents` that may change during a run."""


class Matchmaker:
    """`fixed` are the seat words of fixed opponents and partners, with the agents whose seats each can take."""

    def __init__(
        self, run: RunConfig, spec: GameSpec, plan: PolicyPlan, fixed: Mapping[str, Collection[AgentID]]
    ) -> None:
        self.run = run  # replaced when its matchmaking changes
        self._fixed = {
            policy.id: tuple(word for word, agents in fixed.items() if set(policy.agents) <= set(agents))
            for policy in plan.policies
        }
        self.meets = {policy.id: _others(policy.id, plan, spec) for policy in plan.policies}
        self._mates = {policy.id: _mates(policy.id, plan, spec) for policy in plan.policies}
        self._is_one_team = len(spec.teams) < 2
        self._rng = np.random.default_rng([run.seed, 1])
        self._rotations: dict[tuple[str, str], Rotation] = {}

    def odds(self, policy: str, pool: Pool) -> dict[str, Odds]:
        """Policy of other seats to the opponents that `policy` meets there."""
        opponents, live = self.run.opponents, self.run.play_against_latest_model_ratio
        if opponents.league:
            (seats_of,) = self.meets[policy]
            odds = league_odds(policy, pool)
            return {seats_of: with_fixed(odds, pool, opponents.fixed_ratio, self._words(opponents.fixed, seats_of))}
        return {
            other: make_odds(
                pool, opponents, live=live, seats_of=other, fixed=self._words(opponents.fixed, other)
            )
            for other in self.meets[policy]
        }  # fmt: skip

    def partner_odds(self, policy: str, pool: Pool) -> dict[str, Odds]:
        """Policy of other seats in the own team to the partners of `policy` there."""
        opponents = self.run.opponents
        fixed = opponents.fixed if self._is_one_team and opponents.fixed_ratio else ()
        if not opponents.partner_ratio and not fixed:
            return {}
        return {
            mate: partner_odds(
                pool, opponents, seats_of=mate, partners=self._words(opponents.partner_words, mate),
                fixed=self._words(fixed, mate),
            )
            for mate in self._mates[policy]
        }  # fmt: skip

    def may_meet(self, policy: str, other: str) -> bool:
        """Whether snapshots of policy `other` may be opponents or partners of `policy`."""
        opponents = self.run.opponents
        mates = self._mates[policy] if opponents.pool_mates else ()
        return opponents.league or other in (*self.meets[policy], *mates)

    def _words(self, words: Sequence[str], seats_of: str) -> list[str]:
        return [word for word in words if word in self._fixed[seats_of]]

    def mix(self, policy: str, pool: Pool, alive: Collection[str], *, step: int) -> OpponentMix:
        """The opponents of `policy`; `alive` are those in running episodes."""
        live, live_policy, seats = 1.0, "", {}
        alive = [name for name in alive if name in pool.index]
        for other, odds in self.odds(policy, pool).items():
            seats[other] = self._rotation(policy, other).choose(odds, alive, step=step, rng=self._rng)
            live, live_policy = odds.live, odds.live_policy
            left = 1.0 - odds.live - sum(seats[other].values())
            if left > 1e-9:
                seats[other][""] = left
        partners = {
            mate: self._rotation(policy, f"with {mate}").choose(odds, alive, step=step, rng=self._rng)
            for mate, odds in self.partner_odds(policy, pool).items()
        }
        return OpponentMix(live, live_policy, seats, partners)

    def _rotation(self, policy: str, seats: str) -> Rotation:
        return self._rotations.setdefault((policy, seats), self._new_rotation())

    def _new_rotation(self) -> Rotation:
        return Rotation(self.run.opponents.names_a_fragment, self.run.opponents.swap_steps)

    def weights(self, policy: str, pool: Pool) -> dict[str, float]:
        """Name of each member that `policy` may meet to its share of the episodes, as partner too."""
        weights: dict[str, float] = {}
        for odds in (self.partner_odds(policy, pool), self.odds(policy, pool)):
            met = {name: share for own in odds.values() for name, share in own.shares.items()}
            weights = {name: weights.get(name, 0.0) + met.get(name, 0.0) for name in weights | met}
        return weights

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


def _mates(policy: str, plan: PolicyPlan, spec: GameSpec) -> tuple[str, ...]:
    """Policies of the other seats in the teams of this one, itself where it has several seats of a team."""
    own = set(plan[policy].agents)
    teams = [members for members in spec.teams if own & set(members)]
    seats = [a for members in teams for a in members if a not in own or len(own & set(members)) > 1]
    return tuple(dict.fromkeys(plan.policy_of[agent] for agent in seats))


def _others(policy: str, plan: PolicyPlan, spec: GameSpec) -> tuple[str, ...]:
    """Policies of the seats in the other teams wherever this one plays."""
    own = set(plan[policy].agents)
    teams = [team for team, members in enumerate(spec.teams) if own & set(members)]
    seats = [a for team in teams for other, members in enumerate(spec.teams) if other != team for a in members]
    return tuple(dict.fromkeys(plan.policy_of[agent] for agent in seats))
