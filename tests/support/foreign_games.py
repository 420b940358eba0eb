"""A recording as it comes from somebody else, of a game whose code leaves a mark wherever it is imported."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from arcade.commands.cli import app
from arcade.games.third_party import installed

MODULE = "game_of_a_stranger"
GAME = f"{MODULE}:duel"
CODE = """
from pathlib import Path
from gymnasium.spaces import Box, Discrete
from pettingzoo import ParallelEnv
import numpy as np

Path("MARK").write_text("code of a stranger ran")


class Duel(ParallelEnv):
    metadata = {"name": "duel_v0", "render_fps": 24, "render_modes": ["rgb_array"]}
    possible_agents = ["ann", "bob"]

    def __init__(self, render_mode=None):
        self.render_mode = render_mode

    def observation_space(self, agent):
        return Box(0, 99, (1,), np.float32)

    def action_space(self, agent):
        return Discrete(2)

    def reset(self, seed=None, options=None):
        self.agents, self.now = self.possible_agents[:], 0
        return self._see(), {a: {} for a in self.agents}

    def step(self, actions):
        live, self.now = self.agents, self.now + 1
        over = self.now == 30
        self.agents = [] if over else live
        paid, ended, cut = (dict.fromkeys(live, value) for value in (1.0, over, False))
        return self._see(), paid, ended, cut, {a: {} for a in live}

    def _see(self):
        return {a: np.full(1, self.now, np.float32) for a in self.possible_agents}

    def render(self):
        return np.full((64, 96, 3), self.now, np.uint8)


def duel(render_mode=None):
    return Duel(render_mode)
"""


class Received:
    """The desk of somebody who got the file, with the module in reach: only a mark tells whether it was imported."""

    def __init__(self, desk: Path, recording: Path) -> None:
        self.mark, self.recording = desk / "MARK", recording

    def run(self, *words: str) -> Result:
        """`arcade WORDS`, in a process that knows nothing of what others opened."""
        forget()
        return CliRunner().invoke(app, list(words))

    def refuses(self, words: str) -> bool:
        """Whether `words` say what the file asks for and how to allow it, and nothing of it was imported."""
        assert GAME in words, words
        assert f"arcade play {GAME}" in words, words
        return not self.mark.exists() and MODULE not in sys.modules


def forget() -> None:
    sys.modules.pop(MODULE, None)
    installed.probe_game.cache_clear()


def receive(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Received:
    """Recorded by the stranger at home; then put into the recordings of somebody who never saw the game."""
    (desk / f"{MODULE}.py").write_text(CODE)
    monkeypatch.chdir(desk)
    monkeypatch.setattr(sys, "path", sys.path[:])  # the folder that a game was found in is added to it
    monkeypatch.setenv("COLUMNS", "1000")
    monkeypatch.setenv("ARCADE_HOME", str(desk / "stranger"))
    forget()
    played = CliRunner().invoke(app, ["play", GAME, "--headless", "--record", "--seat", "*=random", "--seed", "3"])
    assert played.exit_code == 0, played.output
    (sent,) = (desk / "stranger" / "replays").glob("*.replay")
    (desk / "home" / "replays").mkdir(parents=True)
    recording = Path(shutil.copy(sent, desk / "home" / "replays" / "gift.replay"))
    monkeypatch.setenv("ARCADE_HOME", str(desk / "home"))
    (desk / "MARK").unlink()
    forget()
    return Received(desk, recording)
