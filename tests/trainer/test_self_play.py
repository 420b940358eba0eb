"""Two iterations end to end on our own game and on a game of turns with masks, with freezing and the pool."""

import json

import numpy as np
import pytest

from agents.ladder.ladder import Ladder
from agents.policies.functions import VectorBatch
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.match.batch.opponents import make_policy
from arcade.match.batch.sides import play_sides, win_rate
from tests.support.event_log import EventLog
from tests.support.generators import exhaust
from tests.support.runs import VOLLEY, close, finish, make_run
from trainer.networks.seat import NetworkBatch, decide


@pytest.mark.parametrize(
    ("game", "settings"),
    [("house/volley", VOLLEY), ("classic/connect_four_v3", {"training": {"batch": 512, "minibatch": 128}})],
)
def test_a_run_trains_freezes_and_meets_what_it_froze(game, settings, tmp_path, ray_cluster):
    more = {
        "steps": 1500,
        "freeze": {"save_steps": 500},
        "opponents": {"play_against_latest_model_ratio": 0.0},
        "evaluation": {"steps": 0},
    }
    run = make_run(game, settings | more, tmp_path)
    before = {name: weight.copy() for name, weight in run.runner.module["main"].get_state().items()}
    with EventLog.of(run.server._publisher, run.server.endpoints["events"]) as log:
        run.run()
        log.next("status", state="stopped")
        close(run)
    frozen = [data["name"] for data in log.named("snapshot_frozen")]
    assert frozen == ["test-0000", "test-0001", "test-0002", "test-0003"]
    assert [data["state"] for data in log.named("status")] == ["running", "stopped"]
    cards = SnapshotStore(tmp_path / "snapshots").list(run.spec.id)
    assert [(card.name, card.step, card.parent) for card in cards] == [
        ("test-0000", 0, ""), ("test-0001", 512, "test-0000"),
        ("test-0002", 1024, "test-0001"), ("test-0003", 1536, "test-0002"),
    ]  # fmt: skip
    seconds = [card.trained_seconds for card in cards]
    assert seconds == sorted(seconds)
    assert seconds[0] == 0 < seconds[1]
    assert run.lineages[0].names == frozen
    assert list(run.runner.opponents.snapshots) == frozen[:-1]  # the last one came behind the last fragment
    after = run.runner.module["main"].get_state()
    assert any(np.abs(after[name] - weight).max() > 1e-4 for name, weight in before.items())
    lines = [json.loads(line) for line in (tmp_path / "runs/test/metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [512, 1024, 1536]
    assert all("score" in line for line in lines if "win_rate" in line)  # neither without games
    assert not (tmp_path / "runs/test/endpoints.json").exists()
    assert list((tmp_path / "runs/test/tensorboard").iterdir())


def test_the_same_settings_and_seed_train_alike(tmp_path, ray_cluster):
    settings = VOLLEY | {"steps": 1500, "freeze": {"save_steps": 500}, "evaluation": {"steps": 0}}
    settings |= {"policies": {"kind": "independent"}, "opponents": {"play_against_latest_model_ratio": 0.5}}

    def train(folder, seed):
        finish(make_run("house/volley", settings | {"seed": seed}, folder))
        lines = [json.loads(line) for line in (folder / "runs/test/metrics.jsonl").read_text().splitlines()]
        graphs = {path.parent.name: path.read_bytes() for path in folder.glob("snapshots/*/policy.onnx")}
        return [{k: v for k, v in line.items() if k not in ("steps_per_second", "time")} for line in lines], graphs

    first = train(tmp_path / "first", 3)
    assert len(first[1]) == 2 * 4
    assert train(tmp_path / "second", 3) == first
    assert train(tmp_path / "other", 4) != first


def test_matches_for_ladder_and_yardstick_are_played_between_iterations(tmp_path, ray_cluster, monkeypatch):
    monkeypatch.setattr("trainer.runs.training.PIECE_SECONDS", 0.05)
    settings = VOLLEY | {"steps": 40_000, "freeze": {"save_steps": 1024}, "evaluation": {"steps": 512}}
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        run = make_run("house/volley", settings, tmp_path, ladder=ladder)
        stopped_at, seen = [], set()

        def stop_once_measured(metrics, *_, **__):
            seen.update(metrics)
            if "win_rate_scripted" in seen and ladder.results("house/volley"):
                run.server.request("stop")
                stopped_at.append(metrics["step"])

        monkeypatch.setattr(run.progress, "show", stop_once_measured)
        finish(run)
        assert [run.step] == stopped_at  # what was left to play did not hold up the end
        assert run.iteration > 2


def test_a_ladder_that_fails_ends_no_run(tmp_path, ray_cluster, monkeypatch):
    settings = VOLLEY | {"steps": 1500, "freeze": {"save_steps": 512}, "evaluation": {"steps": 0}}
    told = []
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        run = make_run("house/volley", settings, tmp_path, ladder=ladder)
        monkeypatch.setattr(run.progress, "say", told.append)
        monkeypatch.setattr(run.folder, "write", lambda metrics: ladder.close())  # behind the first iteration
        finish(run)
    assert run.step >= 1500
    assert run.frozen == 4
    [words] = [words for words in told if "ladder" in words]
    assert words.startswith("the run continues without the ladder: expected to ")


def test_two_iterations_with_a_remote_runner(tmp_path, ray_cluster):
    settings = VOLLEY | {"steps": 1024, "evaluation": {"steps": 0}, "freeze": {"save_steps": 500}}
    settings["resources"] = {"games": 8, "runners": 1}
    run = make_run("house/volley", settings, tmp_path)
    before = {name: weight.copy() for name, weight in run.runner.module["main"].get_state().items()}
    finish(run)
    assert (run.step, run.frozen, run.iteration) == (1024, 3, 2)
    after = run.runner.module["main"].get_state()
    assert any(np.abs(after[name] - weight).max() > 1e-4 for name, weight in before.items())
    resumed = make_run("house/volley", settings | {"steps": 1536}, tmp_path, resume=True)
    finish(resumed)
    assert resumed.step == 1536
    assert resumed.seconds > run.seconds > 0  # the time in which nothing ran does not count


def test_a_resumed_run_goes_on_where_the_checkpoint_was(tmp_path, ray_cluster):
    settings = VOLLEY | {"steps": 1024, "evaluation": {"steps": 0}}
    first = make_run("house/volley", settings, tmp_path)
    first.run()
    weights, randomness = first.runner.module["main"].get_state(), first.runner.rng.bit_generator.state
    optimizer = first.algorithm.learner_group._learner._get_optimizer_state()
    close(first)
    snapshot = (tmp_path / "snapshots/test-0000/policy.onnx").read_bytes()
    second = make_run("house/volley", settings | {"steps": 1536}, tmp_path, resume=True)
    assert second.step == 1024
    assert second.lineages[0].as_data() == first.lineages[0].as_data()
    assert second.lineages[0].names == ["test-0000"]
    assert second.runner.rng.bit_generator.state == randomness
    for name, weight in second.runner.module["main"].get_state().items():
        assert np.array_equal(weight, weights[name]), name
    again = second.algorithm.learner_group._learner._get_optimizer_state()
    assert _steps_taken(again) == _steps_taken(optimizer) > 0
    finish(second)
    assert second.step == 1536
    assert (tmp_path / "snapshots/test-0000/policy.onnx").read_bytes() == snapshot


def _steps_taken(state):
    (name,) = state
    return float(state[name]["state"]["state"][0]["step"])


def test_a_run_can_start_from_a_snapshot(tmp_path, ray_cluster):
    finish(make_run("house/volley", VOLLEY | {"steps": 512, "freeze": {"save_steps": 500}}, tmp_path))
    parent = SnapshotStore(tmp_path / "snapshots").get("test-0001")
    second = make_run("house/volley", VOLLEY | {"start_from": "latest", "steps": 512}, tmp_path, name="second")
    (lineage,) = second.lineages
    assert (second.step, lineage.parent, len(lineage.pool.members)) == (512, "test-0001", 2)
    seen = np.random.default_rng(0).normal(size=(8, *parent.card.observation.shape)).astype(np.float32)
    values = decide(second.runner.network("main"), seen, None, {}).values
    learnt = second.algorithm.learner_group._learner.module["main"].network
    assert np.array_equal(decide(learnt, seen, None, {}).values, values)
    assert values == pytest.approx(OnnxPolicy(parent).evaluate(seen)[1], abs=1e-5)
    finish(second)
    assert second.step == 1024


def test_a_cooperative_run_plays_with_its_own_past_and_with_a_fixed_partner(tmp_path, ray_cluster):
    opponents = {"partner_ratio": 0.5, "fixed": ["random"], "fixed_ratio": 0.5, "play_against_latest_model_ratio": 0.0}
    settings = {
        "steps": 2048, "opponents": opponents, "evaluation": {"steps": 0}, "freeze": {"save_steps": 1024},
        "resources": {"games": 8}, "training": {"batch": 512, "minibatch": 256}, "wrappers": {"max_ticks": 10},
    }  # fmt: skip
    run = make_run("mpe/simple_spread_v3", settings, tmp_path)
    met = []
    count = run.opponent_pools.count
    run.opponent_pools.count = lambda reports: (met.extend(r for one in reports for r in one.results), count(reports))
    finish(run)
    assert {result.partner for result in met} >= {"random", "test-0000", "test-0001"}
    assert not any(result.partner == "" for result in met[len(met) // 2 :])
    table = {row["name"]: row["weight"] for row in run.opponent_pools.table()["main"]}
    assert table == pytest.approx({"random": 0.5, "test-0000": 1 / 6, "test-0001": 1 / 6, "test-0002": 1 / 6})


def test_connect_four_is_learnt_well_enough_to_beat_random_play(tmp_path, ray_cluster):
    settings = {"steps": 60_000, "seed": 3, "evaluation": {"steps": 0}, "freeze": {"save_steps": 20_000}}
    settings |= {"resources": {"games": 32}, "training": {"batch": 2048, "minibatch": 256}}
    run = make_run("classic/connect_four_v3", settings, tmp_path)
    finish(run)

    at_random = make_policy("random", run.spec, run.runner.batch.places)
    played = exhaust(play_sides(run.spec, NetworkBatch(run.runner.network("main")), at_random, games=60, seed=1))
    assert win_rate(played) > 0.65


def test_a_series_gives_each_side_to_each_player(tmp_path):
    spec = find_game("house/volley")
    scripted = make_policy("scripted", spec, [])
    idle = VectorBatch(lambda observations, masks, draws: np.zeros(len(observations), np.int64))
    played = exhaust(play_sides(spec, scripted, idle, games=4, seed=1))
    assert win_rate(played) == 1.0
    assert [game.result.returns["left_0"] > 0 for game in played] == [True, False, True, False]
    assert exhaust(play_sides(spec, scripted, idle, games=4, seed=1)) == played


def test_a_run_killed_before_its_first_checkpoint_begins_anew(tmp_path, ray_cluster):
    settings = VOLLEY | {"steps": 512, "evaluation": {"steps": 0}}
    close(make_run("house/volley", settings, tmp_path))
    run = make_run("house/volley", settings, tmp_path, resume=True)
    assert run.step == 0
    finish(run)
    assert run.step == 512
