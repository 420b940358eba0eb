"""How alike two players are: figures by hand, and the command on matches that were really played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from PIL import Image
from scipy import stats
from typer.testing import CliRunner, Result

from agents.seats.kinds import parse_seat
from agents.snapshots.card import ActionSignature, ObservationSignature, SnapshotCard
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.snapshot import make_snapshot
from agents.snapshots.store import SnapshotStore, open_store
from agents.spaces import action_signature, observation_signature
from arcade.commands.cli import app
from arcade.games import find_game
from arcade.match.batch.in_process import Series, play_series
from arcade.match.stage.local import LocalStage
from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.likeness.answers import answer, share_of
from arcade.recordings.likeness.reactions import changes, classes_of, reactions, run_lengths
from tests.support.recorded import Fingers, record

DISCRETE = ActionSignature(kind="discrete", n=3, start=2)


def column(*values: int) -> Any:
    return np.array(values, np.int64)[:, None]


def make_episode(actions: Any, masks: Any = None, recording: str = "one") -> SeatEpisode:
    count = len(actions)
    return SeatEpisode(
        recording=recording, game="test/game", agent="a", seed=0, label="Ann", person="Ann",
        observations=np.zeros((count + 1, 1), np.float32),
        action_masks=None if masks is None else np.array(masks, np.int8),
        actions=np.array(actions), sent=np.array(actions), rewards=np.zeros(count), ticks=np.arange(count),
        times=np.zeros(count), human=np.ones(count, bool), takeover=np.zeros(count, bool), labels=("Ann",) * count,
        terminated=True, truncated=False,
    )  # fmt: skip


def make_policy(action: ActionSignature, **outputs: list[float]) -> OnnxPolicy:
    """One that puts out the same whatever it sees."""
    float32, nodes, ports, weights = TensorProto.FLOAT, [], [], []
    for name, row in outputs.items():
        weights += [
            numpy_helper.from_array(np.zeros((1, len(row)), np.float32), f"w_{name}"),
            numpy_helper.from_array(np.array(row, np.float32), f"b_{name}"),
        ]
        nodes.append(helper.make_node("Gemm", ["observation", f"w_{name}", f"b_{name}"], [name]))
        ports.append(helper.make_tensor_value_info(name, float32, ["b", len(row)]))
    seen = helper.make_tensor_value_info("observation", float32, ["b", 1])
    return policy_of(action, helper.make_graph(nodes, "policy", [seen], ports, weights))


def counting_policy() -> OnnxPolicy:
    """One that plays 0, 1, 0, 1 … from the start of an episode on, and holds it for certain."""
    port = helper.make_tensor_value_info
    inputs = [port("observation", TensorProto.FLOAT, ["b", 1]), port("state_in_turn", TensorProto.FLOAT, ["b", 1])]
    outputs = [
        port("action_probabilities", TensorProto.FLOAT, ["b", 2]), port("state_out_turn", TensorProto.FLOAT, ["b", 1])
    ]  # fmt: skip
    nodes = [
        helper.make_node("Sub", ["one", "state_in_turn"], ["state_out_turn"]),
        helper.make_node("Concat", ["state_out_turn", "state_in_turn"], ["action_probabilities"], axis=1),
    ]
    weights = [helper.make_tensor("one", TensorProto.FLOAT, [], [1.0])]
    graph = helper.make_graph(nodes, "counting", inputs, outputs, weights)
    return policy_of(ActionSignature(kind="discrete", n=2), graph)


def policy_of(action: ActionSignature, graph: Any) -> OnnxPolicy:
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    seen = ObservationSignature(shape=(1,), dtype="float32")
    card = SnapshotCard(name="fixed", game="test/game", observation=seen, action=action)
    return OnnxPolicy(make_snapshot(card, model.SerializeToString()))


def test_runs_are_counted_without_the_one_that_the_end_cut_short():
    assert run_lengths(column(1, 1, 1, 2, 0, 0, 1, 1)).tolist() == [3, 1, 2]
    assert run_lengths(column(1, 1)).tolist() == []
    assert run_lengths(column()).tolist() == []
    assert changes(column(1, 1, 2)).tolist() == [False, False, True]


def test_actions_of_a_box_are_the_same_in_the_same_part_of_the_range():
    box = ActionSignature(kind="box", shape=(2,), dtype="float32", low=(-1, -float("inf")), high=(1, float("inf")))
    classes = classes_of(np.array([[-1.0, 3.0], [-0.7, 0.1], [0.0, 0.0], [1.0, -9.0]]), box)
    assert classes.tolist() == [[0, 1], [0, 1], [2, 0], [4, -1]]


def test_somebody_who_follows_five_ticks_late_reacts_after_five_ticks():
    rng = np.random.default_rng(1)
    right = np.repeat(rng.permutation(np.tile(np.arange(4), 50)), 12)
    right = right[:, None]
    late = np.concatenate([right[:5], right[:-5]])
    ticks = 2 * np.arange(len(right))  # every second tick is decided on
    found = reactions(late, right, ticks, fps=60)
    assert set(found.ticks.tolist()) == {10}
    assert len(found.ticks) == found.count > 100
    assert found.by_chance < 0.6 * found.count
    sleeper = reactions(np.full_like(right, 9), right, ticks, fps=60)
    assert (len(sleeper.ticks), sleeper.by_chance) == (0, 0)
    assert len(reactions(late, right, ticks, fps=9).ticks) == 0  # ten ticks are more than a second there


def test_likelihood_and_agreement_of_a_choice_are_those_of_the_graph_over_what_is_legal():
    policy = make_policy(DISCRETE, action_probabilities=[0.5, 0.3, 0.2])
    free = answer(policy, make_episode([2, 4]))
    assert free.likeliest.tolist() == [[2], [2]]
    assert np.exp(free.logp) == pytest.approx([0.5, 0.2])
    assert np.exp(free.chance) == pytest.approx([1 / 3, 1 / 3])
    masked = answer(policy, make_episode([3, 2], masks=[[0, 1, 1], [0, 1, 1], [1, 1, 1]]))
    assert masked.likeliest.tolist() == [[3], [3]]
    assert np.exp(masked.logp) == pytest.approx([0.6, 1e-8])  # what cannot be is not infinitely bad
    assert np.exp(masked.chance) == pytest.approx([0.5, 0.5])


def test_parts_of_an_action_are_multiplied():
    parts = ActionSignature(kind="multi_discrete", nvec=(2, 3))
    both = answer(make_policy(parts, action_probabilities=[0.9, 0.1, 0.2, 0.3, 0.5]), make_episode([[0, 1], [1, 2]]))
    assert np.exp(both.logp) == pytest.approx([0.27, 0.05])
    assert both.likeliest.tolist() == [[0, 2], [0, 2]]
    bits = ActionSignature(kind="multi_binary", n=2)
    found = answer(make_policy(bits, action_probabilities=[0.9, 0.2]), make_episode([[1, 0], [0, 1]]))
    assert np.exp(found.logp) == pytest.approx([0.72, 0.02])
    assert np.exp(found.chance) == pytest.approx([0.25, 0.25])


def test_the_density_of_a_box_is_that_of_its_normal_distributions():
    box = ActionSignature(kind="box", shape=(2,), dtype="float32", low=(-1, -1), high=(1, 1))
    policy = make_policy(box, action_mean=[0.5, -0.5], action_log_std=[-1.0, 0.0])
    found = answer(policy, make_episode([[0.4, 0.0], [-1.0, 1.0]]))
    expected = stats.norm([0.5, -0.5], np.exp([-1.0, 0.0])).logpdf([[0.4, 0.0], [-1.0, 1.0]]).sum(axis=1)
    assert found.logp == pytest.approx(expected, abs=1e-5)
    assert found.chance is None


def test_a_snapshot_with_a_memory_is_asked_in_order():
    found = answer(counting_policy(), make_episode([0, 1, 1, 1]))
    assert found.likeliest.tolist() == [[0], [1], [0], [1]]
    assert np.exp(found.logp) == pytest.approx([1, 1, 1e-8, 1])


def test_the_interval_of_a_share_ends_where_no_share_can_be():
    wide = share_of([1, 1, 1, 0, 0, 0], list("aaabbb"))
    assert (wide.low, wide.mean, wide.high) == (0.0, 0.5, 1.0)
    narrow = share_of([1, 0] * 50, list(range(100)))
    assert 0.3 < narrow.low < narrow.high < 0.7


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five matches of volley-6 against volley-2, and one of Ann against a person."""
    home = tmp_path_factory.mktemp("home")
    spec, store = find_game("house/volley"), open_store(home / "snapshots")
    lineup = {"left_0": parse_seat("snapshot:volley-6"), "right_0": parse_seat("snapshot:volley-2?reaction_ms=100")}
    series = Series(episodes=5, seed=3, max_ticks=300, record=home / "replays")
    for number, path in enumerate(play_series(spec, lineup, series, store=store).replays):
        path.rename(path.with_name(f"house-volley-20260102-120000-00000{number}-7.replay"))  # ids say what is held out
    people = {"left_0": Fingers("Ann"), "right_0": Fingers("Bob")}
    for number in (1, 2):
        path = home / f"replays/house-volley-20260101-120000-00000{number}-7.replay"
        record(path, people, seed=number, ticks=120)
    return home


