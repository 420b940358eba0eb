"""A pool seat meets another frozen opponent each episode."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest

from agents.policies.snapshot_controller import MAX_OPEN, PoolController
from agents.seats.controller import Turn
from agents.snapshots.store import SnapshotError, SnapshotStore

GAME = "test/game"


@pytest.fixture
def pool(tmp_path, card, policy):
    """A store of two more snapshots than a pool keeps open, each of which plays its number modulo 5."""
    store = SnapshotStore(tmp_path / "pool")
    for number in range(MAX_OPEN + 2):
        store.save(card(f"p{number}"), policy(number % 5, weight=50))
    return store


def play(controller, seat, seeds):
    labels = []
    for seed in seeds:
        controller.reset(seat, seed=seed)
        controller.observe(Turn("one", 0, np.zeros(4, np.float32)))
        assert controller.act() == int(controller.label[1:]) % 5
        labels.append(controller.label)
    return labels


def test_each_episode_draws_by_its_seed_and_all_are_met(pool, seat):
    first = play(PoolController(pool, GAME), seat, range(60))
    assert first == play(PoolController(pool, GAME), seat, range(60))
    assert set(first) == {f"p{number}" for number in range(MAX_OPEN + 2)}


def test_few_graphs_stay_open(pool, seat):
    controller = PoolController(pool, GAME)
    for seed in range(40):
        play(controller, seat, [seed])
        assert controller.graphs.get.cache_info().currsize <= MAX_OPEN


def test_a_newcomer_is_drawn_without_a_restart(store, card, policy, seat):
    controller = PoolController(store, GAME)
    controller.reset(seat, seed=1)
    assert controller.label == "first"
    store.save(card("second"), policy(1))
    labels = set()
    for seed in range(30):
        controller.reset(seat, seed=seed)
        labels.add(controller.label)
    assert labels == {"first", "second"}


def test_a_snapshot_for_other_agents_is_never_drawn(store, card, policy, seat):
    store.save(card("other", agents=("two",)), policy(1))
    controller = PoolController(store, GAME)
    for seed in range(20):
        controller.reset(seat, seed=seed)
        assert controller.label == "first"
    shutil.rmtree(store.root / "first")
    with pytest.raises(SnapshotError, match=r"test/game that plays 'three'"):
        controller.reset(replace(seat, agent="three"), seed=1)


def test_an_empty_store_says_what_is_missing(tmp_path):
    with pytest.raises(SnapshotError, match="expected a snapshot of test/game, got none"):
        PoolController(SnapshotStore(tmp_path / "empty"), GAME)
