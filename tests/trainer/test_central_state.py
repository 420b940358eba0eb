"""The state of a shared critic: nothing of an earlier episode, who lives, and normalised as the policies' input is."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from ray.rllib.core.learner.learner import Learner
from ray.rllib.core.learner.training_data import TrainingData

from tests.support.runners import SPEC, Turns
from trainer.algorithms.batches import RowsToBatch
from trainer.algorithms.make import make_algorithm_config
from trainer.config.reading import make_config
from trainer.networks.modules import Critic
from trainer.sampling.central_state import CentralState, feature_count
from trainer.sampling.runner import SelfPlayRunner

SETTINGS = {"game": SPEC.id, "policies": {"kind": "shared_value_function"}, "resources": {"games": 4}}
FIRST = np.array([0])


class Deals(Turns):
    """A seat sees the number of the deal, and only at its turn."""

    deal = 0

    def reset(self, games, seeds):
        self.deal += 1
        super().reset(games, seeds)

    def _show(self, games):
        before = self.groups[0].observations.copy()
        super()._show(games)
        self.groups[0].observations[:] = np.where(self.acting[:, :, None], self.deal, before)


def state_of(central, batch):
    """What the critic observes for the first seat: both seats' views, and who lives."""
    (row,) = central.states(FIRST)
    return row.tolist()


def begin(batch, central):
    batch.reset(FIRST, FIRST)
    central.begin(FIRST)
    central.look()


def step(batch, central, **flags):
    batch.step([np.zeros((1, 2), np.int64)])
    for name, seats in flags.items():
        getattr(batch, name)[:] = [seats]
    central.observe()


@pytest.fixture
def pair():
    batch = Deals(SPEC, 1)
    run = make_config(SETTINGS)
    assert feature_count(run, batch) == 2
    return batch, CentralState(run, batch, None)


def test_a_seat_that_has_had_no_turn_yet_shows_nothing_of_the_last_deal(pair):
    batch, central = pair
    begin(batch, central)
    step(batch, central)
    central.look()
    assert state_of(central, batch) == [1, 1, 1, 1]
    begin(batch, central)
    assert state_of(central, batch) == [2, 0, 1, 1]


def test_a_seat_that_died_shows_zeros_and_a_flag_and_one_that_was_cut_off_is_valued_once_more(pair):
    batch, central = pair
    begin(batch, central)
    step(batch, central)
    central.look()
    step(batch, central, terminated=(False, True))
    assert state_of(central, batch) == [1, 0, 1, 0]
    step(batch, central, truncated=(True, False))
    assert state_of(central, batch) == [1, 0, 1, 0]
    step(batch, central)
    assert state_of(central, batch) == [0, 0, 0, 0]


def test_the_critic_normalises_what_the_policies_normalise(monkeypatch):
    monkeypatch.setattr("trainer.sampling.runner.make_vector_env", Turns)
    training = {"batch": 80, "minibatch": 40}
    run = make_config(SETTINGS | {"training": training, "wrappers": {"normalise": True}})
    config = make_algorithm_config(run, SPEC, Turns(SPEC, 1))
    runner = SelfPlayRunner(config=config, worker_index=0)
    learner = config.build_learner(spaces=runner.get_spaces())
    critic = learner.module["critic"].unwrapped().network
    (episode,) = runner.sample()
    rows = np.unique(np.concatenate([columns["state"][:, 0] for columns in episode.columns.values()]))
    states = episode.states[rows]
    Learner.update(learner, training_data=TrainingData(episodes=[episode]), minibatch_size=40)
    np.testing.assert_allclose(critic.moments.mean.numpy(), states[:, :2].mean(axis=0), rtol=1e-5)
    runner.module.set_state(learner.module.get_state())
    assert float(runner.network("critic").moments.count) == len(states)  # runners value with the same statistics


def test_flags_are_not_normalised():
    critic = Critic(2, 2, (8,), normalised=True)
    critic.observe_rows(torch.tensor([[3.0, 5.0, 0.0, 0.0], [5.0, 9.0, 1.0, 1.0]]))
    plain = Critic(2, 2, (8,))
    plain.vf.load_state_dict(critic.vf.state_dict())
    scaled = torch.tensor([[1.0, -1.0, 1.0, 0.0]])
    agents = torch.tensor([1])
    torch.testing.assert_close(critic(torch.tensor([[5.0, 5.0, 1.0, 0.0]]), agents), plain(scaled, agents))


def test_a_state_is_stored_once_a_tick_for_all_agents_and_stays_with_its_decision(monkeypatch):
    """In each fragment, also for decisions carried over, and in the batch made of several runners' fragments."""
    monkeypatch.setattr("trainer.sampling.runner.make_vector_env", Crowd)
    run = make_config(SETTINGS | {"training": {"batch": 40, "minibatch": 20}})
    config = make_algorithm_config(run, CROWD, Crowd(CROWD, 1))
    runner = SelfPlayRunner(config=config, worker_index=0)
    learner = config.build_learner(spaces=runner.get_spaces())
    fragments = [runner.sample()[0] for _ in range(3)]
    for fragment in fragments:
        decisions = sum(len(columns["obs"]) for columns in fragment.columns.values())
        assert decisions >= 3 * 36
        assert len(fragment.states) <= decisions / 3 + 2 * 4  # a few of the ticks around the fragment
    batch = RowsToBatch()(rl_module=learner.module, batch={}, episodes=fragments)
    table = learner.module["critic"].unwrapped().network.table
    for number, agent in enumerate(CROWD.agents):
        places = batch[agent]["state"]
        assert set(places[:, 1].tolist()) == {number}
        torch.testing.assert_close(table[places[:, 0], number], batch[agent]["obs"][:, 0])  # its own view then


class Crowd(Turns):
    """Three seats move at once, and each sees a number of its own that never comes again."""

    seen = 0

    def step(self, actions):
        self._ply += 1
        self._show(np.arange(self.num_envs))
        over = self._ply >= self.plies
        self.acting[over] = False
        self.terminated[over] = True

    def _show(self, games):
        for array in (self.acting, self.rewards, self.terminated, self.truncated):
            array[games] = 0
        self.acting[games] = True
        for game in games:
            for seat in range(3):
                self.seen += 1
                self.groups[0].observations[game, seat, 0] = self.seen


CROWD = replace(SPEC, agents=("a", "b", "c"), teams=(("a",), ("b",), ("c",)), turn_based=False)
