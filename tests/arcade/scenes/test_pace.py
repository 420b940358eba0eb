"""Slow motion, single ticks, and the way back, by keys, pad and mouse."""

from __future__ import annotations

from dataclasses import replace

import pygame

from agents.seats.controller import SeatChoice
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene

RIGHT = (2, 5)  # volley's actions that go there


def play(sitting, *, fps: float = 60, **lineup: SeatChoice) -> MatchScene:
    spec = replace(sitting.library.featured, fps=fps)
    scene = MatchScene(
        sitting.services, routes.Match(spec, {**dict.fromkeys(spec.agents, SeatChoice("scripted")), **lineup})
    )
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.tick, "a match")
    return scene


def hold(key: int, *, down: bool = True) -> None:
    kind = pygame.KEYDOWN if down else pygame.KEYUP
    pygame.event.post(pygame.event.Event(kind, key=key, mod=0, unicode="", scancode=0))


def test_keys_slow_a_match_down_and_speed_it_up(sit, keyboard, fair_clock) -> None:
    sitting = sit({"clock": fair_clock.read, "sleep": fair_clock.sleep})
    scene = play(sitting)
    hand = keyboard(sitting)
    fair_clock.match = match = scene.match
    for key, times, speed, frames in ((pygame.K_F5, 3, 1 / 8, 40), (pygame.K_F6, 6, 4, 10)):
        for _ in range(times):
            hand.key(key)
        begun, now = match.tick.index, fair_clock.now
        sitting.frame(frames)
        played = (match.tick.index - begun) / (match.spec.fps * speed * (fair_clock.now - now))
        assert 0.7 < played < 1.3
    assert [words for words in scene.hud.toasts.messages if words.startswith("Speed")] == [
        "Speed 4×"
    ]  # not the ones before too
    match.quit()
    assert not match.result.rated


def test_a_match_that_stands_takes_one_tick_a_press_with_what_is_held(sit, keyboard) -> None:
    sitting = sit()
    scene = play(sitting, left_0=SeatChoice("keyboard"))
    match, hand = scene.match, keyboard(sitting)
    hand.key(pygame.K_F7)
    assert sitting.on == "PaceBar"
    sitting.until(lambda: not match.stepping, "the tick that was on its way")
    stood = match.tick.index
    sitting.frame(10)
    assert match.tick.index == stood
    for count in (1, 2):
        hold(pygame.K_RIGHT)
        hand.key(pygame.K_F7)
        sitting.until(lambda count=count: match.tick.index == stood + count, "one tick")
        assert scene.session.last_actions["left_0"] in RIGHT
    sitting.frame(10)
    assert match.tick.index == stood + 2
    hand.press("back")
    assert sitting.on == "MatchScene"
    sitting.until(lambda: match.tick.index > stood + 5, "play to go on")


def test_single_ticks_and_ten_seconds_back_are_taken_from_the_pause_by_each_hand(sit, make_hand) -> None:
    sitting = sit(speed=16)
    hand = make_hand(sitting)
    scene = play(sitting, fps=10)
    match = scene.match
    sitting.until(lambda: match.tick.index > 120, "twelve seconds of play")
    hand.pause()
    hand.choose("Step by step")
    sitting.until(lambda: not match.stepping, "the tick that was on its way")
    stood = match.tick.index
    hand.choose("One step")
    sitting.until(lambda: match.tick.index == stood + 1, "one tick")
    hand.choose("Slower")
    assert scene.session.pace.speed == 4
    hand.choose("Resume")
    sitting.until(lambda: match.tick.index > stood + 3, "play to go on")
    hand.pause()
    index = match.tick.index
    hand.choose("Ten seconds back")
    assert sitting.on == "MatchScene"
    sitting.until(lambda: any(words.startswith("Back at 0:") for words in scene.hud.toasts.messages), "the way back")
    match.quit()
    [(came, went)] = match.result.rewinds
    assert index <= came <= index + 2
    assert 100 <= came - went < 120
    assert not match.result.rated


def test_directions_of_who_plays_leave_the_bar_alone(sit, keyboard, pad) -> None:
    sitting = sit()
    play(sitting, left_0=SeatChoice("keyboard", "arrows"))
    keys, other = keyboard(sitting), pad(sitting)
    keys.key(pygame.K_F7)
    focus = sitting.engine.scene.focus
    keys.press("right")
    assert focus.widgets.index(focus.focused) == 0
    keys.key(pygame.K_TAB)
    assert focus.widgets.index(focus.focused) == 1
    other.press("right")
    assert focus.widgets.index(focus.focused) == 2
    other.pad.detach()


def test_the_score_shown_goes_back_too(sit, keyboard) -> None:
    sitting = sit(speed=16)
    scene = play(sitting, left_0=SeatChoice("idle"))
    match = scene.match
    sitting.until(lambda: any(match.score), "a point")
    keyboard(sitting).key(pygame.K_F7)
    sitting.until(lambda: not match.stepping, "the tick that was on its way")
    assert match.rewind(0)
    sitting.until(lambda: not match.rewinding, "the way back")
    assert match.score == (0, 0)


def test_a_move_of_everybody_is_taken_back_by_a_key(sit, keyboard) -> None:
    sitting = sit()
    spec = next(spec for spec in sitting.library.games if spec.id == "classic/tictactoe_v3")
    scene = MatchScene(sitting.services, routes.Match(spec, dict.fromkeys(spec.agents, SeatChoice("keyboard"))))
    sitting.engine.push(scene)
    hand = keyboard(sitting)
    for move in (1, 2):
        sitting.until(lambda: scene.match is not None and scene.field.moves.chooser is not None, "a turn")
        scene.field.moves.chooser.choose(move)
        sitting.until(lambda move=move: scene.match.tick.index == move, "a move")
    hand.key(pygame.K_F8)
    sitting.until(lambda: scene.match.tick.index == 0 and not scene.match.rewinding, "the empty board")
    sitting.until(lambda: len(scene.field.moves.chooser.options) == 9, "all moves again")
    hand.key(pygame.K_F8)
    assert any("Nothing to rewind" in words for words in scene.hud.toasts.messages)
