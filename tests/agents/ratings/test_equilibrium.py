"""Players that beat each other in cycles: Nash averaging and alpha-rank, and their columns among the statistics."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.equilibrium import alpha_rank, nash_shares
from agents.ladder.ratings.standings import standings
from agents.ladder.ratings.views import find_view
from tests.support.ladder_rows import duel

RING = np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])


def rates_of(odds):
    return 1 / (1 + np.exp(-odds))


def with_copy(payoffs):
    """The same players and one more, equal to the first."""
    order = [*range(len(payoffs)), 0]
    return payoffs[np.ix_(order, order)]


def test_in_a_ring_all_share_and_a_copy_shares_with_its_original():
    assert nash_shares(RING) == pytest.approx([1 / 3] * 3, abs=1e-4)
    assert nash_shares(with_copy(RING)) == pytest.approx([1 / 6, 1 / 3, 1 / 3, 1 / 6], abs=1e-3)
    assert alpha_rank(rates_of(RING)) == pytest.approx([1 / 3] * 3)


def test_who_beats_all_others_has_everything():
    strengths = np.array([0.3, 1.4, -2.0, 0.0])
    odds = strengths[:, None] - strengths
    assert nash_shares(odds) == pytest.approx([0, 1, 0, 0], abs=1e-6)
    assert alpha_rank(rates_of(odds)) == pytest.approx([0, 1, 0, 0], abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 9), st.integers(0, 2**32 - 1))
def test_nothing_beats_the_mixture_and_another_order_changes_nothing(count, seed):
    rng = np.random.default_rng(seed)
    odds = rng.normal(0, 1, (count, count))
    odds = odds - odds.T
    shares, order = nash_shares(odds), rng.permutation(count)
    assert (odds @ shares).max() < 1e-5
    assert shares.sum() == pytest.approx(1)
    assert nash_shares(odds[np.ix_(order, order)]) == pytest.approx(shares[order], abs=1e-4)


def test_alpha_rank_is_openspiels():
    pytest.importorskip("open_spiel")
    from open_spiel.python.egt import alpharank

    odds = np.random.default_rng(4).normal(0, 0.01, (6, 6))
    rates = rates_of(odds - odds.T)
    _, _, expected, _, _ = alpharank.compute([rates], m=50, alpha=100.0)
    assert alpha_rank(rates) == pytest.approx(expected, abs=1e-9)


def test_the_statistics_of_a_ladder_say_who_is_in_the_mixture(tmp_path):
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        for one, other in (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")):
            for _ in range(12):
                ladder.add(duel(one, other, kinds=("snapshot", "snapshot")))
        for better in ("rock", "paper", "scissors"):
            for _ in range(12):
                ladder.add(duel(better, "pebble", kinds=("snapshot", "snapshot")))
        found = standings(ladder, "house/volley")
    lines = {line["name"]: line for line in find_view(found, "statistics").lines(found)}
    assert [lines[name]["nash_share"] for name in ("rock", "paper", "scissors")] == pytest.approx([1 / 3] * 3, abs=0.01)
    assert lines["pebble"]["nash_share"] < 0.01
    assert lines["pebble"]["nash_elo"] < -100
    assert lines["rock"]["nash_elo"] == pytest.approx(0, abs=1)
    assert lines["pebble"]["alpha_rank"] < 0.01
