"""Figures of SISL."""

from __future__ import annotations

from typing import Any

from arcade.games.figures import Places, share

_WALKER = 46, 54
"""Pixels of a walker, from its hull to its feet."""


def locate_pursuers(env: Any) -> Places:
    """Return the cell of each pursuer."""
    raw = env.unwrapped
    game = raw.env
    size = game.x_size, game.y_size
    cells = map(game.pursuer_layer.get_position, range(game.pursuer_layer.n_agents()))
    return {agent: share(x, y, 1, 1, of=size) for agent, (x, y) in zip(raw.possible_agents, cells, strict=False)}


def locate_walkers(env: Any) -> Places:
    """Return the box around each walker, as ``MultiWalkerEnv.render`` scales and scrolls it."""
    from pettingzoo.sisl.multiwalker import multiwalker_base as base

    raw = env.unwrapped
    game, picture = raw.env, (base.VIEWPORT_W, base.VIEWPORT_H)
    scale = base.SCALE / game.package_scale / 0.75
    places = {}
    for agent, walker in zip(raw.possible_agents, game.walkers, strict=False):
        if walker.hull is None:  # fallen
            continue
        x, y = walker.hull.position
        column, row = (x - game.scroll) * scale, picture[1] - y * scale
        places[agent] = share(column - _WALKER[0] / 2, row - _WALKER[1] / 5, *_WALKER, of=picture)
    return places
