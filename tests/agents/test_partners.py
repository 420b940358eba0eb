"""A partner of about the people's strength in a cooperative game, by the scores of their teams."""

import numpy as np
import pytest

from agents.seats.controller import LEVELS, SeatChoice
from agents.seats.even import Opponent
from agents.seats.partners import find_partner, scores_of

OTHERS = [Opponent(SeatChoice("level", level), f"AI, {level}") for level in LEVELS]
TOGETHER = {"easy": 5.0, "normal": 13.0, "hard": 17.0, "expert": 22.0}


def level_for(*scores: float) -> str:
    return find_partner(["Ada"], OTHERS, scores, TOGETHER).opponent.choice.argument


def test_the_first_partner_is_the_easiest_and_later_one_whose_teams_score_as_much():
    assert level_for() == "easy"
    assert level_for(14, 16, 18) == "hard"
    assert level_for(2) == "easy"
    assert level_for(25) == "expert"
    assert level_for(*[5] * 20, *[22] * 5) == "expert", "the newest matches count"
    why = find_partner(["Ada", "Ben"], OTHERS, [14, 16, 18], TOGETHER).why
    assert why == "Ada and Ben scored 16 in the newest matches, a team of this level 17"


def test_without_measured_scores_it_is_the_easiest():
    assert find_partner(["Ada"], OTHERS, [20], {}).opponent.choice.argument == "easy"


@pytest.mark.parametrize("level", LEVELS)
def test_people_come_to_the_level_of_their_strength(level: str):
    """A team scores between its two members, as well as luck has it; twenty matches, the last ten of which count."""
    found = []
    for seed in range(10):
        rng, scores = np.random.default_rng(seed), list[float]()
        for _ in range(20):
            partner = level_for(*scores)
            found.append(partner == level)
            scores.append((TOGETHER[level] + TOGETHER[partner]) / 2 + rng.normal(0, 1.5))
        del found[-20:-10]
    assert np.mean(found) > 0.6


def row(**more):
    usual = {"lineup": {"a": "Ada", "b": "AI, easy"}, "returns": {"a": 4.0, "b": 6.0}, "ended": "finished"}
    return {"teams": [["a", "b"]], "settings": {"game_kwargs": {"max_cycles": 300}}, **usual, **more}


def test_whole_matches_of_these_people_under_the_same_settings_count():
    rows = [
        row(), row(returns={"a": 7.0, "b": 7.0}), row(ended="max_ticks"), row(ended="quit"), row(settings={}),
        row(lineup={"a": "Ben", "b": "AI, easy"}), row(returns={}),
    ]  # fmt: skip
    assert scores_of(["Ada"], rows, {"max_cycles": 300}) == [5.0, 7.0]
    assert scores_of(["Ben"], rows, {}) == []
