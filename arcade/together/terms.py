"""Terms: what the machines of a match have agreed on; checks of a game, and of what a machine computes."""

from __future__ import annotations

import secrets
import uuid
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from agents.errors import UserError
from agents.policies.random import RandomController
from agents.seats.controller import AgentID, Turn
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.play.result import versions
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import tick_digest
from arcade.together.modes import INPUTS, Mode, mode_of

PROBE_TICKS = 16
NONCE_BYTES = 32

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
    mode: Mode = INPUTS
    trial: int | None = None  # seed of the first ticks that machines compare; None: that of the match
    nonce: bytes = b""  # of the host, in a mode with secrets; b"" elsewhere
    commitment: bytes = b""  # to the seed, which other machines learn at the end

    @property
    def trial_seed(self) -> int:
        """The seed that all machines know before the match."""
        return self.seed if self.trial is None else self.trial


def hosted_terms(
    spec: GameSpec, *, seed: int, rate: float, max_ticks: int = 0, grace: float = 60.0, by_views: bool = False
) -> Terms:  # fmt: skip
    """The terms of a new match, in the mode of its game; in one with secrets the host commits itself to the seed."""
    mode = mode_of(spec, by_views=by_views)
    nonce = secrets.token_bytes(NONCE_BYTES) if mode.is_secret else b""
    return Terms(
        match=new_match_id(), game=spec.id, kwargs=shared_kwargs(spec), seed=seed, rate=rate, max_ticks=max_ticks,
        grace=grace, mode=mode, trial=secrets.randbelow(2**31) if nonce else None, nonce=nonce,
        commitment=commitment(nonce, seed) if nonce else b"",
    )  # fmt: skip


def draw_seed(spec: GameSpec) -> int:
    """The seed of a match: of as many bits as the game makes use of, so that no guest finds a deal by trying all."""
    return secrets.randbits(63 if spec.long_seeds else 31)


def commitment(nonce: bytes, seed: int) -> bytes:
    """What a host says about its seed before the match: BLAKE2b of nonce and seed, 8 bytes, big-endian."""
    return blake2b(nonce + seed.to_bytes(8, "big"), digest_size=32).digest()


def shared_kwargs(spec: GameSpec) -> dict[str, Any]:
    """The parameters of a game that are the same at all machines."""
    return {name: value for name, value in spec.kwargs.items() if name not in OF_ONE_MACHINE}


def check_game(spec: GameSpec) -> None:
    """Raise SessionError for a game that several machines cannot play together."""
    if spec.seats < 2:
        raise SessionError(_("expected a game for two or more, got {game} for one").format(game=_(spec.title)))


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
