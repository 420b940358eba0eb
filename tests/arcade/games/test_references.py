"""The known opponents of experts, and what is said about the results against them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.policies.random import RandomController
from agents.seats.kinds import parse_seat
from agents.snapshots.store import SnapshotStore
from arcade.games import GameSpec, find_game
from arcade.games.strengths import Reference, measured, strength_of
from arcade.games.strengths.marks import REFERENCE_MARKS, as_data
from arcade.match.play.lineup import make_controller
from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage
from arcade.scenes.home.strengths import KNOWN
from tests.benchmarks import strengths
from tests.benchmarks.references import REFERENCES
from tests.benchmarks.rlcard_rules import Limit, NoLimit

FOUR, CHESS = "classic/connect_four_v3", "classic/chess_v6"
PLAYED = [(game, one.seat) for game, known in REFERENCES.items() for one in known if one.seat.startswith("python")]


@pytest.mark.parametrize(("game", "word"), PLAYED)
def test_each_known_opponent_plays_each_seat_of_its_game(game: str, word: str) -> None:
    with LocalStage(find_game(game).for_matches()) as stage:
        for place, agent in enumerate(stage.spec.agents):
            known = make_controller(parse_seat(word), stage.seat(agent), spec=stage.spec, store=SnapshotStore("unused"))
            lineup = {**{other: RandomController() for other in stage.spec.agents}, agent: known}
            assert not Match(stage, lineup, seed=place, max_ticks=12).run().error


def test_each_known_opponent_that_a_mark_names_is_measured_and_has_words_on_the_page() -> None:
    names = {game: [one.name for one in known] for game, known in REFERENCES.items()}
    assert all({*marks} <= {*names[game]} for game, marks in REFERENCE_MARKS.items())
    assert {name for known in names.values() for name in known} == {*KNOWN}


@pytest.fixture
def lineups(monkeypatch: pytest.MonkeyPatch) -> list[dict[Any, str]]:
    """The lineups of matches that are not played: of each three the first side wins one and draws two."""
    asked: list[dict[Any, str]] = []

    def play(spec: GameSpec, lineup: dict[Any, str], count: int, done: int) -> list[dict[str, Any]]:
        asked.extend([lineup] * count)
        seconds = [2 if seed % 3 == 0 else 1 for seed in range(done, done + count)]
        return [{"placements": {"player_0": 1, "player_1": second}} for second in seconds]

    monkeypatch.setattr(strengths, "matches", play)
    return asked


def test_connect_four_has_two_known_opponents_and_begins_against_the_deeper_one(lineups: Any) -> None:
    six, eight = strengths.against_references(find_game(FOUR))
    assert (six["matches"], eight["matches"]) == (20, 20)
    assert [lineup["player_0"] for lineup in lineups].count("level:expert") == 30
    assert all(lineup["player_0"] == "level:expert" for lineup in lineups[-20:])
    assert (six["unbeaten"], eight["unbeaten"]) == (0.8, 1.0)
    assert 0.5 < eight["value"] < 1


def test_a_program_that_is_not_installed_is_left_out_and_named(
    lineups: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strengths, "find_program", lambda name: None)
    assert strengths.against_references(find_game(CHESS)) == []
    assert "install stockfish to measure it" in capsys.readouterr().err
    monkeypatch.setattr(strengths, "find_program", lambda name: f"/usr/games/{name}")
    [stockfish] = strengths.against_references(find_game(CHESS))
    assert stockfish["name"] == "Stockfish at skill 0 with 100 ms a move"


def test_the_mark_of_each_known_opponent_is_judged() -> None:
    figure = {"value": 0.85, "low": 0.7, "high": 0.95, "matches": 20}
    names = [one.name for one in REFERENCES[FOUR]]
    [old] = measured()["classic/rps_v2"].reference
    assert isinstance(old, Reference)
    row = {
        "measure": "win rate", "matches": 20, "max_ticks": None, "levels_ordered": True, "date": "", "command": "",
        "machine": "", "reference": [{"name": name, "unbeaten": 1.0, **figure} for name in names],
        "levels": [{"level": "expert", "role": "", "versus_random": figure, "versus_below": figure}],
    }  # fmt: skip
    found = as_data(FOUR, strength_of(row))["reference"]
    assert [(one["name"], one["mark"]["reached"]) for one in found] == [(names[0], False), (names[1], True)]
    assert as_data("classic/rps_v2", measured()["classic/rps_v2"])["reference"][0]["mark"] is None


def test_the_rule_player_of_holdem_knows_its_hand_from_the_common_cards() -> None:
    def cards(*places: int) -> Any:
        seen = np.zeros(72)
        seen[list(places)] = 1
        return seen

    spade_ace, heart_ace, spade_two, heart_seven, common = 0, 13, 1, 19, (27, 41, 50)
    mask = np.array([1, 1, 1, 0])
    raises, fold = 1, 2
    player = Limit(None, None)  # type: ignore[arg-type]  # it needs neither seat nor chance
    assert player(cards(spade_ace, heart_ace), mask) == raises
    assert player(cards(spade_ace, heart_ace, *common), mask) == fold  # no third ace
    assert player(cards(spade_two, heart_seven), mask) == fold
    free = NoLimit(None, None)  # type: ignore[arg-type]
    assert free(cards(spade_ace, heart_ace), np.ones(5)) == 2
    assert free(cards(spade_ace, heart_ace), np.array([1, 1, 0, 0, 1])) == 1
