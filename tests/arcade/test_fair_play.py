"""Levels, limits and rules from the command line, in this process: what is asked for is played, told and kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agents.seats.controller import LEVELS
from arcade.commands.cli import app
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify


@pytest.fixture
def arcade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    for name in ("SDL_VIDEODRIVER", "SDL_AUDIODRIVER", "PYGAME_HIDE_SUPPORT_PROMPT"):  # the command sets them too
        monkeypatch.setenv(name, "dummy")
    return lambda *words: CliRunner().invoke(app, words)


def test_levels_limits_and_rules_are_in_the_result_and_the_replay_verifies(arcade: Callable[..., Result]) -> None:
    seats = ("--seat", "left_0=level:hard", "--seat", "right_0=scripted?reaction_ms=100&noise=0.3")
    rules = ("--sticky-actions", "0.25", "--frame-skip", "4", "--max-ticks", "120", "--seed", "3")
    done = arcade("play", "house/volley", "--headless", "--record", "--json", *seats, *rules)
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    result = data["matches"][0]
    assert result["lineup"] == {"left_0": "volley-6 (hard)", "right_0": "scripted (100 ms, noise 0.3)"}
    assert result["seats"]["left_0"]["level"] == "hard"
    assert len(result["seats"]["left_0"]["sha256"]) == 64
    assert result["seats"]["right_0"]["limits"] == {"reaction_ms": 100, "actions_per_second": 0, "noise": 0.3}
    assert result["settings"]["rules"] == {"sticky_actions": 0.25, "frame_skip": 4}
    assert not result["rated"]
    replay = read_replay(Path(data["replays"][0]))
    assert verify(replay).ok
    assert replay.sent


def test_limited_players_are_rated_under_a_name_of_their_own(arcade: Callable[..., Result]) -> None:
    words = ("play", "house/volley", "--headless", "--ladder", "--seat", "left_0=level:easy")
    assert arcade(*words, "--seat", "right_0=level:expert").exit_code == 0
    ratings = json.loads(arcade("ladder", "show", "house/volley", "--json").stdout)["ratings"]
    assert {rating["name"] for rating in ratings} == {"volley-4 (easy)", "volley-7"}


def test_an_evaluation_says_by_which_rules_and_how_to_repeat_it(arcade: Callable[..., Result]) -> None:
    words = ("--seat", "left_0=level:normal", "--seat", "right_0=random", "--episodes", "2", "--workers", "1")
    ticks = ("--max-ticks", "40", "--seed", "1", "--frame-skip", "2", "--sticky-actions", "0.1")
    done = arcade("evaluate", "house/volley", "--json", *words, *ticks)
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["rules"] == {"sticky_actions": 0.1, "frame_skip": 2}
    assert "--sticky-actions 0.1 --frame-skip 2" in data["command"]
    assert "snapshot:volley-5?reaction_ms=" in data["command"]
    assert all("volley-5 (normal)" in match["lineup"].values() for match in data["matches"])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("classic/tictactoe_v3", "--sticky-actions", "0.2"), "classic/tictactoe_v3, which waits for each move"),
        (("classic/tictactoe_v3", "--seat", "*=random?reaction_ms=9"), "expected noise alone in classic/tictactoe_v3"),
        (("house/volley", "--seat", "*=level:god"), "|".join(LEVELS)),
        (("house/volley", "--seat", "*=random?noise=7"), "expected 0 <= noise <= 1, got: 7"),
    ],
)
@pytest.mark.parametrize("how", [("play", "--headless"), ("evaluate", "--episodes", "1", "--workers", "1")])
def test_what_means_nothing_is_refused_in_a_line(
    arcade: Callable[..., Result], how: tuple[str, ...], words: tuple[str, ...], why: str
) -> None:
    done = arcade(*how, *words)
    assert done.exit_code in (2, 3)
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
