"""Stockfish and GNU Go, where they are installed, through the window-less path that people use."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agents.engines.engine import find_program
from agents.seats.kinds import parse_seat
from agents.snapshots.store import open_store
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.batch.evaluation import Evaluation
from arcade.match.batch.in_process import LocalMatches, Series, play_series
from arcade.match.play.result import MatchResult


def need(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(find_program(program) is None, reason=f"not installed: {program}")


def play(folder: Path, spec: GameSpec, words: tuple[str, ...], **series: int) -> list[MatchResult]:
    lineup = dict(zip(spec.agents, map(parse_seat, words), strict=True))
    return play_series(spec, lineup, Series(**series), store=open_store(folder / "snapshots")).matches


@need("stockfish")
def test_stockfish_beats_chance_at_chess_with_either_side(tmp_path: Path) -> None:
    spec, word = find_game("classic/chess_v6"), "uci:stockfish?nodes=500"
    for words, agent in (((word, "random"), "player_0"), (("random", word), "player_1")):
        one, two = (play(tmp_path, spec, words, seed=3)[0] for _ in range(2))
        assert (one.error, one.ended, one.placements[agent]) == ("", "finished", 1)
        assert one.lineup[agent] == "stockfish (500 nodes)"
        assert (one.ticks, one.returns) == (two.ticks, two.returns)  # searched by nodes, it can be repeated


@need("gnugo")
def test_gnu_go_beats_chance_at_go_to_the_last_pass(tmp_path: Path) -> None:
    spec = find_game("classic/go_v5")
    small = replace(spec, kwargs={"board_size": 7})
    played = play(tmp_path, small, ("random", "gtp:gnugo?level=1"), seed=3, episodes=2)
    assert [(one.error, one.ended, one.placements["white_0"]) for one in played] == [("", "finished", 1)] * 2
    assert played[0].lineup["white_0"] == "gnugo (level 1)"


@need("stockfish")
def test_an_engine_changes_sides_in_an_evaluation(tmp_path: Path) -> None:
    spec = find_game("classic/chess_v6")
    lineup = {"player_0": parse_seat("uci:stockfish?nodes=200"), "player_1": parse_seat("random")}
    evaluation = Evaluation(spec=spec, lineup=lineup, episodes=2, seed=1, swap=True, max_ticks=20)
    with LocalMatches(evaluation.plan(open_store(tmp_path))) as matches:
        played = list(map(matches.play, evaluation.fixtures()))
    assert [one.error for one in played] == ["", ""]
    assert [one.result.lineup["player_0"] for one in played if one.result] == ["stockfish (200 nodes)", "random"]
