"""Whole matches between two arcades, for each of many games; `netplay --games` prints what came of them.

They last ten minutes at the game's own rate, or less where the game ends before, and are played as fast as the machine
can.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from arcade.games import find_game
from tests.support.online import Arcade, check_alike

MINUTES = 10
SPEED = 50
"""Times the game's own rate: more than any machine can."""

ROLLING = ("house/volley", "atari/pong")
"""Games that are corrected as they go; the others wait for the inputs."""

GAMES = (
    *ROLLING, "atari/quadrapong", "atari/boxing", "atari/tennis", "atari/ice_hockey", "atari/surround",
    "atari/warlords", "atari/joust", "atari/combat_tank", "atari/space_invaders", "atari/double_dunk",
    "atari/flag_capture", "atari/foozpong", "atari/volleyball_pong", "atari/wizard_of_wor", "atari/maze_craze",
    "butterfly/knights_archers_zombies", "sisl/multiwalker", "butterfly/cooperative_pong",
)  # fmt: skip


def play_whole(game: str, *, minutes: float = MINUTES) -> dict[str, Any]:
    """Play one match; how long it was, why it ended, and whether both machines have equal digests."""
    spec = find_game(game)
    ticks, began = round(minutes * 60 * spec.fps), time.monotonic()
    half = len(spec.agents) // 2
    way = "--rollback" if game in ROLLING else "--no-rollback"
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        homes = [home / name for name in ("host", "guest")]
        for one in homes:
            one.mkdir()
        seats = [f"--seat={agent}=random" for agent in spec.agents]
        host = stack.enter_context(Arcade(
            homes[0], "host", game, "--address", "127.0.0.1", "--seed", 7, "--max-ticks", ticks, "--speed", SPEED,
            *seats[:half], way,
        ))  # fmt: skip
        guest = stack.enter_context(Arcade(homes[1], "join", host.code, *seats[half:], way))
        host.patience = guest.patience = 3600.0
        outcomes = [host.end(), guest.end()]
        digests = check_alike(host, guest)
    return {
        "ticks": len(digests) - 1, "minutes": round((len(digests) - 1) / spec.fps / 60, 1),
        "ended": outcomes[0]["result"]["ended"], "agreed": all(one["agreed"] for one in outcomes), "alike": True,
        "differences": sum(len(one["differences"]) for one in outcomes),
        "rollbacks": sum(one["network"]["rollbacks"] for one in outcomes), "took": round(time.monotonic() - began),
    }  # fmt: skip


def play_all(games: tuple[str, ...] = GAMES) -> dict[str, Any]:
    """Play them one after the other; a match that fails is named, and the others are played."""
    found: dict[str, Any] = {}
    for game in games:
        try:
            found[game] = play_whole(game)
        except (AssertionError, pytest.fail.Exception, subprocess.TimeoutExpired, OSError, ValueError) as error:
            found[game] = {"alike": False, "error": f"{type(error).__name__}: {error}"[:400]}
        print(game, found[game], flush=True)
    return found
