"""Whether torch.compile makes PPO's updates faster: ``python -m tests.benchmarks.compiled [GAME …]``.

`ratio` is the time of an update with gradients in closed form, as they are, over that of one whose loss and backward
pass are compiled by torch, on the same batch in turns; above 1 compiling would pay.  `compile_seconds` is the first
update of the compiled one.  Needs a C++ compiler.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")

import torch
from ray.rllib.core.learner.training_data import TrainingData
from torch import Tensor

from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from trainer.algorithms.make import make_algorithm_config
from trainer.algorithms.perceptrons import FEATURES, LEGAL
from trainer.config.reading import make_config
from trainer.networks.seat import ILLEGAL
from trainer.sampling.runner import SelfPlayRunner

GAMES = {"connect_four": "classic/connect_four_v3", "volley": "house/volley"}
ROUNDS = 9
CLIP, VALUE_LOSS, ENTROPY = 0.2, 0.5, 0.01


def measure(game: str) -> dict[str, Any]:
    training = {"batch": 2048, "minibatch": 256, "clip": CLIP, "value_loss": VALUE_LOSS, "entropy": ENTROPY}
    run = make_config({"game": game, "seed": 1, "resources": {"games": 64}, "training": training})
    spec = find_game(game)
    with make_vector_env(spec, 1) as env:
        config: Any = make_algorithm_config(run, spec, env)
    runner = SelfPlayRunner(config=config, worker_index=0)
    learner = config.build_learner(spaces=runner.get_spaces())
    data, passes = runner.sample(), {"num_epochs": 3, "minibatch_size": 256, "shuffle_batch_per_epoch": True}
    runner.stop()

    def update(step: Callable[..., Any]) -> float:
        learner.learn_directly = step
        began = time.perf_counter()
        learner.update(training_data=TrainingData(episodes=data), timesteps={}, **passes)
        return time.perf_counter() - began

    steps = {"ours": learner.learn_directly, "compiled": compiled_step(learner.module["main"].unwrapped().network)}
    first = {name: update(step) for name, step in steps.items()}
    seconds: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(ROUNDS):
        for name, step in steps.items():
            seconds[name].append(update(step))
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    return {
        "ratio": round(medians["ours"] / medians["compiled"], 2), "compile_seconds": round(first["compiled"], 1),
        **{f"{name}_ms": round(1000 * median, 1) for name, median in medians.items()},
    }  # fmt: skip


def compiled_step(network: Any) -> Callable[[str, dict[str, Tensor]], Tensor]:
    """A replacement of `learn_directly`."""
    loss_of = torch.compile(lambda batch: loss(network, batch))

    def step(module_id: str, batch: dict[str, Tensor]) -> Tensor:
        for param in network.parameters():
            param.grad = None
        found: Tensor = loss_of(batch)
        found.backward()  # type: ignore[no-untyped-call]
        return found.detach()

    return step


def loss(network: Any, batch: dict[str, Tensor]) -> Tensor:
    """PPO's loss of a minibatch."""
    logits, values = network.pi(batch[FEATURES]), network.vf(batch[FEATURES]).squeeze(-1)
    if LEGAL in batch:
        logits = logits.masked_fill(~batch[LEGAL], ILLEGAL)
    logps = torch.log_softmax(logits, -1)
    logp = logps.gather(-1, batch["actions"].unsqueeze(-1)).squeeze(-1)
    ratio, advantages = (logp - batch["action_logp"]).exp(), batch["advantages"]
    surrogate = torch.min(advantages * ratio, advantages * ratio.clamp(1 - CLIP, 1 + CLIP))
    entropy = -(logps.exp() * logps).sum(-1)
    squares = (values - batch["value_targets"]).square()
    return (VALUE_LOSS * squares - surrogate - ENTROPY * entropy).mean()


def main() -> None:
    print(json.dumps({name: measure(GAMES[name]) for name in sys.argv[1:] or GAMES}))


if __name__ == "__main__":
    main()
