"""RLlib algorithms over our runner: one file each, and what they share.

Each file has ``make_config(run)``, the algorithm's own RLlib settings, ``MODULE``, the RLModule of a policy, and
``make_connector()``, which turns what runners return into the learner's batch.
"""

from __future__ import annotations

from dataclasses import dataclass

from trainer.config.algorithms import AlgorithmName


@dataclass(frozen=True, slots=True)
class Kind:
    """What an algorithm can do beside its spaces (those are in trainer.networks.spaces), known without importing it."""

    module: str  # where it is
    central: bool = False  # can learn with one critic for all
    recurrent: bool = False  # can train recurrent networks
    encoder: bool = True  # can share the first layers between policies


KINDS: dict[AlgorithmName, Kind] = {
    "PPO": Kind("trainer.algorithms.ppo", central=True, recurrent=True),
    "A2C": Kind("trainer.algorithms.a2c", central=True, recurrent=True),
    "APPO": Kind("trainer.algorithms.appo"),
    "IMPALA": Kind("trainer.algorithms.impala"),
    "DQN": Kind("trainer.algorithms.dqn", encoder=False),
    "SAC": Kind("trainer.algorithms.sac", encoder=False),
}
