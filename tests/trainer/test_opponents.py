"""Opponents of every kind, in games that go on whatever becomes of them."""

import threading

import numpy as np
import pytest
from gymnasium import spaces
from onnx import TensorProto, helper

from agents.policies import adapters
from agents.policies.adapters import ControllerBatch
from agents.policies.functions import FunctionController, VectorBatch
from agents.policies.random import RandomBatch
from agents.policies.snapshot import SnapshotBatch
from agents.seats.controller import ControllerError, SeatSpec
from agents.snapshots.snapshot import Snapshot, make_snapshot
from agents.snapshots.store import SnapshotCard, SnapshotError, SnapshotStore
from agents.spaces import action_signature, observation_signature
from agents.wire.served_policies import FunctionPolicies
from agents.wire.server import PolicyServer
from arcade.games import find_game
from arcade.match.batch.make import make_vector_env, with_kwargs
from arcade.match.batch.opponents import LIVE, Opponents, find_snapshot, fitting
from arcade.match.batch.sides import play_sides
from tests.support.generators import exhaust
from tests.support.runners import SPEC, Turns, make_runner, meet
from trainer.config.sections import PolicySettings
from trainer.sampling.episodes import Episodes, OpponentMix
from trainer.sampling.plan import make_plan

SEATS = np.arange(4)


def last_action(observation, action_mask, rng):
    """Plays 1."""
    return 1


def first_then_break(observation, action_mask, rng):
    """Plays 0 while the ply is below 3, then fails."""
    if observation[0] >= 3:
        raise RuntimeError("out of ideas")
    return 0


def counting_graph(actions=2):
    """A policy with memory that plays 0, 1, 0, 1, … in each episode."""
    make = helper.make_tensor_value_info
    inputs = [make("observation", TensorProto.FLOAT, ["b", 1]), make("state_in_turn", TensorProto.FLOAT, ["b", 1])]
    outputs = [
        make("action_probabilities", TensorProto.FLOAT, ["b", actions]),
        make("state_out_turn", TensorProto.FLOAT, ["b", 1]),
    ]
    nodes = [
        helper.make_node("Sub", ["one", "state_in_turn"], ["state_out_turn"]),
        helper.make_node("Equal", ["state_in_turn", "places"], ["same"]),
        helper.make_node("Cast", ["same"], ["action_probabilities"], to=TensorProto.FLOAT),
    ]
    weights = [
        helper.make_tensor("one", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("places", TensorProto.FLOAT, [actions], list(range(actions))),
    ]
    graph = helper.make_graph(nodes, "counting", inputs, outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return model.SerializeToString()


def counting_snapshot(name="counting"):
    batch = Turns(SPEC, 1)
    (group,) = batch.groups
    signatures = {
        "observation": observation_signature(group.observation_space),
        "action": action_signature(group.action_space),
    }
    return make_snapshot(SnapshotCard(name=name, game=SPEC.id, **signatures), counting_graph())


def make_opponents():
    batch = Turns(SPEC, 2)
    return Opponents(SPEC, batch.places, games=2), flat_of(batch)


def flat_of(batch):
    return batch.groups[0].observations.reshape(-1, 1)


def test_a_snapshot_with_memory_keeps_it_by_seat():
    opponents, seen = make_opponents()
    opponents.hold({"counting": counting_snapshot()}, needed={"counting"})
    number = opponents.number("counting")
    assert opponents.act(np.full(4, number), SEATS, seen, None).tolist() == [0, 0, 0, 0]
    assert opponents.act(np.full(2, number), SEATS[1:3], seen[1:3], None).tolist() == [1, 1]
    opponents.begin(SEATS[2:], [0, 0])  # new episodes there
    assert opponents.act(np.full(4, number), SEATS, seen, None).tolist() == [1, 0, 0, 0]


def random_policy(space):
    return RandomBatch([SeatSpec(game="test/game", agent="a", observation_space=None, action_space=space)])


def test_random_play_is_legal_and_even():
    masks = np.tile(np.array([[1, 0, 1, 1]], np.int8), (6000, 1))
    seats, seen = np.arange(6000), np.zeros((6000, 1))
    for space, width in ((spaces.Discrete(4), 4), (spaces.Discrete(4, start=-2), 4)):
        policy = random_policy(space)
        policy.begin(seats, seats)
        actions = policy.act(seats, seen, masks) - int(space.start)
        shares = np.bincount(actions, minlength=width) / 6000
        assert shares == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3], abs=0.03)
    for space in (
        spaces.Box(-2, 3, (2,)),
        spaces.MultiDiscrete([2, 3]),
        spaces.MultiBinary(3),
        spaces.Box(0, 9, (2,), np.int8),
    ):
        policy = random_policy(space)
        policy.begin(seats[:5], seats[:5])
        actions = policy.act(seats[:5], seen[:5], None)
        assert all(space.contains(action) for action in actions)


