"""What a clone is learnt from: episodes as trajectories, memory as in play, weights, batches."""

import numpy as np
import pytest
import torch
from gymnasium import spaces

from arcade.match.play.result import RecordingSource
from arcade.recordings.query import DatasetQuery
from tests.support.seat_episodes import made_episode
from trainer.config.reading import make_config
from trainer.imitation.dataset import correction_weight, make_trajectory, returns
from trainer.imitation.network_outputs import compare, run_network
from trainer.imitation.order import Selection
from trainer.imitation.training import Epochs
from trainer.networks.distributions import make_distribution
from trainer.networks.make import make_network
from trainer.networks.seat import begin, decide

SEEN = spaces.Box(-1, 1, (3,), np.float32)
ACTIONS = {
    "discrete": spaces.Discrete(5, start=-2),
    "multi_discrete": spaces.MultiDiscrete([[2, 3], [4, 5]]),
    "multi_binary": spaces.MultiBinary(4),
    "box": spaces.Box(np.float32(-3), np.float32(5), (2, 2)),
}


def network_with(**settings):
    torch.manual_seed(3)
    run = make_config({"game": "test/game", "network": {"hidden": [8]}, **settings})
    network = make_network(run, SEEN, spaces.Discrete(4))
    for weight in network.parameters():
        torch.nn.init.normal_(weight, std=0.5)
    return network


def trajectory_of(network, *, steps=5, number=0, masked=False, corrected=False, before=0, **changes):
    seen = np.random.default_rng(number).uniform(-1, 1, (steps + 1, 3)).astype(np.float32)
    episode = made_episode(number, steps=steps, observations=seen, **changes)
    return make_trajectory(episode, network, masked=masked, corrected=corrected, before=before)


@pytest.mark.parametrize("kind", ACTIONS)
def test_actions_come_back_from_the_env_as_the_learner_has_them(kind):
    space = ACTIONS[kind]
    space.seed(1)
    done = np.stack([space.sample() for _ in range(20)])
    distribution = make_distribution(space)
    np.testing.assert_allclose(distribution.to_env(distribution.from_env(done)), done, rtol=1e-6)


@pytest.mark.parametrize("layers", [{}, {"wrappers": {"stack": 3}}, {"network": {"hidden": [8], "lstm": 6}}])
def test_a_network_has_the_memory_in_lessons_that_it_has_in_play(layers):
    network = network_with(**layers)
    trajectories = [trajectory_of(network, steps=steps, number=steps) for steps in (7, 3, 5)]
    outputs = run_network(network, trajectories, sequence=4)
    for trajectory, inputs in zip(trajectories, outputs.inputs, strict=True):
        memory, played = begin(network, 1), []
        for seen in trajectory.seen[:-1]:
            decision = decide(network, seen[None], None, memory)
            memory = decision.memory
            played.append(decision.inputs[0])
        np.testing.assert_allclose(inputs, played, atol=1e-5)
    assert [len(values) for values in outputs.values] == [8, 4, 6]


def test_what_was_cut_off_is_worth_what_the_network_expects_of_it():
    network = network_with()
    ended, cut = (
        trajectory_of(network, steps=3, rewards=np.array([0.0, 0, 1]), terminated=over) for over in (True, False)
    )
    assert returns(ended, 8.0, gamma=0.5).tolist() == [0.25, 0.5, 1]
    assert returns(cut, 8.0, gamma=0.5).tolist() == [1.25, 2.5, 5]


def test_corrections_count_together_as_much_as_the_policys_own_decisions():
    network = network_with()
    takeover = np.array([False, False, True, False, False])
    trajectory = trajectory_of(network, takeover=takeover, corrected=True)
    assert correction_weight([trajectory], 0) == 4
    assert correction_weight([trajectory], 2.5) == 2.5
    assert correction_weight([trajectory_of(network, takeover=takeover)], 0) == 1  # a person's own match
    weights = weights_by_action(network, trajectory, correction=4)
    assert weights == {0: 0.625, 1: 0.625, 2: 2.5, 3: 0.625}  # the actions are 0, 1, 2, 3 and 0


