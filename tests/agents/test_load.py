"""``agents.load`` and ``agents.snapshots``: a snapshot in anybody's own loop."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

import agents
import agents.policies.snapshot
from agents.snapshots.store import SnapshotError


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))


def observations(policy, rows):
    return np.random.default_rng(0).random((rows, *policy.card.observation.shape), dtype=np.float32)


def test_the_examples_of_the_docstrings():
    for module in (agents.policies.snapshot, agents.snapshots):
        assert doctest.testmod(module).failed == 0
        assert doctest.testmod(module).attempted > 0


def test_a_bundled_snapshot_decides_for_a_batch():
    policy = agents.load("volley-7", seed=3)
    seen = observations(policy, 50)
    decision = policy.act(seen, np.ones((50, 6), np.int8))
    assert decision.probabilities.sum(axis=1) == pytest.approx(np.ones(50), abs=1e-5)
    assert decision.values.shape == decision.actions.shape == (50,)
    assert np.array_equal(agents.load("volley-7", seed=3).act(seen).actions, decision.actions)
    assert not np.array_equal(agents.load("volley-7", seed=4).act(seen).actions, decision.actions)
    greedy = agents.load("volley-7", greedy=True).act(seen)
    assert np.array_equal(greedy.actions, greedy.probabilities.argmax(axis=1))


def test_a_recurrent_policy_remembers_row_by_row(counter):
    policy = agents.policies.snapshot.LoadedPolicy(counter)
    seen = observations(policy, 3)
    assert policy.act(seen[:2]).actions.tolist() == [0, 0]
    assert policy.act(seen).actions.tolist() == [1, 1, 0]
    policy.reset([1])
    assert policy.act(seen).actions.tolist() == [2, 0, 1]
    policy.reset()
    assert policy.act(seen).actions.tolist() == [0, 0, 0]


def test_what_is_wrong_is_said():
    policy = agents.load("volley-7")
    shape = policy.card.observation.shape
    with pytest.raises(
        ValueError, match=rf"expected observations of shape \(batch, {shape[0]},\), got: \({shape[0]},\)"
    ):
        policy.act(observations(policy, 1)[0])
    with pytest.raises(SnapshotError, match="nosuch"):
        agents.load("nosuch")


def test_the_users_snapshots_are_listed_with_the_bundled_ones(tmp_path, card, policy):
    bundled = [one.name for one in agents.snapshots()]
    assert "volley-7" in bundled
    agents.SnapshotStore(tmp_path / "snapshots").save(card("mine"), policy())
    assert {one.name for one in agents.snapshots()} == {*bundled, "mine"}
    assert [one.name for one in agents.snapshots("test/game")] == ["mine"]
