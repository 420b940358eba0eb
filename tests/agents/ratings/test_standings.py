"""The standings of a game, from its results on the ladder, and their plain tables."""

from __future__ import annotations

import csv
import io
import json

import pytest

from agents.errors import UserError
from agents.ladder.ladder import Ladder
from agents.ladder.ratings.rows import GameFacts
from agents.ladder.ratings.standings import standings
from agents.ladder.ratings.views import find_view, header, views_of, write_csv

HUNT = GameFacts(
    id="hunt",
    title="Hunt",
    teams=(("hunter_0", "hunter_1"), ("hare_0",)),
    roles={"hunter_0": "hunter", "hunter_1": "hunter", "hare_0": "hare"},
)
RELAY = GameFacts(id="relay", teams=(("a", "b"),), roles={"a": "thrower", "b": "catcher"}, cooperative=True)


@pytest.fixture
def ladder(tmp_path):
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        yield ladder


KINDS = {"ace": "snapshot", "ann": "keyboard"}


def add(ladder, winner, loser, *, first=True, draw=False, **more):
    """A duel; `first`: the winner sat in the first seat."""
    lineup = {"left": winner, "right": loser} if first else {"left": loser, "right": winner}
    places = {agent: 1 if draw or label == winner else 2 for agent, label in lineup.items()}
    seats = {agent: {"kind": KINDS[label]} for agent, label in lineup.items() if label in KINDS}
    result = {"game": "duel", "lineup": lineup, "teams": [["left"], ["right"]], "placements": places, "seats": seats}
    ladder.add(result | more)


def test_a_table_of_a_duel(ladder):
    for i in range(12):
        add(ladder, "ace", "ann", first=bool(i % 2))
    add(ladder, "ann", "ace")
    add(ladder, "ann", "bob", draw=True)
    add(ladder, "ann", "ace", ended="quit")
    found = standings(ladder, "duel")
    assert [standing.label for standing in found.table] == ["ace", "bob", "ann"]
    assert (found.matches, found.left_out, found.last) == (14, 1, 15)
    assert [standing.kind for standing in found.table] == ["snapshot", "", "person"]
    ace, _, ann = found.table
    assert (ace.rating.wins, ace.rating.losses, ann.rating.draws) == (12, 1, 1)
    assert ace.rating.low < ace.rating.mu < ace.rating.high
    assert ace.batch.low < ace.batch.elo < ace.batch.high
    assert ace.batch.elo > ann.batch.elo
    assert found.matrix.pair("ace", "ann").wins == 12
    assert [moment.result for moment in found.history["bob"]] == [14]
    assert found.history["ace"][-1].rating.mu == ace.rating.mu
    assert len(found.history["ann"]) == 14


def test_the_first_seat_is_worth_something_where_it_wins(ladder):
    for i in range(60):
        one, other = ("ann", "bob") if i % 2 else ("bob", "ann")
        add(ladder, one, other, first=i % 5 > 0)
    first = standings(ladder, "duel").first_seat
    assert first.low > 0
    assert standings(ladder, "nothing").first_seat is None


def test_who_forfeits_says_nothing_of_the_first_seat(ladder):
    for i in range(20):
        add(ladder, "ann", "bob", first=bool(i % 2))
        add(ladder, "bob", "ann", first=bool(i % 2))
    before = standings(ladder, "duel").first_seat
    for _ in range(20):  # whoever sits first is the first to move, and so the first to crash
        add(ladder, "ace", "ann", first=False, ended="forfeit")
    found = standings(ladder, "duel")
    assert found.first_seat.elo == pytest.approx(before.elo, abs=1)
    assert found.first_seat.high == pytest.approx(before.high, abs=5)
    assert (found.matches, found.table[0].label) == (60, "ace")


def test_who_forfeits_among_four_has_lost_to_who_sits_next_and_the_others_are_as_they_were(ladder):
    teams = [["n"], ["e"], ["s"], ["w"]]
    lineup = {"n": "ann", "e": "bob", "s": "cleo", "w": "quitter"}
    places = {"n": 1, "e": 1, "s": 1, "w": 4}
    ladder.add({"game": "four", "lineup": lineup, "teams": teams, "placements": places, "ended": "forfeit"})
    found = {one.label: one.rating for one in standings(ladder, "four").table}
    assert {label: (one.wins, one.losses) for label, one in found.items()} == {"ann": (1, 0), "quitter": (0, 1)}
    assert standings(ladder, "four").left_out == 0


