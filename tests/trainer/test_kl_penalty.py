"""Going on from a clone: its layers, the KL penalty, how that fades, and playing against it."""

import copy
import json
import shutil
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from gymnasium import spaces
from torch.distributions import Bernoulli, Categorical, Independent, Normal, kl_divergence

from agents.ladder.ladder import Ladder
from agents.seats.kinds import parse_seat
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.match.batch.in_process import Series, play_series
from arcade.match.batch.make import make_vector_env
from tests.support.runners import make_runner
from tests.support.runs import close, finish, make_run
from trainer.algorithms.kl_penalty import PenalisedLearner
from trainer.config import ConfigError
from trainer.config.reading import make_config
from trainer.league.export import Freezer
from trainer.networks.distributions import make_distribution
from trainer.networks.make import make_network
from trainer.runs.checks import check_game
from trainer.runs.choice import choose_run
from trainer.sampling.layouts import HAS_REFERENCE, REFERENCE_INPUTS
from trainer.sampling.plan import make_plan

GAME = "house/volley"
SMALL = {
    "game": GAME, "network": {"hidden": [8]}, "resources": {"games": 8}, "evaluation": {"steps": 0},
    "training": {"batch": 512, "minibatch": 128, "lr": 0.02, "entropy": 0.0}, "freeze": {"at_start": False},
}  # fmt: skip


def with_training(settings, **training):
    return settings | {"training": settings["training"] | training}


def save_clone(store, *, name="clone-ann-1", settings=SMALL, seed=0):
    """A policy that prefers some actions, as one that was learnt does."""
    spec, run = find_game(GAME), make_config(settings)
    batch = make_vector_env(spec, 2)
    (policy,) = make_plan(run.policies, batch).policies
    torch.manual_seed(seed)
    network = make_network(run, policy.observation_space, policy.action_space)
    with torch.no_grad():
        network.pi.layers[-1].bias.copy_(torch.tensor([2.0, 0.0, 1.0, 0.0, -1.0, 0.5]))
    freezer = Freezer(store, policy, game=GAME, run="", algorithm="BC")
    seen = np.random.default_rng(0).normal(size=(8, *policy.observation_space.shape)).astype(np.float32)
    freezer.freeze(network, name=name, step=0, parent="", note="clone of Ann", observations=seen, masks=None)
    return store.get(name)


def metrics(folder, name):
    return [json.loads(line) for line in (folder / "runs" / name / "metrics.jsonl").read_text().splitlines()]


def shares(policy, seen):
    return torch.as_tensor(OnnxPolicy(policy).evaluate(seen)[0]["action_probabilities"])


def test_a_policy_with_a_kl_penalty_stays_nearer_to_the_clone(tmp_path, ray_cluster):
    store = SnapshotStore(tmp_path / "snapshots")
    clone = save_clone(store)
    seen = np.random.default_rng(1).normal(size=(256, *clone.card.observation.shape)).astype(np.float32)
    distances = {}
    for name, penalty in (("free", 0.0), ("near", 10.0)):
        settings = with_training(SMALL, kl_penalty=penalty) | {"start_from": "clone-ann-1", "steps": 1536}
        run = make_run(GAME, settings, tmp_path, name=name)
        finish(run)
        own = run.runner.network("main")
        with torch.no_grad():
            now = torch.softmax(own(torch.as_tensor(seen)).inputs, dim=1)
        distances[name] = float(kl_divergence(Categorical(shares(clone, seen)), Categorical(now)).mean())
    assert distances["near"] < 0.25 * distances["free"]
    assert "kl_penalty" not in metrics(tmp_path, "free")[-1]


OFF_POLICY = {"learning_starts": 256, "updates": 16, "batch": 256, "lr": 0.01}


@pytest.mark.parametrize("direction", ["forward", "reverse"])
@pytest.mark.parametrize(
    ("algorithm", "training"),
    [
        ("A2C", {"minibatch": 0, "lr": 0.05}), ("IMPALA", {}), ("APPO", {}), ("SAC", OFF_POLICY),
        ("DQN", OFF_POLICY | {"kl_temperature": 0.5}),
    ],
)  # fmt: skip
def test_every_actor_comes_near_to_a_reference_that_it_did_not_start_from(
    algorithm, training, direction, tmp_path, ray_cluster
):
    """The penalty is constant, in either direction, and the snapshot's card tells of it.  DQN's is the actor of PPO."""
    store = SnapshotStore(tmp_path / "snapshots")
    settings = with_training(SMALL, **training) | {"algorithm": algorithm, "steps": 3072}
    settings["freeze"] = {"at_start": False, "at_end": True}
    if algorithm in ("SAC", "DQN"):
        del settings["training"]["entropy"]
    clone = save_clone(store, settings=SMALL if algorithm == "DQN" else settings)
    own = {"kl_reference": "clone-ann-1", "kl_penalty": 20.0, "kl_penalty_steps": 0, "kl_direction": direction}
    run = make_run(GAME, with_training(settings, **own), tmp_path)
    finish(run)
    lines = metrics(tmp_path, "test")
    assert {line["kl_penalty"] for line in lines if "kl_penalty" in line} == {20.0}
    distances = [line["reference_kl"] for line in lines if "reference_kl" in line]
    assert distances[-1] < 0.3 * distances[0]
    card = store.get("test-0000").card
    expected = {"reference": "clone-ann-1", "coefficient": 20.0, "fade_steps": 0, "direction": direction}
    assert card.kl_penalty.model_dump() == expected
    assert clone.card.kl_penalty is None


