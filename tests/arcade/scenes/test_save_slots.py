"""Moments saved in slots: continued at once, after another line of play, after the match, and in another window."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene
from arcade.session.match.save_slots import SaveSlots
from arcade.session.match.slot_files import Slot, SlotCard, SlotFiles

SCRIPTED, KEYBOARD = SeatChoice("scripted"), SeatChoice("keyboard")


def play(sitting, *, game: str = "house/volley", **lineup: SeatChoice) -> MatchScene:
    spec = sitting.library.find(game)
    scene = MatchScene(sitting.services, routes.Match(spec, {**dict.fromkeys(spec.agents, SCRIPTED), **lineup}))
    sitting.engine.push(scene)
    return begun(sitting, scene)


def begun(sitting, scene: MatchScene) -> MatchScene:
    sitting.until(lambda: scene.match is not None and scene.match.tick, "a match")
    return scene


def run_to(sitting, scene: MatchScene, index: int) -> None:
    sitting.until(lambda: scene.match.tick.index >= index, f"tick {index}")


def save_here(sitting, hand) -> int:
    """Save in the slot that is offered, and return its tick."""
    hand.key(pygame.K_F3)
    before = dict(sitting.engine.scene._slots.slots)
    hand.choose("Save here")
    slots = sitting.engine.scene._slots
    sitting.until(lambda: slots.slots != before, "the slot on the disk")
    hand.press("back")
    new = [slot for number, slot in slots.slots.items() if before.get(number) != slot]
    return new[0].card.tick


def load(sitting, hand, number: int) -> None:
    hand.key(pygame.K_F3)
    sitting.until(lambda: number in sitting.engine.scene._slots.slots, "the slots")
    scene = sitting.engine.scene
    hand.reach(scene._cards[number])
    hand.press("accept")


def toasts(scene: MatchScene) -> list[str]:
    return [*scene.hud.toasts.messages, *scene.engine.toasts.messages]


def recordings(home: Path) -> list[Path]:
    return sorted((home / "replays").glob("*.replay"))


def test_a_saved_moment_is_continued_at_once_and_its_recording_verifies(sit, keyboard, tmp_path: Path) -> None:
    sitting = sit(record=True)
    scene = play(sitting)
    hand, match = keyboard(sitting), scene.match
    run_to(sitting, scene, 40)
    tick = save_here(sitting, hand)
    assert match.rated
    run_to(sitting, scene, tick + 60)
    load(sitting, hand, 1)
    assert sitting.on == "MatchScene"
    sitting.until(lambda: any("no longer rated" in words for words in toasts(scene)), "the way back")
    assert tick <= match.tick.index < tick + 40
    assert not match.rated
    run_to(sitting, scene, tick + 50)
    hand.pause()
    hand.choose("Leave the game")
    hand.choose("Leave")
    sitting.services.worker.settle()
    [path] = recordings(tmp_path)
    replay = read_replay(path)
    [(came, went)] = replay.result["rewinds"]
    assert went == tick < came
    assert not replay.result["rated"]
    assert verify(replay).ok


def test_keys_in_the_list_of_moments_play_no_move_behind_it(sit, keyboard) -> None:
    sitting = sit()
    scene = play(sitting, game="classic/tictactoe_v3", player_1=KEYBOARD, player_2=SeatChoice("random"))
    hand = keyboard(sitting)
    hand.key(pygame.K_HOME)
    hand.choose("Save here")
    sitting.until(lambda: sitting.engine.scene._slots.slots, "the slot on the disk")
    hand.press("back")
    sitting.until(lambda: sitting.engine.scene is scene, "the match")
    seat = scene.match.mapping["player_1"]
    assert seat.act() is None
    hand.key(pygame.K_RETURN)
    assert seat.act() is not None


def test_a_moment_of_another_line_of_play_begins_a_match_whose_recording_is_whole(sit, keyboard, tmp_path) -> None:
    sitting = sit(record=True)
    scene = play(sitting, left_0=KEYBOARD)
    hand = keyboard(sitting)
    run_to(sitting, scene, 20)
    first = save_here(sitting, hand)
    run_to(sitting, scene, first + 60)
    second = save_here(sitting, hand)
    load(sitting, hand, 1)
    sitting.until(lambda: scene.match.tick.index < second and not scene.match.rewinding, "the first moment")
    load(sitting, hand, 2)
    sitting.until(lambda: sitting.engine.scene is not scene and sitting.on in ("MatchScene", "PauseScene"), "a match")
    later = begun(sitting, next(one for one in sitting.engine.visible("transparent") if isinstance(one, MatchScene)))
    sitting.until(lambda: sitting.on == "PauseScene", "a match that waits for its player")
    assert later.match.tick.index == second
    assert later.session.lineup["left_0"] == KEYBOARD
    hand.choose("Resume")
    run_to(sitting, later, second + 10)
    later.match.quit()
    sitting.until(lambda: sitting.on == "ResultsScene", "the result")
    sitting.services.worker.settle()
    assert all(verify(read_replay(path)).ok for path in recordings(tmp_path))
    continued = read_replay(recordings(tmp_path)[-1])
    assert continued.head["settings"]["parent_tick"] == second
    assert len(continued.actions) >= second + 10
    hand.choose("This moment again")
    again = begun(sitting, next(one for one in sitting.engine.visible("transparent") if isinstance(one, MatchScene)))
    assert again.match.tick.index == second


def test_slots_are_there_in_another_window_with_their_pictures(sit, keyboard, tmp_path: Path) -> None:
    sitting = sit()
    scene = play(sitting, left_0=KEYBOARD)
    hand = keyboard(sitting)
    run_to(sitting, scene, 30)
    tick = save_here(sitting, hand)
    sitting.close()
    other = sit()
    hand = keyboard(other)
    spec = other.library.find("house/volley")
    other.engine.push(routes.Game(spec))
    labels = lambda: [one.label for one in other.engine.scene.focus.widgets]  # noqa: E731
    other.until(lambda: "Saved moments" in labels(), "the button")
    hand.choose("Saved moments")
    slots = other.engine.scene
    other.until(lambda: 1 in slots._slots.slots, "the slot")
    assert slots._slots.slots[1].picture.exists()
    hand.reach(slots._cards[1])
    hand.press("accept")
    other.until(lambda: other.on == "PauseScene", "the match")
    match = next(one for one in other.engine.visible("transparent") if isinstance(one, MatchScene))
    assert match.match.tick.index == tick
    assert match.session.lineup == {"left_0": KEYBOARD, "right_0": SCRIPTED}


def test_a_pad_saves_over_a_slot_and_goes_back_to_it(sit, pad, tmp_path: Path) -> None:
    sitting = sit()
    scene = play(sitting)
    hand = pad(sitting)
    ticks = []
    for index in (20, 60):
        run_to(sitting, scene, index)
        hand.press("start")
        hand.choose("Save and load")
        slots = sitting.engine.scene._slots
        before = slots.slots.get(1)
        hand.reach(sitting.engine.scene._cards[1])
        hand.press("select" if before else "accept")
        sitting.until(lambda slots=slots, before=before: slots.slots.get(1) not in (None, before), "the slot")
        ticks.append(slots.slots[1].card.tick)
        hand.press("back")
    assert ticks[1] >= 60
    run_to(sitting, scene, ticks[1] + 30)
    hand.press("start")
    hand.choose("Save and load")
    hand.reach(sitting.engine.scene._cards[1])
    hand.press("accept")
    sitting.until(lambda: any("Back at" in words for words in toasts(scene)), "the way back")
    assert scene.match.rewinds[0][1] == ticks[1]
    hand.pad.detach()


@pytest.mark.parametrize("damage", [b"", b"no recording", b"PettingZoo Arcade replay 2\n\x28\xb5\x2f\xfd"])
def test_a_damaged_slot_is_reported_and_the_match_goes_on(sit, keyboard, tmp_path: Path, damage: bytes) -> None:
    sitting = sit()
    scene = play(sitting)
    hand = keyboard(sitting)
    run_to(sitting, scene, 10)
    save_here(sitting, hand)
    scene.session.slots._moments.clear()
    scene.session.slots.slots[1].path.write_bytes(damage)
    load(sitting, hand, 1)
    sitting.until(lambda: any("is damaged, or no recording" in words for words in toasts(scene)), "the reason")
    assert scene.match.result is None


@pytest.mark.parametrize(
    ("game", "card", "name"),
    [
        ("chess", {"tick": 9}, "Move 5"),
        ("hanabi", {"tick": 9, "score": (4.0,)}, "Turn 10, 4 points"),
        ("pong", {"tick": 60 * 75, "score": (3.0, 2.0)}, "1:15, 2 : 3 points"),
        (
            "texas_holdem",
            {"tick": 9, "score": (102.0, 98.0), "hand": {"street": "flop", "number": 3, "hands": 20}},
            "Hand 3, flop, 102 : 98 chips",
        ),
    ],
)
def test_a_saved_moment_has_the_name_that_players_give_it(sit, tmp_path: Path, game: str, card: Any, name: str) -> None:
    slots = SaveSlots(sit().services, find_game(game))
    assert slots.moment_of(Slot(tmp_path, datetime.now(), SlotCard(**card))) == name


def test_a_moment_of_poker_keeps_its_hand_and_its_chips(tmp_path: Path) -> None:
    card = SlotCard(tick=9, score=(102.0, None), hand={"street": "flop", "number": 3, "hands": 20})
    files = SlotFiles("texas_holdem")
    files.write(1, card, b"", lambda path: None)
    assert files.list()[1].card == card
