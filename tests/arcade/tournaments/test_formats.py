"""Who meets whom: formats, seatings and seeds, with outcomes made up from known strengths."""

import io
import itertools
import re
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

from agents.ladder.ratings.batch import fit
from arcade.commands import ladder_run
from arcade.tournaments.formats import FORMATS
from arcade.tournaments.formats.format import Format
from arcade.tournaments.pairings import Entrant, Outcome, TournamentError, booked, outcome_of, rated_matches, seatings
from arcade.tournaments.plan import TournamentPlan, rounds_of


def plan_of(count, sides=2, **more):
    entrants = tuple(Entrant(word="random", label=f"p{i}", sides=tuple(range(sides))) for i in range(count))
    return TournamentPlan(id="t", game="house/volley", entrants=entrants, **more)


def play(plan, strengths, sides=2, seed=0):
    """All rounds, each match won by chance as the strengths (in natural units) say."""
    dice, outcomes, rounds = np.random.default_rng(seed), {}, []
    for fixtures in rounds_of(plan, outcomes, sides=sides, cooperative=False):
        rounds.append(fixtures)
        for fixture in fixtures:
            luck = dice.gumbel(size=sides)
            order = np.argsort([-(strengths[n] + luck[i]) for i, n in enumerate(fixture.entrants)])
            ranks = tuple(float(np.flatnonzero(order == i)[0]) for i in range(sides))
            outcomes[fixture.number] = Outcome(fixture.number, fixture.round, fixture.entrants, ranks)
    return rounds, outcomes


def pairs_of(fixtures):
    return Counter(pair for one in fixtures for pair in itertools.combinations(sorted(one.entrants), 2))


def test_round_robin_plays_every_pair_on_both_sides_with_the_same_seeds():
    (fixtures,) = rounds_of(plan_of(5, games=3), {}, sides=2, cooperative=False)
    assert [one.number for one in fixtures] == list(range(60))
    seeds = {seating: sorted(f.seed for f in fixtures if f.entrants == seating) for seating in
             itertools.permutations(range(5), 2)}  # fmt: skip
    assert all(len(own) == 3 for own in seeds.values())
    assert len(set(map(tuple, seeds.values()))) == 1


def test_among_four_teams_every_two_meet_and_everybody_sits_everywhere():
    (fixtures,) = rounds_of(plan_of(7, sides=4, games=1), {}, sides=4, cooperative=False)
    assert set(pairs_of(fixtures)) == set(itertools.combinations(range(7), 2))
    for number in range(7):
        places = Counter(one.entrants.index(number) for one in fixtures if number in one.entrants)
        assert len(places) == 4
        assert len(set(places.values())) == 1


def test_entrants_that_know_one_role_meet_only_those_of_the_other():
    roles = [(0,), (0,), (1,), (0, 1)]
    entrants = tuple(Entrant(word="random", label=f"p{i}", sides=sides) for i, sides in enumerate(roles))
    plan = TournamentPlan(id="t", game="mpe/simple_adversary_v3", entrants=entrants, games=1)
    (fixtures,) = rounds_of(plan, {}, sides=2, cooperative=False)
    assert {one.entrants for one in fixtures} == {(0, 2), (1, 2), (0, 3), (1, 3), (3, 2)}


def test_in_a_game_of_one_team_everybody_plays_with_itself_too():
    (fixtures,) = rounds_of(plan_of(3, games=1), {}, sides=2, cooperative=True)
    assert {one.entrants for one in fixtures} == set(itertools.product(range(3), repeat=2))
    with pytest.raises(TournamentError, match="round-robin"):
        rounds_of(plan_of(3, format="swiss"), {}, sides=2, cooperative=True)


def test_fewer_entrants_than_teams_are_refused():
    with pytest.raises(TournamentError, match="at least 4 entrants"):
        rounds_of(plan_of(3, sides=4), {}, sides=4, cooperative=False)


