"""Torch modules and ONNX files become snapshots, and snapshots become torch modules."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents
import arcade
from agents.ladder.ladder import open_ladder
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.snapshot import SnapshotError
from agents.snapshots.store import open_store
from arcade.learning.freezing import sample_seat
from tests.support.kind_games import SPACES, kind_spec
from tests.support.tiny_policies import build_policy

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytestmark = pytest.mark.ray

CONNECT_FOUR = "classic/connect_four_v3"


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))


def net(inputs: int, outputs: int) -> Any:
    torch.manual_seed(0)
    layers = torch.nn
    return layers.Sequential(
        layers.Flatten(), layers.Linear(inputs, 16), layers.Tanh(), layers.Dropout(), layers.Linear(16, outputs)
    )


class Masked(torch.nn.Module):
    """Actor and critic that are given the mask."""

    def __init__(self) -> None:
        super().__init__()
        self.actor, self.critic = net(91, 7), net(84, 1)

    def forward(self, observations: Any, masks: Any) -> Any:
        return self.actor(torch.cat([observations.flatten(1), masks], 1)), self.critic(observations)


def shares(snapshot: Any, game: Any, seat: Any = "any") -> tuple[Any, Any]:
    sample = sample_seat(game, seat)
    decision = OnnxPolicy(snapshot).decide(sample.observations, sample.masks, np.random.default_rng(0))
    return decision, sample


def test_a_module_becomes_a_snapshot_that_decides_as_it_does() -> None:
    model = net(84, 7).train()
    snapshot = agents.freeze(model, game=CONNECT_FOUR, algorithm="PPO", step=5, placement_games=0)
    assert (snapshot.card.name, snapshot.card.step, snapshot.card.masked) == ("connect_four-ppo-1", 5, True)
    assert model.training
    decision, sample = shares(snapshot, CONNECT_FOUR)
    with torch.no_grad():
        logits = model.eval()(torch.as_tensor(sample.observations).float()).numpy()
    expected = np.exp(logits) * sample.masks
    assert np.allclose(decision.probabilities, expected / expected.sum(axis=1, keepdims=True), atol=1e-5)
    again = agents.freeze(model, game=CONNECT_FOUR, algorithm="PPO", placement_games=0)
    assert again.card.name == "connect_four-ppo-2"
    result = arcade.play(CONNECT_FOUR, {"*": f"snapshot:{snapshot.card.name}"}, seed=1).matches[0]
    assert not result.error


def test_actor_and_critic_with_masks_and_q_values() -> None:
    snapshot = agents.freeze(Masked(), game=CONNECT_FOUR, seat="player_0", placement_games=0)
    decision, _ = shares(snapshot, CONNECT_FOUR, "player_0")
    assert snapshot.card.agents == ("player_0",)
    assert decision.values.shape == (32,)
    greedy = agents.freeze(net(84, 7), game=CONNECT_FOUR, output="q_values", placement_games=0)
    decision, sample = shares(greedy, CONNECT_FOUR)
    assert set(np.unique(decision.probabilities)) == {0.0, 1.0}
    assert sample.masks[np.arange(32), decision.actions].all()


@pytest.mark.parametrize("kind", SPACES)
def test_every_kind_of_action(kind: str) -> None:
    spec = kind_spec(kind)
    space = SPACES[kind]
    nvec = getattr(space, "nvec", None)
    width = int(np.prod(space.shape)) if nvec is None else int(nvec.sum())
    size = int(np.prod(sample_seat(spec).observation_space.shape))
    snapshot = agents.freeze(net(size, width), game=spec, name="of-this-kind", placement_games=0)
    decision, _ = shares(snapshot, spec)
    assert all(space.contains(action.astype(space.dtype)) for action in decision.actions)


def test_a_snapshot_is_placed_on_the_ladder() -> None:
    snapshot = agents.freeze(net(13, 6), game="house/volley", algorithm="ppo", placement_games=4)
    with open_ladder(reading=True) as ladder:
        assert len(ladder.results("house/volley")) == 4
    assert snapshot.card.name in {standing.name for standing in arcade.ladder("house/volley").table}


def test_an_onnx_file_is_checked_and_copied(tmp_path: Path) -> None:
    snapshot = open_store().get("volley-7")
    (tmp_path / "mine.onnx").write_bytes(snapshot.onnx)
    frozen = agents.freeze(tmp_path / "mine.onnx", game="house/volley", name="mine", placement_games=0)
    assert open_store().get("mine").onnx == snapshot.onnx == frozen.onnx
    (tmp_path / "other.onnx").write_bytes(build_policy())
    with pytest.raises(SnapshotError, match="does not fit house/volley"):
        agents.freeze(tmp_path / "other.onnx", game="house/volley", placement_games=0)
    with pytest.raises(SnapshotError, match="expected an ONNX file"):
        agents.freeze(tmp_path / "none.onnx", game="house/volley")


class Broken(torch.nn.Module):
    def forward(self, observations: Any) -> Any:
        return observations @ torch.zeros(3, 3)


class Looping(torch.nn.Module):
    """Computes something else each time."""

    def forward(self, observations: Any) -> Any:
        return observations[:, :6] + torch.rand(6)


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (lambda: net(13, 5), r"returns \(batch, 6\)"),
        (lambda: Broken(), "the module failed"),
        (lambda: Looping(), "RandomUniform|within 0.0001 of torch"),
        (lambda: Masked(), "no action masks"),
        (lambda: 7, "a torch module or the path"),
    ],
)
def test_what_is_wrong_with_a_model_is_said_and_nothing_is_saved(model: Any, text: str) -> None:
    with pytest.raises(SnapshotError, match=text):
        agents.freeze(model(), game="house/volley", name="wrong", placement_games=0)
    with pytest.raises(SnapshotError, match="name of a snapshot"):
        open_store().get("wrong")


@pytest.mark.parametrize("name", ["volley-7", "simple_tag-agent-1", "simple_world_comm-leadadversary-1"])
def test_a_snapshot_as_a_torch_module_computes_the_same_and_learns(name: str) -> None:
    module, snapshot = agents.as_torch(name), open_store().get(name)
    rng = np.random.default_rng(0)
    seen = rng.normal(size=(5, *snapshot.card.observation.shape)).astype(snapshot.card.observation.dtype)
    actions, values = OnnxPolicy(snapshot).evaluate(seen)
    got = module(torch.as_tensor(seen))
    for output, expected in {**actions, **({} if values is None else {"value": values})}.items():
        assert np.allclose(got[output].detach().numpy(), expected, atol=1e-5), output
    next(iter(got.values())).square().sum().backward()
    assert any(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in module.parameters())


def test_frozen_modules_come_back_as_torch() -> None:
    snapshot = agents.freeze(Masked(), game=CONNECT_FOUR, placement_games=0)
    sample = sample_seat(CONNECT_FOUR)
    expected, _ = OnnxPolicy(snapshot).evaluate(sample.observations, sample.masks)
    got = agents.as_torch(snapshot)(torch.as_tensor(sample.observations), torch.as_tensor(sample.masks))
    assert np.allclose(got["action_probabilities"].detach().numpy(), expected["action_probabilities"], atol=1e-5)
    with pytest.raises(ValueError, match="got none for: action_mask"):
        agents.as_torch(snapshot)(torch.as_tensor(sample.observations))


def test_the_examples_of_the_docstrings() -> None:
    import doctest

    for function in (agents.freeze, agents.as_torch):
        example = doctest.DocTestParser().get_doctest(inspect.getdoc(function), {}, function.__name__, None, 0)
        assert doctest.DocTestRunner().run(example).failed == 0
