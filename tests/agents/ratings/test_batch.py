"""Ratings of the whole history: published figures, known truths, and histories that say little."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from agents.ladder.ratings.batch import ELO, PRIOR_ELO, fit
from agents.ladder.ratings.rows import Rated
from tests.benchmarks.known_strengths import KINDS, name_of, play, simulate

PUDDING = (
    (1, 2, 19, 22, 16), (1, 3, 16, 19, 12), (2, 3, 19, 19, 10), (1, 4, 18, 23, 13), (2, 4, 23, 19, 9),
    (3, 4, 19, 20, 15), (1, 5, 13, 19, 18), (2, 5, 16, 20, 12), (3, 5, 16, 15, 17), (4, 5, 17, 14, 16),
    (1, 6, 18, 21, 12), (2, 6, 22, 20, 12), (3, 6, 13, 18, 10), (4, 6, 14, 19, 18), (5, 6, 11, 21, 12),
)  # fmt: skip
"""Six brands of pudding tasted in pairs (Davidson 1970): i, j, i preferred, j preferred, no preference."""


def duels(one, two, wins, losses, draws=0):
    """`one` in the first seat."""
    outcomes = [(1, 2)] * wins + [(2, 1)] * losses + [(1, 1)] * draws
    return [Rated([[one], [two]], ranks) for ranks in outcomes]


def seats_swapped(one, two, wins, losses, draws=0):
    """Each outcome from both sides."""
    return duels(one, two, wins, losses, draws) + duels(two, one, losses, wins, draws)


@pytest.mark.parametrize("kind", KINDS)
def test_known_strengths_come_out_again(kind):
    """At 30 matches a player, and the intervals hold the truth about as often as they say."""
    ladders = [simulate(KINDS[kind], players=60, matches=30, spread=500, seed=seed) for seed in range(3)]
    assert np.mean([ladder.spearman for ladder in ladders]) >= 0.945  # of 100 players it is 0.95 and more
    assert 0.9 <= np.mean([ladder.covered for ladder in ladders]) <= 0.99
    assert sum(ladder.fit.first_seat.low < 40 < ladder.fit.first_seat.high for ladder in ladders) >= 2
    for ladder in ladders:
        assert ladder.fit.converged
        assert ladder.fit.draw == pytest.approx(0.26, abs=0.05)


def test_the_figures_that_davidson_published():
    matches = [match for i, j, *outcome in PUDDING for match in duels(f"brand {i}", f"brand {j}", *outcome)]
    found = fit(matches, first_seat=False)
    worths = np.exp([(estimate.elo - 1500) / ELO for estimate in found.players.values()])
    assert worths / worths.sum() == pytest.approx([0.1388, 0.1729, 0.1617, 0.1653, 0.1586, 0.2024], abs=2e-4)
    assert found.draw == pytest.approx(0.7468 / 2.7468, abs=5e-4)
    assert found.first_seat is None


def test_a_search_that_runs_out_of_rounds_says_so(monkeypatch):
    matches = [*duels("a", "b", 20, 1), *duels("b", "c", 20, 1)]
    assert fit(matches).converged
    monkeypatch.setattr("agents.ladder.ratings.batch._ROUNDS", 1)
    assert not fit(matches).converged


def test_ten_to_one_is_400_points_apart_with_the_textbook_interval():
    found = fit(duels("a", "b", 100, 10), first_seat=False)
    a, b = found.players["a"], found.players["b"]
    assert a.elo - b.elo == pytest.approx(400, abs=3)
    assert a.elo + b.elo == pytest.approx(3000)
    assert found.draw == 0
    half = 1.96 * math.sqrt(1 / 100 + 1 / 10) * ELO / 2  # Woolf 1955, of log odds; a stands half as far from the mean
    assert (a.high - a.low) / 2 == pytest.approx(half, rel=0.02)


def test_draws_between_unequals():
    found = fit(seats_swapped("a", "b", 32, 8, 16))
    assert found.players["a"].elo - found.players["b"].elo == pytest.approx(ELO * math.log(4), rel=0.01)
    assert found.draw == pytest.approx(1 / 3, abs=0.005)  # a weight of 16 / sqrt(32 * 8) = 1


def test_the_first_seats_advantage_is_told_from_strength():
    found = fit(duels("a", "b", 40, 20) + duels("b", "a", 40, 20))
    assert found.players["a"].elo == pytest.approx(1500, abs=1e-6)
    assert found.first_seat.elo == pytest.approx(ELO * math.log(2), rel=0.02)
    assert found.first_seat.low > 0
    blind = fit(duels("a", "b", 40, 20), first_seat=False)
    assert blind.players["a"].low > 1500


def test_the_first_seat_may_be_any_team():
    matches = [Rated([["a"], ["b"]], (1, 2), first=1)] * 20 + [Rated([["b"], ["a"]], (1, 2), first=1)] * 20
    assert fit(matches).first_seat.high < 0


def test_the_first_seats_advantage_among_three_ends_once_it_is_placed():
    """It comes first in 2 of 3 and else second in 4 of 5: by the formula an advantage of log 4 both times."""
    outcomes = [(1, 2, 3), (1, 3, 2)] * 10 + [(2, 1, 3), (2, 3, 1)] * 4 + [(3, 1, 2), (3, 2, 1)]
    seats = itertools.permutations([["a"], ["b"], ["c"]])
    found = fit([Rated(teams, ranks) for teams in seats for ranks in outcomes])
    assert found.first_seat.elo == pytest.approx(ELO * math.log(4), rel=0.01)
    assert [estimate.elo for estimate in found.players.values()] == pytest.approx([1500] * 3)


def test_matches_against_oneself_tell_of_the_first_seat_and_of_draws_alone():
    found = fit(duels("a", "a", 30, 10, 20) + duels("lonely", "lonely", 3, 1) + seats_swapped("a", "b", 5, 5))
    assert found.first_seat.low > 0
    assert list(found.players) == ["a", "b"]
    assert found.players["a"].elo == pytest.approx(1500, abs=1e-6)
    assert fit(duels("a", "a", 3, 1)).players == {}


def test_members_of_a_team_add_up():
    """A pair of a strong and a weak one is as good as one of two middling ones."""
    matches = seats_swapped("strong", "middling", 20, 10) + seats_swapped("middling", "weak", 20, 10)
    pairs = [["strong", "weak"], ["middling", "middling"]]
    matches += [Rated(pairs, ranks) for ranks in ((1, 2), (2, 1))] * 20
    found = fit(matches).players
    assert found["strong"].elo - 1500 == pytest.approx(1500 - found["weak"].elo)
    assert found["strong"].elo - found["middling"].elo == pytest.approx(ELO * math.log(2), rel=0.02)


def test_who_always_has_more_on_its_side_is_not_stronger_for_it():
    names = [f"p{number}" for number in range(6)]
    trios = [Rated([trio[:2], trio[2:]], (1, 2)) for trio in itertools.permutations(names, 3)]
    found = fit(trios, first_seat=False)
    assert found.converged
    assert [estimate.elo for estimate in found.players.values()] == pytest.approx([1500] * 6)


def likelihood_of_ties(values, matches):
    """Davidson and Luce's, written down set by set: values of a, b, c and of ties of two and three, all logs."""
    strength, total = dict(zip("abc", values[:3], strict=True)), 0.0
    for match in matches:
        left = [team[0] for team in match.teams]
        for rank in sorted(set(match.ranks)):
            best = tuple(team[0] for team, its in zip(match.teams, match.ranks, strict=True) if its == rank)
            weights = {
                chosen: math.exp(sum(strength[name] for name in chosen) / size + (0, values[3], values[4])[size - 1])
                for size in range(1, len(left) + 1)
                for chosen in itertools.combinations(left, size)
            }
            total += math.log(weights[best] / sum(weights.values())) if len(left) > 1 else 0.0
            left = [name for name in left if name not in best]
    return total - sum(value**2 for value in values) * (ELO / PRIOR_ELO) ** 2 / 2