@pytest.mark.parametrize("count", [8, 9])
def test_swiss_lets_nobody_meet_twice_and_equals_meet(count):
    rounds, outcomes = play(plan_of(count, format="swiss", games=1), strengths=[9.0 * n for n in range(count)])
    assert len(rounds) == int(np.ceil(np.log2(count)))
    met = pairs_of([one for fixtures in rounds for one in fixtures])
    assert set(met.values()) == {2}  # once on each side
    free = [set(range(count)) - {n for one in fixtures for n in one.entrants} for fixtures in rounds]
    assert len(set.union(*free)) == (len(rounds) if count == 9 else 0)  # nobody rests twice
    wins = Counter()
    for fixtures in rounds[:-1]:
        for number, rested in itertools.product(range(count), [free[fixtures[0].round]]):
            wins[number] += number in rested or any(
                outcomes[one.number].points.get(number) == 1.0 for one in fixtures if number in one.entrants
            )
    assert all(abs(wins[a] - wins[b]) <= 1 for a, b in pairs_of(rounds[-1]))


def test_a_tournament_that_goes_on_asks_for_the_same_matches():
    plan = plan_of(8, format="informative", games=2, bound=150)
    rounds, outcomes = play(plan, strengths=np.linspace(0, 2, 8))
    again = list(rounds_of(plan, outcomes, sides=2, cooperative=False))
    assert again == rounds


def test_the_informative_format_ends_when_every_interval_is_narrow_and_seeks_even_matches():
    strengths, plan = np.linspace(0, 5, 8), plan_of(8, format="informative", games=4, bound=120)
    rounds, outcomes = play(plan, strengths)
    assert 3 < len(rounds) < 200
    estimates = fit(rated_matches(list(outcomes.values()), plan.entrants)).players.values()
    assert all(one.high - one.low <= 2 * plan.bound for one in estimates)
    chosen = [abs(strengths[a] - strengths[b]) for fixtures in rounds for a, b in pairs_of(fixtures).elements()]
    usual = [abs(a - b) for a, b in itertools.combinations(strengths, 2)]
    assert np.mean(chosen) < 0.75 * np.mean(usual)


@pytest.mark.parametrize(
    ("strengths", "wide"),
    [((0, 0.5, 1, -30), {"p3"}), ((0, 0.5, 1, -30, 30), {"p3", "p4"}), ((0, 0.5, 30, 30.5), {"p0", "p1", "p2", "p3"})],
)
def test_the_informative_format_gives_up_those_of_whom_no_match_tells_more(strengths, wide):
    """Who always wins or loses, and two groups of which each always beats the other."""
    plan = plan_of(len(strengths), format="informative", games=5, bound=60)
    _, outcomes = play(plan, strengths)
    assert len(outcomes) < 1000
    estimates = fit(rated_matches(list(outcomes.values()), plan.entrants)).players
    assert {name for name, one in estimates.items() if one.high - one.low > 2 * plan.bound} == wide


def test_the_informative_format_gives_up_where_only_those_of_another_role_can_be_met():
    sides = [(0,), (0,), (1,)]
    entrants = tuple(Entrant(word="random", label=f"p{i}", sides=own) for i, own in enumerate(sides))
    plan = TournamentPlan(id="t", game="mpe/simple_adversary_v3", entrants=entrants, games=10, format="informative")
    _, outcomes = play(plan, [0, 0, -30])
    assert len(outcomes) < 1000


def test_a_forfeit_among_four_costs_the_points_and_is_lost_to_one():
    told = {"id": "t", "number": 0, "round": 0, "entrants": [3, 2, 1, 0], "forfeit": {"entrant": 2, "why": "left"}}
    row = {
        "ended": "forfeit", "teams": [["n"], ["e"], ["s"], ["w"]], "placements": {"n": 1, "e": 4, "s": 1, "w": 1},
        "lineup": {"n": "p3", "e": "p2", "s": "p1", "w": "p0"}, "settings": {"tournament": told},
    }  # fmt: skip
    outcome = outcome_of(row)
    assert outcome.points == {3: 1 / 3, 2: 0, 1: 1 / 3, 0: 1 / 3}
    (match,) = rated_matches([outcome], plan_of(4, sides=4).entrants)
    assert (match.teams, list(match.ranks), match.first) == ([["p2"], ["p1"]], [4, 1], None)


