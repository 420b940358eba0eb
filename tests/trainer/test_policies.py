"""Policy configurations: who is played by which policy, the critic that sees all, the encoder that all share."""

import numpy as np
import pytest

from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.match.batch.make import make_vector_env, with_kwargs
from tests.support.runs import close, finish, make_run
from trainer.algorithms.make import make_algorithm_config
from trainer.config import ConfigError
from trainer.config.reading import make_config
from trainer.config.sections import PolicySettings
from trainer.networks.seat import begin, decide
from trainer.sampling.plan import make_plan

TINY = {
    "resources": {"games": 2}, "training": {"batch": 64, "minibatch": 32, "epochs": 1}, "evaluation": {"steps": 0},
    "freeze": {"placement_games": 0, "at_start": False},
}  # fmt: skip
TAG, FOUR = "mpe/simple_tag_v3", "classic/connect_four_v3"
VOLLEY = find_game("house/volley")


@pytest.mark.parametrize(
    ("game", "settings", "expected"),
    [
        (FOUR, {}, {"player_0": "main", "player_1": "main"}),
        (FOUR, {"kind": "teams"}, {"player_0": "player_0", "player_1": "player_1"}),
        (TAG, {}, {"adversary_0": "adversary", "adversary_2": "adversary", "agent_0": "agent"}),
        (TAG, {"kind": "parameter_sharing"}, {"adversary_1": "adversary", "agent_0": "agent"}),
        (TAG, {"kind": "independent"}, {"adversary_1": "adversary_1", "agent_0": "agent_0"}),
        (TAG, {"kind": "shared_value_function"}, {"adversary_1": "adversary_1"}),
        (TAG, {"mapping": {"adversary_2": "lone"}}, {"adversary_1": "adversary", "adversary_2": "lone"}),
    ],
)
def test_every_agent_has_the_policy_that_the_settings_say(game, settings, expected):
    batch = make_vector_env(find_game(game), 1)
    plan = make_plan(PolicySettings(**settings), batch)
    batch.close()
    assert {agent: plan.policy_of[agent] for agent in expected} == expected
    assert set(plan.policy_of) == set(batch.agents)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"mapping": {"adversary_7": "x"}}, "policies.mapping.*adversary_0.*'adversary_7'"),
        ({"mapping": {"agent_0": "adversary"}}, "policies.mapping.*equal spaces.*'adversary'"),
        ({"train": ["adverse"]}, "policies.train.*adversary.*'adverse'"),
    ],
)
def test_a_mapping_that_cannot_be_is_refused_by_its_field(settings, message):
    batch = make_vector_env(find_game(TAG), 1)
    with pytest.raises(ConfigError, match=message):
        make_plan(PolicySettings(**settings), batch)
    batch.close()


def test_policies_are_made_in_the_order_of_their_agents_so_that_a_seed_gives_each_the_same_weights():
    run = make_config({"game": TAG, "policies": {"kind": "independent"}})
    spec = with_kwargs(find_game(TAG), {"num_adversaries": 6})
    batch = make_vector_env(spec, 1)
    config = make_algorithm_config(run, spec, batch)
    batch.close()
    assert tuple(config.policies) == spec.agents
    assert tuple(config.get_multi_rl_module_spec().rl_module_specs) == spec.agents


def test_teams_of_several_have_a_policy_each():
    from dataclasses import replace

    spec = with_kwargs(VOLLEY, {"team_size": 2})
    assert spec.agents == ("left_0", "left_1", "right_0", "right_1")
    assert spec.teams == (("left_0", "left_1"), ("right_0", "right_1"))
    plan = make_plan(PolicySettings(kind="teams"), make_vector_env(replace(spec, batch=""), 1))
    assert [(policy.id, policy.agents) for policy in plan.policies] == [
        ("left", ("left_0", "left_1")), ("right", ("right_0", "right_1")),
    ]  # fmt: skip