def test_a_function_and_random_play_are_met_by_their_words(monkeypatch):
    runner = make_runner(monkeypatch)
    word = f"python:{__name__}:last_action"
    runner.prepare({"main": OpponentMix(0.0, seats={"main": {word: 0.5, "random": 0.5}})}, {})
    for _ in range(4):
        runner.sample()
    assert {result.opponent for result in runner.pop_report().results} == {word, "random"}


def test_one_that_fails_is_dropped_and_the_games_go_on(monkeypatch):
    runner = make_runner(monkeypatch)
    word = f"python:{__name__}:first_then_break"
    runner.prepare({"main": OpponentMix(0.0, seats={"main": {word: 1.0}})}, {})
    runner.sample()
    assert "out of ideas" in runner.opponents.dropped[word]
    assert {result.opponent for result in runner.pop_report().results} <= {""}  # nothing is booked against a stand-in
    runner.prepare({"main": OpponentMix(0.0, seats={"main": {word: 1.0}})}, {})
    runner.sample()
    runner.pop_report()
    runner.sample()
    assert {result.opponent for result in runner.pop_report().results} == {""}  # itself instead


def test_a_remote_agent_plays_every_seat_until_it_is_gone(monkeypatch):
    monkeypatch.setattr(adapters, "PATIENCE", 5.0)
    opponents, seen = make_opponents()
    with PolicyServer(FunctionPolicies(last_action), endpoint="tcp://127.0.0.1:*") as server:
        thread = threading.Thread(target=server.run)
        thread.start()
        number = opponents.number(f"remote:{server.endpoint}")
        for _ in range(3):
            assert opponents.act(np.full(4, number), SEATS, seen, None).tolist() == [1, 1, 1, 1]
        opponents.begin(SEATS[:2], [0, 0])
        assert opponents.act(np.full(4, number), SEATS, seen, None).tolist() == [1, 1, 1, 1]
        assert not opponents.dropped
        server.stop()
        thread.join()
    monkeypatch.setattr(adapters, "PATIENCE", 0.05)
    actions = opponents.act(np.full(4, number), SEATS, seen, None)
    assert set(actions.tolist()) <= {0, 1}
    assert "to answer within" in opponents.dropped[opponents.names[number]]
    opponents.close()


class Slow(FunctionController):
    """Answers when it is asked for the fourth time."""

    patience = 60.0

    def observe(self, turn):
        super().observe(turn)
        self.asked = 0

    def act(self):
        self.asked += 1
        return super().act() if self.asked > 3 else None


def test_who_says_how_long_an_answer_takes_is_given_that_time(monkeypatch):
    monkeypatch.setattr(adapters, "PATIENCE", 0.0)
    batch = Turns(SPEC, 2)
    policy = ControllerBatch(lambda seat: Slow(last_action), batch.places, label="slow")
    policy.begin(SEATS, range(4))
    assert policy.act(SEATS, flat_of(batch), None).tolist() == [1, 1, 1, 1]
    monkeypatch.setattr(Slow, "patience", 0.0)
    with pytest.raises(ControllerError, match="to answer within 0 s"):
        policy.act(SEATS, flat_of(batch), None)


def test_memory_does_not_grow_with_those_that_were_met(monkeypatch, tmp_path):
    runner = make_runner(monkeypatch)
    for number in range(100):
        meet(runner, ("main", counting_snapshot(f"s{number}")))
        runner.sample()
    assert len(runner.opponents.snapshots) < 50
    assert {result.opponent for result in runner.pop_report().results} >= {f"s{number}" for number in range(1, 99)}
    assert not runner.opponents.dropped


def test_a_foreign_graph_without_a_card_plays_where_it_fits(tmp_path):
    batch, store = Turns(SPEC, 1), SnapshotStore(tmp_path / "store")
    path = tmp_path / "My Policy.onnx"
    path.write_bytes(counting_graph())
    word = f"snapshot:{path}"
    snapshot = find_snapshot(word, batch, store)
    assert isinstance(snapshot, Snapshot)
    assert fitting(word, snapshot, batch) == ["a", "b"]
    SnapshotBatch(snapshot)
    path.write_bytes(counting_graph(actions=3))
    with pytest.raises(SnapshotError, match=r"My Policy.onnx fits no seat of test/turns: .*action_probabilities"):
        find_snapshot(word, batch, store)
    path.write_bytes(b"no graph")
    with pytest.raises(SnapshotError, match="fits no seat"):
        find_snapshot(word, batch, store)
    with pytest.raises(SnapshotError, match="expected an ONNX file"):
        find_snapshot(f"snapshot:{tmp_path}/none.onnx", batch, store)