def test_a_free_for_all_with_ties_is_fitted_as_its_formula_says():
    outcomes = [(1, 2, 3)] * 9 + [(2, 1, 3)] * 4 + [(1, 3, 2)] * 5 + [(3, 1, 2)] * 2 + [(3, 2, 1)]
    outcomes += [(1, 1, 3)] * 4 + [(1, 2, 2)] * 6 + [(2, 2, 1)] * 2 + [(1, 1, 1)] * 3
    matches = [Rated([["a"], ["b"], ["c"]], ranks) for ranks in outcomes]
    found = fit(matches, first_seat=False)
    two = math.log(2 * found.draw / (1 - found.draw))
    strengths = [(found.players[name].elo - 1500) / ELO for name in "abc"]

    def height(three, *changes):
        values = [*strengths, two, three]
        return likelihood_of_ties([a + b for a, b in itertools.zip_longest(values, changes, fillvalue=0)], matches)

    low, high = -5.0, 5.0  # the weight of ties of three is not told: where it fits best, the rest must fit best too
    for _ in range(40):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (left, high) if height(left) < height(right) else (low, right)
    three = (low + high) / 2
    for place, change in itertools.product(range(4), (-0.01, 0.01)):
        changes = [change if place == other else 0.0 for other in range(4)]
        assert height(three, *changes) < height(three)


