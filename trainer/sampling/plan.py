"""PolicyPlan: the learning policies of a run (self_play, teams …) and their agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.seats.controller import AgentID
from agents.snapshots.store import SnapshotCard
from arcade.match.batch.vector_env import VectorEnv
from trainer.config import ConfigError
from trainer.config.sections import PolicySettings

MAIN, MAIN_EXPLOITER, LEAGUE_EXPLOITER = "main", "main_exploiter", "league_exploiter"


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """One policy and the agents that it may play."""

    id: str  # RLlib's module id
    agents: tuple[AgentID, ...]
    group: int  # index in the vectorised env: its agents have that group's spaces
    observation_space: Any
    action_space: Any
    masked: bool

    def is_played_by(self, card: SnapshotCard) -> bool:
        """Whether the snapshot plays every seat of the policy."""
        return all(card.plays(str(agent)) for agent in self.agents)


@dataclass(frozen=True, slots=True, eq=False)
class PolicyPlan:
    """All policies of a run, in the order of their first agents."""

    policies: tuple[Policy, ...]
    policy_of: Mapping[AgentID, str]  # every agent
    trained: frozenset[str]  # ids of the learning ones

    def __getitem__(self, id: str) -> Policy:
        return next(policy for policy in self.policies if policy.id == id)


def make_plan(settings: PolicySettings, batch: VectorEnv, *, league: bool = False) -> PolicyPlan:
    """Make the plan for the settings in this game, or the roles of a `league`; raises ConfigError naming the field."""
    if league:
        return _make_league(settings, batch)
    names = _names(settings, batch) | _mapped(settings, batch)
    agents: dict[str, list[AgentID]] = {}
    for agent in batch.agents:
        agents.setdefault(names[agent], []).append(agent)
    policies = tuple(_make_policy(id, own, batch) for id, own in agents.items())
    return PolicyPlan(policies, names, _trained(settings, list(agents)))


def _make_league(settings: PolicySettings, batch: VectorEnv) -> PolicyPlan:
    """Three policies for all seats; main plays them except in the episodes of an exploiter."""
    alone = make_plan(settings, batch)
    if len(alone.policies) > 1 or len(batch.spec.teams) < 2:
        ids = ", ".join(policy.id for policy in alone.policies)
        raise ConfigError(
            f"opponents.league: expected a game of two teams or more with one policy, got: {ids} in {batch.spec.id}"
        )
    roles = (MAIN, MAIN_EXPLOITER, LEAGUE_EXPLOITER)
    policies = tuple(_make_policy(role, batch.agents, batch) for role in roles)
    return PolicyPlan(policies, dict.fromkeys(batch.agents, MAIN), _trained(settings, list(roles)))


def _make_policy(id: str, agents: Sequence[AgentID], batch: VectorEnv) -> Policy:
    numbers = {batch.group_of(agent) for agent in agents}
    if len(numbers) > 1:
        raise ConfigError(
            f"policies.mapping: expected agents with equal spaces in policy {id!r}, got: {', '.join(map(str, agents))}"
        )
    group = batch.groups[number := numbers.pop()]
    return Policy(id, tuple(agents), number, group.observation_space, group.action_space, group.masks is not None)


def _names(settings: PolicySettings, batch: VectorEnv) -> dict[AgentID, str]:
    """Agent to policy id by `policies.kind`."""
    if settings.kind in ("independent", "shared_value_function"):
        return {agent: str(agent) for agent in batch.agents}
    groups = [group.agents for group in batch.groups]
    if settings.kind == "teams":
        parts = [[a for a in team if a in group] for team in batch.spec.teams for group in groups]
        return _names_by_part([part for part in parts if part])
    return dict.fromkeys(batch.agents, MAIN) if len(groups) == 1 else _names_by_part(groups)


def _names_by_part(parts: Sequence[Sequence[AgentID]]) -> dict[AgentID, str]:
    """The common stem of each part's agents (adversary of adversary_0 and _1), or if not unique its first agent."""
    stems = [_stem(part) for part in parts]
    names = [stem if stem and stems.count(stem) == 1 else str(part[0]) for stem, part in zip(stems, parts, strict=True)]
    return {agent: name for name, part in zip(names, parts, strict=True) for agent in part}


def _stem(agents: Sequence[AgentID]) -> str:
    stems = {str(agent).rpartition("_")[0] for agent in agents}
    return stems.pop() if len(stems) == 1 else ""


def _mapped(settings: PolicySettings, batch: VectorEnv) -> dict[AgentID, str]:
    by_word = {str(agent): agent for agent in batch.agents}
    for word in settings.mapping:
        if word not in by_word:
            raise ConfigError(f"policies.mapping: expected agents among {', '.join(by_word)}, got: {word!r}")
    return {by_word[word]: policy for word, policy in settings.mapping.items()}


def _trained(settings: PolicySettings, ids: list[str]) -> frozenset[str]:
    for id in settings.train:
        if id not in ids:
            raise ConfigError(f"policies.train: expected policies among {', '.join(ids)}, got: {id!r}")
    return frozenset(settings.train or ids)
