"""Yardsticks: figures against each opponent, by role where the teams are different, and of a team alone."""

import numpy as np
import pytest

from agents.policies.functions import VectorBatch
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.sides import play_partners
from tests.support.generators import exhaust
from trainer.config import ConfigError
from trainer.config.reading import make_config
from trainer.league.export import Freezer
from trainer.league.yardstick import Yardstick
from trainer.networks.make import make_network
from trainer.sampling.plan import make_plan


def make_yardstick(game, tmp_path, said=None, **evaluation):
    run, spec = make_config({"game": game, "evaluation": {"games": 4} | evaluation}), find_game(game)
    plan = make_plan(run.policies, make_vector_env(spec, 1))
    networks = {p.id: make_network(run, p.observation_space, p.action_space) for p in plan.policies}
    say = (said if said is not None else []).append
    yardstick = Yardstick(run.evaluation, spec, plan, SnapshotStore(tmp_path), seed=1, say=say)
    return yardstick, networks.__getitem__


def measure(yardstick, network, *, most=2000, first=None):
    figures = {}
    yardstick.begin(network, first=first)
    for _ in range(most):
        figures |= yardstick.work(0.5)
        if yardstick.measurement is None:
            return figures
    raise AssertionError("expected the measurement to end")


def test_each_role_is_measured_on_its_own_team(tmp_path):
    yardstick, network = make_yardstick("mpe/simple_push_v3", tmp_path, against=["scripted", "random"])
    figures = measure(yardstick, network)  # no scripted player ships with this game
    assert set(figures) == {"win_rate_random", "win_rate_random/adversary", "win_rate_random/agent", "yardstick"}
    halves = [figures["win_rate_random/adversary"], figures["win_rate_random/agent"]]
    assert figures["win_rate_random"] == pytest.approx(sum(halves) / 2)


def test_a_team_alone_is_measured_by_its_score(tmp_path):
    yardstick, network = make_yardstick("mpe/simple_spread_v3", tmp_path)
    figures = measure(yardstick, network)
    assert set(figures) == {"score_alone", "yardstick"}
    assert figures["yardstick"] == figures["score_alone"] < 0


def test_a_team_is_measured_with_partners_that_stay_the_same_too(tmp_path):
    spread = f"python:{__name__}:stay"
    yardstick, network = make_yardstick(
        "mpe/simple_reference_v3", tmp_path, against=["random", "first", "scripted", "ladder", spread]
    )
    freeze(SnapshotStore(tmp_path), yardstick, network, "main", "first", "rated")
    yardstick._store = SnapshotStore(tmp_path, rating=lambda game, name: 30.0 if name == "rated" else None)
    figures = measure(yardstick, network, first={"main": "first"})
    partners = ["score_with_scripted", f"score_with_{spread}", "score_with_first"]
    assert set(figures) == {"score_alone", "yardstick", *partners}
    assert figures["score_with_first"] == pytest.approx(figures["score_alone"])  # it has the same weights
    assert len({figures[name] for name in partners}) == 3
    assert figures["yardstick"] == pytest.approx(np.mean([v for k, v in figures.items() if k != "yardstick"]))


def stay(observation, action_mask, rng):
    """A partner that does nothing."""
    return 0


def test_partners_play_every_other_seat_and_change_them():
    def player(number):
        def act(observations, masks, draws):
            counts.append((number, len(observations)))
            return np.zeros(len(observations), np.int64)

        return VectorBatch(act)

    counts, spec = [], find_game("mpe/simple_spread_v3")
    played = exhaust(play_partners(spec, player(0), player(1), games=1, seed=1))
    assert (len(played), set(counts)) == (1, {(0, 2), (1, 1)})
    counts.clear()
    exhaust(play_partners(spec, player(0), player(1), games=2, seed=1))
    assert set(counts) == {(0, 3), (1, 3)}


def test_players_of_the_ladder_play_their_own_roles(tmp_path):
    yardstick, network = make_yardstick("mpe/simple_tag_v3", tmp_path, against=["ladder"])
    ratings = {"hunter": 20.0, "runner": 25.0, "hunter-2": 30.0}
    store = SnapshotStore(tmp_path, rating=lambda game, name: ratings.get(name))
    yardstick._store = store
    freeze(store, yardstick, network, "adversary", "hunter", "hunter-2")
    assert "win_rate_ladder" not in measure(yardstick, network)  # no rated runner
    yardstick, network = make_yardstick("mpe/simple_tag_v3", tmp_path, against=["ladder"])
    yardstick._store = store
    freeze(store, yardstick, network, "agent", "runner")
    figures = measure(yardstick, network)
    lineups = [["hunter-2"] * 3 + ["runner"], ["hunter"] * 3 + ["runner"]]
    assert yardstick.as_data()["chosen"] == {"ladder": lineups}
    assert {"win_rate_ladder", "win_rate_ladder/agent", "yardstick"} < set(figures)