def test_where_seats_are_roles_each_label_is_rated_in_each(ladder):
    for i in range(6):
        lineup = {"hunter_0": "ann", "hunter_1": "bob", "hare_0": "ann" if i % 2 else "cleo"}
        places = {"hunter_0": 2, "hunter_1": 2, "hare_0": 1}
        ladder.add({"game": "hunt", "lineup": lineup, "teams": [list(t) for t in HUNT.teams], "placements": places})
    found = standings(ladder, "hunt", facts=HUNT)
    assert [(standing.name, standing.role) for standing in found.table] == [
        ("ann [hunter]", "hunter"), ("bob [hunter]", "hunter"), ("cleo [hare]", "hare"), ("ann [hare]", "hare")
    ]  # fmt: skip
    assert [line["place"] for line in find_view(found, "ratings").lines(found)] == [1, 2, 1, 2]
    assert found.first_seat is None  # the roles say it all
    assert found.matrix.pair("cleo [hare]", "ann [hunter]").wins == 3
    assert {rating.name for rating in ladder.ratings("hunt")} == {"ann", "bob", "cleo"}
    assert ladder.recompute("hunt", roles=HUNT.roles) == 0


def relay(ladder, one, two, score, **more):
    result = {"game": "relay", "lineup": {"a": one, "b": two}, "teams": [["a", "b"]], "placements": {"a": 1, "b": 1}}
    ladder.add(result | {"returns": {"a": score, "b": score}} | more)


def test_cooperative_games_stand_by_score_role_and_length(ladder):
    for score in (4.0, 6.0):
        relay(ladder, "ann", "ann", score)
        relay(ladder, "ann", "bob", score / 2)
    relay(ladder, "bob", "bob", 50.0, settings={"game_kwargs": {"max_cycles": 600}})
    relay(ladder, "bob", "bob", 0.5, ended="max_ticks", ticks=10)
    found = standings(ladder, "relay", facts=RELAY)
    assert [view.name for view in views_of(found)] == ["ratings", "cross-play"]
    lines = {line["name"]: line for line in find_view(found, "ratings").lines(found)}
    assert (lines["ann [thrower]"]["alone"], lines["ann [thrower]"]["mixed"]) == (5.0, 2.5)
    assert (lines["bob [catcher]"]["alone"], lines["bob [catcher]"]["mixed"]) == (None, 2.5)
    assert lines["bob [catcher, max_cycles 600]"]["alone"] == 50.0
    assert lines["bob [thrower, 10 ticks]"]["alone"] == 0.5
    cells = {(line["label"], line["partner"]): line["mean"] for line in find_view(found, "cross-play").lines(found)}
    assert cells == {("ann", "ann"): 5.0, ("ann", "bob"): 2.5, ("bob", "ann"): 2.5}


def test_standings_are_kept_until_there_is_a_new_result(ladder):
    add(ladder, "ann", "bob")
    found = standings(ladder, "duel")
    assert standings(ladder, "duel") is found
    add(ladder, "ann", "bob", game="another")
    assert standings(ladder, "duel") is found
    add(ladder, "bob", "ann")
    assert standings(ladder, "duel").matches == 2


def test_every_view_is_plain_data(ladder):
    for one, other in (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")):
        for i in range(12):
            add(ladder, one, other, first=bool(i % 2))
    found = standings(ladder, "duel")
    (ring,) = find_view(found, "cycles").lines(found)
    assert [ring[name] for name in ("first", "second", "third")] == ["paper", "rock", "scissors"]
    for view in views_of(found):
        lines = [*view.lines(found)]
        assert json.loads(json.dumps({**header(found), view.name: lines}, allow_nan=False))[view.name] == lines
        file = io.StringIO()
        write_csv(view.fields, lines, file)
        assert [line.keys() for line in csv.DictReader(io.StringIO(file.getvalue()))] == [line.keys() for line in lines]
    with pytest.raises(UserError, match="ratings, matrix, cycles, history"):
        find_view(found, "cross-play")


def test_games_of_which_nobody_knows_anything(ladder):
    relay(ladder, "ann", "bob", 3.0)
    assert standings(ladder, "relay").pairs.names == ("ann", "bob")  # one team, as the result says
    assert standings(ladder, "nothing").table == ()


def test_no_cell_of_a_table_is_taken_for_a_formula():
    file = io.StringIO()
    write_csv(("name", "elo"), [{"name": "=2+3", "elo": -7.5}, {"name": "@SUM(A1)", "elo": None}], file)
    assert file.getvalue() == "name,elo\n'=2+3,-7.5\n'@SUM(A1),\n"
