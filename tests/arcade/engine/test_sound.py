"""Effects are there, short and not too loud; silence is never an error."""

from __future__ import annotations

import os
import threading
import time

os.environ["SDL_AUDIODRIVER"] = "dummy"

import numpy as np
import pygame
import pytest

from arcade.engine.audio.sound import (
    EFFECTS,
    MUSIC_AFTER,
    MUSIC_CHANNEL,
    SAMPLES,
    Captions,
    Sound,
    make_effect,
    make_music,
)
from arcade.engine.audio.synthesis import LOUDNESS, RATE, loudness
from tests.support.sounds import opened


@pytest.mark.parametrize("effect", EFFECTS)
def test_every_effect_is_short_as_loud_as_the_others_and_unclipped(effect):
    for sound in make_effect(effect):
        samples = np.frombuffer(sound, "<i2") / 32_768
        assert 0.02 * RATE < len(samples) <= 1.0 * RATE
        assert loudness(samples) == pytest.approx(LOUDNESS, rel=0.12)  # within 1 dB
        assert np.abs(samples).max() < 0.95
        assert abs(samples[-1]) < 0.01  # no click at its end


def test_effects_that_are_heard_often_vary():
    assert len(set(make_effect("hit"))) == 3


def test_games_and_menus_have_volumes_of_their_own():
    sound = Sound(volume=0.5, game=1.0, menu=0.4)
    assert sound.volume_of("point") == pytest.approx(0.5)
    assert sound.volume_of("move") == pytest.approx(0.2)
    sound.close()


def test_plays_on_a_device():
    sound = Sound()
    sound.open()
    assert opened(sound, 30)
    sound.play("point")
    assert pygame.mixer.get_busy()
    assert sound.played == {"point": 1}
    sound.set_volume(0.5, mute=True)
    assert not pygame.mixer.get_busy()
    sound.play("point")
    assert not pygame.mixer.get_busy()
    sound.close()
    sound.close()


def test_the_driver_that_pettingzoo_asks_for_is_not_taken(monkeypatch):
    import pettingzoo  # noqa: F401  (its import asks)

    monkeypatch.setenv("SDL_AUDIODRIVER", "dsp")
    sound = Sound()
    sound.open()
    assert opened(sound, 30), sound.failure
    sound.close()


def test_without_a_device_all_stays_quiet(monkeypatch):
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    sound = Sound()
    sound.open()
    assert not opened(sound, 30)
    assert "no-such-driver" in sound.failure
    sound.play("win")
    sound.close()


def test_captions_say_what_is_heard_for_a_moment_and_leave_menus_alone():
    sound = Sound(mute=True)
    captions = Captions(sound)
    sound.play("move")
    captions.update(10.0)
    assert captions.text == ""
    sound.play("join")
    captions.update(10.1)
    assert captions.text == "[a player joins]"
    sound.play("join")
    captions.update(11.0)
    captions.update(12.4)
    assert captions.text
    captions.update(12.6)
    assert captions.text == ""
    sound.close()


def test_wrong_words_are_refused():
    sound = Sound(mute=True)
    with pytest.raises(ValueError, match="expected an effect of move"):
        sound.play("boom")
    with pytest.raises(ValueError, match="0 <= volume <= 1"):
        sound.set_volume(2)
    sound.close()


def test_the_music_plays_in_menus_and_falls_silent_in_matches_and_by_its_own_volume():
    sound = Sound(music=0.5)
    sound.open()
    assert opened(sound, 300), sound.failure

    def until(wanted: bool, **where: bool) -> None:
        end = time.monotonic() + 60
        while pygame.mixer.Channel(MUSIC_CHANNEL).get_busy() != wanted:
            assert time.monotonic() < end
            sound.follow(**where)
            time.sleep(0.01)

    until(True, in_match=False)
    until(False, in_match=True)
    until(True, in_match=False)
    sound.set_volume(0.7, music=0.0)
    until(False, in_match=False)
    sound.close()


def test_the_music_is_made_once_the_first_pages_have_loaded():
    now = [100.0]
    sound = Sound(music=0.5, clock=lambda: now[0])
    sound.open()
    assert opened(sound, 300), sound.failure

    def composes() -> bool:
        sound.follow(in_match=False)
        return any(thread.name == "music" for thread in threading.enumerate())

    now[0] += MUSIC_AFTER - 0.1
    assert not composes()
    now[0] += 0.1
    assert composes()
    sound.close()


def test_the_music_has_no_gap_and_no_click_where_it_begins_again():
    samples = np.frombuffer(make_music(), "<i2") / 32_768
    assert 20 * RATE < len(samples) < 60 * RATE
    assert np.abs(samples).max() < 0.98
    quarters = [np.sqrt((part**2).mean()) for part in np.array_split(samples, len(samples) * 4 // RATE)]
    assert min(quarters) > 0.01
    assert abs(samples[0] - samples[-1]) <= np.abs(np.diff(samples)).max()
    assert SAMPLES == RATE