def test_seats_of_a_team_are_cast_alike_and_teams_by_turns():
    spec = find_game("mpe/simple_tag_v3")
    batch = make_vector_env(spec, 1)
    opponents = Opponents(spec, batch.places, games=1)
    cast = Episodes(spec, make_plan(PolicySettings(), batch), opponents, num_envs=4000)
    weights = {"snapshot-1": 0.25, "snapshot-2": 0.5, "": 0.25}
    cast.set_mixes(
        {
            "adversary": OpponentMix(0.0, seats={"agent": {"x": 1.0}}),
            "agent": OpponentMix(0.2, seats={"adversary": weights}),
        }
    )
    cast.begin(np.arange(4000), np.random.default_rng(0))
    pursuers, prey = cast.opponent[cast.policy == 1][:, :3], cast.opponent[cast.policy == 0]
    assert len(prey) == pytest.approx(2000, abs=150)
    assert (prey == [[LIVE, LIVE, LIVE, opponents.number("x")]]).all()
    assert (pursuers == pursuers[:, :1]).all()
    shares = {name: (pursuers[:, 0] == opponents.number(name)).mean() for name in ("snapshot-1", "snapshot-2")}
    assert shares == pytest.approx({"snapshot-1": 0.2, "snapshot-2": 0.4}, abs=0.04)
    assert (pursuers[:, 0] == LIVE).mean() == pytest.approx(0.4, abs=0.04)
    assert ((cast.learner == -1) == (cast.opponent != LIVE)).all()
    names = {opponents.names[n] if n != LIVE else "" for n in np.unique(cast.rival)}
    assert names == {"", "x", "snapshot-1", "snapshot-2"}


def test_partners_take_some_seats_of_the_learners_own_team():
    spec = find_game("mpe/simple_spread_v3")
    batch = make_vector_env(spec, 1)
    opponents = Opponents(spec, batch.places, games=1)
    cast = Episodes(spec, make_plan(PolicySettings(), batch), opponents, num_envs=4000)
    cast.set_mixes({"main": OpponentMix(1.0, partners={"main": {"clone": 0.25, "snapshot-1": 0.5}})})
    cast.begin(np.arange(4000), np.random.default_rng(0))
    taken = cast.opponent != LIVE
    assert {len(set(row[row != LIVE])) for row in cast.opponent} == {0, 1}  # one partner an episode
    assert (cast.opponent == opponents.number("clone")).any(axis=1).mean() == pytest.approx(0.25, abs=0.03)
    assert (cast.opponent == opponents.number("snapshot-1")).any(axis=1).mean() == pytest.approx(0.5, abs=0.03)
    shares = np.bincount(taken.sum(axis=1), minlength=4) / 4000
    assert shares == pytest.approx([0.25, 0.375, 0.375, 0.0], abs=0.03)  # at least one seat is the learner's
    assert taken.mean(axis=0) == pytest.approx(taken.mean(), abs=0.03)  # whichever it is
    assert ((cast.learner == -1) == taken).all()
    cast.step(np.ones((4000, 3), np.float32))
    cast.end(np.arange(4000))
    results = cast.pop_results()
    assert {result.opponent for result in results} == {"", "clone", "snapshot-1"}
    assert all(result.partner == result.opponent and result.score == 1.0 for result in results)


def test_a_team_with_a_partner_meets_its_opponents_as_before():
    spec = with_kwargs(find_game("house/volley"), {"team_size": 2})
    batch = make_vector_env(spec, 1)
    opponents = Opponents(spec, batch.places, games=1)
    cast = Episodes(spec, make_plan(PolicySettings(), batch), opponents, num_envs=1000)
    cast.set_mixes({"main": OpponentMix(0.5, seats={"main": {"rival": 1.0}}, partners={"main": {"mate": 1.0}})})
    cast.begin(np.arange(1000), np.random.default_rng(0))
    team = np.array([[spec.team_of(agent) for agent in spec.agents]]) == cast.team[:, None]
    rival, mate = opponents.number("rival"), opponents.number("mate")
    assert set(np.unique(cast.opponent[team])) == {LIVE, mate}
    assert set(np.unique(cast.opponent[~team])) == {LIVE, rival}
    assert (cast.rival == rival).mean() == pytest.approx(0.5, abs=0.06)
    cast.end(np.arange(1000))
    assert {(result.opponent, result.partner) for result in cast.pop_results()} == {("rival", "mate"), ("mate", "mate")}


def test_a_series_can_keep_a_side_on_its_team():
    first = VectorBatch(lambda observations, masks, draws: np.zeros(len(observations), np.int64))
    spec = find_game("mpe/simple_tag_v3")
    played = exhaust(play_sides(spec, first, first, games=3, seed=1, teams=[1]))
    assert [game.team for game in played] == [1, 1, 1]
