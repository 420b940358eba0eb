"""Seats of games of turns, played by hand: a cursor over what is legal."""

from __future__ import annotations

import chess
import numpy as np
import pygame
import pytest
from gymnasium.spaces import Discrete
from pettingzoo.classic.chess import chess_utils

from arcade.controls.cursor_controller import CursorController
from tests.support.device_seats import due, plays, sit
from tests.support.virtual_pad import VirtualPad


def test_a_cursor_waits_walks_the_board_and_plays_what_is_legal(turns):
    seat = sit(turns, "keyboard:wasd", game="classic/connect_four_v3", space=Discrete(7))
    assert isinstance(seat, CursorController)
    due(seat, 0, mask=np.array([1, 0, 0, 1, 0, 1, 1], np.int8))
    assert seat.act() is None
    assert [option.label for option in seat.options][:2] == ["column 1", "column 4"]
    turns.tap(pygame.K_d)
    turns.tap(pygame.K_SPACE)
    turns.frame()
    assert seat.act() is None
    assert seat.cursor.index is None, "column 5 is full"
    assert seat.take_refused().path == ((4, 0),)
    assert seat.take_refused() is None, "told once"
    turns.tap(pygame.K_d)
    turns.tap(pygame.K_SPACE)
    turns.frame()
    assert seat.act() == 5
    turns.tap(pygame.K_SPACE)  # not its turn any more
    due(seat, 1, mask=np.array([1, 0, 0, 0, 1, 1, 1], np.int8))
    assert seat.act() is None
    assert seat.options[seat.cursor.index].label == "column 6"


def test_a_board_is_walked_as_it_looks(turns):
    with VirtualPad() as pad:
        turns.frame()
        seat = sit(turns, "gamepad", game="classic/tictactoe_v3", agent="player_1", space=Discrete(9))
        due(seat, 0, mask=np.array([1, 1, 1, 1, 0, 1, 1, 1, 1], np.int8))  # the middle is taken
        for control in ("a", "right", "right", "down"):
            pad.press(control)
            pad.release(control)
            turns.frame()
        assert seat.take_refused().path == ((1, 1),)
        assert seat.options[seat.cursor.index].label == "bottom right"
        pad.press("a")
        turns.frame()
        assert seat.act() == 8


def test_a_chess_move_is_two_presses_and_b_takes_one_back(turns):
    mask = np.zeros(8 * 8 * 73, np.int8)
    mask[chess_utils.legal_moves(chess.Board())] = 1
    with VirtualPad() as pad:
        turns.frame()
        seat = sit(turns, "gamepad", game="classic/chess_v6", agent="player_0", space=Discrete(len(mask)))
        due(seat, 0, mask=mask)
        for control in ("a", "b", "left", "a", "up", "up", "a"):
            pad.press(control)
            pad.release(control)
            turns.frame()
        played = chess_utils.action_to_move(chess.Board(), seat.act(), 0)
        assert played.uci() == "d2d4"


def test_a_menu_over_the_match_plays_nothing_in_it(turns):
    turning = sit(turns, "keyboard:arrows", game="classic/rps_v2", space=Discrete(3))
    moving = sit(turns, "keyboard:arrows")
    menu = type(turns.scene)()
    menu.plays = False
    turns.engine.push(menu)
    turns.key(pygame.K_RETURN)
    turns.tap(pygame.K_LEFT)
    turns.frame()
    turns.engine.pop()
    assert turning.act() is None
    assert turning.cursor.index == 0
    assert plays(moving, 1) == "nothing"
    turns.key(pygame.K_RETURN, down=False)
    turns.tap(pygame.K_RETURN)
    turns.frame()
    assert turning.act() == 0


def test_the_mouse_may_choose_an_option(turns):
    seat = sit(turns, "keyboard", game="classic/rps_v2", space=Discrete(3))
    seat.choose(2)
    assert seat.act() == 2
    with pytest.raises(IndexError, match="0 <= index < 3"):
        seat.cursor.point(3)


def test_two_people_may_share_a_half_in_a_turn_based_game(turns):
    seats = [sit(turns, "keyboard:arrows", game="classic/connect_four_v3", space=Discrete(7)) for _ in range(2)]
    seats[1].choose(0)
    turns.tap(pygame.K_RIGHT)
    turns.tap(pygame.K_RETURN)
    turns.frame()
    assert seats[1].act() == 0
    assert seats[0].act() not in (None, 0)