def test_the_two_directions_differ_where_the_reference_never_acts():
    """KL(policy || reference) shuns what the reference avoids; KL(reference || policy) covers all that it does."""
    kind = make_distribution(spaces.Discrete(3))
    reference, policy = torch.log(torch.tensor([[0.5, 0.5, 1e-6]])), torch.log(torch.tensor([[0.8, 0.1, 0.1]]))
    module = SimpleNamespace(network=SimpleNamespace(distribution=kind))
    wrapped = SimpleNamespace(unwrapped=lambda: module)
    found = {}
    for direction in ("forward", "reverse"):
        learner = SimpleNamespace(_coefficient=1.0, _distances={}, module={"main": wrapped})
        learner.config = SimpleNamespace(learner_config_dict={"kl_direction": direction})
        batch = {REFERENCE_INPUTS: reference, HAS_REFERENCE: torch.tensor([True])}
        found[direction] = float(PenalisedLearner.penalty(learner, "main", batch, policy))
    pair = Categorical(logits=reference), Categorical(logits=policy)
    assert found["forward"] == pytest.approx(float(kl_divergence(*pair)))
    assert found["reverse"] == pytest.approx(float(kl_divergence(*pair[::-1])))


def test_the_kl_penalty_fades_to_nothing_and_goes_on_where_it_was_after_a_resume(tmp_path, ray_cluster):
    store = SnapshotStore(tmp_path / "snapshots")
    save_clone(store)
    settings = with_training(SMALL, kl_penalty=2.0, kl_penalty_steps=2048) | {
        "start_from": "clone-ann-1",
        "steps": 1024,
    }
    run = make_run(GAME, settings, tmp_path)
    finish(run)
    shutil.rmtree(tmp_path / "snapshots/clone-ann-1")  # the run has its own
    again = make_run(GAME, settings | {"steps": 3072}, tmp_path, resume=True)
    assert again.runner.seats[0].reference.active
    finish(again)
    lines = metrics(tmp_path, "test")
    assert [line["step"] for line in lines] == [512, 1024, 1536, 2048, 2560, 3072]
    assert [line.get("kl_penalty") for line in lines] == [1.5, 1.0, 0.5, None, None, None]
    assert all(line["reference_kl"] > 0 for line in lines[:3])
    assert not again.runner.seats[0].reference.active  # once it is nothing, nobody is asked
    late = make_run(GAME, settings | {"steps": 3584}, tmp_path, resume=True)
    assert not late.runner.seats[0].reference.active
    close(late)


@pytest.mark.parametrize("settings", [{}, {"wrappers": {"stack": 3}}, {"network": {"lstm": 4, "sequence": 3}}])
def test_the_reference_policy_remembers_its_own_episode(settings, monkeypatch):
    """A policy with itself as reference would draw from the same, decision by decision, over episodes and fragments."""
    network = settings.pop("network", {})
    runner = make_runner(monkeypatch, kl_penalty=1.0, network=network, **settings)
    twin = copy.deepcopy(runner.network("main"))
    for _ in range(2):
        runner.sample()
        runner.set_references({"main": twin})
        for seats in runner.seats:
            seats.reference.begin(np.arange(seats.live.size))
            seats._memory.forget(np.arange(seats.live.size))
        (decisions,) = runner.sample()
        rows = decisions.columns["main"]
        asked = rows[HAS_REFERENCE]
        assert asked.sum() >= asked.size * 0.6  # but for decisions from before, and padding
        np.testing.assert_array_equal(rows[REFERENCE_INPUTS][asked], rows["action_dist_inputs"][asked])
    runner.set_references({})
    (decisions,) = runner.sample()
    assert decisions.columns["main"][HAS_REFERENCE].sum() <= runner.batch.num_envs  # decisions carried over alone


def torch_distributions(space, inputs):
    match space:
        case spaces.Discrete():
            return [Categorical(logits=inputs)]
        case spaces.MultiDiscrete():
            return [Categorical(logits=part) for part in inputs.split(space.nvec.tolist(), dim=-1)]
        case spaces.MultiBinary():
            pairs = inputs.unflatten(-1, (-1, 2))
            return [Independent(Bernoulli(logits=pairs[..., 1] - pairs[..., 0]), 1)]
    mean, log_std = inputs.chunk(2, dim=-1)
    return [Independent(Normal(mean, log_std.exp()), 1)]


