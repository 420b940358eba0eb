"""The arcade as a newcomer meets it: a real window on a real X server, keys from outside the process."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import ReplayError
from tests.support.desk import Desk, until
from tests.support.screen import MISSING

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")


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


def _has_quit(desk: Desk) -> bool:
    """Press Quit until the arcade has ended; the press may only wake it from showing games by themselves."""
    if desk.state.endswith(" Quit"):
        desk.xdotool("key", "Return")
    return desk.arcade.poll() is not None


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
    desk.xdotool("key", "Up", "Right")  # round the end to the last row, and there to the last entry
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
        if desk.state.endswith(" Settings"):
            break
        before = desk.state
        desk.xdotool("key", "Down")
        until(lambda before=before: desk.state != before, "the focus to move")
    desk.xdotool("key", "Right")
    until(lambda: desk.state.endswith(" Quit"), "the focus on Quit, beside the last entry")
    until(lambda: _has_quit(desk), "the arcade to end")
    assert desk.arcade.returncode == 0
    [replay] = (desk.folder / "home" / "replays").glob("*.replay")
    assert read_replay(replay).result["ticks"] == result["ticks"]
