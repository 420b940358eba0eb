"""The catalogue's games in PettingZoo's registry, for ``pettingzoo.make``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import pettingzoo
from pettingzoo.utils.conversions import parallel_to_aec

from arcade.games import games
from arcade.games.catalogue import missing
from arcade.games.spec import GameSpec
from arcade.match.batch.make import with_kwargs

EnvType = Literal["aec", "parallel"]


def register_games() -> list[str]:
    """Register all games that can be played here and are not registered yet; return their ids."""
    added = dict[str, None]()
    for spec in games():
        if "/" not in spec.id or ":" in spec.id or missing(spec):
            continue
        forms: list[tuple[EnvType, Mapping[str, Any]]] = [("aec", pettingzoo.aec_registry)]
        if not spec.turn_based:
            forms.append(("parallel", pettingzoo.parallel_registry))
        for form, registry in forms:
            if pettingzoo.EnvSpec(spec.id).id not in registry:
                pettingzoo.register(form, spec.id, partial(make_registered, spec, form))
                added[spec.id] = None
    return list(added)


def make_registered(spec: GameSpec, form: EnvType, *, render_mode: str | None = None, **kwargs: Any) -> Any:
    """Make a game's env in one of PettingZoo's two forms."""
    env = with_kwargs(spec, kwargs).make(render_mode=render_mode)
    return parallel_to_aec(env) if form == "aec" and not hasattr(env, "agent_iter") else env
