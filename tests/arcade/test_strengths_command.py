"""``arcade strengths``: the shipped figures of the levels."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from agents.seats.controller import LEVELS
from arcade.commands.cli import app
from arcade.games import find_game
from arcade.games.strengths import measured


def test_the_shipped_figures_are_of_games_with_these_levels() -> None:
    found = measured()
    assert found
    for game, row in found.items():
        assert find_game(game).id == game
        assert [one.level for one in row.at("expert")] == ["expert"] * len(row.at("easy"))
        assert {one.level for one in row.levels} == set(LEVELS)
        for one in row.levels:
            assert one.versus_below.low <= one.versus_below.value <= one.versus_below.high


def test_the_command_prints_one_game() -> None:
    done = CliRunner().invoke(app, ["strengths", "simple_crypto"])
    assert done.exit_code == 0
    assert "easy, eve" in done.output
    assert "expert, bob" in done.output
    data = json.loads(CliRunner().invoke(app, ["strengths", "simple_crypto", "--json"]).output)
    assert data["mpe/simple_crypto_v3"]["measure"] == "return gained"
    every = json.loads(CliRunner().invoke(app, ["strengths", "--json"]).output)
    matches = [one["versus_below"]["matches"] for row in every.values() for one in row["levels"]]
    assert None in matches, "an older measurement has not kept it"
    assert all(count is None or count > 0 for count in matches)


def test_a_game_without_figures_says_how_to_get_them() -> None:
    done = CliRunner().invoke(app, ["strengths", "openspiel/breakthrough"])
    assert "python -m tests.benchmarks.strengths openspiel/breakthrough" in done.output
