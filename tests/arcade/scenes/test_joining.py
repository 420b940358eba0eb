"""People sit down, leave, take over and give back while the match goes on."""

from __future__ import annotations

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene
from arcade.session.people import Person
from tests.support.volley_snapshots import freeze

AI = SeatChoice("scripted")
WASD = SeatChoice("keyboard", "wasd")


def play(sitting, left: SeatChoice, right: SeatChoice) -> MatchScene:
    """A match of volley under way."""
    scene = MatchScene(sitting.services, routes.Match(sitting.library.featured, {"left_0": left, "right_0": right}))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.tick, "a match")
    return scene


def changes(match) -> list[tuple[str, str, str]]:
    match.quit()
    return [(change.agent, change.label, change.why) for change in match.result.changes]


def test_a_pad_joins_by_a_press_plays_and_gives_the_seat_back(sit, pad, tmp_path) -> None:
    sitting = sit(record=True)
    scene = play(sitting, WASD, AI)
    match, hand = scene.match, pad(sitting)
    assert any(words.endswith("press A to join") for words in scene.hud.toasts.messages)
    hand.press("accept")
    assert scene.session.lineup["right_0"] == SeatChoice("gamepad", "0")
    assert match.mapping["right_0"].label == "Player 2"
    assert "Player 2 joins: Right, in place of Scripted bot" in scene.hud.toasts.messages
    hand.press("accept")
    assert scene.session.lineup["left_0"] == WASD, "who plays already takes nobody else's seat"
    hand.pad.axis("x", 1.0)
    sitting.until(lambda: scene.session.last_actions.get("right_0") in (1, 4), "the pad's own move: away from the net")
    hand.press("select")
    sitting.until(lambda: scene.session.lineup["right_0"] == AI, "the machine again")
    sitting.until(lambda: match.tick.index > 100, "some play")
    assert changes(match) == [("right_0", "Player 2", "join"), ("right_0", "scripted", "give back")]
    sitting.engine.pop()
    sitting.services.worker.settle()
    [path] = (tmp_path / "replays").glob("*.replay")
    replay = read_replay(path)
    assert [change["why"] for change in replay.changes] == ["join", "give back"]
    assert verify(replay).ok
    hand.pad.detach()


def test_a_friend_who_joined_is_named_in_mid_match_and_the_result_says_so(sit, pad, keyboard) -> None:
    sitting = sit()
    scene = play(sitting, WASD, AI)
    match, friend, hand = scene.match, pad(sitting), keyboard(sitting)
    friend.press("accept")
    assert "To name Player 2, pause and choose Players of this match" in scene.hud.toasts.messages
    hand.pause()
    hand.choose("Players of this match")
    hand.choose("Player 2")
    assert sitting.on == "PeopleScene"
    hand.choose("Add a person")
    hand.type("Bo")
    hand.choose("Done")
    assert sitting.on == "PlayersScene"
    assert match.mapping["right_0"].label == "Bo"
    hand.choose("Done")
    hand.choose("Resume")
    sitting.until(lambda: match.tick.index > 60, "some play")
    assert changes(match) == [("right_0", "Bo", "join")]
    assert match.result.lineup["left_0"] == "Player"
    friend.pad.detach()


def test_naming_the_people_of_a_match_is_no_change_of_seats(sit) -> None:
    sitting = sit()
    scene = play(sitting, WASD, SeatChoice("keyboard", "arrows"))
    sitting.until(lambda: scene.match.tick.index > 20, "some play")
    scene.session.seats.name(SeatChoice("keyboard", "arrows"), "")
    sitting.services.people.put(Person("Cy"))
    scene.session.seats.name(SeatChoice("keyboard", "arrows"), "Cy")
    sitting.until(lambda: scene.match.tick.index > 60, "some more")
    assert changes(scene.match) == []
    assert dict(scene.match.result.lineup) == {"left_0": "Player", "right_0": "Cy"}


