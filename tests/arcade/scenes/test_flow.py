"""The whole way through the arcade, by each kind of hand alone; every step is a real input event."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.engine.input import press_gate
from arcade.engine.ui.texts import Picture
from arcade.games.spec import GameSpec
from arcade.scenes import routes
from arcade.scenes.match.results import DEVICE
from arcade.scenes.pictograms import icon
from tests.support.hands import KeyboardHand


def ticks(sitting) -> int:
    match = getattr(sitting.engine.scene, "match", None)
    return match.tick.index if match is not None and match.tick is not None else -1


def ladder_rows(folder) -> list[tuple]:
    with sqlite3.connect(folder / "ladder.sqlite") as connection:
        return connection.execute("SELECT game, ended, ticks, lineup FROM results ORDER BY id").fetchall()


def turn_with_tab(sitting) -> None:
    """Turn the page of the results with Tab, there and back; to press and to release it is one turn."""
    for title in ("Recording and details", "Result"):
        sitting.tabs(title)  # waits until presses are heard
        KeyboardHand(sitting).key(pygame.K_TAB)
        tabs = sitting.tabs(title)
        assert tabs.titles[tabs.index] == title


def test_from_title_to_results_and_settings(sit, make_hand, tmp_path) -> None:
    sitting = sit(max_ticks=60)
    hand = make_hand(sitting)
    hand.choose("All games")
    assert sitting.on == "SelectScene"
    hand.pick_row(0)
    assert sitting.on == "GameScene"
    hand.choose("Seats")
    assert sitting.on == "SeatsScene"
    hand.choose("Right")
    hand.pick("Volley AI, hard")
    assert sitting.engine.scene.seating.lineup["right_0"] == SeatChoice("level", "hard")
    hand.choose("Start")
    sitting.until(lambda: ticks(sitting) > 2, "a match that runs")
    hand.pause()
    assert sitting.on == "PauseScene"
    stood = sitting.engine.scenes[-2].match.tick.index
    sitting.frame(20)
    assert sitting.engine.scenes[-2].match.tick.index <= stood + 1
    hand.choose("Controls")
    assert [type(scene).__name__ for scene in sitting.engine.scenes[-2:]] == ["MatchScene", "ControlsScene"]
    hand.choose("Resume")
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    sitting.until(lambda: sitting.engine.scene.outcome.ratings is not None, "the ratings")
    turn_with_tab(sitting)
    [(game, ended, played, lineup)] = ladder_rows(tmp_path)
    assert (game, ended, played) == ("house/volley", "max_ticks", 60)
    assert json.loads(lineup)["left_0"] == "Player"
    hand.choose("Rematch")
    sitting.until(lambda: sitting.on == "MatchScene" and ticks(sitting) > 2, "a rematch")
    sitting.until(lambda: sitting.on == "ResultsScene", "the results again")
    hand.choose("Home")
    assert sitting.on == "TitleScene"
    hand.choose("Settings")
    hand.choose("Sound")
    hand.choose("Mute")
    assert sitting.engine.settings.mute
    hand.choose("Back")
    assert sitting.on == "TitleScene"
    hand.choose("Quit")
    assert not sitting.engine.running


def test_one_press_on_the_title_plays_with_the_device_that_pressed(sit, make_hand) -> None:
    sitting = sit()
    hand = make_hand(sitting)
    hand.choose("Play Volley")
    sitting.until(lambda: ticks(sitting) > 2, "a match that runs")
    lineup = sitting.engine.scene.session.lineup
    assert lineup["left_0"] == SeatChoice(*(("gamepad", "0") if "Pad" in type(hand).__name__ else ("keyboard", "")))
    assert not lineup["right_0"].is_human
    hand.pause()
    hand.choose("Leave the game")
    assert sitting.on == "ConfirmScene", "leaving is asked about"
    assert sitting.widget("Leave").danger, "what ends a match looks like it everywhere"
    hand.choose("Leave")
    assert sitting.on == "TitleScene"


def test_a_press_that_was_meant_for_the_game_does_not_start_the_next_one(sit, keyboard, monkeypatch) -> None:
    monkeypatch.setattr(press_gate, "QUIET", 1e9)
    sitting = sit(max_ticks=20)
    hand = keyboard(sitting)
    hand.choose("Play Volley")
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    hand.press("accept")
    hand.press("back")
    sitting.frame(5)
    assert sitting.on == "ResultsScene"
    monkeypatch.setattr(press_gate, "QUIET", 0.0)
    sitting.frame()
    hand.press("accept")
    sitting.until(lambda: sitting.on == "MatchScene", "the rematch")


def test_a_press_before_all_is_loaded_is_not_lost(sit, keyboard, monkeypatch) -> None:
    sitting = sit()
    sitting.services.ready = False
    keyboard(sitting).press("accept")
    sitting.frame(3)
    assert sitting.on == "TitleScene"
    sitting.services.ready = True
    sitting.until(lambda: ticks(sitting) > 0, "the match that was asked for")


def test_a_lineup_from_the_command_line_begins_by_itself_and_leaving_it_leads_to_the_title(sit, keyboard) -> None:
    from arcade.scenes.home.title import TitleScene

    sitting = sit()
    lineup = {"left_0": SeatChoice("keyboard", "wasd"), "right_0": SeatChoice("random")}
    sitting.engine.reset_to(TitleScene(sitting.services, routes.Title(lineup=lineup)))
    sitting.until(lambda: ticks(sitting) > 0, "the match")
    assert sitting.engine.scene.session.lineup == lineup
    keyboard(sitting).pause()
    keyboard(sitting).choose("Leave the game")
    keyboard(sitting).choose("Leave")
    sitting.frame(5)
    assert sitting.on == "TitleScene"


def test_nothing_of_a_sitting_is_left_behind(sit, keyboard) -> None:
    sitting = sit()
    keyboard(sitting).choose("Play Volley")
    sitting.until(lambda: ticks(sitting) > 0, "a match")
    child = sitting.engine.scene.match.stage.pid
    sitting.close()
    assert not Path(f"/proc/{child}").exists()


def test_typing_finds_a_game_and_escape_takes_the_search_back(sit, keyboard) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    hand.choose("All games")
    hand.type("tic tac")
    scene = sitting.engine.scene
    assert [spec.id for spec in scene.selection.found] == ["classic/tictactoe_v3"]
    hand.key(8)
    assert scene.selection.query == "tic ta"
    hand.press("back")
    assert scene.selection.query == ""
    hand.press("back")
    assert sitting.on == "TitleScene"


def test_a_turn_based_game_is_played_by_cursor_and_by_click(sit, keyboard, mouse) -> None:
    from arcade.scenes.match.match_scene import MatchScene

    sitting = sit()
    spec = next(spec for spec in sitting.library.games if spec.id == "classic/connect_four_v3")
    person = SeatChoice("keyboard", "arrows")
    scene = MatchScene(sitting.services, routes.Match(spec, dict.fromkeys(spec.agents, person)))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.waiting_for, "a turn")
    hand = keyboard(sitting)
    hand.press("right")
    hand.press("right")
    hand.press("accept")
    sitting.until(lambda: scene.match.tick.index == 1, "the first move")
    assert scene.session.last_actions == {"player_0": 5}, "from the middle two to the right"
    sitting.until(lambda: scene.field.moves.chooser is not None, "the second player's turn")
    sitting.frame(2)
    table = scene.field.picture.table
    mouse(sitting).click(table.rect_of((4, 0)).move(table.origin).center)
    sitting.until(lambda: scene.match.tick.index == 2, "the second move")
    assert scene.session.last_actions == {"player_1": 4}


def test_a_second_person_joins_by_pressing_and_the_first_keeps_steering(sit, keyboard, pad) -> None:
    sitting = sit()
    keys, hands = keyboard(sitting), pad(sitting)
    keys.choose("All games")
    keys.pick_row(0)
    keys.choose("Seats")
    hands.press("accept")
    assert sitting.on == "SeatsScene"
    lineup = sitting.engine.scene.seating.lineup
    assert lineup == {"left_0": SeatChoice("keyboard"), "right_0": SeatChoice("gamepad", "0")}
    keys.press("accept")
    sitting.until(lambda: ticks(sitting) > 0, "a match of two people")


def test_a_friend_takes_half_of_the_keyboard_and_both_are_named_by_their_keys(sit, keyboard) -> None:
    sitting = sit()
    keys = keyboard(sitting)
    keys.choose("All games")
    keys.pick_row(0)
    keys.choose("Seats")
    seats = sitting.engine.scene
    assert texts(seats) >= {"Keyboard", "To join, press Left Shift, Right Shift, O or a gamepad's A."}
    keys.key(pygame.K_RSHIFT)
    assert seats.seating.lineup == {"left_0": SeatChoice("keyboard"), "right_0": SeatChoice("keyboard", "arrows")}
    assert texts(seats) >= {"Keyboard WASD", "Keyboard arrow keys"}
    assert not any(text.startswith("To join") for text in texts(seats)), "there is no free seat"


def test_the_keys_of_a_player_on_the_results_leave_the_name_free(sit) -> None:
    sitting = sit(max_ticks=10)
    spec, halves = sitting.library.find("house/volley"), [SeatChoice("keyboard", half) for half in ("wasd", "arrows")]
    sitting.engine.push(routes.Match(spec, dict(zip(spec.agents, halves, strict=True))))
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    scene = sitting.engine.scene
    theme = scene.theme
    devices = [one for one in scene.tree.walk() if isinstance(one, Picture) and one.height == DEVICE]
    widest = max(icon(theme, half, size=theme.px(24), colour=theme.colours.muted).get_width() for half in halves)
    assert [device.rect.w >= widest for device in devices] == [True, True]


@pytest.mark.parametrize("key", [pygame.K_RETURN, pygame.K_SPACE, pygame.K_u])
def test_every_accept_key_of_a_seated_keyboard_starts_as_the_hint_says(sit, keyboard, key) -> None:
    sitting = sit()
    keys = keyboard(sitting)
    keys.choose("All games")
    keys.pick_row(0)
    keys.choose("Seats")
    assert sitting.engine.scene.focus.focused.label == "Start"
    keys.key(key)
    assert sitting.on == "MatchScene"
    assert not sitting.engine.scene.session.lineup["right_0"].is_human


def texts(scene) -> set[str]:
    """What stands on a page, with the values of its rows."""
    walked = list(scene.tree.walk())
    return {widget.label for widget in walked} | {getattr(widget, "value", "") for widget in walked}


def test_who_came_by_mouse_starts_with_enter_and_is_no_second_person(sit, keyboard, mouse) -> None:
    sitting = sit()
    keys, hand = keyboard(sitting), mouse(sitting)
    hand.choose("All games")
    hand.pick_row(0)
    hand.choose("Seats")
    hand.move(sitting.widget("Start").rect.center)
    seats = sitting.engine.scene
    alone = seats.seating.lineup
    assert alone["left_0"] == SeatChoice("keyboard")
    keys.press("accept")
    sitting.until(lambda: ticks(sitting) > 0, "a match against a machine")
    assert sitting.engine.scene.session.lineup == alone


def test_a_pad_pulled_out_pauses_and_its_return_goes_on(sit, pad) -> None:
    sitting = sit()
    hand = pad(sitting)
    hand.choose("Play Volley")
    sitting.until(lambda: ticks(sitting) > 2, "a match that runs")
    hand.pad.detach()
    sitting.until(lambda: sitting.on == "PauseScene", "a pause")
    match = sitting.engine.scenes[-2].match
    assert match.paused
    again = pad(sitting)
    sitting.until(lambda: sitting.on == "MatchScene", "the match again")
    stood = match.tick.index
    again.pad.axis("x", 1.0)
    sitting.until(lambda: match.tick.index > stood + 5, "play to go on")
    assert match.mapping["left_0"].act() in (2, 5)
    again.pad.detach()


def test_a_pad_pulled_out_during_a_pause_is_asked_for_when_play_would_go_on(sit, keyboard, pad) -> None:
    sitting = sit()
    hand = pad(sitting)
    hand.choose("Play Volley")
    sitting.until(lambda: ticks(sitting) > 2, "a match that runs")
    match = sitting.engine.scene.match
    hand.pause()
    keyboard(sitting).choose("Settings")
    hand.pad.detach()
    sitting.until(lambda: not sitting.engine.devices.pads, "the pad to be gone")
    keyboard(sitting).choose("Back")
    keyboard(sitting).choose("Resume")
    assert sitting.on == "PauseScene"
    assert sitting.engine.scene.why == "Gamepad 1 is disconnected"
    assert match.paused
    keyboard(sitting).choose("Resume")
    assert sitting.on == "MatchScene", "who resumes without the pad plays on without it"
    assert not match.paused
    again = pad(sitting)
    again.pause()
    again.pad.detach()
    sitting.until(lambda: not sitting.engine.devices.pads, "the pad to be gone again")
    keyboard(sitting).choose("Resume")
    assert sitting.on == "PauseScene", "a pad that came back and went is asked for again"
    again = pad(sitting)
    sitting.until(lambda: sitting.on == "MatchScene", "the match again")
    again.pad.detach()


def test_a_pad_pulled_out_while_the_match_is_launched_is_asked_for(sit, pad, monkeypatch) -> None:
    from arcade.match.play.match import Match

    seated, gate, start = threading.Event(), threading.Event(), Match.start

    def late(match: Match) -> None:
        if "gamepad:0" in {getattr(controller, "word", "") for controller in match.mapping.values()}:
            seated.set()
            gate.wait(60)
        start(match)

    monkeypatch.setattr(Match, "start", late)
    sitting = sit()
    hand = pad(sitting)
    hand.choose("Play Volley")
    sitting.until(seated.is_set, "the seats to be filled")
    hand.pad.detach()
    sitting.until(lambda: not sitting.engine.devices.pads, "the pad to be gone")
    gate.set()
    sitting.until(lambda: sitting.on == "PauseScene" or ticks(sitting) > 2, "a pause")
    assert sitting.on == "PauseScene"
    again = pad(sitting)
    sitting.until(lambda: ticks(sitting) > 2, "the match")
    again.pad.detach()


@pytest.mark.parametrize("how", ["raises", "dies"])
def test_a_game_that_fails_is_told_of_and_the_window_lives_on(sit, keyboard, tmp_path, monkeypatch, how) -> None:
    body = {"raises": "raise KeyError('player_3')", "dies": "os._exit(3)"}[how]
    (tmp_path / "failing_game.py").write_text(
        "import os\nfrom arcade.games.house.volley import VolleyEnv\n\n\nclass Failing(VolleyEnv):\n"
        "    ticks = 0\n\n    def step(self, actions):\n        self.ticks += 1\n"
        f"        if self.ticks > 5:\n            {body}\n        return super().step(actions)\n\n\n"
        "def parallel_env(render_mode=None):\n"
        "    return Failing(team_size=1, max_ticks=3000, points=5, render_mode=render_mode)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    from arcade.scenes.match.match_scene import MatchScene

    sitting = sit()
    spec = GameSpec(
        id="failing_game:parallel_env",
        title="Failing",
        entry="failing_game:parallel_env",
        agents=("left_0", "right_0"),
        teams=(("left_0",), ("right_0",)),
        turn_based=False,
        fps=60,
    )
    sitting.engine.push(
        MatchScene(sitting.services, routes.Match(spec, dict.fromkeys(spec.agents, SeatChoice("random"))))
    )
    sitting.until(lambda: sitting.on == "ErrorScene", "the error")
    scene = sitting.engine.scene
    assert scene.heading == "Failing stopped unexpectedly"
    if how == "raises":
        assert "KeyError: 'player_3'" in "\n".join(scene.lines)
    keyboard(sitting).choose("Home")
    assert sitting.on == "TitleScene"
    keyboard(sitting).choose("Play Volley")
    sitting.until(lambda: ticks(sitting) > 0, "another game in the same window")


def test_a_seat_that_cannot_be_filled_says_why(sit, keyboard) -> None:
    from arcade.scenes.match.match_scene import MatchScene

    sitting = sit()
    spec = sitting.library.featured
    lineup = dict.fromkeys(spec.agents, SeatChoice("snapshot", "nobody-knows-it"))
    sitting.engine.push(MatchScene(sitting.services, routes.Match(spec, lineup)))
    sitting.until(lambda: sitting.on == "ErrorScene", "the error")
    assert "nobody-knows-it" in sitting.engine.scene.message
    assert not sitting.engine.scene.lines
