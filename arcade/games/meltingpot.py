"""Substrates of Melting Pot by name, ``meltingpot/clean_up``: https://github.com/google-deepmind/meltingpot

They run through Shimmy, which PettingZoo recommends for them, and are not listed in the catalogue.
"""

from __future__ import annotations

from functools import cache

from arcade.games.libraries import Library
from arcade.games.spec import GameSpec

LIBRARY = Library(
    games="a substrate of Melting Pot", family="meltingpot/", module="meltingpot.substrate", pip="dm-meltingpot",
)  # fmt: skip
MOVES = ("nothing", "forward", "backward", "step left", "step right", "turn left", "turn right")
BEAMS = ("fire a", "fire b", "fire c")


@cache
def meltingpot_game(id: str) -> GameSpec:
    """Return the spec of ``meltingpot/NAME``; raises GameError for an unknown substrate, or where it is missing."""
    name, substrate = id.removeprefix(LIBRARY.family), LIBRARY.load()
    LIBRARY.check_name(name, substrate.SUBSTRATES)
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
        pip=LIBRARY.pip,
        action_names=(*MOVES, *BEAMS)[:count] if count <= len(MOVES) + len(BEAMS) else (),
    )
