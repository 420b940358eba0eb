"""The time left of a job, from its progress so far."""

from __future__ import annotations

import pytest

from arcade.session.jobs import SURE_AFTER, TimeLeft


def test_the_time_left_is_what_the_mean_speed_needs_for_the_rest() -> None:
    left = TimeLeft()
    left.note(0.1, now=100.0)
    left.note(0.3, now=110.0)
    left.note(0.5, now=120.0)
    assert left.seconds(now=120.0) == pytest.approx(25.0)
    assert left.seconds(now=130.0) == pytest.approx(15.0)
    assert left.seconds(now=200.0) == 0.0


def test_nothing_is_said_in_the_first_moments_and_without_progress() -> None:
    left = TimeLeft()
    assert left.seconds(now=100.0) is None
    left.note(None, now=100.0)
    left.note(0.1, now=150.0)
    left.note(0.2, now=150.0 + SURE_AFTER / 2)
    assert left.seconds(now=150.0 + SURE_AFTER / 2) is None
    still = TimeLeft()
    still.note(0.1, now=100.0)
    still.note(0.1, now=150.0)
    assert still.seconds(now=150.0) is None


def test_a_new_round_is_timed_by_itself() -> None:
    left = TimeLeft()
    left.note(0.0, now=0.0)
    left.note(1.0, now=1000.0)
    left.note(0.0, now=1001.0)
    left.note(0.5, now=1011.0)
    assert left.seconds(now=1011.0) == pytest.approx(10.0)
