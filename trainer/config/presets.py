"""Presets: settings that suit a game, where a run does not set them; `arcade train GAME` alone is the game's preset.

Figures are of ``python -m tests.benchmarks.presets``: win rates against the easy AI after a minute of one slow core.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arcade.games.spec import GameSpec

Preset = Mapping[str, Mapping[str, Any]]
"""Section to settings; those of `training` are PPO's."""

NO_PRESET: Preset = {}

CONNECT_FOUR: Preset = {
    # 0.47; variants: 0.16 with batches of 16,384 and minibatches of 2,048, 0.04 with residual blocks, 0.25 with layers
    # of 128.
    "training": {"batch": 4096, "minibatch": 512},
}

ATARI: Preset = {
    # Mnih et al. 2015 (Nature 518, 529): four frames an action, the newest four seen; Schulman et al. 2017, table 5.
    "wrappers": {"frame_skip": 4, "stack": 4},
    "training": {"lr": 2.5e-4, "clip": 0.1, "gamma": 0.99},
}

PICTURES: Preset = {"wrappers": {"stack": 4}}
"""One picture shows no speed (Mnih et al. 2015)."""

GAMES: Mapping[str, Preset] = {
    "classic/connect_four_v3": CONNECT_FOUR,
    "butterfly/cooperative_pong_v6": PICTURES,
    "butterfly/pistonball_v6": PICTURES,
}

FAMILIES: Mapping[str, Preset] = {"atari": ATARI}


def preset_of(spec: GameSpec, algorithm: str) -> Preset:
    """The preset of a game, of its family where it has none of its own; without `training` for all but PPO."""
    found = GAMES.get(spec.id, FAMILIES.get(spec.family, NO_PRESET))
    return {section: own for section, own in found.items() if section != "training" or algorithm == "PPO"}
