"""Presets: settings that suit a game, where a run does not set them; `arcade train GAME` alone is the game's preset.

Figures are of ``python -m tests.benchmarks.presets``: after a minute of one slow core, win rates against the easy AI,
or the mean return in cooperative games.  Small batches, scaled values, normalised observations, layers of 256 and a
rate of 2e-3 were tried in volley, Leduc, limit and no-limit hold'em, simple_spread, simple_reference, simple_tag and
simple_adversary too, and none was better for sure than the defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arcade.games.spec import GameSpec

Preset = Mapping[str, Mapping[str, Any]]
"""Section to settings; those of `training` are PPO's."""

NO_PRESET: Preset = {}

SMALL_BATCHES: Preset = {
    # Connect four: 0.47; variants: 0.16 with batches of 16,384 and minibatches of 2,048, 0.04 with residual blocks,
    # 0.25 with layers of 128.  Tic-tac-toe: 0.59, 0.48 with batches of 16,384.  Pursuit: -30.6, -41.7 with batches
    # of 16,384.
    "training": {"batch": 4096, "minibatch": 512},
}

SCALED: Preset = {
    # Multiwalker: -31 and -4 with two seeds, -80 and -89 without scaling; a fall costs 100 points.
    "training": {"scale_values": True},
}

ATARI: Preset = {
    # Mnih et al. 2015 (Nature 518, 529): four frames an action, the newest four seen; Schulman et al. 2017, table 5.
    "wrappers": {"frame_skip": 4, "stack": 4},
    "training": {"lr": 2.5e-4, "clip": 0.1, "gamma": 0.99},
}

PICTURES: Preset = {"wrappers": {"stack": 4}}
"""One picture shows no speed (Mnih et al. 2015)."""

GAMES: Mapping[str, Preset] = {
    "classic/connect_four_v3": SMALL_BATCHES,
    "classic/tictactoe_v3": SMALL_BATCHES,
    "sisl/multiwalker_v9": SCALED,
    "sisl/pursuit_v5": SMALL_BATCHES,
    "butterfly/cooperative_pong_v6": PICTURES,
    "butterfly/pistonball_v6": PICTURES,
}

FAMILIES: Mapping[str, Preset] = {"atari": ATARI}


def preset_of(spec: GameSpec, algorithm: str) -> Preset:
    """The preset of a game, of its family where it has none of its own; without `training` for all but PPO."""
    found = GAMES.get(spec.id, FAMILIES.get(spec.family, NO_PRESET))
    return {section: own for section, own in found.items() if section != "training" or algorithm == "PPO"}
