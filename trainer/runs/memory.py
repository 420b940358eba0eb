"""Estimates a run's memory from its settings and the game's spaces, so that one that cannot fit never starts."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

from arcade.match.batch.vector_env import SeatGroup, VectorEnv
from trainer.config import ConfigError, RunConfig
from trainer.config.algorithms.alphazero import AlphaZeroSettings
from trainer.config.algorithms.replay import ReplaySettings
from trainer.networks.spaces import is_picture
from trainer.sampling.central_state import feature_count, is_central
from trainer.sampling.plan import PolicyPlan

PROCESS_BYTES = 600 * 2**20
"""Of a process with ray and torch; measured with house/volley."""

ENV_BYTES, VECTORISED_ENV_BYTES = 2**19, 2**11
"""Of an env stepped alone and of one in a batch engine, without observations; a low guess for heavy games."""

NODE_BYTES = 17
"""Of an action at a node of a search tree."""

WEIGHT_COPIES = 6
"""Weights, gradients, Adam's two moments, the runner's weights and those of a checkpoint under way."""

MOST_SHARE = 0.8
"""Of the machine's memory; the rest is for the system and the window."""

FRAGMENT_COPIES = 3
"""The fragment, the batch made of it, and the one before."""


def check_memory(run: RunConfig, env: VectorEnv, plan: PolicyPlan, *, there: int, where: str = "this machine") -> None:
    """Raises ConfigError for a run that needs more than `there`, in bytes, naming the settings that need most."""
    parts = estimate(run, env, plan)
    needed = sum(parts.values())
    if needed > MOST_SHARE * there:
        largest = sorted(parts, key=lambda name: parts[name], reverse=True)[:2]
        named = ", ".join(f"{name} {_gigabytes(parts[name])}" for name in largest if parts[name] > needed / 10)
        raise ConfigError(
            f"expected settings that fit into the {_gigabytes(there)} of memory of {where}, got: about "
            f"{_gigabytes(needed)}, of which {named}; make those smaller"
        )


def estimate(run: RunConfig, env: VectorEnv, plan: PolicyPlan) -> dict[str, int]:
    """Bytes by the setting that they depend on; a guess that is rather low."""
    games, runners = run.resources.games, max(1, run.resources.runners)
    seats = [(group, len(group.agents)) for group in env.groups]
    shown = sum(count * prod(group.observation_space.shape or (1,)) * _item_bytes(group) for group, count in seats)
    stored = sum(count * (_stored(run, group) + 64) for group, count in seats)
    widest = max(_inputs(run, group) for group, _ in seats)
    learning = max(1, len(plan.policies))
    own = VECTORISED_ENV_BYTES if env.spec.batch else ENV_BYTES
    found = {
        "processes": PROCESS_BYTES * (1 + run.resources.runners + run.resources.learners),
        "resources.games": runners * games * (own + 2 * shown),
        "training.batch": FRAGMENT_COPIES * run.training.batch * (stored + _state_bytes(run, env)),
        "training.minibatch": 8 * run.training.minibatch * (widest + 2 * sum(run.network.hidden) + run.network.lstm),
        "network": 4 * WEIGHT_COPIES * learning * _weights(run, widest),
    }
    if isinstance(run.training, AlphaZeroSettings):
        actions = max(getattr(group.action_space, "n", 1) for group in env.groups)
        rows = max(_stored(run, group) for group, _ in seats) + 5 * actions
        found["training.capacity"] = learning * run.training.capacity * rows
        found["training.simulations"] = runners * games * (run.training.simulations + 1) * actions * NODE_BYTES
    if isinstance(run.training, ReplaySettings):
        own_rows = max(_stored(run, group) for group, _ in seats)
        found["training.capacity"] = learning * run.training.capacity * 2 * own_rows
    return found


def _state_bytes(run: RunConfig, env: VectorEnv) -> int:
    """Bytes of a centralised critic's state, one for each env step."""
    return 4 * (feature_count(run, env) + len(env.agents)) if is_central(run) else 0


def _inputs(run: RunConfig, group: SeatGroup) -> int:
    """Numbers that the first layer gets."""
    space, wrappers = group.observation_space, run.wrappers
    shape: tuple[int, ...] = tuple(space.shape or (1,))
    if is_picture(space):
        most = wrappers.resize or max(shape[:2])
        colours = 1 if wrappers.grey or len(shape) == 2 else shape[2]
        shape = (min(shape[0], most), min(shape[1], most), colours)
    return prod(shape) * wrappers.stack


def _stored(run: RunConfig, group: SeatGroup) -> int:
    """Bytes of an observation between the game and the learner."""
    return _inputs(run, group) * (1 if is_picture(group.observation_space) else _item_bytes(group))


def _item_bytes(group: SeatGroup) -> int:
    dtype: Any = getattr(group.observation_space, "dtype", None)
    return int(getattr(dtype, "itemsize", None) or 4)


def _weights(run: RunConfig, inputs: int) -> int:
    """Weights of policy and critic; convolutions are small beside what follows them."""
    own, widths = run.network, (inputs, *run.network.hidden)
    dense = 2 * sum(before * after for before, after in pairwise(widths))
    return dense + 4 * own.lstm * (own.lstm + own.hidden[-1])


def _gigabytes(size: int) -> str:
    return f"{size / 2**30:,.1f} GB"
