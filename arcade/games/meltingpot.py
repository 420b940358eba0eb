"""Substrates of Melting Pot by name, ``meltingpot/clean_up``: https://github.com/google-deepmind/meltingpot

They run through Shimmy, which PettingZoo recommends for them, and are not listed in the catalogue.
"""

from __future__ import annotations

import difflib
from functools import cache
from typing import Any

from arcade.games.spec import GameError, GameSpec

FAMILY = "meltingpot/"
MOVES = ("nothing", "forward", "backward", "step left", "step right", "turn left", "turn right")
BEAMS = ("fire a", "fire b", "fire c")


@cache
def meltingpot_game(id: str) -> GameSpec:
    """Return the spec of ``meltingpot/NAME``; raises GameError for an unknown substrate, or where it is missing."""
    name = id.removeprefix(FAMILY)
    substrate = _library()
    if name not in substrate.SUBSTRATES:
        near = difflib.get_close_matches(name, substrate.SUBSTRATES, n=3)
        hint = f"; did you mean {' or '.join(FAMILY + one for one in near)}?" if near else ""
        raise GameError(f"expected a substrate of Melting Pot, got: {id[:80]}{hint}", code="not_found")
    config = substrate.get_config(name)
    agents = tuple(f"player_{number}" for number in range(len(config.default_player_roles)))
    count = len(config.action_set)
    return GameSpec(
        id=id,
        title=name.replace("__", ": ").replace("_", " ").capitalize(),
        entry="shimmy:MeltingPotCompatibilityV0",
        kwargs={"substrate_name": name},
        agents=agents,
        teams=tuple((agent,) for agent in agents),
        turn_based=False,
        fps=8,
        outcome="mixed",
        summary=f"{name}, a substrate of Melting Pot.",
        requires=("meltingpot", "shimmy"),
        pip="dm-meltingpot",
        action_names=(*MOVES, *BEAMS)[:count] if count <= len(MOVES) + len(BEAMS) else (),
    )


def _library() -> Any:
    try:
        from meltingpot import substrate
    except ImportError as error:
        raise GameError(
            f"expected Melting Pot, got: {error}; install it with: pip install dm-meltingpot", code="not_installed"
        ) from error
    return substrate