def test_a_second_person_joins_at_the_keyboard_that_one_plays_with(sit, keyboard) -> None:
    sitting = sit()
    scene, hand = play(sitting, SeatChoice("keyboard"), AI), keyboard(sitting)
    hand.key(pygame.K_RETURN)
    assert scene.session.lineup["right_0"] == AI, "Enter is the first one's own"
    hand.key(pygame.K_u)
    assert scene.session.lineup["right_0"] == SeatChoice("keyboard", "ijkl")
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_l, scancode=pygame.KSCAN_L, mod=0, unicode="l"))
    moves = {"left_0": 0, "right_0": 1}
    sitting.until(lambda: dict(scene.session.last_actions) == moves, "right: away from the net, and Enter released")


def test_a_press_takes_no_seat_of_a_recording_and_f2_does(sit, keyboard, tmp_path) -> None:
    sitting = sit(record=True)
    scene = play(sitting, AI, AI)
    sitting.until(lambda: scene.match.tick.index > 60, "something recorded")
    sitting.engine.pop()
    sitting.services.worker.settle()
    [path] = (tmp_path / "replays").glob("*.replay")
    seat = SeatChoice("replay", str(path))
    scene, hand = play(sitting, seat, seat), keyboard(sitting)
    hand.press("accept")
    assert set(scene.session.lineup.values()) == {seat}
    hand.key(pygame.K_F2)
    assert scene.session.lineup["left_0"].is_human


def test_f2_hands_ones_own_seat_to_a_machine_and_takes_it_again(sit, keyboard) -> None:
    sitting = sit()
    scene = play(sitting, AI, WASD)
    hand = keyboard(sitting)
    hand.key(pygame.K_F2)
    sitting.until(lambda: not scene.session.lineup["right_0"].is_human, "a machine")
    machine = scene.match.mapping["right_0"].label
    assert (
        "Player leaves Right to Volley AI, normal; F2 takes a seat again, hold it to correct"
        in scene.hud.toasts.messages
    )
    hand.key(pygame.K_F2)
    assert scene.session.lineup == {"left_0": AI, "right_0": WASD}
    hand.key(pygame.K_RETURN)
    assert scene.match.mapping["left_0"].label == "Player 2"
    told = [("right_0", machine, "leave"), ("right_0", "Player", "takeover"), ("left_0", "Player 2", "join")]
    assert changes(scene.match) == told


def test_f2_takes_over_from_a_machine_that_sits_there_again_when_it_is_given_back(sit, keyboard) -> None:
    sitting = sit()
    scene = play(sitting, AI, SeatChoice("idle"))
    hand = keyboard(sitting)
    hand.key(pygame.K_F2)
    assert scene.session.lineup["left_0"] == SeatChoice("keyboard")
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RIGHT, mod=0, unicode="", scancode=0))
    sitting.until(lambda: scene.session.last_actions.get("left_0") in (2, 5), "the person's own move")
    hand.key(pygame.K_F2)
    sitting.until(lambda: scene.session.lineup["left_0"] == AI, "the machine again")
    assert changes(scene.match) == [("left_0", "Player", "takeover"), ("left_0", "scripted", "give back")]


def test_of_a_pool_the_same_member_comes_back(sit, keyboard) -> None:
    for name in "abcdef":
        freeze(name, action=1)
    sitting = sit()
    scene = play(sitting, SeatChoice("idle"), SeatChoice("pool"))
    hand, member = keyboard(sitting), scene.match.mapping["right_0"].label
    scene.session.seats.seat("right_0", WASD)
    scene.session.seats.hand_over("right_0")
    sitting.until(lambda: not scene.session.lineup["right_0"].is_human, "the machine again")
    assert scene.match.mapping["right_0"].label == member
    assert scene.session.lineup["right_0"] == SeatChoice("pool"), "in the next match the pool draws again"
    hand.key(pygame.K_F2)
    assert scene.session.lineup["right_0"] == WASD, "the seat that was left is taken again"


