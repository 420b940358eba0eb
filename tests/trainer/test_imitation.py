"""Clones: recorded through the real path, learnt by RLlib, frozen, and seated again."""

from dataclasses import replace

import numpy as np
import onnx
import pytest
import torch
from gymnasium import spaces
from onnx import numpy_helper

from agents.policies.functions import FunctionController
from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import SeatChoice
from agents.seats.kinds import parse_lineup
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.match.batch.in_process import Series, play_series
from arcade.recordings.library import RecordingLibrary
from arcade.recordings.query import DatasetError, DatasetQuery, held_out
from tests.support.recorded import record
from tests.support.seat_episodes import made_episode, spaces_of
from trainer.config import ConfigError
from trainer.config.reading import make_config
from trainer.imitation.cloning import layers_of, make_clone, split
from trainer.imitation.command import main
from trainer.imitation.dataset import make_trajectory
from trainer.imitation.order import ImitationSettings, Order, Selection
from trainer.imitation.training import CloneTrainer, ignore
from trainer.networks.make import make_network
from trainer.sampling.plan import Policy

GAME = "classic/connect_four_v3"
QUICK = {"epochs": 12, "lr": 5e-3, "minibatch": 64}


def leftmost(observation, action_mask, rng):
    """Plays the first column with room."""
    return int(np.flatnonzero(action_mask)[0])


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """Ten matches of one who always plays leftmost against chance."""
    folder = tmp_path_factory.mktemp("replays")
    spec, store = find_game(GAME), SnapshotStore(folder / "snapshots")
    words = (f"player_0=python:{__name__}:leftmost", "player_1=random")
    lineup = parse_lineup(words, spec.agents, default=SeatChoice("idle"))
    play_series(spec, lineup, Series(episodes=10, seed=5, record=folder), store=store)
    return RecordingLibrary(folder)


def order(*, corrected="", layers=None, start="", name="", **settings):
    query = DatasetQuery(game=GAME, label="*leftmost")
    return Order(
        spec=find_game(GAME), selection=Selection(query=query, corrected=corrected),
        settings=ImitationSettings(**{**QUICK, **settings}), layers=layers or {}, start=start, name=name,
    )  # fmt: skip


def cloned(recordings, store, **wanted):
    return make_clone(order(**wanted), recordings.list()[0][::-1], store)


def weights(snapshot):
    return [numpy_helper.to_array(tensor) for tensor in onnx.load_from_string(snapshot.onnx).graph.initializer]


def test_a_clone_plays_like_the_player_in_either_seat(recordings, tmp_path):
    store = SnapshotStore(tmp_path)
    clone = cloned(recordings, store)
    assert clone.learnt.held_out.accuracy > 0.9
    assert clone.learnt.held_out.log_likelihood > -1
    card = clone.snapshot.card
    assert (card.name, card.algorithm) == ("clone-tests.trainer.test_imitation-leftmost-1", "BC")
    assert card.note.startswith("clone of tests.trainer.test_imitation:leftmost: ")
    lineup = parse_lineup(("player_0=random", f"player_1=snapshot:{card.name}"), find_game(GAME).agents, default=None)
    played = play_series(find_game(GAME), lineup, Series(episodes=2, seed=1), store=store).matches
    assert [match.error for match in played] == ["", ""]  # an illegal move would have been one


def test_the_same_order_makes_the_same_clone(recordings, tmp_path):
    one, other = (cloned(recordings, SnapshotStore(tmp_path / name), epochs=2) for name in ("a", "b"))
    assert all(np.array_equal(a, b) for a, b in zip(weights(one.snapshot), weights(other.snapshot), strict=True))
    third = cloned(recordings, SnapshotStore(tmp_path / "c"), epochs=2, seed=1)
    assert not np.array_equal(weights(one.snapshot)[0], weights(third.snapshot)[0])


def test_going_on_from_a_clone_begins_where_it_was(recordings, tmp_path):
    store = SnapshotStore(tmp_path)
    first = cloned(recordings, store, layers={"network": {"hidden": [24]}})
    second = cloned(recordings, store, start=first.snapshot.card.name, epochs=1)
    begins = second.learnt.epochs[0].validation
    assert begins.log_likelihood == pytest.approx(first.learnt.best.validation.log_likelihood, abs=1e-6)
    assert second.run.network.hidden == (24,)
    names = first.snapshot.card.name, second.snapshot.card.name
    assert second.snapshot.card.parent == names[0]
    assert names[1] == names[0].removesuffix("1") + "2"


