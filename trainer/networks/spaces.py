"""Checks which observation and action spaces an algorithm supports; needs no torch."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from agents.errors import UserError
from trainer.config.algorithms import ALGORITHMS
from trainer.config.algorithms.algorithm import ALL_ACTIONS

OBSERVATIONS = ("Box", "Discrete", "MultiDiscrete", "MultiBinary")

SMALLEST_PICTURE = 16
"""The least rows and columns of a picture; a smaller array of bytes is a board."""


class SpaceError(UserError):
    """The algorithm does not support the spaces of the game; the message names those that do."""


def check_spaces(algorithm: str, observation_space: Any, action_space: Any) -> None:
    """Raise SpaceError unless `algorithm` can train and export a policy for these spaces."""
    if type(observation_space).__name__ not in OBSERVATIONS:
        raise SpaceError(f"expected observations that are {_either(OBSERVATIONS)}, got: {observation_space}")
    kind = type(action_space).__name__
    able = [name for name, known in ALGORITHMS.items() if kind in known.actions]
    if not able:
        raise SpaceError(f"expected actions that are {_either(ALL_ACTIONS)}, got: {action_space}")
    if algorithm not in able:
        wanted = _either(ALGORITHMS[algorithm].actions)
        raise SpaceError(f"expected {wanted} actions for {algorithm}, got: {action_space}; {_either(able)} can do them")
    if ALGORITHMS[algorithm].needs_bounds and isinstance(action_space, spaces.Box) and not action_space.is_bounded():
        able = [name for name in able if not ALGORITHMS[name].needs_bounds]
        raise SpaceError(
            f"expected a Box with bounds for {algorithm}, got: {action_space}; {_either(able)} can do without"
        )
    if isinstance(action_space, spaces.MultiDiscrete) and action_space.start.any():
        raise SpaceError(f"expected MultiDiscrete actions that start at 0, got: {action_space}")


def is_picture(space: Any) -> bool:
    """Whether it is an array of bytes, (rows, columns) or (rows, columns, at most 4 colours), larger than a board."""
    shape = tuple(getattr(space, "shape", None) or ())
    fits = len(shape) == 2 or (len(shape) == 3 and shape[2] <= 4)
    return isinstance(space, spaces.Box) and space.dtype == np.uint8 and fits and min(shape[:2]) >= SMALLEST_PICTURE


def _either(names: Any) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else str(last)
