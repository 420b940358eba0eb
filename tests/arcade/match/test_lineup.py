"""Who sits where: AI in the seats that nobody took, and the best of what the ladder knows."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from agents.ladder.ladder import Ladder
from agents.seats.controller import SeatChoice
from agents.snapshots.store import SnapshotStore, open_store
from agents.wire.client import RemoteController
from arcade.games import find_game
from arcade.match.play.lineup import ai_choice, fair_choice, make_mapping
from arcade.match.stage.local import LocalStage
from tests.support.small_snapshots import save_volley_snapshot

VOLLEY = find_game("house/volley")


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    """Snapshots "one", "two" and "three", newest last."""
    store = open_store(tmp_path / "snapshots")
    for name in ("one", "two", "three"):
        save_volley_snapshot(store, name)
    return store


def spoil(store: SnapshotStore, name: str) -> None:
    path = store.root / name / "policy.onnx"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_the_best_is_who_the_ladder_says(store: SnapshotStore, tmp_path: Path) -> None:
    assert store.get("best", game=VOLLEY.id).card.name == "volley-7"  # nobody is rated yet
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        for other in ("two", "three", "two", "three"):
            ladder.add(
                {
                    "game": VOLLEY.id,
                    "lineup": {"left_0": "one", "right_0": other},
                    "teams": [["left_0"], ["right_0"]],
                    "placements": {"left_0": 1, "right_0": 2},
                }
            )
    assert store.get("best", game=VOLLEY.id).card.name == "one"
    assert store.get("latest", game=VOLLEY.id).card.name == "three"


def test_a_newer_snapshot_that_hardly_trained_takes_no_seat(store: SnapshotStore) -> None:
    assert store.get("latest", game=VOLLEY.id).card.name == "three"
    assert ai_choice(VOLLEY, "left_0", store) == SeatChoice("snapshot", "volley-7")


def test_a_broken_ladder_makes_the_longest_trained_the_best(store: SnapshotStore, tmp_path: Path) -> None:
    (tmp_path / "ladder.sqlite").write_bytes(b"not a database" * 500)
    assert store.get("best", game=VOLLEY.id).card.name == "volley-7"


def test_a_spoiled_best_snapshot_leaves_the_seat_to_the_next_one(store: SnapshotStore) -> None:
    spoil(store, "three")
    assert not store.is_whole("three")
    for name in ("four", "five"):
        save_volley_snapshot(store, name, step=10**9)
    spoil(store, "five")
    assert ai_choice(VOLLEY, "left_0", store) == SeatChoice("snapshot", "four")
    assert store.choose("latest", game=VOLLEY.id) == "four"
    shutil.rmtree(store.root / "four")
    shutil.rmtree(store.root / "five")
    assert fair_choice(VOLLEY, "left_0", store) == SeatChoice("level", "normal")
    assert fair_choice(find_game("classic/tictactoe_v3"), "player_1", store) == SeatChoice("level", "easy")
    without_ai = replace(find_game("classic/rps_v2"), scripted="", has_levels=False)
    assert fair_choice(without_ai, "player_0", store) == SeatChoice("random")
    assert store.choose("latest", game=VOLLEY.id) == "two"
    assert "sha256" in store.refused["three"]


def test_the_latest_for_a_seat_is_one_that_plays_it(store: SnapshotStore) -> None:
    save_volley_snapshot(store, "four", agents=("left_0",))
    with LocalStage(VOLLEY) as stage:
        mapping = make_mapping(stage, dict.fromkeys(stage.agents, SeatChoice("snapshot", "latest")), store=store)
        assert {agent: controller.label for agent, controller in mapping.items()} == {
            "left_0": "four",
            "right_0": "three",
        }


def test_a_pool_draws_over_spoiled_snapshots(store: SnapshotStore) -> None:
    spoil(store, "one")
    spoil(store, "two")
    store = SnapshotStore(store.root)  # without those that ship
    with LocalStage(VOLLEY) as stage:
        mapping = make_mapping(stage, dict.fromkeys(stage.agents, SeatChoice("pool")), store=store)
        for seed in range(12):
            mapping["left_0"].reset(stage.seat("left_0"), seed=seed)
            assert mapping["left_0"].label == "three"


@pytest.mark.parametrize(
    ("word", "endpoint", "policy"),
    [
        ("tcp://127.0.0.1:5555", "tcp://127.0.0.1:5555", ""),
        ("tcp://127.0.0.1:5555/latest", "tcp://127.0.0.1:5555", "latest"),
        ("ipc:///tmp/agents/one", "ipc:///tmp/agents/one", ""),
    ],
)
def test_a_remote_seat_is_where_and_who(store: SnapshotStore, word: str, endpoint: str, policy: str) -> None:
    with LocalStage(VOLLEY) as stage:
        mapping = make_mapping(stage, {"left_0": SeatChoice("remote", word)}, store=store)
        remote = mapping["left_0"]
        assert isinstance(remote, RemoteController)
        assert (remote.endpoint, remote.policy) == (endpoint, policy)
        remote.close()