@pytest.mark.parametrize(
    "space",
    [
        spaces.Discrete(4), spaces.MultiDiscrete([2, 3]), spaces.MultiBinary(3),
        spaces.Box(-1, 1, (2,), np.float32),
    ],
    ids=lambda space: type(space).__name__,
)  # fmt: skip
@pytest.mark.parametrize("rows", [(5,), (2, 3)])
def test_the_distance_is_torchs_divergence(space, rows):
    distribution = make_distribution(space)
    torch.manual_seed(0)
    theirs, own = torch.randn(2, *rows, distribution.width)
    pairs = zip(torch_distributions(space, theirs), torch_distributions(space, own), strict=True)
    expected = sum(kl_divergence(other, mine) for other, mine in pairs)
    torch.testing.assert_close(distribution.divergence(theirs, own), expected)
    torch.testing.assert_close(distribution.divergence(own, own), torch.zeros(rows))


def test_an_illegal_action_and_one_all_but_impossible_leave_the_distance_a_number():
    theirs, own = torch.tensor([[0.0, 1.0, -1e9]]), torch.tensor([[400.0, 0.0, -1e9]], requires_grad=True)
    distance = make_distribution(spaces.Discrete(3)).divergence(theirs, own)
    distance.sum().backward()
    assert torch.isfinite(distance).all()
    assert torch.isfinite(own.grad).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"training": {"kl_penalty": 1.0}}, r"training\.kl_penalty: 1 needs start_from or training\.kl_reference"),
        ({"training": {"kl_direction": "both"}}, r"training\.kl_direction: expected forward \| reverse, got: 'both'"),
        (
            {"algorithm": "AlphaZero", "training": {"kl_penalty": 1.0}},
            r"training\.kl_penalty: .*\(this one is of PPO, A2C, APPO",
        ),
        ({"training": {"kl_penalty": -1.0}}, r"training\.kl_penalty: expected a number >= 0, got: -1"),
    ],
)
def test_a_kl_penalty_that_cannot_be_is_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        make_config({"game": GAME} | settings)


def test_the_old_names_of_the_settings_are_read():
    training = {"pull": 0.5, "pull_steps": 2048}
    config = make_config({"game": GAME, "start_from": "clone-ann-1", "training": training})
    assert (config.training.kl_penalty, config.training.kl_penalty_steps) == (0.5, 2048)
    typed = make_config({"game": GAME, "start_from": "clone-ann-1"}, ["training.pull=0.25"])
    assert typed.training.kl_penalty == 0.25
    assert (
        make_config({"game": GAME, "start_from": "x", "training": training | {"kl_penalty": 2}}).training.kl_penalty
        == 2
    )


def test_a_run_takes_the_layers_of_the_snapshot_it_starts_from(arcade_home):
    layers = {"network": {"hidden": [24, 12], "activation": "relu"}, "wrappers": {"stack": 2, "normalise": True}}
    save_clone(SnapshotStore(arcade_home / "snapshots"), settings=SMALL | layers)
    words = ["start_from=clone-ann-1", "training.kl_penalty=0.5"]
    config = choose_run(game=GAME, settings=words).config
    assert (config.network.hidden, config.network.activation) == ((24, 12), "relu")
    assert (config.wrappers.stack, config.wrappers.normalise) == (2, True)
    assert config.training.kl_penalty == 0.5
    own = choose_run(game=GAME, settings=[*words, "network.hidden=32"]).config
    assert (own.network.hidden, own.network.activation) == ((32,), "relu")
    assert choose_run(game=GAME).config.network.hidden == (64, 64)
    check_game(config, find_game(GAME), SnapshotStore(arcade_home / "snapshots"))
    with pytest.raises(
        ConfigError, match=r"start_from: expected pi\.layers\.0\.weight of shape \(32, .*\) in snapshot"
    ):
        check_game(own, find_game(GAME), SnapshotStore(arcade_home / "snapshots"))


def test_a_snapshot_of_a_seat_that_no_policy_has_alone_is_refused(arcade_home):
    store = SnapshotStore(arcade_home / "snapshots")
    clone = save_clone(store)
    store.save(clone.card.model_copy(update={"name": "left", "agents": ("left_0",)}), clone.onnx)
    with pytest.raises(ConfigError, match="expected a snapshot that plays left_0, right_0, got 'left' for left_0"):
        check_game(make_config(SMALL | {"start_from": "left"}), find_game(GAME), store)


def test_one_trains_against_the_own_clone_and_the_clone_is_rated(tmp_path, ray_cluster):
    store = SnapshotStore(tmp_path / "snapshots")
    save_clone(store)
    opponents = {"fixed": ["snapshot:clone-ann-1"], "fixed_ratio": 1.0, "play_against_latest_model_ratio": 0.0}
    settings = SMALL | {"opponents": opponents, "steps": 4096, "wrappers": {"max_ticks": 100}}
    run = make_run(GAME, settings, tmp_path)
    finish(run)
    table = run.opponent_pools.table()["main"]
    assert [(row["name"], row["games"] > 0) for row in table] == [("snapshot:clone-ann-1", True)]
    lineup = {"left_0": parse_seat("snapshot:clone-ann-1"), "right_0": parse_seat("random")}
    played = play_series(find_game(GAME), lineup, Series(episodes=2), store=store)
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        for result in played.matches:
            ladder.add(result.as_json())
        assert "clone-ann-1" in {rating.name for rating in ladder.ratings(GAME)}
