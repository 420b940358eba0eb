"""Figures of house/volley."""

from __future__ import annotations

from typing import Any

from arcade.games.figures import Places, share
from arcade.games.house import volley_rules as rules


def locate(env: Any) -> Places:
    """Return the box around each player."""
    from arcade.games.house import volley_scenery as scenery  # pygame, which the catalogue does not load

    batch = env.unwrapped.batch
    edge = 2 * rules.PLAYER_RADIUS * scenery.SCALE
    places = {}
    for agent, (x, y) in zip(batch.agents, batch.bodies[:2, :, 0].T.tolist(), strict=False):  # the ball comes last
        column, row = scenery.to_pixels(x, y)
        places[agent] = share(column - edge / 2, row - edge / 2, edge, edge, of=scenery.SIZE)
    return places
