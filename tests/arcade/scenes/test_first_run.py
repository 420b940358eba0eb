"""The first run: once, for a player without settings; skipped by one press, and a match that teaches volley."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.seats.controller import SeatChoice
from arcade.scenes import routes
from arcade.scenes.app import opening_routes
from arcade.session.match.setup import WindowOptions
from arcade.session.match.tutorial import STEPS
from arcade.session.settings import Settings, is_first_start, load_settings, save_settings
from tests.support.open_arcade import OpenArcade


@pytest.fixture
def start():
    """Opens the arcade as `arcade play` does."""
    opened: list[OpenArcade] = []

    def make(lineup=None) -> OpenArcade:
        is_new = is_first_start()
        settings = load_settings()[0].changed(countdown=False)
        arcade = OpenArcade(WindowOptions(seed=7), settings=settings, save_settings=save_settings)
        opened.append(arcade)
        for route in opening_routes(lineup, is_new=is_new):
            arcade.engine.push(route)
        arcade.frame(3)
        return arcade

    yield make
    for arcade in opened:
        arcade.close()


def test_it_appears_without_settings_and_never_again(start, keyboard) -> None:
    first = start()
    assert first.on == "FirstRunScene"
    keyboard(first).press("back")
    assert first.on == "TitleScene"
    first.close()
    assert start().on == "TitleScene"


def test_a_lineup_of_the_command_line_or_a_page_over_the_title_comes_without_it() -> None:
    lineup = {"left_0": SeatChoice("keyboard"), "right_0": SeatChoice("random")}
    assert [type(route) for route in opening_routes(lineup, is_new=True)] == [routes.Title]
    shown = opening_routes(None, routes.Settings(), is_new=True)
    assert [type(route) for route in shown] == [routes.Title, routes.Settings]


def test_name_and_language_are_kept(start, keyboard) -> None:
    arcade = start()
    hand = keyboard(arcade)
    hand.choose("Your name")
    hand.type("ada")  # instead of "Player"
    hand.press("accept")
    hand.reach(arcade.widget("Language"))
    hand.press("right")
    hand.press("right")
    hand.press("back")
    arcade.close()
    saved = load_settings()[0]
    assert (saved.player_name, saved.language) == ("ada", "de")


def test_a_player_who_types_no_name_has_one_of_the_chosen_language(start, keyboard) -> None:
    arcade = start()
    hand = keyboard(arcade)
    assert arcade.widget("Your name").value == "Player"
    hand.reach(arcade.widget("Language"))
    hand.press("right")
    hand.press("right")
    assert arcade.widget("Dein Name").value == "Spieler"
    hand.press("back")
    assert arcade.services.people.owner.name == "Spieler"
    pads = [SeatChoice("gamepad", slot) for slot in "01"]
    seated = arcade.services.people.seated({"left_0": pads[0], "right_0": pads[1]})
    assert [person.name for person in seated.values()] == ["Spieler", "Spieler 2"]
    arcade.close()
    assert load_settings()[0].player_name == "Spieler", "saved as it was shown, whatever the language is later"


def in_tutorial(arcade) -> bool:
    return arcade.on == "TutorialScene" and arcade.engine.scenes[-2].match is not None


def begin(arcade, hand) -> None:
    hand.choose("Learn to play")
    arcade.until(lambda: in_tutorial(arcade), "the tutorial")


def lengthen(arcade, monkeypatch) -> None:
    """Let no side win before the test ends, however late the player's presses come."""
    library = arcade.services.library
    arcade.until(lambda: library.find("house/volley"), "the catalogue")
    spec = replace(library.find("house/volley"), people_kwargs={"points": 1000, "max_ticks": 100_000})
    monkeypatch.setattr(library, "find", lambda _game: spec)


def test_a_pad_alone_learns_to_move_jump_and_hit_and_plays_on(start, pad, monkeypatch) -> None:
    arcade = start()
    lengthen(arcade, monkeypatch)
    hand = pad(arcade)
    hand.press("down")
    (row,) = [widget for widget in arcade.engine.scene.tree.walk() if widget.key == "device"]
    assert row.value_text == arcade.engine.devices.pads[0].name
    begin(arcade, hand)
    scene, match = arcade.engine.scene, arcade.engine.scenes[-2]
    arcade.frame(2)
    assert match.hud._areas.picture.bottom <= scene.bar.rect.top, "the instruction hides a part of the game"
    assert match.hud.foot.hint == "", "one hint for one key: Start skips the tutorial, and pauses nothing"
    assert match.session.lineup["left_0"] == SeatChoice("gamepad", "0")
    monkeypatch.setattr("arcade.session.match.tutorial.MOST", 1e9)
    for way in ("left", "right"):
        hand.pad.press(way)
        arcade.until(lambda way=way: way in scene.tutorial.ways, f"a run to the {way}")
        hand.pad.release(way)
    arcade.until(lambda: scene.tutorial.index == 1, "the next instruction")
    assert "stick up" in scene._words()
    hand.pad.press("a")
    arcade.until(lambda: scene.tutorial.index == 2, "the jump")
    hand.pad.release("a")
    match.session.launched.watch.hits["left_0"] += 1
    arcade.until(lambda: scene.tutorial.step is STEPS[-1], "the last instruction")
    arcade.until(lambda: arcade.on == "MatchScene", "the match, without instructions")
    assert match.session.is_running
    assert not match.session.match.paused
    assert not match.session.match.rated, "a match for practice changes no rating"


def test_one_press_skips_the_tutorial(start, make_hand) -> None:
    arcade = start()
    hand = make_hand(arcade)
    begin(arcade, hand)
    name = type(hand).__name__
    hand.click(arcade.engine.scene.focus.focused.rect.center) if name == "MouseHand" else hand.press("start")
    assert arcade.on == "TitleScene"
    assert len(arcade.engine.scenes) == 1


def test_whoever_does_not_follow_is_led_on_all_the_same(start, keyboard, monkeypatch) -> None:
    monkeypatch.setattr("arcade.session.match.tutorial.MOST", 0.05)
    arcade = start()
    begin(arcade, keyboard(arcade))
    scene = arcade.engine.scene
    arcade.until(lambda: scene.tutorial.step is STEPS[-1], "the last instruction")


def test_the_key_that_the_last_instruction_names_pauses_and_no_longer_skips(start, make_hand, monkeypatch) -> None:
    monkeypatch.setattr("arcade.session.match.tutorial.MOST", 0.05)
    monkeypatch.setattr("arcade.session.match.tutorial.LAST_SECONDS", 1e9)
    arcade = start()
    hand = make_hand(arcade)
    begin(arcade, hand)
    scene, match = arcade.engine.scene, arcade.engine.scenes[-2]
    arcade.until(lambda: scene.tutorial.step is STEPS[-1], "the last instruction")
    button = scene.focus.focused
    assert button.label.startswith("Pause: ")
    hand.click(button.rect.center) if type(hand).__name__ == "MouseHand" else hand.press("start")
    assert arcade.on == "PauseScene"
    assert match.session.match.paused


def test_the_settings_of_a_player_are_those_of_a_newcomer_until_something_is_chosen() -> None:
    assert is_first_start()
    save_settings(Settings())
    assert not is_first_start()
