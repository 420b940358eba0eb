"""Networks take any observation of a game as it comes and give actions that the game takes."""

import numpy as np
import pytest
import torch
from gymnasium import spaces
from ray.rllib.core.columns import Columns

from trainer.config.reading import make_config
from trainer.networks.encoders import Convolutions, FeatureExtractor
from trainer.networks.make import make_network
from trainer.networks.modules import SeatModule
from trainer.networks.preprocess import Preprocess
from trainer.networks.seat import begin, decide
from trainer.networks.spaces import SpaceError

OBSERVATIONS = {
    "vector": spaces.Box(-1, 1, (5, 4), np.float64),
    "board": spaces.Box(0, 1, (6, 7, 2), np.int8),
    "memory": spaces.Box(0, 255, (128,), np.uint8),
    "screen": spaces.Box(0, 255, (210, 160, 3), np.uint8),
    "small screen": spaces.Box(0, 255, (17, 40), np.uint8),
    "number": spaces.Discrete(5, start=3),
    "numbers": spaces.MultiDiscrete([3, 4], start=[0, 7]),
    "bits": spaces.MultiBinary(9),
}
ACTIONS = {
    "one": spaces.Discrete(6, start=-1),
    "bounded": spaces.Box(np.array([0, -3], np.float32), np.array([1, 9], np.float32)),
    "unbounded": spaces.Box(-np.inf, np.inf, (2, 2), np.float32),
    "whole": spaces.Box(0, 10, (2,), np.int64),
    "several": spaces.MultiDiscrete([3, 2]),
    "switches": spaces.MultiBinary((2, 2)),
}
NETWORKS = {
    "plain": {},
    "flat pictures": {"network": {"convolution": False, "activation": "relu"}},
    "stack": {"wrappers": {"stack": 3, "normalise": True, "grey": False}},
    "lstm": {"network": {"lstm": 8, "sequence": 5}},
    "stack and lstm": {"network": {"lstm": 8}, "wrappers": {"stack": 2, "resize": 0}},
}
RNG = np.random.default_rng(5)


def run_of(**settings):
    return make_config({"game": "house/volley", **settings})


def samples(space, rows):
    return np.stack([np.asarray(space.sample()) for _ in range(rows)])


SPACES = [(seen, "one") for seen in OBSERVATIONS] + [("vector", wanted) for wanted in ACTIONS]


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize(("seen", "wanted"), SPACES)
def test_actions_are_elements_of_the_games_space(kind, seen, wanted):
    observation_space, action_space = OBSERVATIONS[seen], ACTIONS[wanted]
    network = make_network(run_of(**NETWORKS[kind]), observation_space, action_space)
    memory = begin(network, 3)
    for _ in range(2):
        decision = decide(network, samples(observation_space, 3), None, memory)
        assert {name: (rows.shape, rows.dtype) for name, rows in decision.memory.items()} == {
            name: (rows.shape, rows.dtype) for name, rows in memory.items()
        }
        memory = decision.memory
    actions, logp = network.distribution.sample(decision.inputs, RNG)
    for action in network.distribution.to_env(actions):
        assert action_space.contains(action), action
    assert decision.values.shape == logp.shape == (3,)


@pytest.mark.parametrize("wanted", ACTIONS)
def test_log_probabilities_are_those_that_rllib_finds_for_the_actions(wanted):
    module = SeatModule(
        observation_space=OBSERVATIONS["vector"],
        action_space=ACTIONS[wanted],
        model_config={"run": run_of().model_dump(mode="json")},
    )
    seen = samples(OBSERVATIONS["vector"], 50)
    decision = decide(module.network, seen, None, {})
    actions, logp = module.network.distribution.sample(decision.inputs, RNG)
    out = module.forward_train({Columns.OBS: torch.as_tensor(decision.seen)})
    distribution = module.get_train_action_dist_cls().from_logits(out[Columns.ACTION_DIST_INPUTS])
    assert distribution.logp(torch.as_tensor(actions)).detach().numpy() == pytest.approx(logp, abs=1e-5)
    assert distribution.entropy().shape == (50,)
    assert out[Columns.EMBEDDINGS].detach().numpy() == pytest.approx(decision.values)


