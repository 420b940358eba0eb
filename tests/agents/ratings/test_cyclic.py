"""The cyclic term: kept where players beat each other in cycles, not where chance alone looks so."""

import numpy as np
import pytest

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.cyclic import cyclic_term, without_ratings
from agents.ladder.ratings.standings import standings
from agents.ladder.ratings.views import find_view
from tests.support.ladder_rows import duel


def league(odds, games, rng):
    """Points and games, (n, n), of a round robin."""
    each = np.triu(np.full(odds.shape, games), 1)
    won = rng.binomial(each, 1 / (1 + np.exp(-odds)))
    return (won + (each - won).T).astype(np.float64), each + each.T


def ratings_alone(strengths):
    return strengths[:, None] - strengths[None, :]


def test_the_cycles_of_a_league_are_found():
    rng = np.random.default_rng(3)
    strengths, u, v = rng.normal(0, 1, (3, 12))
    truth = without_ratings(np.outer(u, v) - np.outer(v, u))
    term = cyclic_term(*league(ratings_alone(strengths) + truth, 60, rng), strengths)
    assert np.corrcoef(term.odds.ravel(), truth.ravel())[0, 1] > 0.9
    np.testing.assert_allclose(term.odds, -term.odds.T)


@pytest.mark.parametrize(("players", "games"), [(4, 30), (12, 6)])
def test_chance_alone_is_no_cycle(players, games):
    kept = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        strengths = rng.normal(0, 1, players)
        kept += cyclic_term(*league(ratings_alone(strengths), games, rng), strengths) is not None
    assert kept <= 2  # once in a hundred is meant


def test_wrong_strengths_are_no_cycles():
    rng = np.random.default_rng(1)
    strengths = rng.normal(0, 1, 6)
    assert cyclic_term(*league(ratings_alone(strengths), 40, rng), strengths[::-1]) is None


def test_the_statistics_have_the_size_of_cycles_where_there_are_some(tmp_path):
    def sizes(pairs):
        with Ladder(tmp_path / f"{len(pairs)}.sqlite") as ladder:
            for one, other in pairs:
                for number in range(12):
                    winner, loser = (one, other) if number < 11 else (other, one)
                    ladder.add(duel(winner, loser, kinds=("snapshot", "snapshot")))
            found = standings(ladder, "house/volley")
        return {line["name"]: line["cyclic_elo"] for line in find_view(found, "statistics").lines(found)}

    ring = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]
    assert all(size > 100 for size in sizes(ring).values())
    assert set(sizes([("best", "good"), ("good", "poor")]).values()) == {None}
