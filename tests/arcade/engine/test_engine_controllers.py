"""What hands do is what the game gets."""

from __future__ import annotations

import numpy as np
import pygame
import pytest
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete

from agents.seats.controller import SeatChoice, SeatError
from arcade.games import find_game
from tests.support.device_seats import VOLLEY, due, plays, sit
from tests.support.virtual_pad import VirtualPad


def test_idle_hold_and_let_go(turns):
    seat = sit(turns, "keyboard:wasd")
    assert plays(seat, 1) == "nothing"
    turns.key(pygame.K_d)
    turns.frame()
    assert [plays(seat, 2), plays(seat, 3)] == ["right", "right"]
    turns.key(pygame.K_d, down=False)
    turns.frame()
    assert plays(seat, 4) == "nothing"


def test_a_tap_between_two_ticks_counts_for_one_tick(turns):
    seat = sit(turns, "keyboard:wasd")
    turns.tap(pygame.K_w)
    turns.frame()
    assert [plays(seat, 1), plays(seat, 2)] == ["up", "nothing"]


def test_a_tap_after_an_early_answer_is_played_a_tick_later(turns):
    seat = sit(turns, "keyboard:wasd")
    assert seat.act() == 0
    turns.tap(pygame.K_a)
    turns.frame()
    due(seat, 1)
    assert [plays(seat, 2), plays(seat, 3)] == ["left", "nothing"]


def test_a_tap_is_kept_while_the_same_turn_is_asked_again(turns):
    seat = sit(turns, "keyboard:wasd")
    turns.tap(pygame.K_a)
    turns.frame()
    assert [VOLLEY[seat.act()], VOLLEY[seat.act()]] == ["left", "left"]


def test_chord_and_a_key_too_many(turns):
    seat = sit(turns, "keyboard:wasd")
    for key in (pygame.K_w, pygame.K_a, pygame.K_s, pygame.K_LSHIFT, pygame.K_q):
        turns.key(key)
        turns.frame()
    turns.key(pygame.K_s, down=False)
    turns.frame()
    assert plays(seat, 1) == "up left"


def test_last_of_two_opposites_counts_and_the_first_comes_back(turns):
    seat = sit(turns, "keyboard:arrows")
    turns.key(pygame.K_LEFT)
    turns.key(pygame.K_RIGHT)
    turns.frame()
    assert plays(seat, 1) == "right"
    turns.key(pygame.K_RIGHT, down=False)
    turns.frame()
    assert plays(seat, 2) == "left"


def test_focus_loss_lets_go(turns):
    seat = sit(turns, "keyboard:wasd")
    turns.key(pygame.K_d)
    turns.frame()
    turns.post(pygame.WINDOWFOCUSLOST)
    turns.frame()
    assert plays(seat, 1) == "nothing"
    turns.tap(pygame.K_d)  # the key comes up while nobody listens, then is pressed again
    turns.frame()
    assert plays(seat, 2) == "right"


def test_a_scene_change_lets_go_and_a_key_up_without_down_is_nothing(turns):
    seat = sit(turns, "keyboard:wasd")
    turns.key(pygame.K_d)
    turns.frame()
    turns.engine.push(type(turns.scene)())
    assert plays(seat, 1) == "nothing"
    turns.key(pygame.K_d, down=False)
    turns.frame()
    assert plays(seat, 2) == "nothing"


def test_key_repeat_is_one_press(turns):
    seat = sit(turns, "keyboard:wasd")
    turns.key(pygame.K_w)
    turns.frame()
    assert plays(seat, 1) == "up"
    turns.key(pygame.K_w)  # a repeat, and then the key comes up once
    turns.key(pygame.K_w, down=False)
    turns.frame()
    assert plays(seat, 2) == "nothing"