def freeze(store, yardstick, network, id, *names):
    """Freeze the untrained policy under these names."""
    policy = yardstick._plan[id]
    freezer = Freezer(store, policy, game=yardstick._spec.id, run="run", algorithm="PPO")
    seen = np.zeros((2, *policy.observation_space.shape), policy.observation_space.dtype)
    for name in names:
        freezer.freeze(network(id), name=name, step=0, parent="", note="", observations=seen, masks=None)


def test_the_scripted_player_of_a_game_of_its_own_observations_is_a_yardstick(tmp_path):
    yardstick, network = make_yardstick("openspiel/kuhn_poker", tmp_path, games=8, against=["scripted"])
    figures = measure(yardstick, network)
    assert 0 <= figures["win_rate_scripted"] == figures["yardstick"] <= 1


def test_the_next_measurement_can_begin_as_soon_as_the_last_figures_are_there(tmp_path):
    yardstick, network = make_yardstick("mpe/simple_spread_v3", tmp_path, games=1)
    for _ in range(2):
        yardstick.begin(network)
        assert yardstick.work(300.0)["yardstick"] < 0


def test_an_opponent_that_fails_is_left_out_from_then_on(tmp_path):
    said = []
    yardstick, network = make_yardstick(
        "mpe/simple_tag_v3", tmp_path, said, against=[f"python:{__name__}:fail", "random"]
    )
    assert "win_rate_random" in measure(yardstick, network)
    assert "no idea" in said[0]
    assert "win_rate_random" in measure(yardstick, network)
    assert len(said) == 1


def test_an_opponent_that_there_is_not_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"evaluation\.against: .*'nobody'"):
        make_yardstick("mpe/simple_tag_v3", tmp_path, against=["snapshot:nobody"])


def fail(observation, action_mask, rng):
    """A player that cannot decide."""
    raise RuntimeError("no idea")


def test_the_policies_that_are_measured_hold_actions_as_in_training(tmp_path):
    run, spec = make_config({"game": "house/volley", "wrappers": {"frame_skip": 3}}), find_game("house/volley")
    plan = make_plan(run.policies, make_vector_env(spec, 1))
    policy = plan.policies[0]
    network = make_network(run, policy.observation_space, policy.action_space)
    yardstick = Yardstick(run.evaluation, spec, plan, SnapshotStore(tmp_path), seed=1, say=print, rules=run.wrappers)
    player, seats = yardstick._player(network, policy), np.array([0, 1])
    player.begin(seats, [1, 2])
    seen = np.zeros((2, *policy.observation_space.shape), np.float32)
    actions = np.array([player.act(seats, seen, None) for _ in range(60)])
    assert (actions.reshape(20, 3, 2) == actions[::3, None]).all()
    assert len(np.unique(actions[:, 0])) > 1
    freezer = Freezer(SnapshotStore(tmp_path), policy, game=spec.id, run="run", algorithm="PPO", rules=run.wrappers)
    frozen = freezer.freeze(network, name="one", step=0, parent="", note="", observations=seen, masks=None)
    assert (frozen.card.frame_skip, frozen.card.sticky_actions) == (3, 0.0)


def test_the_opponents_that_a_run_chooses_stay_those_when_it_is_resumed(tmp_path):
    run, spec = make_config({"game": "classic/tictactoe_v3"}), find_game("classic/tictactoe_v3")
    plan = make_plan(run.policies, make_vector_env(spec, 1))
    (policy,) = plan.policies
    network = make_network(run, policy.observation_space, policy.action_space)
    ratings = {"strong": 30.0, "middle": 25.0, "weak": 10.0}
    store = SnapshotStore(tmp_path, rating=lambda game, name: ratings.get(name))
    seen = (np.zeros((2, *policy.observation_space.shape), policy.observation_space.dtype), np.ones((2, 9), bool))
    freezer = Freezer(store, policy, game=spec.id, run="run", algorithm="PPO")
    for name in ("weak", "first", "strong", "unrated", "middle"):
        freezer.freeze(network, name=name, step=0, parent="", note="", observations=seen[0], masks=seen[1])

    def made(**evaluation):
        settings = make_config({"game": spec.id, "evaluation": {"games": 4} | evaluation}).evaluation
        return Yardstick(settings, spec, plan, store, seed=1, say=print)

    yardstick = made()
    yardstick.begin(lambda id: network, first={policy.id: "first"})
    kept = yardstick.as_data()["chosen"]
    assert kept == {"first": {policy.id: "first"}, "ladder": [["strong"] * 2, ["middle"] * 2]}
    figures = measure(yardstick, lambda id: network)
    assert set(figures) == {f"win_rate_{one}" for one in ("random", "first", "scripted", "ladder")} | {"yardstick"}
    assert figures["yardstick"] == pytest.approx(np.mean([v for k, v in figures.items() if k != "yardstick"]))
    ratings["unrated"] = 99.0
    resumed = made()
    resumed.restore({"chosen": kept})
    resumed.begin(lambda id: network, first={policy.id: "unrated"})
    assert resumed.as_data()["chosen"] == kept
    assert made(against=["random"]).as_data() == {"chosen": None}
    older = made()
    older.restore({"chosen": {"ladder": ["strong", "middle"]}})
    assert older.as_data()["chosen"]["ladder"] == kept["ladder"]
