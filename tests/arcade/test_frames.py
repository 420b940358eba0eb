"""Views of the ladder as pandas frames."""

from __future__ import annotations

from pathlib import Path

import pytest

import arcade
from agents.errors import UserError

pytest.importorskip("pandas")


def test_each_view_is_a_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    arcade.tournament("house/volley", ["scripted", "random"], games=2, seed=1, workers=1)
    ratings = arcade.ladder_frame("house/volley").set_index("name")
    assert ratings.loc["scripted", "wins"] == 4
    assert ratings["elo"].dtype.kind == "f"
    matrix = arcade.ladder_frame("house/volley", "matrix")
    assert len(matrix) == 2
    with pytest.raises(UserError, match="expected --view ratings"):
        arcade.ladder_frame("house/volley", "nothing")
