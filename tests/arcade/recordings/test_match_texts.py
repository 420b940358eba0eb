"""Chess as PGN and go as SGF: other programs read the same moves."""

from __future__ import annotations

import re
from pathlib import Path

import chess.pgn
import pytest
from typer.testing import CliRunner

from arcade.commands.cli import app
from arcade.recordings.export import export_recordings
from arcade.recordings.export.pgn import move_of
from arcade.recordings.library import RecordingLibrary
from arcade.recordings.query import DatasetError, DatasetQuery
from tests.support.recorded import machine, record

CHESS, GO = "classic/chess_v6", "classic/go_v5"


@pytest.fixture
def replays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    folder = tmp_path / "home" / "replays"
    folder.mkdir(parents=True)
    for seed in (1, 2):
        seats = {"player_0": machine("Ann"), "player_1": machine("Bob]")}
        record(folder / f"chess-{seed}.replay", seats, game=CHESS, seed=seed, ticks=60)
    record(folder / "go.replay", {"black_0": machine("Ann"), "white_0": machine("Bob]")}, game=GO, ticks=30)
    return folder


def export(tmp_path: Path, to: str) -> Path:
    done = CliRunner().invoke(app, ["recordings", "export", "--to", to, "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    return tmp_path / "out" / "classic"


def test_chess_programs_read_the_same_games(replays: Path, tmp_path: Path) -> None:
    recordings = [one for one in RecordingLibrary(replays).list()[0] if one.card.game == CHESS]
    with open(export(tmp_path, "pgn") / "chess_v6.pgn", encoding="utf-8") as file:
        games = [chess.pgn.read_game(file) for _ in recordings]
        assert chess.pgn.read_game(file) is None
    for recording, game in zip(reversed(recordings), games, strict=True):
        assert game is not None
        assert not game.errors
        board = chess.Board()
        for actions in recording.replay().actions:
            board.push(move_of(*actions.values(), board))
        assert game.end().board().fen() == board.fen()
        assert (game.headers["White"], game.headers["Black"]) == ("Ann", "Bob]")
        assert game.headers["Result"] in ("1/2-1/2", "1-0", "0-1")


def test_go_is_a_tree_of_the_same_points(replays: Path, tmp_path: Path) -> None:
    (recording,) = [one for one in RecordingLibrary(replays).list()[0] if one.card.game == GO]
    text = (export(tmp_path, "sgf") / "go_v5.sgf").read_text(encoding="utf-8")
    assert text.startswith("(;GM[1]FF[4]CA[UTF-8]AP[PettingZoo Arcade]SZ[19]KM[7.5]PB[Ann]PW[Bob\\]]")
    moves = re.findall(r";([BW])\[([a-s]{0,2})\]", text)
    sent = [(agent, action) for actions in recording.replay().actions for agent, action in actions.items()]
    assert [colour for colour, _ in moves] == ["B" if agent == "black_0" else "W" for agent, _ in sent]
    letters = "abcdefghijklmnopqrs"
    places = [letters.index(point[1]) * 19 + letters.index(point[0]) if point else 361 for _, point in moves]
    assert places == [action for _, action in sent]
    assert re.search(r"RE\[(0|[BW]\+)\]", text)


def test_matches_of_other_games_are_skipped_and_nothing_is_overwritten(replays: Path, tmp_path: Path) -> None:
    export(tmp_path, "sgf")
    for to, game, reason in (("sgf", GO, "existing one"), ("pgn", GO, "recordings of classic/chess_v6")):
        chosen = RecordingLibrary(replays).list()[0]
        with pytest.raises(DatasetError, match=reason):
            export_recordings(
                [one for one in chosen if one.card.game == game], DatasetQuery(), to=to, out=tmp_path / "out"
            )