def test_three_halves_and_two_pads_each_move_their_own_seat(turns):
    with VirtualPad() as first, VirtualPad() as second:
        turns.frame()
        words = ("keyboard:wasd", "keyboard:arrows", "keyboard:ijkl", "gamepad", "gamepad:1")
        seats = [sit(turns, word) for word in words]
        assert [seat.word for seat in seats[3:]] == ["gamepad:0", "gamepad:1"]
        moves = (
            lambda: turns.key(pygame.K_a),
            lambda: turns.key(pygame.K_RIGHT),
            lambda: turns.key(pygame.K_i),
            lambda: first.axis("x", -1.0),
            lambda: second.press("right"),
        )
        expected = ["left", "right", "up", "left", "right"]
        for done, move in enumerate(moves, start=1):
            move()
            turns.frame()
            want = expected[:done] + ["nothing"] * (len(seats) - done)
            assert [VOLLEY[seat.act()] for seat in seats] == want


def test_bare_keyboard_takes_what_nobody_named_and_leaves_a_half_for_who_may_join(turns):
    named, bare = sit(turns, "keyboard:wasd"), sit(turns, "keyboard")
    turns.key(pygame.K_a)
    turns.key(pygame.K_RIGHT)
    turns.key(pygame.K_i)
    turns.frame()
    assert [VOLLEY[named.act()], VOLLEY[bare.act()]] == ["left", "right"]
    arrows = sit(turns, "keyboard:arrows")  # then only that half is left
    turns.key(pygame.K_l)
    turns.frame()
    assert [VOLLEY[arrows.act()], VOLLEY[bare.act()]] == ["nothing", "right"]


def test_two_bare_keyboards_share_the_halves(turns):
    first, second = sit(turns, "keyboard"), sit(turns, "keyboard")
    turns.key(pygame.K_a)
    turns.key(pygame.K_RIGHT)
    turns.frame()
    assert [VOLLEY[first.act()], VOLLEY[second.act()]] == ["left", "right"]


def test_a_closed_controller_frees_its_pad_and_hears_nothing(turns):
    with VirtualPad() as pad:
        turns.frame()
        seat = sit(turns, "gamepad")
        with pytest.raises(SeatError, match="connected gamepad:0"):
            sit(turns, "gamepad")
        seat.close()
        seat.close()
        pad.press("left")
        turns.frame()
        assert VOLLEY[seat.act()] == "nothing"
        assert sit(turns, "gamepad").word == "gamepad:0"


def test_a_pad_that_is_not_there_is_named(turns):
    with pytest.raises(SeatError, match="gamepad:3, got: connected none"):
        sit(turns, "gamepad:3")


def test_pulled_out_lets_go_and_the_same_number_plays_on_when_it_is_back(turns):
    pad = VirtualPad()
    turns.frame()
    seat = sit(turns, "gamepad:0")
    pad.axis("x", 1.0)
    turns.frame()
    assert plays(seat, 1) == "right"
    pad.detach()
    turns.frame()
    assert plays(seat, 2) == "nothing"
    with VirtualPad() as again:
        turns.frame()
        again.press("a")
        turns.frame()
        assert plays(seat, 3) == "up"


def test_a_small_stick_is_the_middle(turns):
    with VirtualPad() as pad:
        turns.frame()
        seat = sit(turns, "gamepad", game="unknown:game", space=Box(-1, 1, (2,), np.float32))
        pad.axis("x", 0.15)
        turns.frame()
        assert seat.act().tolist() == [0, 0]
        pad.axis("x", 0.6)
        pad.axis("y", 1.0)
        turns.frame()
        right, up = seat.act()
        assert right == pytest.approx(0.5, abs=0.01)
        assert up == -1.0


def test_a_held_stick_survives_a_pause_but_a_held_cross_does_not(turns):
    with VirtualPad() as pad:
        turns.frame()
        seat = sit(turns, "gamepad", game="unknown:game", space=Box(-2, 1, (2,), np.float32))
        pad.axis("x", -1.0)
        pad.press("up")
        turns.frame()
        assert seat.act()[0] == -2
        assert seat.act()[1] > 0
        turns.engine.push(type(turns.scene)())
        turns.engine.pop()
        assert seat.act().tolist() == [-2, 0]


