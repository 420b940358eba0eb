"""The reasons why a mark is missed or levels are not ordered."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from arcade.commands.cli import app
from arcade.games import find_game
from arcade.games.strengths import measured, reasons
from arcade.games.strengths.marks import is_reached
from arcade.games.strengths.reasons import REASONS, Reason, reasons_for

RPS = "classic/rps_v2"


def test_the_command_says_why_random_choices_are_not_beaten() -> None:
    [text] = reasons_for(RPS, measured()[RPS])
    assert "no player can win more than half" in text
    assert text in CliRunner().invoke(app, ["strengths", RPS]).output
    data = json.loads(CliRunner().invoke(app, ["strengths", RPS, "--json"]).output)
    assert data[RPS]["reasons"] == [text]


def test_only_what_is_lacking_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    game = "classic/tictactoe_v3"
    monkeypatch.setattr(reasons, "REASONS", {game: Reason(mark="It cannot.", order="They are one.")})
    found = measured()[game]
    assert reasons_for(game, found) == []
    assert reasons_for(game, replace(found, levels_ordered=False)) == ["They are one."]


def test_no_reason_is_kept_for_what_was_reached_since() -> None:
    for game, reason in REASONS.items():
        assert find_game(game).id == game
        assert not (reason.mark and is_reached(game, measured()[game]))
        assert not (reason.order and measured()[game].levels_ordered)