def test_the_shared_critic_sees_what_every_agent_sees(tmp_path, ray_cluster):
    """The value of one agent's state changes with what another one observes, and its own policy's does not."""
    run = make_run(TAG, TINY | {"steps": 128, "policies": {"kind": "shared_value_function"}}, tmp_path)
    run.run()
    seats, other = run.runner.seats[0], run.runner.batch.groups[1]
    rows = np.array([0])
    before, chosen = value_and_inputs(run, seats, rows)
    other.observations[0] += 1.0
    after, same = value_and_inputs(run, seats, rows)
    assert before != pytest.approx(after, abs=1e-4)
    assert np.array_equal(chosen, same)
    learner = run.algorithm.learner_group._learner
    assert {"critic", "adversary_0", "agent_0"} <= set(learner.module.keys())
    assert not any(name.startswith("network.vf") for name in learner.module["agent_0"].state_dict())
    close(run)


def value_and_inputs(run, seats, rows):
    central = seats._central
    network = run.runner.network(seats.policy.id)
    seen = seats.group.observations.reshape(-1, *seats.group.observations.shape[2:])[rows]
    decision = decide(network, seen, None, begin(network, 1))
    return float(central.values(seats.group, rows)[0]), decision.inputs


def test_the_shared_critic_learns_from_every_policy(tmp_path, ray_cluster):
    run = make_run(TAG, TINY | {"steps": 64, "policies": {"kind": "shared_value_function"}}, tmp_path)
    before = {name: weight.copy() for name, weight in run.runner.module["critic"].get_state().items()}
    finish(run)
    after = run.runner.module["critic"].get_state()
    assert all(np.abs(after[name] - weight).max() > 0 for name, weight in before.items())


def test_a_shared_encoder_is_one_for_all_and_goes_into_every_snapshot(tmp_path, ray_cluster):
    policies = {"kind": "independent", "shared_encoder": True}
    run = make_run(FOUR, TINY | {"steps": 128, "policies": policies, "freeze": {"save_steps": 64}}, tmp_path)
    encoder = {name: weight.copy() for name, weight in run.runner.module["encoder_0"].get_state().items()}
    run.run()
    after = run.runner.module["encoder_0"].get_state()
    assert any(np.abs(after[name] - weight).max() > 0 for name, weight in encoder.items())
    eyes = {id(run.runner.network(agent).eyes) for agent in ("player_0", "player_1")}
    assert eyes == {id(run.runner.module["encoder_0"].network)}
    seen, masks = run.runner.recent_observations("player_1", 2)
    masks[:, :5] = 1
    snapshot = SnapshotStore(tmp_path / "snapshots").get("test-player_1-0002")
    assert snapshot.card.agents == ("player_1",)
    network = run.runner.network("player_1")
    inputs = decide(network, seen, masks, begin(network, len(seen))).inputs
    probabilities = np.exp(inputs) / np.exp(inputs).sum(axis=1, keepdims=True)
    graph = OnnxPolicy(snapshot).evaluate(seen, masks)[0]["action_probabilities"]
    assert graph == pytest.approx(probabilities, abs=1e-5)
    close(run)


def test_a_hundred_agents_learn_together(tmp_path, ray_cluster):
    spec = with_kwargs(find_game("mpe/simple_spread_v3"), {"N": 100})
    assert len(spec.agents) == 100
    assert len(spec.teams) == 1
    settings = TINY | {"resources": {"games": 1}, "training": {"batch": 8, "minibatch": 8, "epochs": 1}, "steps": 16}
    settings["freeze"] = {"save_steps": 16, "at_start": False, "placement_games": 0}
    run = make_run("mpe/simple_spread_v3", settings | {"game_kwargs": {"N": 100}}, tmp_path)
    finish(run)
    (card,) = SnapshotStore(tmp_path / "snapshots").list(spec.id)
    assert len(card.agents) == 100
