"""What is asked of the experts of each kind of game, and what the benchmark and the command say of it."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from typer.testing import CliRunner

from arcade.commands.cli import app
from arcade.games import find_game
from arcade.games.built_in import built_in_games
from arcade.games.strengths import Strength, measured, strength_of
from arcade.games.strengths.marks import KIND_OF, KINDS, as_data, is_reached
from tests.benchmarks import strengths
from tests.benchmarks.references import BEST

CHESS, CARDS, CRYPTO, HANABI = (
    f"{name}" for name in ("classic/chess_v6", "classic/leduc_holdem_v4", "mpe/simple_crypto_v3", "classic/hanabi_v5")
)


def row(*experts: tuple[str, float, float], measure: str = "win rate", **more: Any) -> Strength:
    """The figures of a game with these experts' role, value and lower end."""
    levels = [
        {"level": "expert", "role": role, "versus_random": figure, "versus_below": figure}
        for role, value, low in experts
        for figure in [{"value": value, "low": low, "high": 2 * value - low, "matches": 9}]
    ]
    facts = {
        "matches": 9,
        "max_ticks": None,
        "levels_ordered": True,
        "date": "2026-11-01",
        "command": "",
        "machine": "",
    }
    return strength_of({"measure": measure, "levels": levels, **facts, **more})


def test_each_game_of_the_catalogue_is_of_one_kind() -> None:
    counts = Counter(game for kind in KINDS for game in kind.games)
    assert counts == Counter(spec.id for spec in built_in_games())
    for game, kind in KIND_OF.items():
        spec = find_game(game)
        assert (kind.name == "cooperative") == (len(spec.teams) == 1)
        assert (kind.name == "free-for-all of four") == (len(spec.teams) == 4)
        assert (kind.name == "1 v 1 of unlike roles") == (len(spec.teams) == 2 and bool(spec.roles))


@pytest.mark.parametrize(
    ("game", "found", "reached"),
    [
        (CHESS, row(("", 0.95, 0.9)), True),
        (CHESS, row(("", 0.94, 0.93)), False),
        (CARDS, row(("", 0.81, 0.7)), True),
        (CRYPTO, row(("eve", 3.0, 0.1), ("bob", 9.0, 8.0), measure="return gained"), True),
        (CRYPTO, row(("eve", 3.0, -0.1), ("bob", 9.0, 8.0), measure="return gained"), False),
        ("atari/warlords_v3", row(("", 0.4, 0.26)), True),
        ("atari/warlords_v3", row(("", 0.4, 0.24)), False),
        (HANABI, row(("", 20.0, 19.0), measure="return gained"), None),
    ],
)
def test_the_mark_of_its_kind_says_whether_an_expert_is_good_enough(
    game: str, found: Strength, reached: bool | None
) -> None:
    assert is_reached(game, found) is reached


def test_the_weakest_role_counts() -> None:
    found = as_data(CRYPTO, row(("eve", 3.0, 0.1), ("bob", 2.0, 1.5), measure="return gained"))["expert_vs_random"]
    assert (found["role"], found["value"], found["measure"]) == ("eve", 3.0, "return gained")
    assert {role: figure["value"] for role, figure in found["roles"].items()} == {"eve": 3.0, "bob": 2.0}


def test_experts_that_cooperate_are_judged_by_their_normalised_score() -> None:
    normalised = {"value": 0.49, "low": 0.4, "high": 0.6, "matches": 9, "best": 25.0, "source": "rules"}
    found = row(("", 20.0, 19.0), measure="return gained", normalised=normalised)
    assert found.expert_vs_random.value == 0.49
    assert found.expert_vs_random.measure == "normalised score"
    assert is_reached(HANABI, found) is False


def test_each_cooperative_game_has_a_best_known_result_with_its_source() -> None:
    [cooperative] = [kind for kind in KINDS if kind.name == "cooperative"]
    assert {*BEST} == {*cooperative.games}
    assert all(best.source for best in BEST.values())


def test_the_command_says_whether_the_mark_is_reached() -> None:
    game = "classic/tictactoe_v3"
    expert = measured()[game].expert_vs_random
    said = CliRunner().invoke(app, ["strengths", game]).output
    assert f"expert vs random: win rate {expert.value:.2f}" in said
    assert "asked for (1 v 1 without chance): win rate at least 0.95: reached" in said
    data = json.loads(CliRunner().invoke(app, ["strengths", game, "--json"]).output)[game]
    assert data["kind"] == "1 v 1 without chance"
    assert data["expert_vs_random"]["value"] == expert.value
    assert data["expert_vs_random"]["mark"]["reached"]


def test_the_benchmark_prints_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(strengths, "VERSUS_RANDOM", dict.fromkeys(strengths.VERSUS_RANDOM, 3))
    monkeypatch.setattr(strengths, "QUICK", {})
    monkeypatch.setenv("ARCADE_HOME", "")  # which the benchmark sets, and is set back after the test
    strengths.main(["classic/tictactoe_v3", "--matches", "3"])
    found = json.loads(capsys.readouterr().out)["classic/tictactoe_v3"]
    assert found["expert_vs_random"]["matches"] == 6
    assert found["expert_vs_random"]["value"] == found["levels"][-1]["versus_random"]["value"]
    assert {"levels_ordered", "reference"} <= set(found)