@pytest.fixture
def likeness(home: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("ARCADE_HOME", str(home))
    monkeypatch.setenv("COLUMNS", "100")
    return lambda *words: CliRunner().invoke(app, ["recordings", "likeness", *words])


def data_of(done: Result) -> dict[str, Any]:
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_a_player_is_more_like_itself_than_another_is(likeness):
    whose = ("--label", "volley-6", "--held-out", "0.6", "--json")  # of a single recording habits say little
    itself = data_of(likeness("volley-6", *whose))
    other = data_of(likeness("volley-2", *whose, "--matches", "2"))
    assert itself["takes"] == 5
    assert 1 <= itself["held_out"] < 5
    person, clone = itself["matches"]["person"], itself["matches"]["clone"]
    assert person == clone  # the same seeds, opponents and rules: the same matches
    assert person["played"] == 5
    assert itself["reaction"]["reference"] == "scripted"
    assert itself["runs"]["kolmogorov_smirnov"] < other["runs"]["kolmogorov_smirnov"]
    agreements = [found["agreement"] for found in (itself, other)]
    assert agreements[0]["log_likelihood"]["mean"] > agreements[1]["log_likelihood"]["mean"] + 0.1
    assert agreements[0]["same"]["mean"] > agreements[1]["same"]["mean"]
    assert agreements[0]["decisions"] == agreements[1]["decisions"] == 300 * itself["held_out"]
    assert other["matches"]["clone"]["played"] == 2


def test_the_table_and_the_picture_show_person_and_clone(likeness, tmp_path):
    done = likeness("volley-6", "--label", "volley-6", "--matches", "1", "--plot", str(tmp_path / "like.png"))
    assert done.exit_code == 0, done.output
    for word in ("person", "clone", "decisions in a row", "ms to react", "held-out decisions", "won"):
        assert word in done.stdout
    with Image.open(tmp_path / "like.png") as picture:
        assert picture.size == (1100, 800)
        assert len(set(picture.convert("RGB").resize((110, 80)).getdata())) > 50


def test_matches_against_people_are_not_played_again_and_that_is_said(likeness):
    found = data_of(likeness("volley-6", "--person", "Ann", "--reference", "snapshot:volley-7", "--json"))
    assert found["matches"]["left_out"] == {"an opponent that is a person": 2}
    assert found["matches"]["clone"]["played"] == 0
    assert found["agreement"]["decisions"] == 120
    assert found["reaction"]["person"]["changes"] > 0
    assert found["reaction"]["clone"]["count"] == 0
    assert "matches not replayed: 2, an opponent that is a person" in likeness("volley-6", "--person", "Ann").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["volley-6"], "expected whose play to compare with: --person NAME"),
        (
            ["volley-6", "--person", "Nobody"],
            "expected at least 2 recordings of Nobody, some to hold out",
        ),
        (["volley-6", "--take", "0101-120000-000001", "--person", "Ann"], "expected at least 2 recordings of Ann"),
        (["nobody", "--label", "volley-6"], "expected the name of a snapshot, got: 'nobody'"),
        (["volley-6", "--label", "volley-6", "--reference", "random"], "expected a skilled --reference"),
        (["volley-6?reaction_ms=fast", "--label", "volley-6"], "expected a number for reaction_ms"),
        (["volley-6", "--label", "volley-6", "--plot", "/nowhere/x.png"], "expected a plot in a folder that exists"),
    ],
)
def test_what_cannot_be_compared_is_said(likeness, words, message):
    done = likeness(*words)
    assert done.exit_code in (2, 3)
    assert message in done.stderr


