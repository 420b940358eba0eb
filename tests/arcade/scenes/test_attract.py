"""The title left alone: machines play, and a touch brings it back."""

import pygame

from arcade.scenes.home.attract import EACH
from arcade.scenes.home.title import ATTRACT_AFTER
from tests.support.clocks import FairClock
from tests.support.hands import press


def leave_alone(sitting, clock: FairClock, seconds: float) -> None:
    end = clock.now + seconds
    while clock.now < end:
        clock.now += 0.25
        sitting.frame()


def test_after_half_a_minute_machines_play_one_game_after_another_until_somebody_presses(sit) -> None:
    clock = FairClock()
    sitting = sit({"clock": clock.read, "sleep": clock.sleep})
    sitting.until(lambda: sitting.services.ready, "the catalogue")
    leave_alone(sitting, clock, ATTRACT_AFTER - 2)
    assert sitting.on == "TitleScene"
    press(sitting, pygame.K_F3)
    leave_alone(sitting, clock, ATTRACT_AFTER - 2)
    assert sitting.on == "TitleScene"
    leave_alone(sitting, clock, 4)
    assert sitting.on == "AttractScene"
    scene = sitting.engine.scene
    sitting.until(lambda: scene.preview.ticks > 3, "a game that plays")
    assert scene.spec.id == "house/volley"
    assert {seat.label.partition("-")[0] for seat in scene.preview.match.mapping.values()} == {"volley"}
    leave_alone(sitting, clock, EACH + 1)
    assert scene.spec.id != "house/volley"
    press(sitting, pygame.K_RETURN)
    assert sitting.on == "TitleScene"


def test_the_title_stays_where_the_settings_say_so(sit) -> None:
    clock = FairClock()
    sitting = sit({"clock": clock.read, "sleep": clock.sleep})
    sitting.engine.apply(sitting.engine.settings.changed(attract=False), save=False)
    sitting.until(lambda: sitting.services.ready, "the catalogue")
    leave_alone(sitting, clock, ATTRACT_AFTER + 5)
    assert sitting.on == "TitleScene"


def wait_for_attract_mode(sitting, clock: FairClock) -> None:
    leave_alone(sitting, clock, ATTRACT_AFTER + 2)
    assert sitting.on == "AttractScene"


def test_the_click_that_ends_attract_mode_presses_the_button_that_was_pointed_at(sit, mouse) -> None:
    clock = FairClock()
    sitting = sit({"clock": clock.read, "sleep": clock.sleep})
    sitting.until(lambda: sitting.services.ready, "the catalogue")
    hand = mouse(sitting)
    for words, on in (("All games", "SelectScene"), ("Quit", "TitleScene")):
        place = sitting.widget(words).rect.center
        hand.move(place)
        wait_for_attract_mode(sitting, clock)
        hand.click(place)
        assert sitting.on == on
        assert sitting.engine.running, "the button to quit could not be seen"
        if on == "SelectScene":
            press(sitting, pygame.K_ESCAPE)
