"""Episodes out of thin air, for what only moves them about."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from arcade.recordings.datasets.episodes import SeatEpisode


def made_episode(number: int = 0, *, steps: int = 5, shape: tuple[int, ...] = (3,), **changes: Any) -> SeatEpisode:
    """`steps` decisions of ``ann``; all that is in it tells of its `number`."""
    observations = np.full((steps + 1, *shape), number, np.float32)
    rows: dict[str, Any] = {
        "recording": f"recording-{number}", "game": "test/game", "agent": "ann", "seed": number,
        "label": "bot", "person": "",
        "observations": observations, "action_masks": None,
        "actions": np.arange(steps) % 4, "sent": np.arange(steps) % 4,
        "rewards": np.full(steps, float(number)), "ticks": np.arange(steps), "times": np.zeros(steps),
        "human": np.zeros(steps, bool), "takeover": np.zeros(steps, bool), "labels": ("bot",) * steps,
        "terminated": True, "truncated": False,
    }  # fmt: skip
    return SeatEpisode(**{**rows, **changes})


def spaces_of(episode: SeatEpisode) -> tuple[Any, Any]:
    return spaces.Box(-1e9, 1e9, (3,), np.float32), spaces.Discrete(4)
