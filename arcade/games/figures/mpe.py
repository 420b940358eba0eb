"""Figures of MPE: circles, placed as ``SimpleEnv.draw`` of mpe2 computes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from arcade.games.figures import Places, share

_ZOOM = 0.9
"""Share of the half picture that the farthest entity is away from the middle."""

_PIXELS = 350
"""Pixels of the radius of a circle of size 1, at the camera range of the episode's start."""


def locate(env: Any) -> Places:
    """Return the box around each agent's circle."""
    raw = env.unwrapped
    world, picture = raw.world, (raw.width, raw.height)
    range_ = float(np.abs([entity.state.p_pos for entity in world.entities]).max())
    zoom = _ZOOM * raw.original_cam_range / range_ if raw.dynamic_rescaling else 1.0
    places = {}
    for agent in world.agents:
        x, y = agent.state.p_pos / range_ * _ZOOM
        radius = agent.size * _PIXELS * zoom
        column, row = (1 + x) * picture[0] / 2, (1 - y) * picture[1] / 2
        places[agent.name] = share(column - radius, row - radius, 2 * radius, 2 * radius, of=picture)
    return places
