"""Figures of Butterfly, from the rectangles that the games draw."""

from __future__ import annotations

from typing import Any

from arcade.games.figures import Places, share


def locate_fighters(env: Any) -> Places:
    """Return the box around each knight and archer that is alive."""
    raw = env.unwrapped
    size = raw.screen.get_size()
    return {agent: share(*one.rect, of=size) for agent, one in raw.agent_map.items() if one.is_alive}


def locate_pistons(env: Any) -> Places:
    """Return the head and the visible part of each piston."""
    raw = env.unwrapped
    size, radius, foot = (raw.screen_width, raw.screen_height), raw.piston_radius, raw.screen_height - raw.wall_width
    places = {}
    for agent, piston in zip(raw.possible_agents, raw.pistonList, strict=True):
        left, top = piston.position[0] - radius, piston.position[1] - radius
        places[agent] = share(left, top, raw.piston_width, foot - top, of=size)
    return places


def locate_paddles(env: Any) -> Places:
    """Return the box around each paddle."""
    raw = env.unwrapped
    game = raw.env
    size = game.s_width, game.s_height
    boxes = (paddle.rects[0].unionall(paddle.rects[1:]) for paddle in (game.p0, game.p1))
    return {agent: share(*box, of=size) for agent, box in zip(raw.possible_agents, boxes, strict=True)}
