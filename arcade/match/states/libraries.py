"""Keepers of what libraries hold in memory of their own, and of games that save themselves."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np

from arcade.match.states.box2d import keep_world
from arcade.match.states.chipmunk import keep_body, keep_space, keep_wrapper
from arcade.match.states.emulators import keep_emulator
from arcade.match.states.keepers import KEEPERS, SHARED, Kept, keep_dict, keep_nothing


def keep_surface(one: Any) -> Kept:
    """The pixels of a picture."""
    pixels, size = SHARED.of(one, np.frombuffer(one.get_buffer(), np.uint8))
    return Kept(lambda: np.copyto(np.frombuffer(one.get_buffer(), np.uint8), pixels), (), size)


def keep_numbers(one: Any) -> Kept:
    """Rectangles and vectors."""
    return Kept(partial(one.update, tuple(one)))


def keep_open_spiel(env: Any) -> Kept:
    """An env around an OpenSpiel state, which cannot be brought back in place: it gets a copy of the copy."""
    kept = keep_dict(env.__dict__)
    state = env.game_state.clone()

    def restore() -> None:
        assert kept.restore is not None
        kept.restore()
        env.game_state = state.clone()

    return Kept(restore, [part for part in kept.parts if part is not env.game_state], kept.size + 4096)


def keep_own_state(env: Any) -> Kept:
    """An env that saves itself by `get_state` and `set_state`; what these hand over is copied."""
    state = deepcopy(env.get_state())
    return Kept(lambda: env.set_state(deepcopy(state)), (), 4096)


KEEPERS |= {
    "pygame.surface.Surface": keep_surface,
    "pygame.rect.Rect": keep_numbers,
    "pygame.rect.FRect": keep_numbers,
    "pygame.math.Vector2": keep_numbers,
    "pygame.math.Vector3": keep_numbers,
    "multi_agent_ale_py.ale_python_interface.ALEInterface": keep_emulator,
    "Box2D.Box2D.b2World": keep_world,
    "pymunk.space.Space": keep_space,
    "pymunk.body.Body": keep_body,
    "pymunk.shapes.Shape": keep_wrapper,
    "shimmy.openspiel_compatibility.OpenSpielCompatibilityV0": keep_open_spiel,
} | dict.fromkeys(
    (
        "pygame.time.Clock", "pygame.font.Font", "pygame.freetype.Font", "pygame.mixer.Sound", "pygame.color.Color",
        "pygame.mask.Mask", "chess.Move", "chess._BoardState", "chess.Piece", "pyspiel.Game", "pyspiel.GameType",
        "builtins.SwigPyObject",
        "pettingzoo.classic.go.go_base.Position",  # each move makes a new one
    ),
    keep_nothing,
)  # fmt: skip


LEFT_OUT: dict[str, frozenset[str]] = {
    name: frozenset(attributes.split())
    for name, attributes in {
        "arcade.games.house.volley_picture.VolleyPicture": "_canvas _background _bodies _ball _shadows _puffs",
        "mpe2._mpe_utils.simple_env.SimpleEnv": "screen",
        "pettingzoo.butterfly.knights_archers_zombies.knights_archers_zombies.raw_env": "screen background",
        "pettingzoo.butterfly.pistonball.pistonball.raw_env": "background piston_sprite piston_body_sprite",
        "pettingzoo.sisl.multiwalker.multiwalker_base.MultiWalkerEnv": "screen surf terrain terrain_poly cloud_poly",
        "pettingzoo.sisl.pursuit.pursuit_base.Pursuit": "screen",
        "pettingzoo.sisl.pursuit.utils.discrete_agent.DiscreteAgent": "eactions motion_range",
    }.items()
}
"""Attributes by the class that has them: what they refer to is drawn anew before it is looked at, or stays the same for
a whole episode, so neither is saved."""
