"""A rating in one number with its interval."""

from __future__ import annotations

import math

import numpy as np

from agents.ladder.ratings.online import OnlineRatings, Rating, chances
from agents.ladder.ratings.rows import Rated
from agents.ladder.ratings.views.rating_text import change_text, rating_interval


def text(rating: Rating) -> str:
    return str(rating_interval(rating.points, rating.margin))


def test_a_new_player_is_provisional_and_many_matches_end_that() -> None:
    ratings, rng = OnlineRatings(), np.random.default_rng(1)
    assert text(Rating("new")) == "1500 ± 482, provisional"
    lengths = []
    for _ in range(120):
        ratings.add(Rated(teams=(("a",), ("b",)), ranks=(1, 2) if rng.random() < 0.6 else (2, 1)))
        lengths.append(text(ratings["a"]))
    assert lengths[20].endswith(", provisional")
    assert not lengths[-1].endswith(", provisional")


def test_the_number_is_on_the_scale_of_elo() -> None:
    one, other = Rating("one", mu=29.0, sigma=1e-6), Rating("other", mu=24.0, sigma=1e-6)
    expected = 1 / (1 + 10 ** ((other.points - one.points) / 400))
    assert math.isclose(chances(one, [other]).mean[0], expected, rel_tol=1e-6)


def test_a_change_is_told_with_its_sign_and_none_is_not_told() -> None:
    before, after = Rating("a", mu=25.0, sigma=1.0, games=60), Rating("a", mu=26.0, sigma=1.0, games=61)
    assert change_text(before, after) == "1529 ± 58 (+29)"
    assert change_text(after, before) == "1500 ± 58 (-29)"
    assert change_text(None, after) == "1529 ± 58 (+29)"
    assert change_text(after, after) == change_text(before, None) == ""
