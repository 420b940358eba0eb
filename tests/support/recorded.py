"""Matches recorded through the real path, in a blink: people whose fingers are chance, and machines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from agents.policies.random import RandomController
from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.local import LocalStage


class Fingers(RandomController):
    """A person at a keyboard; `agreed` to have the name in recordings or not."""

    kind = "keyboard"

    def __init__(self, name: str, *, agreed: bool = True) -> None:
        super().__init__()
        self.label, self.person = name, name if agreed else ""


def machine(label: str = "random") -> RandomController:
    player = RandomController()
    player.label, player.kind = label, "random"
    return player


def record(
    path: Path,
    seats: Mapping[str, RandomController] | None = None,
    *,
    game: str = "house/volley",
    seed: int = 3,
    ticks: int = 40,
    takeovers: Mapping[int, RandomController] = MappingProxyType({}),
) -> Path:
    """Play `ticks` of a game and write them to `path`.

    `takeovers`: who gets the first seat at which tick, a person for a while or the machine that has it back.
    """
    with LocalStage(find_game(game)) as stage:
        writer = ReplayWriter(path)
        mapping = {agent: (seats or {}).get(str(agent), machine()) for agent in stage.agents}
        match = Match(stage, mapping, seed=seed, rate=60.0, max_ticks=ticks, recorders=[writer], clock=lambda: 0.0)
        match.start()
        now, waiting = 0.0, dict(takeovers)
        while not match.over:
            match.advance(now)
            now += 1 / 60
            if match.tick and match.tick.index in waiting:
                player = waiting.pop(match.tick.index)
                match.replace(stage.agents[0], player, why="takeover" if player.is_human else "give back")
        writer.close()
    return path
