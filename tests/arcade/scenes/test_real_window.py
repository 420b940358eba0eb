"""The arcade as a newcomer meets it: a real window on a real X server, keys from outside the process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import ReplayError
from tests.support.screen import MISSING, Screen

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")
DEADLINE = 300.0

PROGRAM = """
import json, sys
from pathlib import Path
from arcade.engine.window.engine import Engine
from arcade.scenes.app import run_window
from arcade.session.match.setup import WindowOptions

def shown(engine, now, *, frame=Engine.frame, seen=[""]):
    frame(engine, now)
    scene, focused = engine.scene, getattr(getattr(engine.scene, "focus", None), "focused", None)
    state = f"{type(scene).__name__} {getattr(scene, 'listens', True)} {getattr(focused, 'label', '')}"
    if state != seen[0]:
        seen[0] = state
        Path("state").write_text(state)

Engine.frame = shown

def told(result):
    heavy = [name for name in ("ray", "torch") if name in sys.modules]
    print(json.dumps({**result.as_json(), "heavy": heavy}), flush=True)

sys.exit(run_window("house/volley", opening=WindowOptions(seed=7, record=True), on_result=told))
"""


def until(condition: Callable[[], object], what: str) -> object:
    deadline = time.monotonic() + DEADLINE
    while not (found := condition()):
        assert time.monotonic() < deadline, f"expected {what} within {DEADLINE:g} s"
        time.sleep(0.05)
    return found


class Desk(Screen):
    """A screen with the arcade on it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.folder = folder
        root = str(Path(__file__).parents[3])
        environment = os.environ | self.environment | {"PYTHONPATH": root, "ARCADE_HOME": str(folder / "home")}
        environment["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"  # standard output carries the result alone
        (folder / "home").mkdir()
        self.arcade = subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, text=True, cwd=folder
        )

    @property
    def state(self) -> str:
        """The screen, whether it listens, and the label that has the focus."""
        path = self.folder / "state"
        return path.read_text() if path.exists() else ""

    def close(self) -> None:
        self.arcade.kill()
        self.arcade.wait(60)
        super().close()


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path)
    yield desk
    desk.close()


def recorded_actions(folder: Path) -> list[int]:
    """What left_0 did in the newest replay so far."""
    replays = sorted((folder / "home" / "replays").glob("*.replay"))
    try:
        return [actions["left_0"] for actions in read_replay(replays[-1]).actions] if replays else []
    except ReplayError:
        return []


def test_a_newcomer_presses_enter_moves_and_leaves(desk) -> None:
    window = until(desk.window, "a window")
    until(lambda: len(np.unique(desk.picture()[::8, ::8].reshape(-1, 4), axis=0)) > 50, "a picture that is not blank")
    desk.xdotool("windowfocus", window)
    desk.xdotool("key", "Return")
    until(lambda: recorded_actions(desk.folder), "a match")
    desk.xdotool("keydown", "d")
    until(lambda: 2 in recorded_actions(desk.folder)[-5:], "the seat to walk right")
    desk.xdotool("key", "space")
    until(lambda: {4, 5} & set(recorded_actions(desk.folder)), "a tap on Space to be a jump")
    desk.xdotool("keyup", "d")
    until(lambda: recorded_actions(desk.folder)[-1] == 0, "the seat to stand when the key is let go")
    moving = desk.picture().copy()
    until(lambda: (desk.picture() != moving).any(), "the picture to move")
    desk.xdotool("key", "Escape")
    until(lambda: desk.state.startswith("PauseScene True"), "a pause that listens")
    desk.xdotool("key", "Up")  # round the end to the last entry: leave the game
    until(lambda: desk.state.startswith("PauseScene True Leave"), "the focus on Leave")
    desk.xdotool("key", "Return")
    until(lambda: desk.state.startswith("ConfirmScene"), "a question")
    desk.xdotool("key", "Right", "Return")
    result = json.loads(desk.arcade.stdout.readline())
    assert result["game"] == "house/volley"
    assert result["ended"] == "quit"
    assert result["ticks"] > 0
    assert result["heavy"] == [], "the window never imports what trains"
    until(lambda: desk.state.startswith("TitleScene"), "the title")
    for _ in range(6):
        if desk.state.endswith(" Quit"):
            break
        before = desk.state
        desk.xdotool("key", "Down")
        until(lambda before=before: desk.state != before, "the focus to move")
    assert desk.state.endswith(" Quit")
    desk.xdotool("key", "Return")
    assert desk.arcade.wait(DEADLINE) == 0
    [replay] = (desk.folder / "home" / "replays").glob("*.replay")
    assert read_replay(replay).result["ticks"] == result["ticks"]