def test_seatings_turn_everybody_once_around():
    entrants = plan_of(4, sides=3).entrants
    assert seatings((0, 2, 3), entrants) == [(0, 2, 3), (2, 3, 0), (3, 0, 2)]


def test_a_table_that_takes_long_holds_up_a_tenth_of_the_play_at_most(monkeypatch):
    clock = SimpleNamespace(now=0.0)

    def standings_of(*_, **__):
        clock.now += 3.0
        return [], None

    monkeypatch.setattr(ladder_run, "standings_of", standings_of)
    monkeypatch.setattr(ladder_run, "time", SimpleNamespace(monotonic=lambda: clock.now))
    terminal = Console(file=io.StringIO(), force_terminal=True)
    tournament = SimpleNamespace(plan=plan_of(2), in_order=[], cooperative=False)
    table = ladder_run.LiveStandings(tournament, quiet=False, console=terminal)
    for _ in range(300):
        table.on_match()
        clock.now += 1.0
    looking = clock.now - 300
    assert 0 < looking <= 3 + clock.now / 11


def test_a_test_shows_the_time_left_until_its_last_match_at_most():
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, width=100)
    tournament = SimpleNamespace(plan=plan_of(2, format="sprt", max_games=400), rows={}, in_order=[], cooperative=False)
    with ladder_run.LiveStandings(tournament, quiet=False, console=terminal) as table:
        for number in range(3):
            table.on_round(number, 20, 0)
            for _ in range(20):
                tournament.rows[len(tournament.rows)] = {}
                table.on_match()
    last = screen.getvalue().rpartition("matches, at most")[2]
    assert "60/400" in last
    assert len(re.findall(r"0:00:\d\d", last)) == 2, "the time so far, and the time left"


def test_only_its_own_matches_are_gone_on_from():
    rows = [{"settings": told} for told in (
        {"tournament": {"id": "t", "number": 3}}, {"tournament": {"id": "t2", "number": 4}}, {},
    )]  # fmt: skip
    assert booked(rows, "t") == {3: rows[0]}


def test_a_format_of_the_table_is_played_by_its_name(monkeypatch):
    class Ladder(Format):
        """Neighbours meet, until the first entrant has lost."""

        name = "king of the hill"

        def groups(self, settings, played, *, round, sides, cooperative):
            challenger = round + 1
            lost = any(one.ranks[one.entrants.index(0)] > 0 for one in played)
            return [] if lost or challenger == len(settings.entrants) else [(0, challenger)]

        def usual_rounds(self, settings):
            return len(settings.entrants)

    with pytest.raises(TournamentError, match="round-robin, swiss, informative"):
        plan_of(4, format=Ladder.name)
    monkeypatch.setitem(FORMATS, Ladder.name, Ladder())
    rounds, _ = play(plan_of(5, format=Ladder.name, games=1), strengths=[0, -99, -99, 99, -99])
    assert [{one.entrants for one in pairings} for pairings in rounds] == [{(0, n), (n, 0)} for n in (1, 2, 3)]


def test_players_without_chance_are_asked_for_no_more_matches_than_tell_something():
    plan, outcomes = plan_of(3, format="informative", games=2, bound=1), {}
    for fixtures in rounds_of(plan, outcomes, sides=2, cooperative=False):
        for one in fixtures:
            ranks = (1.0, 2.0) if one.entrants[0] < one.entrants[1] else (2.0, 1.0)
            digest = f"{one.entrants}"
            outcomes[one.number] = Outcome(
                one.number, one.round, one.entrants, ranks, seed=str(one.seed), digest=digest
            )
    assert len(outcomes) == 12
    assert len(rated_matches([*outcomes.values()], plan.entrants)) == 6
