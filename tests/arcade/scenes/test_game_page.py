"""The page of a game: its opponents are buttons."""

from __future__ import annotations

from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.scenes import routes
from arcade.session.people import People
from arcade.session.seating import Seating, friend_lineup
from arcade.session.settings import Settings


def test_a_press_on_an_opponent_begins_a_match_with_it(sit, make_hand) -> None:
    sitting = sit()
    hand, spec = make_hand(sitting), find_game("connect_four")
    sitting.until(lambda: sitting.services.ready, "the catalogue")
    sitting.engine.push(routes.Game(spec))
    hand.choose("Connect Four AI, hard")
    sitting.until(lambda: sitting.on == "MatchScene", "the match")
    you, other = sitting.engine.scene.session.lineup.values()
    assert you.is_human
    assert other == SeatChoice("level", "hard")


def test_the_page_names_the_same_opponent_beside_play_and_below(sit, keyboard) -> None:
    sitting = sit()
    spec = find_game("connect_four")
    sitting.until(lambda: sitting.services.ready, "the catalogue")
    sitting.engine.push(routes.Game(spec))
    shown = [getattr(widget, "label", "") for widget in sitting.engine.scene.tree.walk()]
    assert "You meet: Connect Four AI, easy" in shown
    assert sitting.widget("Play").hint == "Begin at once: you play First, against Connect Four AI, easy"
    sitting.engine.pop()
    lineup = {"player_0": SeatChoice("keyboard"), "player_1": SeatChoice("level", "expert")}
    sitting.services.setup.lineups[spec.id] = lineup
    sitting.engine.push(routes.Game(spec))
    assert sitting.widget("Play").hint == "Begin at once: you play First, against Connect Four AI, expert"
    shown = [getattr(widget, "label", "") for widget in sitting.engine.scene.tree.walk()]
    assert not any(label.startswith("You meet") for label in shown)


def test_a_friend_plays_on_the_same_keyboard_or_a_gamepad_after_one_press(sit, keyboard) -> None:
    sitting = sit()
    hand, spec = keyboard(sitting), find_game("connect_four")
    sitting.until(lambda: sitting.services.ready, "the catalogue")
    sitting.engine.push(routes.Game(spec))
    hint = sitting.widget("With a friend").hint
    assert hint.endswith("First: Keyboard WASD, Second: Keyboard arrow keys")
    hand.choose("With a friend")
    sitting.until(lambda: sitting.on == "MatchScene", "the match")
    assert list(map(str, sitting.engine.scene.session.lineup.values())) == ["keyboard:wasd", "keyboard:arrows"]


def test_a_friend_of_somebody_with_a_name_is_a_guest() -> None:
    people = People(settings=lambda: Settings(player_name="Anna"))
    lineup = {seat: SeatChoice("keyboard", half) for seat, half in (("a", "wasd"), ("b", "arrows"), ("c", "ijkl"))}
    assert list(people.names(lineup).values()) == ["Anna", "Guest", "Guest 2"]


def test_a_friend_takes_a_gamepad_and_the_other_side_of_a_game_of_teams() -> None:
    spec, keyboard, pad = find_game("simple_tag"), SeatChoice("keyboard"), SeatChoice("gamepad", "0")
    lineup = friend_lineup(Seating(spec, devices=[keyboard, pad]), keyboard)
    people = {agent: choice for agent, choice in lineup.items() if choice.is_human}
    assert list(people.values()) == [keyboard, pad]
    assert len({spec.team_of(agent) for agent in people}) == 2
    assert set(friend_lineup(Seating(spec, devices=[keyboard, pad]), pad).values()) >= {pad, keyboard}


def test_what_was_trained_is_among_the_opponents(sit) -> None:
    sitting = sit()
    spec = find_game("connect_four")
    sitting.until(lambda: sitting.services.ready, "the catalogue")
    sitting.services.library.snapshots[spec.id] = ("four-1", "four-2")
    sitting.engine.push(routes.Game(spec))
    shown = [getattr(widget, "label", "") for widget in sitting.engine.scene.tree.walk()]
    assert {"Newest snapshot", "Strongest snapshot"} <= set(shown)
    assert "Any snapshot" not in shown


def test_an_opponent_takes_the_seat_of_the_friend_of_last_time(sit, keyboard) -> None:
    sitting = sit()
    hand, spec = keyboard(sitting), find_game("connect_four")
    sitting.until(lambda: sitting.services.ready, "the catalogue")
    sitting.services.setup.lineups[spec.id] = {
        "player_0": SeatChoice("keyboard"), "player_1": SeatChoice("keyboard", "arrows"),
    }  # fmt: skip
    sitting.engine.push(routes.Game(spec))
    hand.choose("Random bot")
    sitting.until(lambda: sitting.on == "MatchScene", "the match")
    assert list(sitting.engine.scene.session.lineup.values()) == [SeatChoice("keyboard"), SeatChoice("random")]
