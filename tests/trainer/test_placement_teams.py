"""New snapshots are placed in games of one team and of more than two."""

import pytest

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.standings import standings
from agents.snapshots.store import SnapshotStore
from arcade.match.batch.placement import Placement
from tests.support.crowd_game import SEATS, crowd_spec
from tests.support.tiny_policies import build_policy, make_card


@pytest.fixture
def store(arcade_home):
    store = SnapshotStore(arcade_home / "snapshots")
    for favourite, name in enumerate(("worst", "poor", "good", "keen")):
        policy = build_policy(favourite, masked=False, weight=6.0)
        store.save(make_card(name, game="test/crowd", masked=False), policy)
    return store


def placed(store, ladder, *, teams, others):
    spec = crowd_spec(teams=teams)
    placement = Placement(spec, ladder, store, games=12)
    placement.place(store.get("keen"), dict.fromkeys(SEATS, "keen"), others)
    while placement.pending:
        placement.work(0.5)
    return ladder.results("test/crowd"), standings(ladder, "test/crowd", facts=spec.facts()).table


def test_among_three_teams_it_plays_every_seat_and_meets_others_of_different_strength(store, arcade_home):
    with Ladder(arcade_home / "ladder.sqlite") as ladder:
        others = {seat: ["worst", "poor", "good"] for seat in SEATS}
        rows, table = placed(store, ladder, teams=3, others=others)
    assert len(rows) == 12
    assert {seat for row in rows for seat, label in row["lineup"].items() if label == "keen"} == set(SEATS)
    assert all(len(set(row["lineup"].values())) == 3 for row in rows)
    assert table[0].name == "keen"
    assert {one.name for one in table} == {"keen", "good", "poor", "worst"}


def test_in_a_game_of_one_team_it_has_a_score(store, arcade_home):
    with Ladder(arcade_home / "ladder.sqlite") as ladder:
        rows, (own,) = placed(store, ladder, teams=1, others={})
    assert len({row["seed"] for row in rows}) == len(rows) >= 4
    assert own.score is not None
    assert own.score.alone.mean > 14