@pytest.mark.parametrize(("ticks", "width"), [(50, 128), (5_000, 256), (40_000, 512)])
def test_layers_are_as_wide_as_there_is_much_to_learn_from(ticks, width):
    policy = Policy("all", ("left",), 0, spaces.Box(-1, 1, (4,), np.float32), spaces.Discrete(2), masked=False)
    assert layers_of(order(), policy, ticks, None).network.hidden == (width, width)
    narrow = order(layers={"network": {"hidden": [24]}})
    assert layers_of(narrow, policy, ticks, None).network.hidden == (24,)


def test_corrections_change_what_the_snapshot_does_where_it_was_corrected(recordings, tmp_path):
    store, folder = SnapshotStore(tmp_path), tmp_path / "replays"
    first = cloned(recordings, store, name="pupil").snapshot
    for seed in range(4):
        person = Teacher()
        record(
            folder / f"match-{seed}.replay", {"player_0": SnapshotController(first)}, game=GAME, seed=seed,
            ticks=30, takeovers={1: person},
        )  # fmt: skip
    selection = Selection(query=DatasetQuery(game=GAME), corrected="pupil")
    corrections = replace(order(epochs=20), selection=selection)
    clone = make_clone(corrections, RecordingLibrary(folder).list()[0], store)
    assert clone.dataset.corrections > 0
    assert clone.snapshot.card.parent == "pupil"
    assert clone.learnt.best.validation.log_likelihood > clone.learnt.epochs[0].validation.log_likelihood + 1


def test_few_corrections_beside_many_decisions_that_were_left_alone_are_chosen():
    """By unweighted likelihood the policy that was corrected would win: most of the decisions are its own."""
    space, seen = spaces.Discrete(2), spaces.Box(-9, 9, (2,), np.float32)
    start = make_network(make_config({"game": "test/game", "network": {"hidden": [16]}}), seen, space)
    with torch.no_grad():
        start.pi.layers[-1].bias.copy_(torch.tensor([1.5, -1.5]))  # 5% for action 1, as in the recordings
    rows, takeover = np.ones((101, 2), np.float32), np.arange(100) >= 95
    shown = {"steps": 100, "observations": rows, "sent": takeover.astype(int), "takeover": takeover}
    trajectories = [make_trajectory(made_episode(i, **shown), start, masked=False, corrected=True) for i in range(6)]
    settings = ImitationSettings(epochs=30, lr=1e-2, minibatch=100)
    parts = {"trajectories": trajectories[:4], "validation": trajectories[4:5], "held_out": trajectories[5:]}
    learnt = CloneTrainer(settings, start=start, sequence=16, **parts).run()
    assert learnt.best.number > 0
    assert learnt.network(torch.ones((1, 2))).inputs.softmax(dim=1)[0, 1].item() == pytest.approx(0.5, abs=0.1)
    assert learnt.held_out == learnt.best.validation  # of other recordings, with the same decisions


def test_what_is_learnt_from_what_chooses_and_what_is_reported_are_different_recordings():
    episodes = [made_episode(i) for i in range(40)]
    network = make_network(make_config({"game": "test/game"}), *spaces_of(episodes[0]))
    trajectories = [make_trajectory(one, network, masked=False) for one in episodes]
    seeds = {one.recording: i for i, one in enumerate(trajectories)}
    parts = split(trajectories, ImitationSettings(), seeds)
    assert sorted(one.recording for part in parts for one in part) == sorted(seeds)
    assert len(parts[0]) > 20
    assert all(parts)
    assert {one.recording for one in parts[2]} == held_out(seeds)  # the ones that likeness measures with
    for first in range(36):
        few = trajectories[first : first + 3]
        assert all(split(few, ImitationSettings(), {one.recording: seeds[one.recording] for one in few}))


class Teacher(FunctionController):
    """A person who always plays the last column with room."""

    kind = "keyboard"

    def __init__(self):
        super().__init__(lambda seen, mask, rng: int(np.flatnonzero(mask)[-1]))
        self.label = self.person = "ann"


