"""A received ladder, whose names would rewrite the terminal of their reader."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.views import VIEWS
from arcade.commands.cli import app

ORDER = "\x1b[2J\x1b]0;owned\x07\u202e\r"


@pytest.fixture
def arcade(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        for seed in range(4):
            for game in ("house/volley", f"evil/{ORDER}"):
                lineup = {"left_0": f"Eve{ORDER}", "right_0": f"Bob{ORDER}"}
                ladder.add({
                    "game": game, "lineup": lineup, "teams": [["left_0"], ["right_0"]], "seed": seed,
                    "placements": {"left_0": 1, "right_0": 2}, "ended": "finished", "ticks": 5,
                })  # fmt: skip
    return lambda *words: CliRunner().invoke(app, words)


@pytest.mark.parametrize(
    "words",
    [
        ("games",), ("recompute", "volley"), ("recompute",), ("show", f"evil/{ORDER}"),
        ("show", "volley", "--player", f"Eve{ORDER}"),
        *(("show", "volley", "--view", view.name.replace("_", "-")) for view in VIEWS),
    ],
)  # fmt: skip
def test_no_name_of_a_ladder_reaches_the_terminal_as_an_order(arcade, words):
    result = arcade("ladder", *words)
    assert result.output.strip()
    assert not [letter for letter in result.output if not letter.isprintable() and letter != "\n"]
