"""Words of engines in seats: how they are read, what is wrong with them, and where programs are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.engines.engine import EngineSettings, find_program, label_of, present_seats
from agents.seats.controller import SeatError
from agents.seats.kinds import parse_seat


def test_words_of_engines() -> None:
    choice = parse_seat("uci:stockfish?skill=3&noise=0.1")
    assert (choice.limits, choice.settings) == ((("noise", "0.1"),), (("skill", "3"),))
    assert label_of(choice) == "stockfish (skill 3)"
    assert label_of(parse_seat("uci:/opt/some/stockfish?movetime_ms=50&nodes=9")) == "stockfish (50 ms, 9 nodes)"
    assert label_of(parse_seat("gtp:gnugo --mode gtp")) == "gnugo"
    assert EngineSettings.of(parse_seat("gtp:gnugo?level=1&komi=-3.5")) == EngineSettings(level=1, komi=-3.5)
    assert {str(seat) for seat in present_seats("classic/go_v5")} <= {f"gtp:gnugo?level={n}" for n in (1, 5, 10)}
    assert present_seats("house/volley") == ()


@pytest.mark.parametrize(
    "word", ["uci", "gtp:", "uci:stockfish?level=1", "gtp:gnugo?skill=1", "uci:a?skill", "uci:a?x=1"]
)
def test_wrong_words(word: str) -> None:
    with pytest.raises(SeatError, match="expected"):
        parse_seat(word)


def test_programs_are_found_where_systems_put_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "chessmaster"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_program("chessmaster") is None
    monkeypatch.setattr("agents.engines.engine.GAMES_FOLDERS", (str(tmp_path),))
    assert find_program("chessmaster") == str(program)
