"""The button that takes a seat, held: the person decides until it is let go, and the machine goes on where it is."""

from __future__ import annotations

from pathlib import Path

import pygame

from agents.seats.controller import SeatChoice
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene

AI, IDLE, KEYS = SeatChoice("scripted"), SeatChoice("idle"), SeatChoice("keyboard")


def play(sitting, left: SeatChoice, right: SeatChoice) -> MatchScene:
    """A match of volley under way."""
    scene = MatchScene(sitting.services, routes.Match(sitting.library.featured, {"left_0": left, "right_0": right}))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.tick and scene.match.tick.index > 3, "a match")
    return scene


def hold(sitting, scene: MatchScene, key: int = pygame.K_F2) -> None:
    """Hold it until the screen says that a machine is corrected."""
    post(pygame.KEYDOWN, key)
    sitting.until(lambda: scene.hud.correcting, "word of it")


def post(kind: int, key: int) -> None:
    pygame.event.post(pygame.event.Event(kind, key=key, mod=0, unicode="", scancode=0))


def changes(match) -> list[tuple[str, str, str]]:
    match.quit()
    return [(change.agent, change.label, change.why) for change in match.result.changes]


def test_a_machine_is_corrected_while_the_key_is_held_and_is_the_same_one_afterwards(sit, tmp_path) -> None:
    sitting = sit(record=True)
    scene = play(sitting, AI, IDLE)
    match = scene.match
    machine = match.mapping["left_0"]
    for _ in range(2):
        hold(sitting, scene)
        assert scene.hud.correcting == {"left_0": "scripted"}
        assert scene.session.lineup["left_0"] == KEYS
        post(pygame.KEYDOWN, pygame.K_RIGHT)
        sitting.until(lambda: scene.session.last_actions.get("left_0") in (2, 5), "the person's own move")
        post(pygame.KEYUP, pygame.K_RIGHT)
        post(pygame.KEYUP, pygame.K_F2)
        sitting.frame()
        assert match.mapping["left_0"] is machine, "at once, and not another one from the disk"
        assert scene.session.lineup["left_0"] == AI
        assert scene.hud.correcting == {}
        seen = match.tick.index
        sitting.until(lambda seen=seen: match.tick.index > seen + 10, "some play of the machine's own")
    assert changes(match) == [("left_0", "Player", "takeover"), ("left_0", "scripted", "give back")] * 2
    sitting.engine.pop()
    sitting.services.worker.settle()
    [path] = Path(tmp_path / "replays").glob("*.replay")
    replay = read_replay(path)
    told = [(source.human, source.takeover) for source in replay.sources if source.agent == "left_0"]
    assert told == [(False, False), (True, True), (False, False), (True, True), (False, False)]
    assert verify(replay).ok


def test_a_tap_takes_the_seat_for_good(sit, keyboard) -> None:
    sitting = sit()
    scene, hand = play(sitting, AI, IDLE), keyboard(sitting)
    machine = scene.match.mapping["left_0"]
    hand.key(pygame.K_F2)
    seen = scene.match.tick.index
    sitting.until(lambda: scene.match.tick.index > seen + 40, "more than the time of a tap")
    assert scene.session.lineup["left_0"] == KEYS
    assert scene.hud.correcting == {}
    hand.key(pygame.K_F2)
    assert scene.match.mapping["left_0"] is machine


def test_a_pad_corrects_with_select_the_seat_that_it_had_last(sit, pad) -> None:
    sitting = sit()
    scene = play(sitting, AI, AI)
    hand = pad(sitting)
    scene.session.seats.left["gamepad:0"] = "right_0"
    hand.pad.press("select")
    sitting.until(lambda: scene.hud.correcting, "word of it")
    assert scene.hud.correcting == {"right_0": "scripted"}
    hand.pad.axis("x", 1.0)
    sitting.until(lambda: scene.session.last_actions.get("right_0") in (1, 4), "the pad's own move: away from the net")
    hand.pad.release("select")
    sitting.until(lambda: scene.session.lineup["right_0"] == AI, "the machine again")
    hand.pad.detach()


def test_a_pause_and_a_lost_window_let_go(sit) -> None:
    sitting = sit()
    scene = play(sitting, AI, IDLE)
    hold(sitting, scene)
    post(pygame.KEYDOWN, pygame.K_ESCAPE)
    sitting.frame()
    assert sitting.on == "PauseScene"
    assert scene.session.lineup["left_0"] == AI
    post(pygame.KEYUP, pygame.K_ESCAPE)
    post(pygame.KEYUP, pygame.K_F2)
    post(pygame.KEYDOWN, pygame.K_ESCAPE)
    sitting.frame(2)
    assert sitting.on == "MatchScene"
    hold(sitting, scene)
    pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    sitting.frame()
    assert scene.session.lineup["left_0"] == AI


def test_at_the_end_of_a_match_the_machine_keeps_its_seat_for_the_next(sit) -> None:
    sitting = sit(max_ticks=120)
    scene = play(sitting, AI, IDLE)
    hold(sitting, scene)
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    assert scene.session.lineup["left_0"] == AI
    assert sitting.services.setup.lineups["house/volley"]["left_0"] == AI
    assert changes(scene.match) == [("left_0", "Player", "takeover")]
