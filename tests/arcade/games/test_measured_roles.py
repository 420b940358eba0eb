"""Roles within one team have figures of their own: what the team gains by each."""

from __future__ import annotations

from typing import Any

import pytest

from agents.seats.controller import LEVELS, SeatChoice
from arcade.games import GameSpec, find_game
from arcade.games.strengths import measured, strength_of
from arcade.session.match.strength_texts import gain_text, level_text
from tests.benchmarks import strengths

CRYPTO, LISTENER = "mpe/simple_crypto_v3", "mpe/simple_speaker_listener_v4"
WORTH = {"eve_0": 5.0, "bob_0": 2.0, "alice_0": 2.0, "speaker_0": 1.0, "listener_0": 3.0}


def play(spec: GameSpec, lineup: dict[Any, str], count: int, done: int) -> list[dict[str, Any]]:
    """Matches in which a seat is worth so much for each level above random moves."""
    worth = {
        agent: 0 if word == "random" else LEVELS.index(word.partition(":")[2]) + 1 for agent, word in lineup.items()
    }
    return [{"returns": {str(agent): worth[agent] * WORTH[agent] for agent in spec.agents}} for _ in range(count)]


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The figures of the two games, measured with these matches."""
    monkeypatch.setattr(strengths, "matches", play)
    rows = {game: strength_of(strengths.strengths(find_game(game), 6)) for game in (CRYPTO, LISTENER)}
    monkeypatch.setattr("arcade.session.match.strength_texts.measured", lambda: rows)
    return rows


def test_each_role_of_a_team_has_rows_beside_those_of_the_team(found: Any) -> None:
    gains = {row.role: row.versus_random.value for row in found[CRYPTO].at("expert")}
    assert gains == {"eve": 20.0, "bob + alice": 8.0, "bob": 4.0, "alice": 4.0}  # means over the seats of a team
    gains = {row.role: row.versus_below.value for row in found[LISTENER].at("hard")}
    assert gains == {"": 2.0, "speaker": 0.5, "listener": 1.5}


def test_a_team_is_judged_as_a_whole_and_unlike_teams_by_the_weakest_role(found: Any) -> None:
    assert found[LISTENER].expert_vs_random.role == ""
    assert found[CRYPTO].expert_vs_random.role in ("bob", "alice")
    assert found[CRYPTO].levels_ordered


def test_alice_is_told_how_strong_each_of_her_levels_is(found: Any) -> None:
    [row] = [row for row in found[CRYPTO].at("easy") if row.role == "alice"]
    gain = gain_text(row.versus_below).partition(" ")[0]
    assert level_text(find_game(CRYPTO), "alice_0", SeatChoice("level", "easy")).startswith(f"{gain} over random moves")


def test_the_shipped_figures_name_roles_of_their_games() -> None:
    for game, row in measured().items():
        roles = {*find_game(game).roles.values(), ""}
        assert all({*one.roles} <= roles for one in row.levels)
