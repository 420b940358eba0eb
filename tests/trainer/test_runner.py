"""The runner: who learns, who is credited, who is met, in a game small enough to check by hand."""

import numpy as np
import pytest
from gymnasium import spaces

from agents.snapshot import SnapshotStore
from arcade.games.spec import GameSpec
from trainer.algorithms.ppo import make_ppo_config
from trainer.config import make_config
from trainer.games.batch import GameBatch
from trainer.league.freezing import Freezer
from trainer.sampling.runner import SelfPlayRunner

PLIES = 5
SPEC = GameSpec(
    id="test/turns", title="Turns", entry="none:none", agents=("a", "b"), teams=(("a",), ("b",)), turn_based=True, fps=1
)  # fmt: skip


class Turns(GameBatch):
    """Seats move in turns, five plies a game; whoever moves last wins.  The observation is the ply."""

    cut_off = False

    def __init__(self, spec, games):
        self.spec, self.games, self.agents, self.masks = spec, games, spec.agents, None
        own = (spaces.Box(0, 9, (1,), np.float32), spaces.Discrete(2))
        self.spaces = {"a": own, "b": own}
        self._allocate()
        self._ply = np.zeros(games, np.intp)

    def reset(self, games, seeds):
        self._ply[games] = 0
        self._show(games)

    def step(self, actions):
        self._ply += 1
        self._show(np.arange(self.games))
        over = self._ply >= PLIES
        self.acting[over] = False
        self.rewards[over] = (1.0, -1.0)
        (self.truncated if self.cut_off else self.terminated)[over] = True

    def _show(self, games):
        for array in (self.acting, self.rewards, self.terminated, self.truncated):
            array[games] = 0
        self.acting[games, self._ply[games] % 2] = True
        self.observations[games, :, 0] = self._ply[games][:, None]


def make_runner(monkeypatch, **opponents):
    monkeypatch.setattr("trainer.sampling.runner.make_batch", Turns)
    settings = {"game": SPEC.id, "sampling": {"games": 4}, "opponents": opponents}
    settings["ppo"] = {"batch": 80, "minibatch": 40, "gamma": 1.0, "lambda_": 1.0}
    run = make_config(settings)
    batch = Turns(SPEC, 1)
    config = make_ppo_config(run, SPEC, *batch.spaces["a"])
    return SelfPlayRunner(config=config, worker_index=0)


def sample(runner):
    (decisions,) = runner.sample()
    rows = decisions.columns
    return rows["obs"][:, 0].astype(int), rows["value_targets"]


def freeze(runner, store, name):
    freezer = Freezer(store, runner.batch, run="test", algorithm="ppo")
    seen, masks = runner.recent_observations(8)
    return freezer.freeze(runner.module.network, name=name, step=0, parent="", note="", observations=seen, masks=masks)


def test_in_a_game_of_turns_each_seat_is_credited_with_its_own_outcome(monkeypatch):
    plies, targets = sample(make_runner(monkeypatch, live=1.0))
    assert len(plies) == 4 * 20  # every decision of every game: all seats learn
    assert targets[plies % 2 == 0] == pytest.approx(1.0, abs=1e-5)
    assert targets[plies % 2 == 1] == pytest.approx(-1.0, abs=1e-5)


def test_a_game_cut_off_bootstraps_from_what_was_seen_last(monkeypatch):
    monkeypatch.setattr(Turns, "cut_off", True)
    runner = make_runner(monkeypatch, live=1.0)
    plies, targets = sample(runner)
    last = np.full((1, 1), PLIES, np.float32)
    import torch

    with torch.no_grad():
        value = float(runner.module.network.value(torch.as_tensor(last)))
    assert targets[plies % 2 == 0] == pytest.approx(1.0 + value, abs=1e-5)
    assert targets[plies % 2 == 1] == pytest.approx(-1.0 + value, abs=1e-5)


def test_only_the_learning_seat_learns_against_a_snapshot_and_wins_are_counted(monkeypatch, tmp_path):
    runner = make_runner(monkeypatch, live=0.0)
    runner.sample()
    assert {r.opponent for r in runner.take_results()} == {""}  # an empty pool: itself
    runner.add_opponents([freeze(runner, SnapshotStore(tmp_path), "one")])
    runner.sample()  # games under way are finished as they began
    runner.take_results()
    runner.sample()
    results = runner.take_results()
    assert {r.opponent for r in results} == {"one"}
    assert {r.outcome for r in results} == {0.0, 1.0}  # it sat on either side
    plies, targets = sample(runner)
    assert len(plies) == sum(3 if r.outcome else 2 for r in runner.take_results())
    assert set(np.round(targets, 3)) == {1.0, -1.0}


def test_a_new_snapshot_is_met_at_the_next_episode_without_a_restart(monkeypatch, tmp_path):
    runner, store = make_runner(monkeypatch, live=0.0, latest=1.0), SnapshotStore(tmp_path)
    runner.add_opponents([freeze(runner, store, "one")])
    runner.sample()
    runner.take_results()
    runner.add_opponents([freeze(runner, store, "two")])
    runner.sample()
    runner.sample()
    met = [r.opponent for r in runner.take_results()]
    assert met[-8:] == ["two"] * 8
    assert runner.opponents.pool == ("one", "two")
