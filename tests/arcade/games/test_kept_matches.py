"""A long measurement of the levels goes on with the matches that it has played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arcade.games import find_game
from tests.benchmarks import strengths
from tests.benchmarks.kept_matches import KeptMatches, programs

LINEUP = {"player_1": "level:easy", "player_2": "random"}


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> KeptMatches:
    matches = KeptMatches()
    matches.open(tmp_path / "matches")
    monkeypatch.setattr(strengths, "KEPT", matches)
    return matches


def fail(*_: Any, **__: Any) -> Any:
    raise AssertionError("expected no match to be played")


def test_matches_are_kept_and_are_those_that_would_be_played(
    kept: KeptMatches, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = find_game("classic/tictactoe_v3")
    first = strengths.matches(spec, LINEUP, 2, 0)
    more = strengths.matches(spec, LINEUP, 3, 0)
    assert more[:2] == first
    with monkeypatch.context() as broken:
        broken.setattr("arcade.evaluate", fail)
        assert strengths.matches(spec, LINEUP, 3, 0) == more
        with pytest.raises(AssertionError):
            strengths.matches(spec, {**LINEUP, "player_2": "level:easy"}, 1, 0)
    monkeypatch.setattr(strengths, "KEPT", KeptMatches())
    played = strengths.matches(spec, LINEUP, 3, 0)
    assert [one | {"episode": 0} for one in played] == more


def test_a_match_counts_while_the_programs_are_the_same(kept: KeptMatches, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = find_game("classic/tictactoe_v3")
    strengths.matches(spec, LINEUP, 1, 0)
    assert len(programs()) == 64
    monkeypatch.setattr("tests.benchmarks.kept_matches.programs", lambda: "another")
    monkeypatch.setattr("arcade.evaluate", fail)
    with pytest.raises(AssertionError):
        strengths.matches(spec, LINEUP, 1, 0)