@pytest.mark.parametrize("teams", [6, 7, 16])
def test_large_fields_with_ties(teams):
    """Two by two they share a place; more than six at once are worked out by Breslow's way."""
    names = [f"p{number:02d}" for number in range(teams)]
    matches, rng = [], random.Random(5)
    for _ in range(8):
        order = rng.sample(range(teams), teams)
        matches.append(Rated([[names[team]] for team in order], [1 + team // 2 * 2 for team in order]))
        matches.append(Rated([[names[team]] for team in order], [1 + (team + 1) // 2 * 2 for team in order]))
    found = fit(matches)
    assert found.converged
    assert sorted(names, key=lambda name: -found.players[name].elo) == names


def test_who_tie_in_a_large_field_come_out_equal():
    names = [f"p{number}" for number in range(7)]
    found = fit([Rated([[name] for name in names], (1, 1, 3, 3, 3, 6, 7))], first_seat=False).players
    assert found["p0"].elo == pytest.approx(found["p1"].elo)
    assert found["p2"].elo == pytest.approx(found["p3"].elo) == pytest.approx(found["p4"].elo)
    assert found["p0"].elo > found["p2"].elo > found["p5"].elo > found["p6"].elo


def test_who_wins_always_stays_finite_and_uncertain():
    found = fit(seats_swapped("ace", "b", 15, 0) + seats_swapped("b", "c", 8, 7))
    ace = found.players["ace"]
    assert found.converged
    assert 2000 < ace.elo < 2600
    assert ace.low > found.players["b"].elo
    for other in "bc":  # who are known as well as if it had not played
        assert found.players[other].high - found.players[other].elo < 100


def test_players_whom_nothing_joins_are_told_apart_with_no_certainty():
    found = fit(seats_swapped("a", "b", 20, 20) + seats_swapped("c", "d", 20, 20)).players
    assert [found[name].elo for name in "abcd"] == pytest.approx([1500] * 4)
    assert found["a"].high - found["a"].low > 1.96 * PRIOR_ELO / math.sqrt(2)


def test_newcomers_whom_nothing_joins_to_the_rest_leave_its_ratings_as_they_were():
    played = [
        Rated([[one], [other]], ranks)
        for one, other in itertools.combinations("abcd", 2)
        for ranks in [(1, 2)] * 30 + [(2, 1)] * 10
    ]
    before, after = fit(played).players, fit([*played, Rated([["x"], ["y"]], (1, 2))]).players
    for name, (elo, low, high) in before.items():
        assert after[name].elo == pytest.approx(elo, abs=3)
        assert after[name].high - after[name].low == pytest.approx(high - low, rel=0.05)
    assert after["x"].high - after["x"].low > 1000


def test_who_never_wins_widens_nobodys_interval():
    """However often it plays: random play against those who have learnt."""
    played = [
        Rated([[one], [other]], ranks)
        for one, other in itertools.combinations("abc", 2)
        for ranks in [(1, 2)] * 30 + [(2, 1)] * 20
    ]
    before, after = fit(played), fit([*played, *(Rated([[one], ["random"]], (1, 2)) for one in "abc" * 60)])
    for name, (elo, low, high) in before.players.items():
        assert after.players[name].high - after.players[name].low == pytest.approx(high - low, rel=0.1)
        assert after.players[name].elo == pytest.approx(elo, abs=20)
    assert after.shares["random"] < 0.02
    assert sum(after.shares.values()) == pytest.approx(1)


def test_more_matches_narrow_the_intervals():
    few, many = (fit(seats_swapped("a", "b", 5 * times, 5 * times)).players["a"] for times in (1, 4))
    assert few.high - few.low == pytest.approx(2 * (many.high - many.low), rel=0.05)


def test_the_same_history_gives_the_same_figures_to_the_bit_and_any_order_the_same_ratings():
    matches = play(KINDS["four-way"], np.linspace(-2, 2, 20), 10, np.random.default_rng(3))
    found = fit(matches)
    assert fit(list(matches)) == found
    turned = fit(matches[::-1]).players
    assert list(turned) == list(found.players) == [name_of(player) for player in range(20)]
    for name, estimate in found.players.items():
        assert turned[name] == pytest.approx(estimate, abs=1e-4)


def test_without_matches():
    assert fit([]).players == {}


@pytest.mark.parametrize(
    ("teams", "ranks"),
    [([["a"]], [1]), ([["a"], []], [1, 2]), ([["a"], ["b"]], [1]), ([["a"], ["b"]], [1, math.nan])],
)
def test_a_match_that_is_none_is_named(teams, ranks):
    with pytest.raises(ValueError, match="expected"):
        fit([Rated(teams, ranks)])
