"""The measured strength of the levels, one press from the page of a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arcade.engine.ui.tables import Bar
from arcade.games import find_game
from arcade.games.strengths import Figure, LevelStrength, measured
from arcade.scenes import routes
from arcade.scenes.home.opponent_button import OpponentButton
from arcade.session.match.strength_texts import rate_text


def open_page(sitting, hand, game: str):
    sitting.engine.push(routes.Game(find_game(game)))
    levels = [f"level:{level}" for level in ("easy", "normal", "hard", "expert")]
    sitting.until(lambda: {*levels} <= {widget.key for widget in sitting.engine.scene.tree.walk()}, "all players")
    sitting.until(lambda: not sitting.services.worker.busy, "the records of the game, which build the page anew")
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


def test_the_rows_of_a_team_and_of_its_roles_name_their_seats(sit, monkeypatch: pytest.MonkeyPatch) -> None:
    game, figure = "mpe/simple_speaker_listener_v4", Figure(2.0, 1.0, 3.0)
    rows = tuple(LevelStrength("easy", role, figure, figure) for role in ("", "speaker", "speaker + listener"))
    found = {game: replace(measured()[game], levels=rows)}
    monkeypatch.setattr("arcade.scenes.home.strengths.measured", lambda: found)
    sitting = sit()
    sitting.engine.push(routes.Strengths(find_game(game)))
    table = next(widget for widget in sitting.engine.scene.tree.walk() if widget.key == "levels")
    assert [row[1] for row in table.rows] == ["All", "Speaker", "Speaker, Listener"]


def test_the_page_says_how_experts_did_against_known_opponents_and_why_no_better(sit) -> None:
    sitting = sit()
    sitting.engine.push(routes.Strengths(find_game("classic/rps_v2")))
    said = [widget.label for widget in sitting.engine.scene.tree.walk() if widget.label]
    [known] = measured()["classic/rps_v2"].reference
    assert f"Expert against a player that beats the last choice: {rate_text(known)}." in said
    assert any("no player can win more than half of the points" in text for text in said)


def test_each_opponent_says_on_the_page_of_the_game_how_strong_it_is(sit, keyboard) -> None:
    sitting = sit()
    spec = find_game("connect_four")
    sitting.engine.push(routes.Game(spec))
    sitting.until(lambda: not sitting.services.worker.busy, "all players")
    buttons = [widget for widget in sitting.engine.scene.tree.walk() if isinstance(widget, OpponentButton)]
    strengths = {button.key: button.strength for button in buttons}
    for level, below in (("easy", "random moves"), ("normal", "easy"), ("hard", "normal"), ("expert", "hard")):
        [row] = measured()[spec.id].at(level)
        found = row.versus_below
        words = f"{found.value:.0%} against {below} ({found.low:.0%} to {found.high:.0%})"
        assert strengths[f"level:{level}"] == words
    assert strengths["random"] == strengths["level:even"] == ""
    normal = next(button for button in buttons if button.key == "level:normal")
    assert normal.spoken == f"Connect Four AI, normal, {normal.strength}"


def test_the_list_of_players_of_a_seat_says_it_too_and_leads_to_the_table(sit, keyboard) -> None:
    sitting = sit()
    spec = find_game("mpe/simple_push_v3")
    sitting.engine.push(routes.Seats(spec))
    sitting.until(lambda: not sitting.services.worker.busy, "all players")
    sitting.engine.scene.pick(spec.agents[1])
    items = {item.text: item.detail for item in sitting.engine.scene.list.items}
    [row] = [one for one in measured()[spec.id].at("hard") if one.role == spec.roles[spec.agents[1]]]
    gain = row.versus_below
    words = f"{gain.value:+.3g} over normal ({gain.low:+.3g} to {gain.high:+.3g})"
    assert items["Simple Push AI, hard"] == words
    keyboard(sitting).pick("How strong are they?")
    assert sitting.on == "StrengthsScene"


@pytest.mark.parametrize("game", ["openspiel/breakthrough"])
def test_a_game_that_was_not_measured_offers_nothing(sit, game: str) -> None:
    sitting = sit()
    sitting.engine.push(routes.Game(find_game(game)))
    assert game not in measured()
    assert not [widget for widget in sitting.engine.scene.tree.walk() if widget.key == "strengths"]
