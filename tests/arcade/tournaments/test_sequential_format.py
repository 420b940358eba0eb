"""``arcade ladder test``: two players meet until a sequential test is decided."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from agents.errors import UserError
from agents.ladder.ladder import open_ladder
from agents.ladder.ratings.sequential import SequentialTest
from agents.snapshots.store import open_store
from arcade.commands.cli import app
from arcade.commands.ladder_run import run_test
from arcade.commands.ladder_test import entrants_of
from arcade.tournaments.formats.sequential import counts_of
from arcade.tournaments.pairings import Entrant, Outcome, TournamentError
from arcade.tournaments.plan import TournamentPlan, rounds_of


def plan_of(*sides, **more):
    entrants = tuple(Entrant(word=f"p{n}", label=f"p{n}", sides=own) for n, own in enumerate(sides))
    return TournamentPlan(id="t", game="house/volley", entrants=entrants, format="sprt", **more)


def play(plan, chance, *, counts=True):
    """All matches; the first entrant wins each with this probability."""
    dice, outcomes = np.random.default_rng(3), {}
    for pairings in rounds_of(plan, outcomes, sides=2, cooperative=False):
        for one in pairings:
            first = (1.0, 2.0) if dice.random() < chance else (2.0, 1.0)
            ranks = first if one.entrants[0] == 0 else first[::-1]
            outcomes[one.number] = Outcome(one.number, one.round, one.entrants, ranks if counts else ())
    return outcomes


@pytest.mark.parametrize(("chance", "verdict"), [(0.7, "H1"), (0.4, "H0")])
def test_it_ends_when_the_difference_is_known_and_not_before(chance, verdict):
    plan = plan_of((0, 1), (0, 1), elo1=50, games=4)
    outcomes = play(plan, chance)
    found = plan.form.findings(plan, [*outcomes.values()])["test"]
    assert found["verdict"] == verdict
    assert found["games"] == len(outcomes) < 1000
    before = [one for one in outcomes.values() if one.number < len(outcomes) - 8]
    assert plan.form.findings(plan, before)["test"]["verdict"] == ""


def test_it_ends_undecided_after_the_most_games_and_where_no_match_counts():
    assert len(play(plan_of((0, 1), (0, 1), elo1=1, games=4, max_games=40), 0.5)) == 40
    assert len(play(plan_of((0, 1), (0, 1), games=4), 0.5, counts=False)) == 48


def test_games_that_often_repeat_do_not_end_it():
    plan, outcomes, dice = plan_of((0, 1), (0, 1), elo1=300, games=1), {}, np.random.default_rng(1)
    for pairings in rounds_of(plan, outcomes, sides=2, cooperative=False):
        for one in pairings:
            ranks, other = ((1.0, 2.0) if one.entrants[0] == 0 else (2.0, 1.0)), dice.random() < 0.1
            outcomes[one.number] = Outcome(
                one.number, one.round, one.entrants, ranks, seed=str(one.seed), digest=f"{one.seed if other else 0}"
            )
    assert plan.form.findings(plan, [*outcomes.values()])["test"]["verdict"] == "H1"


def test_both_games_of_a_seed_are_one_pair_and_half_a_pair_does_not_count():
    ranks = [(1.0, 2.0), (1.0, 1.0), (2.0, 1.0), ()]
    outcomes = [Outcome(n, 0, (n % 2, 1 - n % 2), own) for n, own in enumerate(ranks)]
    assert counts_of(outcomes) == [0, 0, 0, 1, 0]


def test_players_that_cannot_change_sides_and_other_numbers_of_players_are_refused():
    for plan in (plan_of((0,), (1,)), plan_of((0, 1), (0, 1), (0, 1))):
        with pytest.raises(TournamentError, match="expected"):
            next(rounds_of(plan, {}, sides=2, cooperative=False))
    with pytest.raises(UserError, match="elo0 < elo1"):
        plan_of((0, 1), (0, 1), elo0=30)


def test_the_command_stops_by_itself_and_names_the_stronger(arcade_home):
    words = ["volley-7", "volley-1", "--elo1", "300", "--workers", "1", "--seed", "1", "--max-ticks", "400"]
    done = CliRunner().invoke(app, ["ladder", "test", *words, "--json"], catch_exceptions=False)
    found = json.loads(done.stdout)
    assert found["test"]["verdict"] == "H1"
    assert found["test"]["players"] == ["volley-7", "volley-1"]
    with open_ladder() as ladder:
        assert len(ladder.results("house/volley")) == found["matches"] < 48
    assert found["matches"] == 2 * found["rounds"] * SequentialTest(elo1=300).round_pairs
    text = CliRunner().invoke(app, ["ladder", "test", *words], catch_exceptions=False).stdout
    assert "volley-7 is stronger than volley-1" in text


def test_a_challenger_that_is_stronger_is_the_best_until_that_is_forgotten(arcade_home):
    def run(*words):
        done = CliRunner().invoke(app, [*words, "--json"], catch_exceptions=False)
        return json.loads(done.stdout)

    def best(*words):
        found = run("snapshots", "best", "house/volley", *words)
        return found["snapshot"], found["promoted"]

    short = ["--elo1", "300", "--workers", "1", "--seed", "1", "--max-ticks", "400", "--promote"]
    (usual, is_promoted) = best()
    assert not is_promoted
    weak = run("ladder", "test", "volley-1", usual, *short)
    assert (weak["test"]["verdict"], weak["test"]["promoted"]) == ("H0", "")
    assert best() == (usual, False)
    found = run("ladder", "test", "volley-5", "volley-1", *short)["test"]
    assert (found["verdict"], found["promoted"]) == ("H1", "volley-5")
    assert best() == ("volley-5", True)
    assert open_store().choose("best", game="house/volley") == "volley-5"
    assert entrants_of(("volley-7", "best"), "")[1] == ["snapshot:volley-7", "snapshot:volley-5"]
    for first in ("volley-5", "scripted"):
        with pytest.raises(UserError, match="expected"):
            run_test({"workers": 1}, (first, "best"), "house/volley", promotes=True, as_json=True)
    assert best("--by-rating")[1] is False


def test_a_bare_name_is_a_snapshot_which_tells_the_game(arcade_home):
    assert entrants_of(("volley-7", "scripted"), "") == ("house/volley", ["snapshot:volley-7", "scripted"])
    with pytest.raises(UserError, match="--game"):
        entrants_of(("random", "scripted"), "")


def test_players_without_chance_end_it_undecided_since_their_games_repeat():
    plan, outcomes = plan_of((0, 1), (0, 1), games=4), {}
    for pairings in rounds_of(plan, outcomes, sides=2, cooperative=False):
        for one in pairings:
            ranks = (1.0, 2.0) if one.entrants[0] == 0 else (2.0, 1.0)
            digest = f"{one.entrants}"
            outcomes[one.number] = Outcome(
                one.number, one.round, one.entrants, ranks, seed=str(one.seed), digest=digest
            )
    test = plan.form.findings(plan, [*outcomes.values()])["test"]
    assert (len(outcomes), test["games"], test["verdict"]) == (56, 2, "")
