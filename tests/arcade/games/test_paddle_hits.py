"""An expert of Pong hits the ball so that a paddle which follows it comes too late."""

from __future__ import annotations

from itertools import product

import pytest

from arcade.games.players.atari.paddles import HITS, PONG, missed_by

LEFT = PONG[1]
MIDDLE = 120.0
FLIGHT = 30  # ticks from one line to the other at the highest speed


def late(ball: tuple[float, float], drift: float) -> float:
    """How far the left paddle, level with the ball and at rest, misses a ball that is hit in ten ticks."""
    return missed_by(LEFT, ball[0] - LEFT.middle, 0.0, ball, 10, drift, FLIGHT)


@pytest.mark.parametrize("drift", [0.0, 1.0, -1.0, 2.0])
def test_a_follower_reaches_a_ball_that_comes_off_no_wall(drift: float) -> None:
    assert late((MIDDLE, 0.0), drift) < LEFT.half


def test_it_misses_a_fast_ball_that_comes_off_a_wall_at_the_last_moment() -> None:
    missed = {place: late((place, 0.0), 4.0) for place in range(LEFT.low, LEFT.high)}
    worst = max(missed, key=missed.__getitem__)
    assert missed[worst] > LEFT.half
    after_the_wall = (worst + 4.0 * FLIGHT - LEFT.high) / 4.0  # in ticks
    assert 0 < after_the_wall < 8


def test_hits_further_from_the_middle_and_those_with_the_button_drift_faster() -> None:
    assert {(hit.at, hit.has_button): hit.drift for hit in HITS if hit.at > 0} == {
        (4.0, False): 1.0, (4.0, True): 2.0, (6.5, False): 2.0, (6.5, True): 4.0,
    }  # fmt: skip
    for one, other in product(HITS, HITS):
        if one.at == -other.at and one.has_button == other.has_button:
            assert one.drift == -other.drift
