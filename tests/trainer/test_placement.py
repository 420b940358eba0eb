"""A new snapshot's first matches put it on the ladder, in its place."""

from collections import Counter

import numpy as np
import onnx
import pytest
import torch
from onnx import numpy_helper

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.standings import standings
from agents.snapshots.store import BUNDLED, SnapshotCard, SnapshotStore
from agents.spaces import action_signature, observation_signature
from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.placement import Placement
from trainer.config.reading import make_config
from trainer.league.export import Exporter
from trainer.networks.make import make_network

GAME = "house/volley"


@pytest.fixture
def store(arcade_home):
    """Three snapshots: one that stands still, two that play at random."""
    store = SnapshotStore(arcade_home / "snapshots")
    (group,) = make_vector_env(find_game(GAME), 1).groups
    space, action = group.observation_space, group.action_space
    for name, bias in (("still", 50.0), ("random-1", 0.0), ("random-2", 0.0)):
        torch.manual_seed(1)
        network = make_network(make_config({"game": GAME, "network": {"hidden": [8]}}), space, action)
        with torch.no_grad():
            network.pi.layers[-1].bias[0] += bias
        data = Exporter(space, action, masked=False).export(network, observations=group.observations[0], masks=None)
        signatures = {"observation": observation_signature(space), "action": action_signature(action)}
        store.save(SnapshotCard(name=name, game=GAME, **signatures), data)
    return store


def place_one(placement, store, name, others):
    spec = find_game(GAME)
    opposite = dict.fromkeys(spec.agents, others)
    placement.place(store.get(name), dict.fromkeys(spec.agents, name), opposite)
    while placement.pending:
        placement.work(0.5)


def test_placement_matches_are_rated_under_the_snapshots_names(store, arcade_home):
    spec = find_game(GAME)
    with Ladder(arcade_home / "ladder.sqlite") as ladder:
        placement = Placement(spec, ladder, store, games=10)
        others = {agent: ["still", "random-1", "random-2"] for agent in spec.agents}
        placement.place(store.get("random-1"), dict.fromkeys(spec.agents, "random-1"), others)
        placement.work(1e-6)  # a tick of the first series: orders come first
        assert placement.pending
        assert not ladder.results(GAME)
        while placement.pending:
            placement.work(0.5)
        rows = ladder.results(GAME)
        assert len(rows) == 10
        assert {row["source"] for row in rows} == {"trainer"}
        pairs = Counter(frozenset(row["lineup"].values()) - {"random-1"} for row in rows)
        assert pairs == {frozenset({"still"}): 4, frozenset({"random-2"}): 4, frozenset({"scripted"}): 2}
        for row in rows:
            best = max(row["returns"], key=row["returns"].get)
            assert row["placements"][best] == 1
        assert len({row["seed"] for row in rows}) > 3
        assert {rating.name for rating in ladder.ratings(GAME)} == {"still", "random-1", "random-2", "scripted"}
        kinds = {one.label: one.kind for one in standings(ladder, GAME, facts=spec.facts()).table}
        assert kinds == {"still": "snapshot", "random-1": "snapshot", "random-2": "snapshot", "scripted": "scripted"}


def test_whoever_tells_most_is_met_first_and_other_runs_snapshots_that_the_ladder_knows(store, arcade_home):
    spec = find_game(GAME)
    with Ladder(arcade_home / "ladder.sqlite") as ladder:
        for number in range(40):  # nobody knows how it would go with "random-2"; "scripted" beats all
            book(ladder, winner="scripted", loser="still" if number % 2 else "random-1")
            book(ladder, *(("still", "random-1") if number % 2 else ("random-1", "still")))
        before = ladder.last(GAME)
        place_one(Placement(spec, ladder, store, games=4), store, "random-2", ["random-1"])
        met = {name for row in ladder.results(GAME, after=before) for name in row["lineup"].values()}
        assert len(met & {"still", "random-1"}) == 1
        assert "scripted" not in met


def test_two_rounds_with_one_opponent_are_enough(store, arcade_home):
    with Ladder(arcade_home / "ladder.sqlite") as ladder:
        place_one(Placement(find_game(GAME), ladder, store, games=100), store, "random-1", ["still"])
        met = Counter(name for row in ladder.results(GAME) for name in set(row["lineup"].values()))
        assert met == {"random-1": 16, "still": 8, "scripted": 8}


def test_each_gets_a_round_where_freezes_come_faster_than_matches(store, arcade_home, monkeypatch):
    monkeypatch.setattr("arcade.match.batch.placement.WAITING", 1)
    spec = find_game(GAME)
    with Ladder(arcade_home / "ladder.sqlite") as ladder:
        placement, others = Placement(spec, ladder, store, games=6), {agent: ["still"] for agent in spec.agents}
        for name in ("random-1", "random-2", "random-1"):
            placement.place(store.get(name), dict.fromkeys(spec.agents, name), others)
        while placement.pending:
            placement.work(0.5)
        assert len(ladder.results(GAME)) == 6 + 4 + 6


def test_a_snapshot_that_is_broken_is_left_out_and_the_others_are_met(store, arcade_home):
    (arcade_home / "snapshots" / "still" / "policy.onnx").write_bytes(b"no graph")
    with Ladder(arcade_home / "ladder.sqlite") as ladder:
        place_one(Placement(find_game(GAME), ladder, store, games=8), store, "random-1", ["still", "random-2"])
        rows = ladder.results(GAME)
        assert len(rows) == 8
        assert not any("still" in row["lineup"].values() for row in rows)


def book(ladder, winner, loser):
    agents = find_game(GAME).agents
    teams = [[*map(str, team)] for team in find_game(GAME).teams]
    lineup = {str(agent): winner if str(agent) in teams[0] else loser for agent in agents}
    places = {str(agent): 1 if str(agent) in teams[0] else 2 for agent in agents}
    ladder.add({"game": GAME, "lineup": lineup, "teams": teams, "placements": places})


def test_bundled_snapshots_are_what_their_cards_say():

    (group,) = make_vector_env(find_game(GAME), 1).groups
    space, action = group.observation_space, group.action_space
    store = SnapshotStore(BUNDLED)
    cards = [card for card in store.list(GAME) if card.name.startswith("volley-")]
    assert not store.refused
    assert len(cards) >= 5
    assert [card.step for card in cards] == sorted(card.step for card in cards)  # the newest is the strongest
    for card in cards:
        weights = onnx.load_from_string(store.get(card.name).onnx).graph.initializer
        assert all(np.isfinite(numpy_helper.to_array(weight)).all() for weight in weights)
        assert card.observation == observation_signature(space)
        assert card.action == action_signature(action)
        assert "python -m trainer" in card.note
        assert card.size < 100_000
