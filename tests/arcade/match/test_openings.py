"""Matches of board games that begin with given moves."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from chess import F6, Move, Piece
from chess.pgn import read_game
from typer.testing import CliRunner

import arcade
from agents.engines.uci import action_of, read_board
from agents.ladder.ladder import open_ladder
from agents.seats.controller import MOVES, split_start
from arcade.commands.cli import app
from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.vector_env import Start
from arcade.match.play.opening_files import OpeningError, read_openings
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.match.search import StageGame
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import StageError
from arcade.tournaments.plan import read_plan

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
    assert plan["openings"] == [{"actions": [3] * 6, "start": ""}]
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


MATE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
KNIGHTS = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 3 3"
EPD = f'# two positions\n{MATE[:-4]} bm Rd8#; id "one";\n\n{KNIGHTS}\n'


def test_a_position_reads_the_same_from_every_form(tmp_path: Path) -> None:
    chess = find_game(CHESS)
    found = read_openings(write(tmp_path, "a.epd", EPD), chess)
    assert [one.text for one in found] == [MATE, KNIGHTS]
    assert read_openings(write(tmp_path, "a.txt", f"\ufeff{MATE}\r\n{KNIGHTS}\r\n"), chess) == found
    pgn = f'[FEN "{MATE}"]\n[SetUp "1"]\n\n*\n\n[FEN "{KNIGHTS}"]\n\n3... Nf6 *\n'
    mate, moved = read_openings(write(tmp_path, "a.pgn", pgn), chess)
    assert (mate, moved.start, len(moved.actions)) == (found[0], KNIGHTS, 1)
    for line in (moved.text, f"{KNIGHTS} moves g8f6"):
        assert read_openings(write(tmp_path, "b.fen", line), chess) == (moved,)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.epd", f"{MATE}\n# next\n6k1/5ppp/9/8/8/8/5PPP/3R2K1 w - -\n", r"^a\.epd, line 3: .* FEN or EPD"),
        ("a.epd", f"{MATE}\n8/8/8/8/8/8/8/K7 w - -\n", "line 2: .*impossible position: no black king"),
        ("a.fen", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n", "line 1: .*the game is over there: checkmate"),
        ("a.fen", f"{MATE} moves d1d9\n", "line 1: "),
        ("a.txt", "e4 e5\ne4 e4\n", "line 2: expected moves of classic/chess_v6"),
        ("a.pgn", f"{PGN}\n1. e4 e5 2. Ke3 *\n", "a.pgn, game from line 9: .*Ke3"),
        ("a.pgn", '[FEN "nonsense"]\n\n*\n', "game from line 1: "),
        ("a.pgn", '[Variant "Atomic"]\n\n1. e4 *\n', "the variant Atomic"),
        ("a.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n", "the game is over then"),
    ],
)
def test_a_bad_file_names_its_line(tmp_path: Path, name: str, text: str, reason: str) -> None:
    with pytest.raises(OpeningError, match=reason):
        read_openings(write(tmp_path, name, text), find_game(CHESS))


def test_a_position_is_on_the_board_as_if_moves_had_led_to_it() -> None:
    spec = find_game(CHESS)
    with LocalStage(spec) as stage:
        stage.reset(1)
        for word in ("e2e4", "e7e5", "g1f3", "b8c6"):
            tick = stage.wait()
            stage.step({tick.acting[0]: action_of(Move.from_uci(word), black=tick.index % 2 == 1)})
        moved = stage.wait()
        stage.start = KNIGHTS.replace(" b ", " w ").replace("3 3", "2 3")
        stage.reset(1)
        tick = stage.wait()
        assert tick.acting == moved.acting == ("player_0",)
        assert (tick.action_masks["player_0"] == moved.action_masks["player_0"]).all()
        assert (tick.observations["player_0"][..., :20] == moved.observations["player_0"][..., :20]).all()
        assert not tick.observations["player_0"][..., 20:].any()


def test_black_moves_first_where_the_position_says_so() -> None:
    spec = replace(find_game(CHESS), start=KNIGHTS)
    with HostedStage(spec) as stage:
        stage.wait_ready()
        stage.obs_types = frozenset([MOVES])
        stage.reset(1)
        first = stage.wait()
        assert first.acting == ("player_1",)
        seen = read_board(first.observations["player_1"])
        assert seen.fen().split()[:4] == KNIGHTS.split()[:4]
        knight = action_of(Move.from_uci("g8f6"), black=True)
        stage.step({"player_1": knight})
        second = stage.wait()
        assert second.acting == ("player_0",)
        assert second.views[None]["moves"] == ["…", "Nf6"]
        assert second.views[None]["captured"] == {"player_0": "", "player_1": ""}
        moves = second.seen("player_0", MOVES)
        assert split_start(moves.tolist()) == (KNIGHTS, [knight])
        stage.start = ""
        stage.reset(1)
        assert stage.wait().acting == ("player_0",)
    position = StageGame(find_game(CHESS)).begin(moves)
    assert position.side == 0
    assert position.actions.tolist() == np.flatnonzero(second.action_masks["player_0"]).tolist()


def test_training_starts_from_a_recorded_position_and_from_the_seed_in_turns() -> None:
    spec, knight = find_game(CHESS), action_of(Move.from_uci("g8f6"), black=True)
    with make_vector_env(spec, 1) as env:
        env.hold([Start(1, [{"player_1": knight}], KNIGHTS)])
        for _ in range(2):
            env.reset_at(np.array([0]), np.array([0]))
            assert env.acting.tolist() == [[True, False]]
            assert read_board(env.groups[0].observations[0, 0]).piece_at(F6) == Piece.from_symbol("n")
            env.reset(np.array([0]), np.array([2]))
            assert not env.groups[0].observations[0, 0][..., 7:].any()  # the env's own beginning


def run(*words: str) -> str:
    done = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_recorded_matches_from_positions_repeat_and_are_continued(tmp_path: Path) -> None:
    path, seats = write(tmp_path, "a.epd", EPD), ("--seat", "*=scripted?level=easy")
    begin = ("play", CHESS, "--headless", "--openings", str(path), "--episodes", "2", "--max-ticks", "4")
    data = json.loads(run(*begin, *seats, "--record", "--json"))
    assert [match["settings"]["opening"] for match in data["matches"]] == [MATE, KNIGHTS]
    assert (data["matches"][0]["ended"], data["matches"][0]["returns"]["player_0"]) == ("finished", 1)  # Rd8#
    for file in data["replays"]:
        assert "came out the same" in run("replay", file, "--verify")
    again = json.loads(run("play", "--from", f"{data['replays'][1]}@2", "--headless", "--record", *seats, "--json"))
    assert not again["matches"][0]["error"]
    copies = {str(one) for one in (tmp_path / "home" / "replays").glob("*.replay")} - set(data["replays"])
    (copy,) = copies
    assert "came out the same" in run("replay", copy, "--verify")
    run("recordings", "export", "--out", str(tmp_path / "out"), "--to", "pgn")
    (pgn,) = (tmp_path / "out").rglob("*.pgn")
    games = list(iter(partial(read_game, io.StringIO(pgn.read_text())), None))
    assert {game.headers["FEN"] for game in games} == {MATE, KNIGHTS}
    assert not any(game.errors for game in games)
    replay = read_replay(Path(data["replays"][1]))
    replay.head["settings"]["start"] = "8/8/8/8/8/8/8/8 w - - 0 1"
    with pytest.raises(StageError, match="expected a position of classic/chess_v6"):
        verify(replay)


def test_positions_begin_vectorised_matches_and_tournaments(tmp_path: Path) -> None:
    path = write(tmp_path, "a.epd", EPD)
    data = json.loads(run("evaluate", CHESS, "--seat", "*=random", "--episodes", "4", "--seed", "1", "--max-ticks", "3",
                          "--workers", "1", "--openings", str(path), "--ladder", "--json"))  # fmt: skip
    assert [match["opening"] for match in data["matches"]] == [MATE, KNIGHTS] * 2
    with open_ladder(reading=True) as ladder:
        assert {row["settings"]["start"] for row in ladder.results(CHESS)} == {MATE, KNIGHTS}
    words = ["ladder", "run", CHESS, "--entrant", "scripted", "random", "--openings", str(path), "--games", "1"]
    run(*words, "--workers", "1", "--id", "t", "--max-ticks", "6", "--json")
    assert read_plan("t").openings == read_openings(path, find_game(CHESS))
    with open_ladder(reading=True) as ladder:
        won = [row for row in ladder.results(CHESS) if row["lineup"]["player_0"] != "random"][-1]
    assert won["placements"]["player_0"] == 1  # it finds the mate
