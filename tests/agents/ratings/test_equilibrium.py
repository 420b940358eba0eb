"""Players that beat each other in cycles: Nash averaging and alpha-rank, and their columns among the statistics."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.equilibrium import (
    MIXTURES,
    MOST_POPULATIONS,
    MOST_PROFILES,
    Populations,
    alpha_rank,
    mixture,
    most_players,
    nash_shares,
)
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


def of_roles(*sizes):
    """Populations of these sizes, each of which meets all others and not itself."""
    of = np.repeat(np.arange(len(sizes)), sizes)
    return Populations(of.astype(np.int64), ~np.eye(len(sizes), dtype=bool))


def between(first, second):
    """The antisymmetric payoffs of a bimatrix game: `first` for the rows, `second` for the columns."""
    rows, columns = first.shape
    return np.block([[np.zeros((rows, rows)), first], [second.T, np.zeros((columns, columns))]])


def test_two_roles_have_a_mixture_each():
    chances = np.array([[2.0, -1.0], [-1.0, 1.0]])  # each side once 2 : 3, the game is worth 1 / 5
    assert nash_shares(between(chances, -chances), of_roles(2, 2)) == pytest.approx([0.4, 0.6, 0.4, 0.6], abs=1e-5)
    more = np.array([[2.0, -1.0, 3.0], [-1.0, 1.0, 3.0], [-4.0, -4.0, 2.0]])  # the third of each side is dominated
    assert nash_shares(between(more, -more), of_roles(3, 3)) == pytest.approx([0.4, 0.6, 0, 0.4, 0.6, 0], abs=1e-5)
    alike = np.zeros((2, 3))
    assert nash_shares(between(alike, alike), of_roles(2, 3)) == pytest.approx([1 / 2] * 2 + [1 / 3] * 3, abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=4), st.integers(0, 2**32 - 1))
def test_no_player_of_any_role_gains_by_leaving_the_mixture(sizes, seed):
    roles = of_roles(*sizes)
    payoffs = np.random.default_rng(seed).normal(0, 1, (sum(sizes),) * 2)
    payoffs = np.where(roles.of[:, None] == roles.of, 0.0, payoffs - payoffs.T)
    shares = nash_shares(payoffs, roles)
    worth = payoffs @ shares
    for role, size in enumerate(sizes):
        own = roles.of == role
        assert shares[own].sum() == pytest.approx(1)
        assert worth[own].max() <= worth[own] @ shares[own] + 1e-4, size


@pytest.mark.parametrize("sizes", [(3, 4), (2, 3, 2), (2, 2, 2, 3)])
def test_alpha_rank_of_several_roles_is_openspiels(sizes):
    pytest.importorskip("open_spiel")
    from open_spiel.python.egt import alpharank

    roles, starts = of_roles(*sizes), np.cumsum([0, *sizes])
    odds = np.random.default_rng(5).normal(0, 0.02, (sum(sizes),) * 2)
    rates = rates_of(odds - odds.T)
    tables = [np.zeros(sizes) for _ in sizes]
    for profile in np.ndindex(*sizes):
        players = [starts[role] + number for role, number in enumerate(profile)]
        for role, table in enumerate(tables):
            table[profile] = np.mean([rates[players[role], one] for one in players if one != players[role]])
    _, _, visits, _, _ = alpharank.compute(tables, m=50, alpha=100.0)
    expected = np.zeros(sum(sizes))
    for visit, profile in zip(visits, np.ndindex(*sizes), strict=True):
        expected[[starts[role] + number for role, number in enumerate(profile)]] += visit
    assert alpha_rank(rates, roles) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("kind", MIXTURES)
def test_what_players_of_a_role_would_do_to_each_other_does_not_matter(kind):
    roles, rng = of_roles(3, 3), np.random.default_rng(6)
    rates = rng.uniform(0.2, 0.8, (6, 6))
    rates = (rates + 1 - rates.T) / 2
    other = np.where(roles.of[:, None] == roles.of, rng.uniform(0.1, 0.9, (6, 6)), rates)
    assert mixture(kind, other, roles) == pytest.approx(mixture(kind, rates, roles))


def test_mixtures_of_many_roles_stay_small():
    assert [most_players("nash", roles) for roles in (1, 2, 4)] == [100, 50, 25]
    sizes = [most_players("alpha_rank", roles) for roles in range(1, MOST_POPULATIONS + 1)]
    assert sizes == [100, 32, 10, 5]
    assert all(size**roles <= MOST_PROFILES for roles, size in enumerate(sizes, 1))


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