def test_keys_ramp_to_the_bound_and_let_go_at_once_and_one_number_takes_either_axis(turns):
    seat = sit(turns, "keyboard:wasd", game="unknown:game", space=Box(-1, 1, (1,), np.float32))
    turns.key(pygame.K_w)
    turns.frame()
    answers = []
    for tick in range(1, 11):
        answers.append(seat.act())
        assert seat.act() == answers[-1]  # asked twice in a tick: the same answer
        due(seat, tick)
    pushes = [float(answer[0]) for answer in answers]
    assert pushes == pytest.approx([*(step / 9 for step in range(1, 10)), 1.0])
    assert answers[0].dtype == np.float32
    turns.key(pygame.K_w, down=False)
    turns.key(pygame.K_a)
    turns.frame()
    assert seat.act()[0] == pytest.approx(-1 / 9)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ((pygame.K_SPACE,), "fire"),
        ((pygame.K_w, pygame.K_d, pygame.K_SPACE), "up right fire"),
        ((pygame.K_s, pygame.K_a), "down left"),
        ((), "nothing"),
    ],
)
def test_atari_chords(turns, keys, words):
    spec = find_game("atari/boxing_v2")
    seat = sit(turns, "keyboard:wasd", game=spec.id, agent="first_0", space=Discrete(18))
    for key in keys:
        turns.key(key)
    turns.frame()
    assert spec.action_names[seat.act()] == words


def test_without_diagonals_the_newest_direction_is_played(turns):
    spec = find_game("mpe/simple_tag_v3")
    seat = sit(turns, "keyboard:wasd", game=spec.id, agent="agent_0", space=Discrete(5))
    turns.key(pygame.K_w)
    turns.key(pygame.K_d)
    turns.frame()
    assert spec.action_names[seat.act()] == "right"


def test_messages_are_stepped_and_stay_said(turns):
    spec = find_game("mpe/simple_reference_v3")
    seat = sit(turns, "keyboard:wasd", game=spec.id, agent="agent_0", space=Discrete(50))
    turns.tap(pygame.K_SPACE)
    turns.tap(pygame.K_SPACE)
    turns.key(pygame.K_d)
    turns.frame()
    assert spec.action_names[seat.act()] == "say C, right"


def test_an_illegal_action_gives_way_to_the_largest_legal_one(turns):
    seat = sit(turns, "keyboard:wasd")
    due(seat, 1, mask=np.array([1, 1, 1, 1, 0, 1], np.int8))
    turns.key(pygame.K_a)
    turns.key(pygame.K_w)
    turns.frame()
    assert VOLLEY[seat.act()] == "up"


def test_many_actions_without_words_are_stepped_by_number(turns):
    seat = sit(turns, "keyboard:wasd", game="unknown:game", space=Discrete(40, start=10))
    turns.tap(pygame.K_d)
    turns.tap(pygame.K_d)
    turns.tap(pygame.K_s)
    turns.frame()
    assert seat.act() == 22


def test_few_actions_without_words_have_a_key_each(turns):
    seat = sit(turns, "keyboard:wasd", game="unknown:game", space=Discrete(5, start=10))
    assert seat.act() == 10
    turns.key(pygame.K_a)
    turns.frame()
    assert seat.act() == 13


@pytest.mark.parametrize(("space", "expected"), [(MultiBinary(3), [1, 0, 0]), (MultiDiscrete([3, 3, 2]), [2, 0, 1])])
def test_switches(turns, space, expected):
    seat = sit(turns, "keyboard:wasd", game="unknown:game", space=space)
    turns.key(pygame.K_SPACE)
    turns.key(pygame.K_d)
    turns.frame()
    answer = seat.act()
    assert answer.tolist() == expected
    assert space.contains(answer)


def test_every_answer_of_every_named_game_is_in_its_space(turns):
    spec = find_game("butterfly/knights_archers_zombies_v11")
    seat = sit(turns, "keyboard:wasd", game=spec.id, agent="archer_0", space=Discrete(6))
    assert spec.action_names[seat.act()] == "nothing"
    turns.key(pygame.K_a)
    turns.frame()
    assert spec.action_names[seat.act()] == "turn left"


def test_labels_name_the_device(turns):
    with VirtualPad():
        turns.frame()
        assert sit(turns, "keyboard:ijkl").label == "Keyboard (IJKL)"
        assert sit(turns, "gamepad").label == "Virtual Controller 1"
        assert SeatChoice("gamepad", "0").is_human