def test_in_a_game_of_turns_the_time_to_decide_is_compared(tmp_path, monkeypatch):
    spec = find_game("classic/tictactoe_v3")
    for number in range(4):
        path = tmp_path / f"replays/classic-tictactoe_v3-20260101-120000-00000{number}-7.replay"
        record(path, {"player_1": Fingers("Ann")}, game=spec.id, seed=number)
    with LocalStage(spec) as stage:
        seat = stage.seat("player_1")
    card = SnapshotCard(
        name="even", game=spec.id, observation=observation_signature(seat.observation_space),
        action=action_signature(seat.action_space), masked=True,
    )  # fmt: skip
    shape = card.observation.shape
    inputs = [
        helper.make_tensor_value_info("observation", TensorProto.INT8, ["b", *shape]),
        helper.make_tensor_value_info("action_mask", TensorProto.INT8, ["b", 9]),
    ]
    output = helper.make_tensor_value_info("action_probabilities", TensorProto.FLOAT, ["b", 9])
    node = helper.make_node("Cast", ["action_mask"], ["action_probabilities"], to=TensorProto.FLOAT)
    model = helper.make_model(
        helper.make_graph([node], "even", inputs, [output]), opset_imports=[helper.make_opsetid("", 18)], ir_version=10
    )
    SnapshotStore(tmp_path / "snapshots").save(card, model.SerializeToString())
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    done = CliRunner().invoke(app, ["recordings", "likeness", "even", "--person", "Ann", "--json"])
    found = data_of(done)
    assert found["reaction"] is None
    assert found["seconds_to_decide"]["person"]["count"] == found["agreement"]["decisions"] > 0
    log_likelihood = found["agreement"]["log_likelihood"]["mean"]
    assert log_likelihood == pytest.approx(found["agreement"]["log_likelihood_of_chance"], abs=1e-6)
    assert found["matches"]["clone"]["played"] == 4
    refused = CliRunner().invoke(app, ["recordings", "likeness", "even", "--person", "Ann", "--reference", "idle"])
    assert "expected no --reference in turn-based classic/tictactoe_v3" in refused.stderr
