"""A player in several seats of a match is no evidence about itself; draws are evidence like wins."""

import pytest

from agents.ladder.ratings.batch import fit
from agents.ladder.ratings.online import OnlineRatings, Rating, draw_share, expected_reduction
from agents.ladder.ratings.pairs import win_matrix
from agents.ladder.ratings.rows import Rated


def after(*teams, ranks):
    ratings = OnlineRatings()
    ratings.add(Rated(teams, ranks))
    return ratings


def test_a_player_on_two_teams_is_rated_against_the_third_alone():
    twice, once = after(["a"], ["b"], ["a"], ranks=(1, 2, 3)), after(["a"], ["b"], ranks=(1, 2))
    assert twice["a"].sigma == pytest.approx(once["a"].sigma)  # its own two seats tell nothing more
    assert twice["a"].mu == pytest.approx(25)
    assert twice["a"].elo == pytest.approx(1500)
    won = after(["a"], ["b"], ["a"], ranks=(1, 3, 2))["a"]
    assert (won.mu, won.elo) == pytest.approx((once["a"].mu, once["a"].elo))


def test_a_player_on_all_sides_is_not_rated_and_meets_nobody():
    match = Rated([["a", "b"], ["a", "c"]], (1, 2))
    ratings = OnlineRatings()
    assert {one.name for one in ratings.add(match)} == {"b", "c"} == ratings.keys()
    assert fit([match]).players.keys() == {"b", "c"}
    table = win_matrix([match])
    assert table.pair("b", "c").wins == 1
    assert table.pair("a", "c").games == table.pair("b", "a").games == 0


def test_its_matches_with_itself_between_others_change_nothing():
    ratings = after(["a"], ["b"], ranks=(1, 2))
    before = Rating(**{name: getattr(ratings["a"], name) for name in Rating.__slots__})
    ratings.add(Rated([["a", "x"], ["a", "y"]], (1, 2)))
    assert ratings["a"] == before


def test_where_draws_are_many_a_match_with_a_stronger_player_tells_more():
    own, others = Rating("own", sigma=2.0), [Rating("equal", sigma=1.0), Rating("stronger", mu=31.0, sigma=1.0)]
    decisive, drawish = expected_reduction(own, others), expected_reduction(own, others, draw=0.9)
    assert decisive[0] > 1.2 * decisive[1]
    assert drawish[1] > drawish[0]
    assert (drawish < decisive).all()
    assert draw_share([Rating("a", games=10, draws=4), Rating("b", games=10, draws=4)]) == 0.4
    assert draw_share([]) == 0
