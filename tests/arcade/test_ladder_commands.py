"""``arcade ladder``: what a terminal, a spreadsheet and a program get."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agents.ladder.ladder import Ladder
from arcade.commands.cli import app

Arcade = Callable[..., Result]


@pytest.fixture
def arcade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Arcade:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        for i in range(8):
            _add(ladder, "house/volley", {"left_0": "volley-7", "right_0": "Ann [Lee]"}, seed=i)
            lineup = {"adversary_0": "ppo", "adversary_1": "ppo", "adversary_2": "ppo", "agent_0": "ppo"}
            _add(ladder, "mpe/simple_tag_v3", lineup)
        _add(ladder, "my_game:env", {"a": "one", "b": "two"})
    return lambda *words: CliRunner().invoke(app, words)


def _add(ladder: Ladder, game: str, lineup: dict[str, str], **more: object) -> None:
    *others, last = lineup
    result = {"game": game, "lineup": lineup, "teams": [others, [last]]}
    ladder.add(result | {"placements": {**dict.fromkeys(others, 1), last: 2}} | more)


def test_ratings_as_text_json_and_csv(arcade: Arcade) -> None:
    text = arcade("ladder", "show", "volley").stdout
    assert "Ann [Lee]" in text
    assert "8 matches" in text
    data = json.loads(arcade("ladder", "show", "volley", "--json").stdout)
    assert (data["game"], data["matches"], data["ratings"][0]["name"]) == ("house/volley", 8, "volley-7")
    assert data["ratings"][0]["batch_low"] < data["ratings"][0]["batch_elo"]
    assert data["first_seat"]["low"] < data["first_seat"]["high"]
    table = [*csv.DictReader(io.StringIO(arcade("ladder", "show", "volley", "--csv").stdout))]
    assert [float(line["mu"]) for line in table] == [rating["mu"] for rating in data["ratings"]]


def test_a_table_in_a_pipe_is_not_cut_off(arcade: Arcade, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    head, *rows = arcade("ladder", "show", "volley", "--view", "statistics").stdout.splitlines()
    assert len(rows) == 2, "one line for each player"
    assert len(head) > 80


def test_roles_of_the_catalogue_are_rated_apart(arcade: Arcade) -> None:
    data = json.loads(arcade("ladder", "show", "simple_tag", "--json").stdout)
    assert [(line["name"], line["wins"]) for line in data["ratings"]] == [("ppo [adversary]", 8), ("ppo [agent]", 0)]
    assert data["first_seat"] is None


def test_views_and_one_player_of_them(arcade: Arcade) -> None:
    assert "100%" in arcade("ladder", "show", "volley", "--view", "matrix").stdout
    one = ("--view", "matrix", "--player", "volley-7", "--json")
    (pair,) = json.loads(arcade("ladder", "show", "volley", *one).stdout)["matrix"]
    assert (pair["other"], pair["wins"], pair["rate"]) == ("Ann [Lee]", 8, 1.0)
    course = arcade("ladder", "show", "volley", "--view", "history", "--player", "Ann [Lee]", "--csv").stdout
    assert len(course.splitlines()) == 9
    head, *_, last = arcade("ladder", "show", "volley", "--view", "history").stdout.splitlines()
    assert "Rating" in head
    assert "Elo" not in head
    assert "OpenSkill" not in head
    assert last.endswith(", provisional"), "eight matches say little"
    assert "no cycles" in arcade("ladder", "show", "volley", "--view", "cycles").stdout
    for words, status, told in ((("--view", "cross-play"), 2, "cycles"), (("--player", "Bob"), 3, "Ann [Lee]")):
        refused = arcade("ladder", "show", "volley", *words)
        assert refused.exit_code == status
        assert told in refused.stderr
    assert arcade("ladder", "show", "volley", "--json", "--csv").exit_code == 2


def test_a_table_without_lines_still_names_its_columns(arcade: Arcade) -> None:
    for game, view, first in (("volley", "cycles", "first,second,third"), ("go_v5", "ratings", "place,name,label")):
        assert arcade("ladder", "show", game, "--view", view, "--csv").stdout.startswith(first)


def test_a_game_of_which_no_match_counts_says_how_many_there_are(arcade: Arcade, tmp_path: Path) -> None:
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        _add(ladder, "classic/chess_v6", {"player_0": "Ann", "player_1": "random"}, ended="quit")
    assert "1 left out (ended early" in arcade("ladder", "show", "chess_v6").stdout
    assert "left out" not in arcade("ladder", "show", "go_v5").stdout


def test_games_also_those_that_nobody_here_has_opened(arcade: Arcade) -> None:
    games = json.loads(arcade("ladder", "games", "--json").stdout)["games"]
    assert [(one["game"], one["results"]) for one in games] == [
        ("house/volley", 8), ("mpe/simple_tag_v3", 8), ("my_game:env", 1)
    ]  # fmt: skip
    assert "house/volley" in arcade("ladder", "games").stdout
    assert "two" in arcade("ladder", "show", "my_game:env").stdout


def test_recompute_tells_of_ratings_that_were_others(arcade: Arcade, tmp_path: Path) -> None:
    assert arcade("ladder", "recompute").stdout.count("the same ratings") == 3
    before = arcade("ladder", "show", "simple_tag", "--csv").stdout
    with sqlite3.connect(tmp_path / "ladder.sqlite") as connection:
        connection.execute("UPDATE moments SET elo = 3000 WHERE name = 'ppo [agent]' AND games = 8")
    assert arcade("ladder", "show", "simple_tag", "--csv").stdout != before
    (told,) = json.loads(arcade("ladder", "recompute", "simple_tag", "--json").stdout)["recomputed"]
    assert told == {"game": "mpe/simple_tag_v3", "results": 8, "changed": 1}
    assert arcade("ladder", "show", "simple_tag", "--csv").stdout == before


def test_results_are_exported_as_they_are(arcade: Arcade, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in arcade("ladder", "export", "--json").stdout.splitlines()]
    assert len(lines) == 17
    assert lines[0]["lineup"] == {"left_0": "volley-7", "right_0": "Ann [Lee]"}
    out = tmp_path / "out.csv"
    assert arcade("ladder", "export", "volley", "--out", str(out)).exit_code == 0
    rows = [*csv.DictReader(out.read_text(encoding="utf-8").splitlines())]
    assert [row["seed"] for row in rows] == [str(i) for i in range(8)]
    assert json.loads(rows[0]["placements"]) == {"left_0": 1, "right_0": 2}
    refused = arcade("ladder", "export", "--out", str(tmp_path / "no" / "x.csv"))
    assert refused.exit_code == 2
    assert "--out" in refused.stderr


def test_a_match_is_booked_with_what_changed_strength(arcade: Arcade, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SDL_VIDEODRIVER", "SDL_AUDIODRIVER", "PYGAME_HIDE_SUPPORT_PROMPT"):  # the command sets them too
        monkeypatch.setenv(name, "dummy")
    seats = ("--seat", "left_0=level:easy", "--seat", "right_0=scripted?reaction_ms=100")
    done = arcade("play", "house/volley", "--headless", "--ladder", *seats, "--speed", "50")
    assert done.exit_code == 0, done.output
    row = json.loads(arcade("ladder", "export", "volley", "--json").stdout.splitlines()[-1])
    assert row["settings"]["speed"] == 50
    assert row["settings"]["seats"]["right_0"]["limits"]["reaction_ms"] == 100
    ratings = json.loads(arcade("ladder", "show", "volley", "--json").stdout)["ratings"]
    kinds = {rating["label"]: rating["kind"] for rating in ratings}
    assert (kinds[row["lineup"]["left_0"]], kinds["scripted (100 ms)"]) == ("snapshot", "scripted")
