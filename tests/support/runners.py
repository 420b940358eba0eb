"""A runner over a game of turns that is small enough to check by hand."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from arcade.games.spec import GameSpec
from arcade.match.batch.vector_env import VectorEnv
from trainer.algorithms.make import make_algorithm_config
from trainer.config.reading import make_config
from trainer.league.export import Freezer
from trainer.sampling.episodes import OpponentMix
from trainer.sampling.runner import SelfPlayRunner

PLIES = 5

SPEC = GameSpec(
    id="test/turns", title="Turns", entry="none:none", agents=("a", "b"), teams=(("a",), ("b",)), turn_based=True, fps=1
)  # fmt: skip


class Turns(VectorEnv):
    """Seats move in turns, a few plies a game; whoever moves last wins.  The observation is the ply."""

    cut_off = False
    plies = PLIES

    def __init__(self, spec, games, **_):
        self.spec, self.num_envs, self.agents = spec, games, spec.agents
        self._allocate(dict.fromkeys(spec.agents, (spaces.Box(0, 9, (1,), np.float32), spaces.Discrete(2))))
        self._ply = np.zeros(games, np.intp)

    def reset(self, games, seeds):
        self._ply[games] = 0
        self._show(games)

    def step(self, actions):
        self._ply += 1
        self._show(np.arange(self.num_envs))
        over = self._ply >= self.plies
        self.acting[over] = False
        self.rewards[over] = (1.0, -1.0) if self.plies % 2 else (-1.0, 1.0)
        (self.truncated if self.cut_off else self.terminated)[over] = True

    def _show(self, games):
        for array in (self.acting, self.rewards, self.terminated, self.truncated):
            array[games] = 0
        self.acting[games, self._ply[games] % 2] = True
        self.groups[0].observations[games, :, 0] = self._ply[games][:, None]


def make_runner(monkeypatch, *, policies=None, wrappers=None, network=None, batch=80, kl_penalty=0.0, **opponents):
    monkeypatch.setattr("trainer.sampling.runner.make_vector_env", Turns)
    settings = {"game": SPEC.id, "resources": {"games": 4}, "opponents": opponents, "policies": policies or {}}
    settings["wrappers"] = wrappers or {}
    settings["training"] = {
        "batch": batch,
        "minibatch": batch // 2,
        "gamma": 1.0,
        "lambda_": 1.0,
        "kl_penalty": kl_penalty,
    }
    settings |= {"network": network or {}, "start_from": "somebody" if kl_penalty else ""}
    run = make_config(settings)
    config = make_algorithm_config(run, SPEC, Turns(SPEC, 1))
    return SelfPlayRunner(config=config, worker_index=0)


def freeze(runner, store, name, policy="main"):
    freezer = Freezer(store, runner.plan[policy], game=SPEC.id, run="test", algorithm="PPO")
    seen, masks = runner.recent_observations(policy, 8)
    return policy, freezer.freeze(
        runner.network(policy), name=name, step=0, parent="", note="", observations=seen, masks=masks
    )


def meet(runner, *frozen, live=0.0):
    """From now on the newest snapshot of each policy is met, and in a share of the episodes the policies themselves."""
    seats = {policy: {snapshot.card.name: 1.0} for policy, snapshot in frozen}
    mixes = {policy.id: OpponentMix(live, seats=seats) for policy in runner.plan.policies}
    runner.prepare(mixes, {snapshot.card.name: snapshot for _, snapshot in frozen})
