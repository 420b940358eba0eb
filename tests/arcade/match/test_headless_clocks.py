"""Clocks of board games in headless play, and what engines are told of them."""

from __future__ import annotations

import time

import chess.engine
import pytest

import arcade
from agents.engines.engine import EngineSettings
from agents.engines.uci import clocked, limit_of
from agents.errors import UserError
from agents.seats.controller import TurnClock

FOUR = "classic/connect_four_v3"


def slow(observation, mask):
    time.sleep(0.02)
    return int(mask.argmax())


def test_who_runs_out_of_time_has_lost_and_the_increment_saves_time() -> None:
    seats = {"player_0": slow, "player_1": "random"}
    lost = arcade.play(FOUR, seats, seed=1, clock="0.0005").matches[0]  # 30 ms
    assert (lost.ended, lost.placements) == ("out_of_time", {"player_0": 2, "player_1": 1})
    assert lost.settings["clock"] == "0.0005+0"
    assert arcade.play(FOUR, seats, seed=1, clock="0.0005+30").matches[0].ended == "finished"


@pytest.mark.parametrize(("game", "clock"), [("house/volley", "3+2"), (FOUR, "three"), (FOUR, "0+1"), (FOUR, "nan")])
def test_wrong_clocks_are_refused(game: str, clock: str) -> None:
    with pytest.raises(UserError, match="clock"):
        arcade.play(game, {"*": "random"}, seed=1, clock=clock)


def test_an_engine_is_told_both_clocks_and_keeps_its_own_limits() -> None:
    clock = TurnClock(own=60.0, other=90.0, increment=2.0)
    plain, timed = EngineSettings(), EngineSettings(movetime_ms=100, depth=4)
    limit = clocked(limit_of(plain), clock, plain, black=True)
    assert limit == chess.engine.Limit(white_clock=90.0, black_clock=60.0, white_inc=2.0, black_inc=2.0)
    limit = clocked(limit_of(timed), clock, timed, black=False)
    assert (limit.white_clock, limit.time, limit.depth) == (60.0, 0.1, 4)
