"""An export makes the game of a match once, however many seats it has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import arcade
from arcade.recordings.export import driver
from arcade.recordings.query import DatasetQuery


def test_the_game_is_made_once_for_all_seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    arcade.play("house/volley_2v2", {"*": "random"}, seed=1, max_ticks=20, record=True)
    made: list[Any] = []
    stage = driver.LocalStage
    monkeypatch.setattr(driver, "LocalStage", lambda spec: made.append(spec) or stage(spec))
    recordings = arcade.recordings()
    written = driver.export_recordings(recordings, DatasetQuery(), to="npz", out=tmp_path / "out")
    assert len(written) == 4
    assert len(made) == 1