def test_of_two_people_at_one_keyboard_the_one_who_pressed_last_leaves(sit, keyboard) -> None:
    sitting = sit()
    scene = play(sitting, WASD, AI)
    hand = keyboard(sitting)
    hand.key(pygame.K_RETURN)
    assert scene.session.lineup["right_0"] == SeatChoice("keyboard", "arrows")
    hand.key(pygame.K_a)
    hand.key(pygame.K_F2)
    sitting.until(lambda: not scene.session.lineup["left_0"].is_human, "a machine")
    assert scene.session.lineup["right_0"] == SeatChoice("keyboard", "arrows")
    hand.key(pygame.K_u)
    assert scene.match.mapping["left_0"].label == "Player", "nobody else goes by that name now"


def test_a_machine_that_cannot_play_leaves_the_person_in_the_seat_and_says_why(sit) -> None:
    sitting = sit()
    scene = play(sitting, WASD, AI)
    scene.session.seats.seat("left_0", SeatChoice("snapshot", "nobody-knows-it"))
    sitting.until(lambda: any("no snapshot was found" in words for words in scene.hud.toasts.messages), "word of it")
    assert scene.session.lineup["left_0"] == WASD
    assert sitting.on == "MatchScene"


def test_the_seat_of_a_pad_that_is_gone_goes_to_another_pad_that_asks_for_it(sit, pad) -> None:
    sitting = sit()
    first, second = pad(sitting), pad(sitting)
    sitting.until(lambda: len(sitting.engine.devices.pads) == 2, "two pads")
    scene = play(sitting, SeatChoice("gamepad", "0"), AI)
    first.pad.detach()
    sitting.until(lambda: sitting.on == "PauseScene", "a pause")
    second.press("accept")
    assert sitting.on == "MatchScene"
    assert scene.session.lineup["left_0"] == SeatChoice("gamepad", "1")
    second.pad.axis("x", 1.0)
    sitting.until(lambda: scene.session.last_actions.get("left_0") in (2, 5), "the other pad's own move")
    assert [why for *_, why in changes(scene.match)] == ["takeover"]
    second.pad.detach()


@pytest.mark.parametrize(("words", "human"), [("Play on the keyboard", True), ("Let the AI take over", False)])
def test_a_pad_that_is_gone_may_be_played_on_for(sit, pad, mouse, words, human) -> None:
    sitting = sit()
    gone = pad(sitting)
    scene = play(sitting, SeatChoice("gamepad", "0"), AI)
    gone.pad.detach()
    sitting.until(lambda: sitting.on == "PauseScene", "a pause")
    mouse(sitting).choose(words)
    sitting.until(lambda: scene.session.lineup["left_0"].kind != "gamepad", "somebody else in the seat")
    assert sitting.on == "MatchScene"
    assert scene.session.lineup["left_0"].is_human is human
    index = scene.match.tick.index
    sitting.until(lambda: scene.match.tick.index > index + 3, "play to go on")


def test_a_match_begun_anew_asks_for_the_pad_that_is_gone(sit, pad, mouse) -> None:
    sitting = sit()
    gone = pad(sitting)
    first = play(sitting, SeatChoice("gamepad", "0"), AI)
    gone.pad.detach()
    sitting.until(lambda: sitting.on == "PauseScene", "a pause")
    mouse(sitting).choose("Restart")
    mouse(sitting).choose("Restart")  # the answer to the question
    sitting.until(lambda: sitting.on == "PauseScene", "to be asked")
    assert sitting.engine.scene.why == "Gamepad 1 is disconnected"
    again = pad(sitting)
    sitting.until(lambda: sitting.on == "MatchScene", "the match")
    assert sitting.engine.scene is not first
    again.pad.detach()


def test_seats_change_from_the_pause_by_each_hand(sit, make_hand) -> None:
    sitting = sit()
    hand = make_hand(sitting)
    scene = play(sitting, SeatChoice("idle"), AI)
    hand.pause()
    hand.choose("Players")
    hand.choose("Left")
    hand.pick("Volley AI, hard")
    wanted = sitting.engine.scene.seating.lineup["left_0"]
    assert wanted != SeatChoice("idle")
    hand.choose("Done")
    assert sitting.on == "PauseScene"
    hand.choose("Resume")
    sitting.until(lambda: scene.session.lineup["left_0"] == wanted, "the new one in the seat")
    assert sitting.on == "MatchScene"
