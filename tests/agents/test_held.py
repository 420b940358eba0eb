"""Snapshots follow the rules that they were trained by, in live seats, in batches and on a server."""

import numpy as np
import pytest

from agents.policies.held import HeldActions
from agents.policies.snapshot import SnapshotBatch
from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import SeatSpec, Turn
from agents.snapshots.store import SnapshotStore
from agents.wire.client import RemoteController
from agents.wire.messages import Act
from agents.wire.served_policies import ServedPolicy
from agents.wire.server import PolicyServer
from arcade.games import find_game
from arcade.match.batch import opponents
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.opponents import make_policy
from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage
from arcade.match.stage.rules import StageRules
from tests.support.small_snapshots import save_volley_snapshot

TICKS = 80


def snapshot_of(tmp_path, **rules):
    store = SnapshotStore(tmp_path)
    save_volley_snapshot(store, "random", **rules)
    return store.get("random")


def seat():
    env = find_game("house/volley").make()
    spaces = env.observation_space("left_0"), env.action_space("left_0")
    return SeatSpec(game="house/volley", agent="left_0", observation_space=spaces[0], action_space=spaces[1])


def live(snapshot, ticks):
    """The actions at these ticks."""
    controller, place = SnapshotController(snapshot), seat()
    controller.reset(place, seed=5)
    actions = []
    for tick in ticks:
        controller.observe(Turn("left_0", tick, np.zeros(place.observation_space.shape, np.float32)))
        actions.append(controller.act())
    return actions


def changes(actions):
    return [i for i in range(1, len(actions)) if actions[i] != actions[i - 1]]


def test_a_live_seat_holds_each_action_for_the_ticks_of_its_training(tmp_path):
    actions = live(snapshot_of(tmp_path, frame_skip=4), range(TICKS))
    assert len(changes(actions)) > TICKS // 4 // 2
    assert all(tick % 4 == 0 for tick in changes(actions))


def test_in_a_match_with_the_same_rule_it_decides_at_each_of_its_turns(tmp_path):
    snapshot = snapshot_of(tmp_path, frame_skip=4)
    assert live(snapshot, range(0, TICKS, 4)) == live(snapshot, range(TICKS))[::4]


def test_a_batch_and_a_server_hold_as_a_live_seat_does(tmp_path):
    snapshot = snapshot_of(tmp_path, frame_skip=3)
    expected, rows = live(snapshot, range(TICKS)), np.zeros((2, *seat().observation_space.shape), np.float32)
    batch = SnapshotBatch(snapshot)
    batch.begin(np.array([4, 1]), [5, 6])
    together = np.array([batch.act(np.array([4, 1]), rows, None) for _ in range(TICKS)])
    assert together[:, 0].tolist() == expected
    assert all(tick % 3 == 0 for tick in changes(together[:, 1].tolist()))
    served = ServedPolicy(SnapshotBatch(snapshot), snapshot.card)
    number = served.begin(5)
    acts = [Act(seat=1, tick=tick, observation=rows[0], mask=None) for tick in range(TICKS)]
    assert [served.answer([number], [act])[0] for act in acts] == expected


class Heard(SnapshotController):
    """Notes what it answers."""

    def __init__(self, snapshot):
        super().__init__(snapshot)
        self.actions = []

    def act(self):
        action = super().act()
        self.actions.append(action)
        return action


class HeardRemote(RemoteController):
    """Notes its answers, with the server in the same thread."""

    def __init__(self, server):
        super().__init__(server.endpoint, "random")
        self.actions, self._server = [], server

    def act(self):
        while (action := super().act()) is None:
            self._server.serve_once(timeout=0.02)
        self.actions.append(action)
        return action