def learning(episodes, space, *, layers=None, **settings):
    run = make_config({"game": "test/game", "network": {"hidden": [16]}, **(layers or {})})
    seen = spaces.Box(-9, 9, episodes[0].observations.shape[1:], np.float32)
    network = make_network(run, seen, space)
    trajectories = [make_trajectory(episode, network, masked=False) for episode in episodes]
    settings = ImitationSettings(**{"epochs": 30, "lr": 1e-2, "minibatch": 256, **settings})
    apart = max(1, len(trajectories) // 5)
    made = CloneTrainer(
        settings,
        start=network,
        trajectories=trajectories[apart:],
        validation=trajectories[:apart],
        sequence=run.network.sequence,
    )
    return made.run()


def test_marwil_does_more_of_what_paid():
    rng, shares = np.random.default_rng(1), {}
    sent = rng.integers(2, size=(20, 32))
    seen = np.ones((33, 2), np.float32)
    episodes = [
        made_episode(i, steps=32, observations=seen, sent=done, rewards=2.0 * done - 1) for i, done in enumerate(sent)
    ]
    for algorithm in ("bc", "marwil"):
        learnt = learning(episodes, spaces.Discrete(2), algorithm=algorithm, gamma=0.01)
        logits = learnt.network(torch.ones((1, 2))).inputs[0]
        shares[algorithm] = float((logits[1] - logits[0]).sigmoid())
    assert abs(shares["bc"] - 0.5) < 0.1
    assert shares["marwil"] > 0.65


def test_what_must_be_remembered_is_learnt_through_sequences():
    rng, episodes = np.random.default_rng(2), []
    for i in range(60):
        shown = int(rng.integers(2))
        seen = np.zeros((7, 2), np.float32)
        seen[0, 0], seen[:, 1] = 2 * shown - 1, np.arange(7) / 6
        episodes.append(made_episode(i, observations=seen, steps=6, sent=np.array([0, 0, 0, 0, 0, shown])))
    lstm = learning(
        episodes, spaces.Discrete(2), layers={"network": {"hidden": [16], "lstm": 16, "sequence": 8}}, minibatch=32
    )
    plain = learning(episodes, spaces.Discrete(2))
    assert lstm.best.validation.accuracy > 0.97 > plain.best.validation.accuracy


def test_what_is_ignored_makes_no_difference():
    rng, episodes = np.random.default_rng(4), []
    for i in range(10):
        seen = rng.uniform(-1, 1, (33, 3)).astype(np.float32)
        episodes.append(made_episode(i, steps=32, observations=seen, sent=(seen[:-1, 1] > 0).astype(int)))
    layers = {"network": {"hidden": [16]}, "wrappers": {"stack": 2}}
    network = learning(episodes, spaces.Discrete(2), layers=layers, epochs=5, ignore=(1,)).network
    seen = torch.rand((4, 3))
    other = seen.clone()
    other[:, 1] = -other[:, 1]
    assert torch.equal(network(seen).inputs, network(other).inputs)
    assert not torch.equal(network(seen).inputs, network(1 - seen).inputs)
    with pytest.raises(ConfigError, match="3 numbers"):
        ignore(network, (3,))


def test_numbers_are_cloned_too():
    rng = np.random.default_rng(3)
    episodes = []
    for i in range(20):
        seen = rng.uniform(-1, 1, (33, 2)).astype(np.float32)
        sent = np.stack([3 * seen[:-1, 0], -seen[:-1, 1]], axis=1).astype(np.float32)
        episodes.append(made_episode(i, steps=32, observations=seen, sent=sent))
    learnt = learning(episodes, spaces.Box(np.float32(-4), np.float32(4), (2,)))
    assert learnt.best.validation.accuracy > 0.9
    assert learnt.best.validation.log_likelihood > learnt.epochs[0].validation.log_likelihood + 0.5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((GAME,), "expected recordings of classic/connect_four_v3"),
        ((GAME, "--weight", "3"), "--corrections"),
        ((GAME, "--set", "nonsense=1"), "nonsense=1"),
        ((GAME, "--epochs", "0"), "epochs"),
        ((GAME, "--name", "../x"), "--name"),
        ((GAME, "--demos", "gone"), "no recording named 'gone'"),
        ((GAME, "--outcome", "victory"), "outcome"),
        (("house/voley",), "house/volley"),
    ],
)
def test_a_wrong_order_is_told_of_before_anything_begins(words, said, arcade_home, capsys):
    assert main(list(words)) in (2, 3)
    assert said in capsys.readouterr().err


def test_too_few_recordings_and_unlike_seats_are_refused(recordings, tmp_path):
    store = SnapshotStore(tmp_path)
    with pytest.raises(DatasetError, match="three recordings or more"):
        make_clone(order(), recordings.list()[0][:2], store)
    record(tmp_path / "tag.replay", game="mpe/simple_tag_v3", ticks=5)
    spec = find_game("mpe/simple_tag_v3")
    tag = replace(order(), spec=spec, selection=Selection(query=DatasetQuery(game=spec.id)))
    with pytest.raises(DatasetError, match="with --seat"):
        make_clone(tag, RecordingLibrary(tmp_path).list()[0], store)
