"""Terms: what the machines of a match have agreed on; checks of a game, and of what a machine computes."""

from __future__ import annotations

import uuid
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agents.errors import UserError
from agents.policies.random import RandomController
from agents.seats.controller import AgentID, Turn
from arcade.games.spec import GameSpec
from arcade.match.play.result import versions
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import tick_digest

PROBE_TICKS = 16

OF_ONE_MACHINE = ("auto_rom_install_path",)
"""Parameters of games that say where something is on a machine."""


class SessionError(UserError):
    """A match over the network that cannot begin or continue."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """A match as the host offers it."""

    match: str  # its id, by which a ladder counts it once
    game: str
    kwargs: Mapping[str, Any]
    seed: int
    rate: float  # ticks a second; 0: as fast as inputs come
    max_ticks: int = 0  # 0: until the game ends
    grace: float = 60.0  # seconds within which an absent machine may come back


def shared_kwargs(spec: GameSpec) -> dict[str, Any]:
    """The parameters of a game that are the same at all machines."""
    return {name: value for name, value in spec.kwargs.items() if name not in OF_ONE_MACHINE}


def check_game(spec: GameSpec) -> None:
    """Raise SessionError for a game that several machines cannot play together."""
    if spec.secret:
        raise SessionError(
            f"expected a game without secrets, got {spec.id}: each machine runs the whole game, so it would know the "
            "cards of all seats; play it at one machine, or choose another game"
        )
    if not spec.exact:
        raise SessionError(
            f"expected a game that repeats exactly from a seed and actions, got {spec.id}: the machines would drift "
            "apart; choose another game"
        )
    if spec.seats < 2:
        raise SessionError(f"expected a game for two or more, got {spec.id} for one")


def probe(stage: Stage, seed: int) -> list[int]:
    """The digests of the first ticks of an episode with fixed random actions; the stage is to be reset after it."""
    players = {agent: RandomController() for agent in stage.agents}
    for agent, player in players.items():
        player.reset(stage.seat(agent), seed=zlib.crc32(f"{seed} {agent}".encode()))
    stage.reset(seed)
    digests = [tick_digest(tick := stage.wait())]
    while not tick.over and tick.index < PROBE_TICKS:
        stage.step({agent: _choose(players[agent], tick, agent) for agent in tick.acting})
        digests.append(tick_digest(tick := stage.wait()))
    return digests


def _choose(player: RandomController, tick: Any, agent: AgentID) -> Any:
    player.observe(Turn(agent, tick.index, tick.observations.get(agent), tick.action_masks.get(agent)))
    return player.act()


def other_versions(theirs: Mapping[str, str], where: str) -> str:
    """The packages whose versions differ from ours, in words; "" without any."""
    ours = versions()
    others = [name for name, version in ours.items() if theirs.get(name, "") != version]
    return ", ".join(f"{name} {ours[name] or 'missing'} ({where} {theirs.get(name) or 'missing'})" for name in others)


def new_match_id() -> str:
    """An id that no other match has."""
    return uuid.uuid4().hex