def test_illegal_actions_are_never_drawn():
    network = make_network(run_of(), OBSERVATIONS["board"], spaces.Discrete(7))
    masks = np.zeros((200, 7), np.int8)
    masks[np.arange(200), RNG.integers(7, size=200)] = 1
    decision = decide(network, samples(OBSERVATIONS["board"], 200), masks, {})
    actions, logp = network.distribution.sample(decision.inputs, RNG)
    assert masks[np.arange(200), actions].all()
    assert np.allclose(logp, 0.0)


@pytest.mark.parametrize("wanted", ACTIONS)
def test_a_graph_promises_the_actions_that_are_drawn(wanted):
    distribution = make_network(run_of(), OBSERVATIONS["vector"], ACTIONS[wanted]).distribution
    row = np.linspace(-0.6, 0.4, distribution.width, dtype=np.float32)
    if isinstance(ACTIONS[wanted], spaces.Box):
        row[distribution.width // 2 :] -= 2.0  # rarely past the bounds
    sampled = distribution.to_env(distribution.sample(np.tile(row, (20_000, 1)), RNG)[0])
    actions = sampled.reshape(20_000, -1).astype(np.float64)
    promised = distribution.graph_outputs(torch.as_tensor(row[None]))
    outputs = {name: part.numpy().reshape(-1) for name, part in promised.items()}
    if "action_mean" in outputs:
        rounding = 0.3 if wanted == "whole" else 0.0
        assert actions.mean(axis=0) == pytest.approx(outputs["action_mean"], rel=0.02, abs=0.02)
        assert actions.std(axis=0) == pytest.approx(np.exp(outputs["action_log_std"]), rel=0.05, abs=rounding)
        return
    if wanted == "switches":
        shares = actions.mean(axis=0)
    else:
        parts = ACTIONS["several"].nvec if wanted == "several" else [ACTIONS["one"].n]
        first = getattr(ACTIONS[wanted], "start", 0)
        numbers = (actions - first).astype(int)
        shares = np.concatenate([np.bincount(numbers[:, i], minlength=n) / 20_000 for i, n in enumerate(parts)])
    assert outputs["action_probabilities"] == pytest.approx(shares, abs=0.02)


def test_a_boxs_bounds_are_where_the_policys_own_units_end():
    distribution = make_network(run_of(), OBSERVATIONS["vector"], ACTIONS["bounded"]).distribution
    actions = np.array([[0.0, 0.0], [1.0, -1.0], [5.0, -5.0]], np.float32)
    assert distribution.to_env(actions).tolist() == [[0.5, 3.0], [1.0, -3.0], [1.0, -3.0]]
    free = make_network(run_of(), OBSERVATIONS["vector"], ACTIONS["unbounded"]).distribution
    assert free.to_env(np.full((1, 4), 7.0, np.float32)).tolist() == [[[7.0, 7.0], [7.0, 7.0]]]


def preprocess(space, seen, **wrappers):
    preprocessor = Preprocess(space, run_of(wrappers=wrappers).wrappers)
    with torch.no_grad():
        return preprocessor(preprocessor.shrink(torch.as_tensor(seen))).numpy()


def test_pictures_are_averaged_down_and_grey():
    space = spaces.Box(0, 255, (100, 43, 3), np.uint8)
    seen = samples(space, 2)
    small = preprocess(space, seen, resize=42)
    half = 0.5 / 255 + 1e-6  # kept as bytes
    # 3 rows and 2 columns become one; the row and the column that are left over are cut off.
    blocks = seen[:, :99, :42].reshape(2, 33, 3, 21, 2, 3) / 255.0
    assert small == pytest.approx(blocks.mean(axis=(2, 4, 5))[:, None], abs=half)
    coloured = preprocess(space, seen, resize=42, grey=False)
    assert coloured == pytest.approx(np.moveaxis(blocks.mean(axis=(2, 4)), 3, 1), abs=half)
    whole = preprocess(space, seen, resize=0, grey=False)
    assert whole == pytest.approx(np.moveaxis(seen / 255.0, 3, 1), abs=1e-6)


def test_numbers_become_one_hot_and_bytes_shares():
    assert preprocess(OBSERVATIONS["number"], np.array([3, 7])).tolist() == [[1, 0, 0, 0, 0], [0, 0, 0, 0, 1]]
    assert preprocess(OBSERVATIONS["numbers"], np.array([[1, 9]])).tolist() == [[0, 1, 0, 0, 0, 1, 0]]
    assert preprocess(OBSERVATIONS["memory"], np.full((1, 128), 255, np.uint8)).tolist() == [[1.0] * 128]


def test_vectors_are_normalised_by_all_that_was_learnt_from():
    space = spaces.Box(-np.inf, np.inf, (3,), np.float64)
    network = make_network(run_of(wrappers={"normalise": True}), space, ACTIONS["one"])
    rows = RNG.normal([1.0, -50.0, 0.0], [0.1, 20.0, 3.0], size=(500, 3))
    for part in (rows[:1], rows[1:300], rows[300:]):
        network.observe_rows(torch.as_tensor(part))
    seen = network.eyes.preprocess(torch.as_tensor(rows)).numpy()
    assert seen == pytest.approx(((rows - rows.mean(axis=0)) / rows.std(axis=0)).clip(-10, 10), abs=1e-3)
    assert np.abs(network.eyes.preprocess(torch.as_tensor(rows * 1e6)).numpy()).max() == 10.0


@pytest.mark.parametrize("rows", [16, 20, 33, 42, 64, 84, 240])
def test_convolutions_fit_pictures_of_any_size(rows):
    convolutions = Convolutions((4, rows, rows + 3))
    assert convolutions(torch.zeros(2, 4, rows, rows + 3)).shape == (2, convolutions.width)
    assert convolutions.width <= 4_000


@pytest.mark.parametrize("kind", ["lstm", "stack and lstm"])
def test_a_sequence_at_once_is_the_same_as_one_decision_after_the_other(kind):
    space = OBSERVATIONS["small screen"]
    network = make_network(run_of(**NETWORKS[kind]), space, ACTIONS["one"])
    seen = network.shrink(torch.as_tensor(samples(space, 12))).unflatten(0, (2, 6))
    masks = torch.as_tensor(RNG.integers(2, size=(2, 6, 6)).astype(np.int8))
    memory = {name: torch.rand(2, *part.shape).to(part.dtype) for name, part in network.memory.items()}
    with torch.no_grad():
        at_once = network.unroll(seen, masks, memory)
        for tick in range(6):
            heads = network.decide(seen[:, tick], masks[:, tick], memory)
            memory = heads.memory
            assert torch.allclose(heads.inputs, at_once.inputs[:, tick], atol=1e-5)
            assert torch.allclose(heads.value, at_once.value[:, tick], atol=1e-5)
    for name, rows in memory.items():
        assert torch.allclose(rows, at_once.memory[name], atol=1e-5)


def test_shared_eyes_belong_to_one_network_and_are_whole_in_each():
    run, space = run_of(), OBSERVATIONS["small screen"]
    eyes = FeatureExtractor(run, space, shared=True)
    first, second = (make_network(run, space, ACTIONS["one"], eyes=eyes) for _ in range(2))
    assert not [name for name, _ in first.named_parameters() if name.startswith("eyes")]
    shared = dict(first.whole().eyes.named_parameters())
    assert all(weight is shared[name] for name, weight in second.whole().eyes.named_parameters())
    seen = torch.as_tensor(samples(space, 3))
    with torch.no_grad():
        assert torch.equal(first(seen).inputs, first.whole()(seen).inputs)


def test_spaces_that_cannot_be_learnt_are_named_with_what_can():
    with pytest.raises(SpaceError, match=r"Discrete actions for DQN.*PPO, A2C, APPO, IMPALA or SAC can"):
        make_network(run_of(algorithm="DQN"), OBSERVATIONS["vector"], ACTIONS["bounded"])
    with pytest.raises(SpaceError, match=r"expected actions that are Discrete.*Tuple"):
        make_network(run_of(), OBSERVATIONS["vector"], spaces.Tuple([spaces.Discrete(2)]))
    with pytest.raises(SpaceError, match=r"expected observations.*Dict"):
        make_network(run_of(), spaces.Dict({"a": spaces.Discrete(2)}), ACTIONS["one"])
    with pytest.raises(SpaceError, match="start at 0"):
        make_network(run_of(), OBSERVATIONS["vector"], spaces.MultiDiscrete([3], start=[1]))