def test_what_the_policy_did_while_a_person_reacted_does_not_count():
    network = network_with()
    takeover = np.array([False, False, False, True, True, False])
    ticks = np.array([0, 10, 20, 30, 40, 50])
    shown = {"steps": 6, "takeover": takeover, "ticks": ticks, "sent": np.arange(6) % 4}
    trajectory = trajectory_of(network, corrected=True, before=20, **shown)
    assert trajectory.counts.tolist() == [True, False, False, True, True, True]
    assert trajectory_of(network, before=20, **shown).counts.all()


def weights_by_action(network, trajectory, *, correction):
    epochs = Epochs(network, [trajectory], sequence=16, gamma=1.0, noise=0.0, seed=0, correction=correction)
    columns = epochs.next()
    return dict(zip(columns["actions"].tolist(), columns["weights"].tolist(), strict=True))


def test_in_a_sequence_each_decision_has_its_own_weight():
    network = network_with(network={"hidden": [8], "lstm": 6})
    takeover = np.array([False, False, True, False, False])
    trajectory = trajectory_of(network, takeover=takeover, corrected=True, before=1)
    columns = Epochs(network, [trajectory], sequence=8, gamma=1.0, noise=0.0, seed=0, correction=3).next()
    assert columns["weights"].tolist() == [[pytest.approx(w) for w in (2 / 3, 0, 2, 2 / 3, 2 / 3, 0, 0, 0)]]


def test_sequences_hide_what_is_no_decision_and_begin_with_the_memory_before_them():
    network = network_with(network={"hidden": [8], "lstm": 6})
    trajectories = [trajectory_of(network, steps=steps, number=steps) for steps in (5, 2)]
    epochs = Epochs(network, trajectories, sequence=4, gamma=1.0, noise=0.0, seed=0)
    columns = epochs.next()
    assert columns["obs"].shape == (3, 4, 3)
    assert sorted((columns["weights"] > 0).sum(axis=1).tolist()) == [1, 2, 4]
    later = (columns["weights"] > 0).sum(axis=1) == 1
    assert np.abs(columns["memory_h"][later]).sum() > 0 == np.abs(columns["memory_h"][~later]).sum()


def test_an_illegal_action_has_no_chance_and_is_no_answer():
    network = network_with()
    masks = np.tile(np.array([0, 1, 1, 1], np.int8), (6, 1))
    trajectory = trajectory_of(network, masked=True, action_masks=masks, sent=np.array([1, 1, 2, 3, 1]))
    logp, agrees = compare(
        network.distribution, run_network(network, [trajectory], sequence=16).inputs[0], np.zeros(5, np.int64)
    )
    assert (logp < -1e6).all()
    assert not agrees.any()


def test_of_a_game_with_masks_a_seat_without_any_may_do_everything():
    trajectory = trajectory_of(network_with(), masked=True)
    assert trajectory.masks is not None
    assert trajectory.masks.shape == (6, 4)
    assert trajectory.masks.all()


@pytest.mark.parametrize(
    ("query", "counted"),
    [
        (DatasetQuery(), {"ann for pupil", "pupil"}),  # nobody is named: the corrected matches alone
        (DatasetQuery(person="ann"), {"ann for pupil", "pupil", "ann"}),
        (DatasetQuery(label="scripted"), {"pupil", "scripted"}),
    ],
)
def test_corrections_come_with_what_the_snapshot_was_left_to_do_and_with_those_who_are_named(query, counted):
    seats = {"tick": 0, "agent": "left_0"}
    ann = {"label": "ann", "person": "ann", "human": True, "kind": "keyboard"}
    sources = {
        "ann for pupil": RecordingSource(**seats, **ann, takeover=True),
        "ann": RecordingSource(**seats, **ann),
        "pupil": RecordingSource(**seats, kind="snapshot", label="pupil (hard)", snapshot="pupil"),
        "other": RecordingSource(**seats, kind="snapshot", label="other", snapshot="other"),
        "scripted": RecordingSource(**seats, kind="scripted", label="scripted"),
    }
    selection = Selection(query=query, corrected="pupil")
    assert {name for name, source in sources.items() if selection.includes(source)} == counted
