"""An arcade without a window that records: ``python -m tests.benchmarks.chaos.recorder FOLDER PLAYED``.

Plays volley at its own rate on a hosted stage, one match after another, each recorded as NAME.replay in FOLDER.  PLAYED
gets NAME.played, eight bytes: the number of ticks played so far, which survives a kill; and NAME.trouble where the
recording reports that it is not complete.
"""

from __future__ import annotations

import mmap
import struct
import sys
from pathlib import Path
from typing import Any

from agents.platform.children import end_with_parent
from agents.policies.random import RandomController
from agents.seats.controller import Action, AgentID
from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.play.result import Recorder
from arcade.match.recording.replay_writer import ReplayWriter, new_replay_path
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.tick import Tick

GAME = "house/volley"
MAX_TICKS = 3600
PLAYED = struct.Struct("<q")


class Counter(Recorder):
    """Keeps the number of ticks played in a file that is mapped into memory, and the trouble of the recording."""

    def __init__(self, path: Path, writer: ReplayWriter) -> None:
        path.write_bytes(PLAYED.pack(0))
        self._writer, self._trouble = writer, path.with_suffix(".trouble")
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), PLAYED.size)

    def tick(self, tick: Tick, actions: dict[AgentID, Action], seconds: float) -> None:
        PLAYED.pack_into(self._map, 0, tick.index)
        if self._writer.trouble and not self._trouble.exists():
            self._trouble.write_text(self._writer.trouble)


def play(stage: HostedStage, folder: Path, played: Path, seed: int) -> Any:
    """One match; returns its result."""
    path = new_replay_path(folder, GAME)
    writer = ReplayWriter(path)
    seats = {agent: RandomController() for agent in stage.agents}
    recorders = [writer, Counter(played / f"{path.stem}.played", writer)]
    match = Match(stage, seats, seed=seed, rate=stage.spec.fps, max_ticks=MAX_TICKS, recorders=recorders)
    result = match.run()
    writer.close()
    return result


def main(folder: Path, played: Path) -> None:
    """Play for ever; a stage that has failed is replaced."""
    seed = 0
    while True:
        with HostedStage(find_game(GAME), render=False) as stage:
            stage.wait_ready()
            print("ready", flush=True)
            while not play(stage, folder, played, seed).error:
                seed += 1


if __name__ == "__main__":
    end_with_parent()
    main(Path(sys.argv[1]), Path(sys.argv[2]))
