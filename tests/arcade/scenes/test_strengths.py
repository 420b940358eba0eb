"""The measured strength of the levels, one press from the page of a game."""

from __future__ import annotations

import pytest

from arcade.engine.ui.tables import Bar
from arcade.games import find_game
from arcade.games.strengths import measured
from arcade.scenes import routes


def open_page(sitting, hand, game: str):
    sitting.engine.push(routes.Game(find_game(game)))
    levels = [f"level:{level}" for level in ("easy", "normal", "hard", "expert")]
    sitting.until(lambda: {*levels} <= {widget.key for widget in sitting.engine.scene.tree.walk()}, "all players")
    hand.choose("How strong are they?")
    scene = sitting.engine.scene
    return scene, next(widget for widget in scene.tree.walk() if widget.key == "levels")


def test_each_level_has_its_win_rate_with_its_interval(sit, keyboard) -> None:
    sitting = sit()
    game = "classic/tictactoe_v3"
    scene, table = open_page(sitting, keyboard(sitting), game)
    assert [row[0] for row in table.rows] == ["Easy", "Normal", "Hard", "Expert"]
    expert = measured()[game].expert_vs_random
    bar = table.rows[-1][1]
    assert isinstance(bar, Bar)
    assert (bar.value, bar.low, bar.high) == (expert.value, expert.low, expert.high)
    assert bar.text == f"{expert.value:.0%} ({expert.low:.0%} to {expert.high:.0%})"
    said = " ".join(widget.label for widget in scene.tree.walk() if widget.label)
    assert f"Measured in up to {measured()[game].matches} matches" in said


def test_roles_are_called_as_the_players_know_them(sit, keyboard) -> None:
    sitting = sit()
    spec = find_game("mpe/simple_push_v3")
    _, table = open_page(sitting, keyboard(sitting), spec.id)
    assert {row[1] for row in table.rows} == {spec.seat_title(agent) for agent in spec.agents}
    assert all("to" in cell for row in table.rows for cell in row[2:])


@pytest.mark.parametrize("game", ["openspiel/breakthrough"])
def test_a_game_that_was_not_measured_offers_nothing(sit, game: str) -> None:
    sitting = sit()
    sitting.engine.push(routes.Game(find_game(game)))
    assert game not in measured()
    assert not [widget for widget in sitting.engine.scene.tree.walk() if widget.key == "strengths"]
