"""Matches of board games that begin with given moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import arcade
from agents.ladder.ladder import open_ladder
from arcade.commands.cli import app
from arcade.games import find_game
from arcade.match.play.opening_files import OpeningError, read_openings

CHESS, GO, FOUR = "classic/chess_v6", "classic/go_v5", "classic/connect_four_v3"
PGN = '[Event "?"]\n\n1. e4 e5 2. Nf3 *\n\n[Event "?"]\n\n1. d4 d5 *\n'


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_same_opening_reads_the_same_from_every_form(tmp_path: Path) -> None:
    chess, go = find_game(CHESS), find_game(GO)
    games = read_openings(write(tmp_path, "a.pgn", PGN), chess)
    assert [len(one.actions) for one in games] == [3, 2]
    lines = read_openings(write(tmp_path, "a.txt", "# two\ne2e4 e7e5 g1f3\nd4 d5\nd4 d5\n"), chess)
    assert lines == games
    assert read_openings(write(tmp_path, "b.txt", games[0].text), chess) == games[:1]
    tree = read_openings(write(tmp_path, "a.sgf", "(;GM[1]SZ[19];B[dd];W[pp](;B[])(;B[aa]))"), go)
    assert tree == read_openings(write(tmp_path, "c.txt", "D16 Q4 pass"), go)
    assert tree[0].text == "60 300 361"


def board_after(folder: Path, text: str) -> tuple[str, str]:
    """The rows with stones of Black and White on a board of nine lines, and who is to move."""
    (opening,) = read_openings(write(folder, "a.sgf", text), find_game("classic/go_9x9_v5"))
    env = arcade.make("classic/go_9x9_v5")
    env.reset(seed=1)
    for action in opening.actions:
        env.step(action)
    mover, board = env.agent_selection, env.unwrapped._go.board  # observations are of another side's last turn
    env.close()
    rows = ["".join("X" if stone > 0 else "O" if stone < 0 else "." for stone in row) for row in board]
    return " ".join(row for row in rows if set(row) != {"."}), mover


@pytest.mark.parametrize(
    ("text", "rows", "to_move"),
    [
        ("(;SZ[9]AB[cc][gg])", "..X...... ......X..", "white_0"),  # a handicap
        ("(;SZ[9]C[a (b\\] c]AB[cc]AW[gg])", "..X...... ......O..", "black_0"),
        ("(;SZ[9]AW[aa:bb]AB[da:db][ad:bd]PL[W])", "OO.X..... OO.X..... XX.......", "white_0"),
        ("(;SZ[9]AB[aa];B[bb];B[cc])", "X........ .X....... ..X......", "white_0"),
    ],
)
def test_the_stones_that_a_file_sets_up_are_on_the_board(tmp_path: Path, text: str, rows: str, to_move: str) -> None:
    assert board_after(tmp_path, text) == (rows, to_move)


@pytest.mark.parametrize(
    ("name", "text", "game", "reason"),
    [
        ("a.pgn", PGN, FOUR, "openings of classic/connect_four_v3"),
        ("a.txt", "e4 e4", CHESS, "e4 e4"),
        ("a.txt", "# nothing\n", CHESS, "got none"),
        ("a.txt", "1 2", "house/volley", "no board game"),
        ("a.sgf", "(;B[zz])", GO, "19 by 19"),
        ("a.sgf", "(;B[aa];AB[bb])", GO, "before the first move"),
        ("a.sgf", "(;AB[a1])", GO, "stones at points such as dd"),
        ("a.sgf", "(;AB[aa:c])", GO, "stones at points such as dd"),
        ("a.sgf", "(;B[a])", GO, "points of a board"),
    ],
)
def test_files_without_openings_of_the_game_are_refused(
    tmp_path: Path, name: str, text: str, game: str, reason: str
) -> None:
    with pytest.raises(OpeningError, match=reason):
        read_openings(write(tmp_path, name, text), find_game(game))


def test_an_evaluation_plays_each_opening_on_both_sides(tmp_path: Path) -> None:
    path = write(tmp_path, "four.txt", "3 3 3 3\n0 6\n")
    seats = {"player_0": "scripted", "player_1": "random"}
    data = arcade.evaluate(FOUR, seats, episodes=8, seed=1, workers=1, openings=path, ladder=True)
    assert [match["opening"] for match in data["matches"]] == ["3 3 3 3", "3 3 3 3", "0 6", "0 6"] * 2
    assert f"--openings {path}" in data["command"]
    with open_ladder(reading=True) as ladder:
        assert {row["settings"]["opening"] for row in ladder.results(FOUR)} == {"3 3 3 3", "0 6"}


def test_a_tournament_has_its_openings_in_the_plan_and_the_moves_are_played(tmp_path: Path) -> None:
    path = write(tmp_path, "four.txt", "3 3 3 3 3 3\n")
    words = ["ladder", "run", FOUR, "--entrant", "scripted", "random", "--openings", str(path), "--games", "2"]
    done = CliRunner().invoke(app, [*words, "--workers", "1", "--id", "t", "--json"], catch_exceptions=False)
    assert json.loads(done.stdout)["failed"] == []
    plan = json.loads((tmp_path / "home" / "tournaments" / "t" / "plan.json").read_text())
    assert plan["openings"] == [{"actions": [3] * 6}]
    with open_ladder(reading=True) as ladder:
        rows = ladder.results(FOUR)
    assert len(rows) == 4
    assert all(row["ticks"] > 6 and row["settings"]["opening"] == "3 3 3 3 3 3" for row in rows)


def test_an_illegal_opening_fails_its_match_and_says_so(tmp_path: Path) -> None:
    path = write(tmp_path, "four.txt", "3 3 3 3 3 3 3\n")
    for seats in ({"*": "random"}, {"player_0": "scripted?noise=0.2", "player_1": "random"}):
        data = arcade.evaluate(FOUR, seats, episodes=1, seed=1, workers=1, openings=path)
        assert data["played"] == 0
        assert "expected a legal opening, got the action 3 as move 7" in data["failures"][0]["error"]
