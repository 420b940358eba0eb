"""Snapshots are whole or refused, and one bad one is never in the way."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from gymnasium import spaces
from onnx import TensorProto, helper

import agents.snapshots.snapshot
from agents.policies.batch import SeatGenerators
from agents.policies.snapshot import SnapshotBatch
from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import ControllerError, Turn
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotError, SnapshotStore
from agents.spaces import action_signature, observation_signature


@pytest.fixture
def pair(store, card, policy):
    """A store with "first" (good) and "second", to be spoiled."""
    store.save(card("second", created=datetime.now(UTC) + timedelta(hours=1)), policy(3))
    return store


def spoil(store, name, file, change):
    path = store.root / name / file
    path.write_bytes(change(path.read_bytes()))


def in_card(**changes):
    return lambda data: json.dumps(json.loads(data) | changes).encode()


SPOILED = {
    "flipped bit": ("policy.onnx", lambda d: d[:50] + bytes([d[50] ^ 1]) + d[51:], "sha256"),
    "truncated": ("policy.onnx", lambda d: d[:-9], "bytes of ONNX"),
    "longer": ("policy.onnx", lambda d: d + b"x", "bytes of ONNX"),
    "empty card": ("card.json", lambda d: b"", "expected a card"),
    "no json": ("card.json", lambda d: b"\x80\x04pickle", "expected a card"),
    "huge card": ("card.json", lambda d: d + b" " * 2**19, "at most"),
    "newer format": ("card.json", in_card(format=99), "format"),
    "other name": ("card.json", in_card(name="third"), "folder's name"),
    "path as name": ("card.json", in_card(name="../third"), "name"),
    "unknown field": ("card.json", in_card(code="import os"), "code"),
    "other shape": ("card.json", in_card(observation={"shape": [5], "dtype": "float32"}), "observation"),
    "other dtype": ("card.json", in_card(observation={"shape": [4], "dtype": "uint8"}), "observation"),
    "other action": ("card.json", in_card(action={"kind": "discrete", "n": 6}), "action_"),
    "object dtype": ("card.json", in_card(observation={"shape": [4], "dtype": "object"}), "observation"),
}


@pytest.mark.parametrize("case", SPOILED)
def test_a_spoiled_snapshot_is_refused_by_name_and_the_rest_work(case, pair):
    file, change, reason = SPOILED[case]
    spoil(pair, "second", file, change)
    store = SnapshotStore(pair.root)
    assert store.get("latest", game="test/game").card.name == "first"
    assert reason in store.refused["second"]
    with pytest.raises(SnapshotError, match="second"):
        store.get("second")
    assert store.get("first").card.name == "first"


def test_an_oversized_policy_is_refused_unread(pair, monkeypatch):
    os.truncate(pair.root / "second" / "policy.onnx", 2**28 + 1)  # a hole: takes no disk
    store = SnapshotStore(pair.root)
    assert [card.name for card in store.list()] == ["first"]
    with pytest.raises(SnapshotError, match="at most 268435456 bytes"):
        store.get("second")


def test_links_and_pipes_lead_nowhere(pair, tmp_path):
    outside = tmp_path / "outside"
    shutil.copytree(pair.root / "second", outside / "third")
    (pair.root / "third").symlink_to(outside / "third")
    policy = pair.root / "second" / "policy.onnx"
    policy.unlink()
    policy.symlink_to(outside / "third" / "policy.onnx")
    shutil.copytree(pair.root / "first", pair.root / "fifo")
    (pair.root / "fifo" / "card.json").unlink()
    os.mkfifo(pair.root / "fifo" / "card.json")
    store = SnapshotStore(pair.root)
    for name in ("second", "third", "fifo"):
        with pytest.raises(SnapshotError, match=name):
            store.get(name)
    assert store.get("latest").card.name == "first"


def test_no_part_is_read_of_a_pipe_or_behind_a_link(pair, tmp_path):
    outside = tmp_path / "outside"
    outside.write_bytes(b"secret")
    for name, put in (("second", lambda path: path.symlink_to(outside)), ("first", os.mkfifo)):
        policy, card = pair.root / name / "policy.onnx", pair.root / name / "card.json"
        policy.unlink()
        put(policy)
        facts = json.loads(card.read_text()) | {"size": policy.lstat().st_size}
        card.write_text(json.dumps(facts))
        with pytest.raises(SnapshotError, match=name):
            SnapshotStore(pair.root).read_part(name, game=None, start=0, size=100)


@pytest.mark.parametrize("name", ["../first", "..", "/etc", "a/b", "First", "", "a" * 101, "latest", "a\n", ".first"])
def test_no_name_leaves_the_folder(name, store, card, policy):
    with pytest.raises(ValueError, match="name"):
        card(name)
    with pytest.raises(SnapshotError):
        store.get(name if name != "latest" else "best", game="other/game")


def test_weights_in_another_file_are_refused(store, card, policy, tmp_path):
    import onnx

    (tmp_path / "secret.bin").write_bytes(b"\0" * 80)
    model = onnx.load_from_string(policy())
    onnx.external_data_helper.set_external_data(model.graph.initializer[0], "secret.bin")
    model.graph.initializer[0].ClearField("raw_data")
    with pytest.raises(SnapshotError, match="another file"):
        store.save(card("leaky"), model.SerializeToString())
    hidden = helper.make_node("Constant", [], ["c"], value=model.graph.initializer[0])
    model = onnx.load_from_string(policy())
    model.graph.node.append(hidden)
    with pytest.raises(SnapshotError, match="another file"):
        store.save(card("leaky"), model.SerializeToString())


@pytest.mark.parametrize("onnx", [b"", b"GIF89a", b"\x3a\xff\xff\xff\xff\x7f", bytes(200)])
def test_what_is_no_graph_is_not_saved(onnx, store, card):
    with pytest.raises(SnapshotError, match="bad"):
        store.save(card("bad"), onnx)
    assert [c.name for c in store.list()] == ["first"]


def test_a_name_is_taken_once_and_saving_the_same_again_does_no_harm(store, card, policy):
    store.save(card("first"), policy())
    with pytest.raises(SnapshotError, match="exists"):
        store.save(card("first"), policy(1))
    assert not [path for path in store.root.iterdir() if path.name.startswith(".")]


WRITER = """
import os, sys
from pathlib import Path
import agents.snapshots.store as snapshots
write = Path.write_bytes
def die_half_way(path, data):
    if path.name == sys.argv[2]:
        write(path, data[: len(data) // 2])
        os.kill(os.getpid(), 9)
    write(path, data)
Path.write_bytes = die_half_way
store = snapshots.SnapshotStore(sys.argv[1])
card = store.get("first").card.model_copy(update={"name": "killed"})
store.save(card, store.get("first").onnx)
"""


@pytest.mark.parametrize("file", ["policy.onnx", "card.json"])
def test_a_writer_killed_in_mid_write_leaves_the_store_whole(file, store, card, policy):
    done = subprocess.run([sys.executable, "-c", WRITER, str(store.root), file], timeout=120)
    assert done.returncode == -9
    assert [path for path in store.root.iterdir() if path.suffix == ".part"]
    again = SnapshotStore(store.root)
    assert [card.name for card in again.list()] == ["first"]
    assert not again.refused
    assert [path.name for path in store.root.iterdir()] == ["first"]
    again.save(card("killed"), policy())
    assert again.get("killed")


def test_latest_best_names_and_paths(store, card, policy, tmp_path):
    now = datetime.now(UTC)
    store.save(card("later", created=now + timedelta(hours=1)), policy())
    store.save(card("early", created=now - timedelta(hours=1)), policy())
    store.save(card("other", game="test/other", created=now + timedelta(hours=2)), policy())
    assert [c.name for c in store.list("test/game")] == ["early", "first", "later"]
    assert store.get("latest", game="test/game").card.name == "later"
    assert store.get("best", game="test/game").card.name == "later"
    rated = SnapshotStore(store.root, rating=lambda game, name: {"early": 30.0, "first": 20.0}.get(name))
    assert rated.get("best", game="test/game").card.name == "early"
    assert store.get(str(store.root / "early")).card.name == "early"
    assert store.get(str(store.root / "early" / "policy.onnx")).card.name == "early"
    with pytest.raises(SnapshotError, match=r"got 'other' of test/other; there is early, first, later"):
        store.get("other", game="test/game")
    with pytest.raises(SnapshotError, match=r"got: 'lter'; there is early, first, later"):
        store.get("lter", game="test/game")


def test_bundled_snapshots_stand_behind_the_users_own(store, card, policy, tmp_path):
    user = SnapshotStore(tmp_path / "user", bundled=[store.root])
    assert user.get("latest", game="test/game").card.name == "first"
    user.save(card("mine"), policy())
    assert {c.name for c in user.list()} == {"first", "mine"}
    assert [path.name for path in store.root.iterdir()] == ["first"]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_runtime_of_snapshots_reports_nothing_to_its_maker(tmp_path):
    code = "import os, agents.snapshots.sessions; print(*map(os.path.realpath, os.scandir('/proc/self/fd')))"
    env = {name: value for name, value in os.environ.items() if not name.startswith(("ORT_", "XDG_", "CI"))}
    shown = subprocess.check_output([sys.executable, "-c", code], env=env | {"HOME": str(tmp_path)}, text=True)
    assert "onnxruntime.db" not in shown
    assert not list(tmp_path.iterdir())


def test_listing_imports_neither_onnxruntime_nor_gymnasium(store):
    code = "import sys; from agents.snapshots.store import SnapshotStore; print(len(SnapshotStore(sys.argv[1]).list()))"
    code += "; print(sorted({'onnxruntime', 'gymnasium', 'torch', 'ray'} & set(sys.modules)))"
    run = [sys.executable, "-c", code, str(store.root)]
    assert subprocess.check_output(run, text=True, timeout=120).split("\n")[:2] == ["1", "[]"]


def test_a_snapshot_is_checked_against_its_seat(store, seat, card, policy):
    controller = SnapshotController(store.get("first"))
    for change in ({"action_space": spaces.Discrete(6)}, {"observation_space": spaces.Box(-1, 1, (5,))}):
        with pytest.raises(SnapshotError, match="'first' of test/game"):
            controller.reset(replace(seat, **change), seed=1)
    role = store.save(card("role", agents=("left", "right")), policy())
    with pytest.raises(SnapshotError, match="left, right"):
        SnapshotController(role).reset(seat, seed=1)


def play(controller, seat, turns=200, mask=None):
    controller.reset(seat, seed=5)
    actions = []
    for tick in range(turns):
        controller.observe(Turn("one", tick, np.zeros(4, np.float32), mask))
        actions.append(controller.act())
    return np.bincount(actions, minlength=5) / turns


def test_a_snapshot_plays_its_probabilities_and_never_an_illegal_action(store, seat):
    controller = SnapshotController(store.get("first"))
    shares = np.exp([0, 0, 3, 0, 0]) / np.exp([0, 0, 3, 0, 0]).sum()
    assert controller.insight() is None
    assert np.abs(play(controller, seat, 2000) - shares).max() < 0.05
    insight = controller.insight()
    assert (insight.shares, insight.parts) == (pytest.approx(shares, abs=1e-4), (5,))
    masked = play(controller, seat, 500, np.array([1, 0, 0, 0, 1], np.int8))
    assert masked[[1, 2, 3]].sum() == 0
    assert masked[0] == pytest.approx(0.5, abs=0.1)
    assert play(SnapshotController(store.get("first"), greedy=True), seat)[2] == 1


def test_an_unmasked_graph_is_masked_from_outside_and_one_without_a_legal_action_says_so(store, card, policy, seat):
    loose = store.save(card("loose", masked=False), policy(masked=False))
    assert play(SnapshotController(loose), seat, 100, np.array([0, 1, 0, 0, 0], np.int8))[1] == 1
    with pytest.raises(ControllerError, match="legal"):
        play(SnapshotController(loose), seat, 1, np.zeros(5, np.int8))


def test_one_and_many_rows_draw_the_same(store):
    policy = OnnxPolicy(store.get("first"))
    observations = np.random.default_rng(1).normal(size=(50, 4)).astype(np.float32)
    many = policy.decide(observations, None, np.random.default_rng(3)).actions
    rng = np.random.default_rng(3)
    assert many.tolist() == [int(policy.decide(row[None], None, rng).actions[0]) for row in observations]
    rng = np.random.default_rng(3)
    assert many.tolist() == [policy.pick_one(row, None, rng.random) for row in observations]


@pytest.mark.parametrize("word", ["latest", "best"])
def test_the_latest_and_the_best_for_an_agent_are_those_that_play_it(word, store, card, policy):
    store.save(card("newer", agents=("two", "3")), policy())
    assert store.get(word, game="test/game").card.name == "newer"
    assert store.get(word, game="test/game", agent=3).card.name == "newer"
    assert store.get(word, game="test/game", agent="one").card.name == "first"
    assert store.choose(word, game="test/game", agent="one") == "first"
    shutil.rmtree(store.root / "first")
    with pytest.raises(SnapshotError, match="that plays 'one', got none; there is newer"):
        store.get(word, game="test/game", agent="one")


@pytest.mark.parametrize(
    "signature",
    [
        action_signature(spaces.Discrete(5)),
        action_signature(spaces.MultiDiscrete([2, 3])),
        action_signature(spaces.MultiBinary(5)),
    ],
)
def test_each_row_draws_from_the_generator_of_its_seat(store, card, policy, signature):
    policy = OnnxPolicy(store.save(card("other", action=signature, masked=False), policy(masked=False, weight=0.5)))
    observations = np.random.default_rng(1).normal(size=(9, 4)).astype(np.float32)
    seats, alone, batch = np.arange(9), [SnapshotBatch(policy) for _ in range(9)], SnapshotBatch(policy)
    batch.begin(seats, range(9))
    for seed, own in enumerate(alone):
        own.begin(np.zeros(1, np.intp), [seed])
    for _ in range(5):
        together = batch.act(seats, observations, None)
        for at, row in enumerate(observations):
            assert together[at].tolist() == alone[at].act(np.zeros(1, np.intp), row[None], None)[0].tolist()


def test_uniform_numbers_are_those_of_split_mix():
    """Against the published values for seed 1234567, of which a float64 holds the upper 53 bits."""
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    draws = SeatGenerators()
    draws.begin(np.arange(2), [1234567, 1234567])
    assert [draws.number(0) for _ in known] == [(number >> 11) / 2**53 for number in known]
    assert [draws.numbers(np.array([1]))[0] for _ in known] == [(number >> 11) / 2**53 for number in known]


def test_each_row_of_a_box_draws_from_the_generator_of_its_seat(store, card, model):
    space = spaces.Box(-9, 9, (4,), np.float32)
    policy = OnnxPolicy(store.save(card("box", masked=False, action=action_signature(space)), box_model(model)))
    batch, seats = SnapshotBatch(policy), np.arange(2)
    batch.begin(seats, [3, 4])
    together = batch.act(seats, np.zeros((2, 4), np.float32), None)
    row = np.zeros((1, 4), np.float32)
    alone = [policy.decide(row, None, np.random.default_rng(s)).actions[0] for s in (3, 4)]
    assert together.tolist() == np.array(alone).tolist()


def test_a_new_snapshot_takes_the_seat_without_a_reset(store, card, policy, seat):
    controller = SnapshotController(store.get("first"), greedy=True)
    assert play(controller, seat, 3)[2] == 1
    controller.replace(store.save(card("newer"), policy(4)))
    controller.observe(Turn("one", 4, np.zeros(4, np.float32)))
    assert controller.act() == 4
    assert controller.label == "newer"
    other = store.save(card("other", game="x/y", agents=("two",)), policy())
    with pytest.raises(SnapshotError):
        controller.replace(other)
    assert controller.label == "newer"


def box_model(model):
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", 4])
             for name in ("observation", "action_mean", "action_log_std")]  # fmt: skip
    nodes = [
        helper.make_node("Identity", ["observation"], ["action_mean"]),
        helper.make_node("Sub", ["observation", "observation"], ["action_log_std"]),
    ]
    return model(nodes, ports[:1], ports[1:], [])


def test_a_box_policy_stays_in_its_bounds(store, card, model, seat):
    space = spaces.Box(-0.5, 0.5, (4,), np.float32)
    snapshot = store.save(card("box", masked=False, action=action_signature(space)), box_model(model))
    policy = OnnxPolicy(snapshot)
    actions = policy.decide(np.zeros((200, 4), np.float32), None, np.random.default_rng(0)).actions
    assert actions.dtype == np.float32
    assert actions.shape == (200, 4)
    assert all(space.contains(action) for action in actions)
    assert actions.std() > 0.2
    greedy = policy.decide(np.full((1, 4), 0.25, np.float32), None, np.random.default_rng(0), greedy=True)
    assert greedy.actions.tolist() == [[0.25] * 4]


def test_recurrent_memory_is_kept_and_cleared_by_reset(counter, seat):
    controller = SnapshotController(counter)
    for _ in range(2):
        controller.reset(seat, seed=1)
        actions = []
        for tick in range(5):
            controller.observe(Turn("one", tick, np.zeros(4, np.float32)))
            actions.append(controller.act())
        assert actions == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "space",
    [
        spaces.Box(-np.inf, np.inf, (2,)),
        spaces.MultiDiscrete([2, 3]),
        spaces.MultiBinary(3),
        spaces.Discrete(3, start=-1),
    ],
)
def test_signatures_survive_the_card_file(space, card):
    before = card(
        "name",
        observation=observation_signature(spaces.Box(0, 255, (2, 3, 1), np.uint8)),
        action=action_signature(space),
    )
    assert agents.snapshots.snapshot.SnapshotCard.model_validate_json(before.model_dump_json()) == before


def test_a_promoted_snapshot_is_the_best_while_it_is_there(store, card, policy, counter):
    store.save(card("longer", step=500), policy())
    assert store.get("best", game="test/game").card.name == "longer"
    (store.root / ".best.json").write_text("[1")
    assert store.choose("best", game="test/game") == "longer", "a broken file promotes none"
    assert str(store.root / ".best.json") in store.promotions_damage
    store.promote("counter")
    assert (store.root / ".best.json.bad").read_text() == "[1", "it is kept"
    assert not store.promotions_damage
    assert store.is_promoted(counter.card)
    assert store.choose("best", game="test/game") == store.get("best", game="test/game").card.name == "counter"
    assert [one.name for one in store.list("test/game")].count("counter") == 1
    assert not store.refused
    store.delete("counter")
    assert store.choose("best", game="test/game") == "longer"
