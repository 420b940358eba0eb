"""3-2-1 before people play in real time; keys that are still pressed for the game choose nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.engine.ui.theme import Theme
from arcade.scenes import routes
from arcade.scenes.hud.controls_lines import ControlsStrip
from arcade.session.match.countdown import Countdown
from arcade.session.match.tutorial import tutorial_lineup
from arcade.session.settings import Settings
from tests.support.clocks import FairClock

PERSON, AI = SeatChoice("keyboard"), SeatChoice("scripted")


@pytest.fixture
def begin(sit, fair_clock: FairClock):
    """Begins a match, on a clock turned by the loop, with the countdown as users have it."""

    def play(spec_id: str = "house/volley", *seats: SeatChoice, **opening: Any) -> Any:
        sitting = sit({"clock": fair_clock.read, "sleep": fair_clock.sleep, "settings": Settings()}, **opening)
        spec = sitting.library.find(spec_id)
        seats = seats or (PERSON, AI)
        sitting.engine.push(routes.Match(spec, dict(zip(spec.agents, seats, strict=True))))
        scene = sitting.engine.scene
        sitting.until(lambda: scene.match is not None and scene.match.tick is not None, "the first picture")
        return sitting, scene

    return play


def key(kind: int, code: int) -> None:
    pygame.event.post(pygame.event.Event(kind, key=code, scancode=0, mod=0, unicode=""))


def counted(sitting: Any, scene: Any, clock: FairClock) -> tuple[list[int], float]:
    """The numbers that were shown until the match runs, and the seconds that took."""
    began, numbers = clock.now, [scene.session.countdown.number]
    while scene.session.countdown.is_on:
        assert scene.match.tick.index == 0 or scene.match.paused
        sitting.frame()
        if scene.session.countdown.number != numbers[-1]:
            numbers.append(scene.session.countdown.number)
    return numbers, clock.now - began


def test_a_match_waits_for_three_two_one_and_shows_its_first_picture_meanwhile(begin, fair_clock) -> None:
    sitting, scene = begin()
    sitting.frame()
    assert scene.match.frame is not None
    assert scene.hud.controls_shown == 1
    numbers, seconds = counted(sitting, scene, fair_clock)
    assert numbers == [3, 2, 1, 0]
    assert seconds == pytest.approx(3, abs=0.1)
    sitting.until(lambda: scene.match.tick.index > 5, "the match to run")


@pytest.mark.parametrize("scale", [1.0, 2.0, 3.0])
def test_the_keys_leave_the_number_free_at_every_scale_of_the_tutorial(sit, fair_clock, monkeypatch, scale) -> None:
    clock = {"clock": fair_clock.read, "sleep": fair_clock.sleep}
    sitting = sit({**clock, "settings": replace(Settings(), ui_scale=scale)})
    spec = sitting.library.find("house/volley")
    sitting.engine.push(routes.Match(spec, tutorial_lineup(spec, PERSON)))
    scene = sitting.engine.scene
    sitting.engine.push(routes.Tutorial(PERSON))
    numbers: list[pygame.Rect] = []
    keys: list[int] = []
    draw_text, draw_keys = Theme.draw_text, ControlsStrip.draw

    def note_number(theme: Theme, canvas: Any, text: str, *args: Any, **look: Any) -> pygame.Rect:
        rect = draw_text(theme, canvas, text, *args, **look)
        numbers.extend([rect] if text == "3" else [])
        return rect

    def note_keys(strip: ControlsStrip, canvas: Any, *args: Any, **look: Any) -> int:
        keys.append(top := draw_keys(strip, canvas, *args, **look))
        return top

    sitting.until(lambda: scene.match is not None and scene.match.tick is not None, "the first picture")
    monkeypatch.setattr(Theme, "draw_text", note_number)
    sitting.frame()  # whether the keys have room below the picture is known then
    numbers.clear()
    monkeypatch.setattr(ControlsStrip, "draw", note_keys)
    sitting.frame()
    assert scene.session.countdown.number == 3
    assert max(number.bottom for number in numbers) <= min(keys, default=sitting.engine.canvas.get_height())
    assert scale == 1 or keys


def test_the_countdown_comes_again_after_a_pause_and_a_pause_stops_it(begin, keyboard, fair_clock) -> None:
    sitting, scene = begin()
    sitting.until(lambda: scene.match.tick.index > 5, "the match to run")
    hand = keyboard(sitting)
    hand.pause()
    hand.press("back")
    assert sitting.on == "MatchScene", "Esc is no key of the game: it resumes at once"
    sitting.frame(30)
    assert scene.session.countdown.number == 3
    stood = scene.match.tick.index
    hand.pause()
    assert sitting.on == "PauseScene"
    sitting.frame(300)
    assert scene.match.tick.index == stood
    assert not scene.session.countdown.is_on
    hand.press("back")
    assert counted(sitting, scene, fair_clock)[0] == [3, 2, 1, 0]


@pytest.mark.parametrize(
    ("game", "seats"),
    [("house/volley", (AI, AI)), ("classic/tictactoe_v3", (PERSON, SeatChoice("random")))],
    ids=["ai", "turns"],
)
def test_ai_and_games_in_turns_start_at_once(begin, game, seats) -> None:
    _, scene = begin(game, *seats)
    assert not scene.session.countdown.is_on
    assert not scene.match.paused


def test_a_countdown_waits_for_the_picture() -> None:
    countdown = Countdown(3)
    countdown.begin()
    assert not countdown.update(10, ready=False)
    assert not countdown.update(20, ready=True), "it begins here"
    assert countdown.number == 3
    assert not countdown.update(21.5, ready=True)
    assert countdown.number == 2
    assert countdown.update(23, ready=True)
    assert not countdown.is_on


def test_a_held_or_hammered_key_presses_nothing_on_the_results(begin) -> None:
    sitting, _ = begin(max_ticks=30)
    key(pygame.KEYDOWN, pygame.K_SPACE)
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    sitting.frame(240)
    key(pygame.KEYUP, pygame.K_SPACE)
    rematch = sitting.engine.scene.focus.focused
    for _ in range(6):  # three seconds, hammered
        for pressed in (pygame.K_SPACE, pygame.K_DOWN):
            key(pygame.KEYDOWN, pressed)
            key(pygame.KEYUP, pressed)
            sitting.frame(15)
    assert sitting.on == "ResultsScene"
    assert sitting.engine.scene.focus.focused is rematch
    sitting.frame(60)
    key(pygame.KEYDOWN, pygame.K_RETURN)
    sitting.until(lambda: sitting.on == "MatchScene", "the rematch that was asked for")


def test_letters_and_space_choose_nothing_on_the_results_of_a_match_with_the_keyboard(begin) -> None:
    sitting, _ = begin(max_ticks=30)
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    sitting.frame(600)  # long after the last press
    for pressed in (pygame.K_s, pygame.K_d, pygame.K_SPACE):
        key(pygame.KEYDOWN, pressed)
        key(pygame.KEYUP, pressed)
        sitting.frame(5)
        assert (sitting.on, sitting.engine.scene.focus.focused.label) == ("ResultsScene", "Rematch")
    assert any("Enter" in text for text in sitting.engine.toasts.messages), "it is said which keys choose"
    key(pygame.KEYDOWN, pygame.K_RIGHT)
    sitting.frame(5)
    assert sitting.engine.scene.focus.focused.label == "Swap sides"


def test_a_players_keys_move_nothing_in_the_pause_of_another(begin, keyboard) -> None:
    sitting, scene = begin()
    sitting.until(lambda: scene.match.tick.index > 5, "the match to run")
    key(pygame.KEYDOWN, pygame.K_s)
    sitting.frame()
    keyboard(sitting).pause()
    focused = sitting.engine.scene.focus.focused
    sitting.frame(120)
    assert sitting.engine.scene.focus.focused is focused
    key(pygame.KEYUP, pygame.K_s)
    sitting.frame(90)
    keyboard(sitting).press("down")
    assert sitting.engine.scene.focus.focused is not focused, "after a second without a key they count"


def test_the_keys_fade_unless_they_are_to_stay(begin) -> None:
    sitting, scene = begin()
    sitting.until(lambda: scene.match.tick.index > 30, "half a second of play")
    assert scene.hud.controls_shown == 1
    sitting.until(lambda: scene.hud.controls_shown < 1, "the keys to fade")
    sitting.until(lambda: scene.hud.controls_shown == 0, "the keys to be gone")
    engine = sitting.engine
    engine.apply(replace(engine.settings, keep_controls=True))
    assert scene.hud.controls_shown == 1


def test_the_countdown_leaves_the_edges_of_the_picture_to_the_scores(begin) -> None:
    sitting, scene = begin()
    sitting.frame()
    number, picture = scene.session.countdown.number, scene.hud._areas.picture
    drawn = pygame.Surface(sitting.engine.canvas.get_size(), pygame.SRCALPHA)
    for names in (False, True):
        drawn.fill((0, 0, 0, 0))
        scene.hud._card.draw_countdown(drawn, sitting.engine.theme, picture, number, names=names)
        covered = drawn.get_bounding_rect()
        assert covered.top > picture.top + picture.h // 4
        assert covered.bottom < picture.bottom - picture.h // 8