def answers_in_match(tmp_path, rules, **card):
    """The answers of a live and of a served seat in a match with rules of its own."""
    snapshot = snapshot_of(tmp_path, **card)
    with (
        LocalStage(find_game("house/volley"), rules=StageRules(**rules)) as stage,
        PolicyServer(SnapshotStore(tmp_path), endpoint="tcp://127.0.0.1:*") as server,
    ):
        seats = {"left_0": Heard(snapshot), "right_0": HeardRemote(server)}
        assert set(stage.agents) == set(seats)
        Match(stage, seats, seed=3, max_ticks=4 * TICKS).run()
        for seat in seats.values():
            seat.close()
    return [seat.actions for seat in seats.values()]


def test_live_and_served_seats_hold_no_longer_where_the_match_holds_too(tmp_path):
    for actions in answers_in_match(tmp_path, {"frame_skip": 4}, frame_skip=4):
        assert len(changes(actions)) > TICKS / 2  # of six actions, each as likely


def test_of_two_frame_skips_the_longer_one_applies(tmp_path):
    for actions in answers_in_match(tmp_path, {"frame_skip": 2}, frame_skip=4):
        assert all(turn % 2 == 0 for turn in changes(actions))
        assert len(changes(actions)) > TICKS / 2


def test_live_and_served_seats_repeat_nothing_by_chance_where_the_match_does(tmp_path):
    for actions in answers_in_match(tmp_path, {"sticky_actions": 0.5}, sticky_actions=0.9):
        assert len(changes(actions)) > 4 * TICKS / 2


def test_a_seat_that_a_match_took_back_decides_anew(tmp_path):
    actions = live(snapshot_of(tmp_path, frame_skip=16), [*range(40, 45), *range(TICKS)])
    assert changes(actions[5:])[0] <= 48


def test_players_of_a_batch_hold_no_longer_where_the_env_holds_too(tmp_path, monkeypatch):
    monkeypatch.setattr(opponents, "open_store", lambda: SnapshotStore(tmp_path))
    snapshot_of(tmp_path, frame_skip=4, sticky_actions=0.9)
    spec, seats = find_game("house/volley"), np.arange(2)
    rows = np.zeros((2, *seat().observation_space.shape), np.float32)
    with make_vector_env(spec, 1, rules=StageRules(frame_skip=4, sticky_actions=0.5)) as env:
        for word in ("snapshot:random", "pool", "snapshot:random?noise=0.01"):
            policy = make_policy(word, spec, env.places)
            policy.begin(seats, [5, 6])
            actions = np.array([policy.act(seats, rows, None) for _ in range(TICKS)])
            assert len(changes(actions[:, 0].tolist())) > TICKS / 2
            policy.close()


def test_in_an_env_with_rules_of_its_own_nothing_is_held_twice(tmp_path):
    snapshot = snapshot_of(tmp_path, frame_skip=4, sticky_actions=0.9)
    rows = np.zeros((1, *seat().observation_space.shape), np.float32)
    batch = SnapshotBatch(snapshot, frame_skip=4, sticks=True)
    batch.begin(np.array([0]), [5])
    actions = [int(batch.act(np.array([0]), rows, None)[0]) for _ in range(TICKS)]
    assert len(changes(actions)) > TICKS / 2  # of six actions, each as likely


def test_sticky_actions_are_repeated_as_often_as_in_training(tmp_path):
    actions = live(snapshot_of(tmp_path, sticky_actions=0.9), range(2000))
    assert len(changes(actions)) / 2000 == pytest.approx(0.1 * 5 / 6, abs=0.03)


def test_an_action_that_became_illegal_is_not_held():
    held, one = HeldActions(frame_skip=5, start=2), np.array([0])
    held.begin(one, [1])
    assert held.play(one, held.due(one, None), np.array([3])).tolist() == [3]
    legal, illegal = np.array([[0, 1, 0]], np.int8), np.array([[1, 0, 1]], np.int8)
    assert not held.due(one, legal)[0]
    assert held.due(one, illegal)[0]
    assert held.play(one, np.array([True]), np.array([4])).tolist() == [4]
