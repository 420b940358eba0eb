"""Ours and stock RLlib as two things that can be timed and asked how well they play."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.core.columns import Columns

from agents.policies.batch import BatchPolicy, SeatDraws
from agents.policies.functions import VectorBatch, VectorFunction
from agents.policies.random import RandomBatch
from agents.seats.controller import AgentID
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.sides import play_sides, win_rate
from tests.benchmarks.stock import make_stock, policies_of
from tests.support.generators import exhaust
from trainer.algorithms.make import make_algorithm
from trainer.config import RunConfig
from trainer.config.reading import make_config
from trainer.league.export import Freezer
from trainer.networks.seat import NetworkBatch
from trainer.sampling.episodes import OpponentMix


@dataclass(frozen=True, kw_only=True)
class Case:
    """One game, with the settings at which either side is fastest on two cores."""

    game: str
    roles: bool  # a policy a team, all learning; else one policy against a frozen one, untrained
    games: int  # of ours in lock-step, in each runner
    runners: int = 0  # of ours, remote ones, which play while the learner works; 0: in this process
    stock_runners: int  # likewise
    stock_envs: int  # in each runner

    def settings(self, *, seed: int) -> RunConfig:
        """Ours; stock shares the section `training`."""
        return make_config(
            {
                "game": self.game,
                "seed": seed,
                "training": {"batch": 2048, "minibatch": 256, "epochs": 4},
                "network": {"hidden": [64, 64]},
                "policies": {"kind": "teams" if self.roles else "self_play"},
                "resources": {"games": self.games, "runners": self.runners, "overlap": bool(self.runners)},
            }
        )


CASES = {
    "connect_four": Case(
        game="classic/connect_four_v3", roles=False, games=64, runners=1, stock_runners=0, stock_envs=64
    ),
    "simple_tag": Case(game="mpe/simple_tag_v3", roles=True, games=64, runners=1, stock_runners=2, stock_envs=64),
    "volley": Case(game="house/volley", roles=False, games=256, runners=1, stock_runners=0, stock_envs=64),
}


def make_sides(case: Case, folder: Path, *, seed: int) -> tuple[Ours, Stock]:
    """Both of them, before their first iteration; `folder` is for snapshots."""
    run = case.settings(seed=seed)
    ours = Ours(run)
    if not case.roles:
        ours.freeze(folder)
    return ours, Stock(case, run)


class Side(ABC):
    """One algorithm that learns the policies of a game."""

    def __init__(self, game: str, algorithm: Algorithm) -> None:
        self.spec, self.algorithm = find_game(game), algorithm
        self.explained = 0.0  # of the returns' variance by the best critic, in the newest iteration

    def train(self) -> float:
        """One iteration; its seconds.  Raises RuntimeError where a loss is no number."""
        began = time.perf_counter()
        result = self.algorithm.train()
        seconds = time.perf_counter() - began
        figures = [figures for figures in result["learners"].values() if "total_loss" in figures]
        losses = [float(own["total_loss"]) for own in figures]
        if not losses or not np.isfinite(losses).all():
            raise RuntimeError(f"expected finite losses, got: {losses}")
        self.explained = max(float(own["vf_explained_var"]) for own in figures)
        return seconds

    def sample(self) -> float:
        """Seconds of one batch's sampling alone; what is sampled is thrown away."""
        group, local = self.algorithm.env_runner_group, not self.algorithm.env_runner_group.num_remote_workers()
        began = time.perf_counter()
        group.foreach_env_runner(lambda runner: runner.sample(), local_env_runner=local)
        seconds = time.perf_counter() - began
        group.foreach_env_runner(lambda runner: bool(runner.get_metrics()), local_env_runner=local)
        return seconds

    def win_rate(self, *, games: int, seed: int) -> float:
        """Of all learning policies against random play, each side in half of the games; a draw is half a win."""
        with make_vector_env(self.spec, 1) as env:
            others = RandomBatch(env.places)
        return win_rate(exhaust(play_sides(self.spec, self.players(), others, games=games, seed=seed)))

    def close(self) -> None:
        self.algorithm.stop()

    @abstractmethod
    def players(self) -> dict[AgentID, BatchPolicy]:
        """The policies as they stand, in all their seats."""


class Ours(Side):
    """Learning policies sit everywhere until `freeze`."""

    def __init__(self, run: RunConfig) -> None:
        super().__init__(run.game, make_algorithm(run, find_game(run.game)))
        self.run, self.runner = run, self.algorithm.env_runner

    def freeze(self, folder: Path) -> None:
        """The only policy becomes a snapshot, which is its opponent from the first game on."""
        (policy,) = self.runner.plan.policies
        freezer = Freezer(SnapshotStore(folder), policy, game=self.spec.id, run="bench", algorithm=self.run.algorithm)
        seen, masks = _first_observations(self.spec, policy.group)  # the runner's own games would begin without it
        snapshot = freezer.freeze(
            self.runner.network(policy.id), name="bench-0000", step=0, parent="", note="",
            observations=seen, masks=masks,
        )  # fmt: skip
        name = snapshot.card.name
        mixes = {policy.id: OpponentMix(live=0.0, seats={policy.id: {name: 1.0}})}
        self.algorithm.env_runner_group.foreach_env_runner(lambda r: r.prepare(mixes, {name: snapshot}))

    def sample(self) -> float:
        if self.run.resources.overlap:
            super().sample()  # played ahead
        seconds = super().sample()
        self.algorithm.env_runner_group.foreach_env_runner(lambda runner: len(runner.pop_report().results))
        return seconds

    def players(self) -> dict[AgentID, BatchPolicy]:
        plan = self.runner.plan
        own: dict[str, BatchPolicy] = {
            policy.id: NetworkBatch(self.runner.network(policy.id)) for policy in plan.policies
        }
        return {agent: own[id] for agent, id in plan.policy_of.items()}


def _first_observations(spec: GameSpec, group: int) -> tuple[Any, Any]:
    probe = make_vector_env(spec, 64)
    probe.reset(np.arange(64), np.arange(64))
    seats = probe.groups[group]
    seen, masks = seats.observations[:, 0], None if seats.masks is None else seats.masks[:, 0]
    probe.close()
    return seen, masks


class Stock(Side):
    """RLlib's own way, with the case's setting."""

    def __init__(self, case: Case, run: RunConfig) -> None:
        stock = make_stock(
            case.game, run.training, roles=case.roles, runners=case.stock_runners, envs=case.stock_envs, seed=run.seed
        )
        super().__init__(case.game, stock)
        self._roles = case.roles

    def players(self) -> dict[AgentID, BatchPolicy]:
        modules = self.algorithm.learner_group._learner.module
        mapping = policies_of(self.spec, roles=self._roles)
        own: dict[str, BatchPolicy] = {id: VectorBatch(_module_act(modules[id])) for id in set(mapping.values())}
        return {agent: own[id] for agent, id in mapping.items()}


def _module_act(module: Any) -> VectorFunction:
    """Draws from the module's distribution (the largest of logits with Gumbel noise)."""

    def act(seen: Any, masks: Any, draws: SeatDraws) -> Any:
        columns = torch.as_tensor(seen)
        if masks is not None:
            columns = {"observation": columns, "action_mask": torch.as_tensor(masks)}
        with torch.inference_mode():
            logits = module.forward_inference({Columns.OBS: columns})[Columns.ACTION_DIST_INPUTS].numpy()
        return np.argmax(logits + -np.log(-np.log(draws.random(logits.shape))), axis=1)

    return act
