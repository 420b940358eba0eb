"""Sweeps: every trial is an ordinary run, a population's worse half goes on from the better one's checkpoints."""

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from trainer.config import ConfigError
from trainer.config.reading import make_config, read_config
from trainer.config.tuning import Domain, read_tune

BASE = {
    "game": "house/volley", "run": "sweep", "steps": 1024, "resources": {"games": 8}, "evaluation": {"steps": 0},
    "training": {"batch": 512, "minibatch": 256}, "freeze": {"save_steps": 0, "win_rate": 0, "placement_games": 0},
    "wrappers": {"max_ticks": 24},
}  # fmt: skip


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sample": 1}, r"tune\.sample: expected samples or another of"),
        ({"samples": 0}, r"tune\.samples: expected a number >= 1, got: 0"),
        ({"search": {"training.lr": 3}}, r"tune\.search\.training\.lr: expected one of uniform, loguniform"),
        ({"search": {"training.lr": {"loguniform": [0, 1]}}}, r"training\.lr: expected .* low > 0"),
        ({"search": {"training.lr": {"uniform": [2, 1]}}}, r"training\.lr: expected uniform = \[low, high\]"),
        ({"search": {"training.epochs": {"integers": [1.5, 3]}}}, r"training\.epochs: expected .* whole numbers"),
        ({"search": {"training.gamma": {"uniform": [0.5, 2]}}}, r"tune\.search: training\.gamma: .* <= 1"),
        ({"search": {"training.lrr": {"choice": [1]}}}, r"tune\.search: training\.lrr: expected lr"),
        ({"search": {"resources.games": {"choice": [4096]}}}, r"tune\.search: resources\.games: expected games"),
        ({"scheduler": "pbt"}, r"tune\.mutations: expected some"),
        ({"mutations": {"training.lr": {"choice": [1e-3]}}}, r"tune\.mutations: expected none"),
        ({"scheduler": "pbt", "mutations": {"network.lstm": {"choice": [8]}}}, r"expected settings of training"),
    ],
)  # fmt: skip
def test_a_wrong_sweep_is_named(given, message):
    with pytest.raises(ConfigError, match=message):
        read_tune(given, BASE)


def test_a_sweep_needs_an_end_of_its_trials():
    with pytest.raises(ConfigError, match="steps: expected an end of the trials"):
        read_tune({"search": {"training.lr": {"choice": [1e-3]}}}, BASE | {"steps": 0})


def test_bare_dotted_keys_of_toml_are_the_same_settings(tmp_path):
    path = tmp_path / "sweep.toml"
    path.write_text('samples = 2\n[search]\ntraining.lr = {loguniform = [1e-4, 1e-2]}\n"seed" = {grid = [1, 2]}\n')
    tune = read_tune(read_config(path), BASE)
    assert tune.search == {
        "training.lr": Domain(kind="loguniform", values=(1e-4, 1e-2)), "seed": Domain(kind="grid", values=(1, 2)),
    }  # fmt: skip
    assert tune.search["training.lr"].clip(1.0) == 1e-2


def test_the_sweep_in_the_manual_is_one(tmp_path):
    manual = (Path(__file__).parents[2] / "docs/train/sweeps.md").read_text("utf-8")
    path = tmp_path / "sweep.toml"
    path.write_text(re.search(r"```toml\n(\[tune\].*?)```", manual, flags=re.DOTALL)[1], "utf-8")
    assert read_tune(read_config(path)["tune"], BASE).mutations.keys() == {"training.lr", "training.entropy"}


def steps_of(home, run):
    return [json.loads(line)["step"] for line in (home / "runs" / run / "metrics.jsonl").read_text().splitlines()]


class Trial:
    """One of Ray Tune."""

    config = {}  # noqa: RUF012

    def __init__(self, number):
        self.trial_id = f"t_{number:05d}"


def test_the_time_left_of_a_sweep_counts_the_trials_to_come(capsys):
    from trainer.sweeps import SweepBar, SweepLog

    tune = read_tune({"samples": 2, "parallel": 2, "search": {"training.epochs": {"grid": [1, 2, 3]}}}, BASE)
    log, (first, second) = SweepLog("sweep", tune), (Trial(0), Trial(1))
    assert (tune.trials, log.seconds_left) == (6, None)

    def report(trial, spent, left):
        result = {"step": 512, tune.metric: 0.5, "time_total_s": spent, "seconds_left": left}
        log.on_trial_result(0, [], trial, result)

    report(first, 40.0, 20)
    assert log.seconds_left == (20 + 5 * 60) / 2
    report(second, 20.0, 20)
    assert log.seconds_left == (20 + 20 + 4 * 50) / 2
    assert "sweep left 0:02:40" in capsys.readouterr().out
    log.on_trial_complete(0, [], first)
    console = Console(force_terminal=True, width=80, color_system=None, file=io.StringIO())
    with SweepBar(console) as SweepLog.bar:
        log.on_trial_error(0, [], second)
        SweepLog.bar.refresh()
    SweepLog.bar = None
    assert log.seconds_left == 4 * 30 / 2
    assert "2/6 0:01:00" in console.file.getvalue()


def test_a_grid_is_played_as_ordinary_runs_and_tells_the_best(arcade_home, tmp_path, ray_cluster, capsys):
    from trainer.sweeps import begin_sweep, print_results, run_sweep

    given = {"samples": 1, "parallel": 2, "metric": "vf_loss", "mode": "min", "interval": 1,
             "search": {"training.lr": {"grid": [1e-4, 1e-2]}}}  # fmt: skip
    tune, folder = read_tune(given, BASE), arcade_home / "sweeps/sweep"
    begin_sweep(folder, BASE, tune)
    results = run_sweep(BASE, make_config(BASE), tune, folder=folder)
    assert sorted(result.sample["training.lr"] for result in results) == [1e-4, 1e-2]
    assert re.search(r"sweep-0\d step 512  .*sweep left 0:\d\d:\d\d", capsys.readouterr().out)
    assert [result.error for result in results] == ["", ""]
    assert all(result.over for result in results)
    assert results[0].value <= results[1].value
    assert {result.run for result in results} == {"sweep-00", "sweep-01"}
    for result in results:
        assert steps_of(arcade_home, result.run) == [512, 1024]
        assert (
            read_config(arcade_home / "runs" / result.run / "config.toml")["training"]["lr"]
            == (result.sample["training.lr"])
        )
        assert json.loads((arcade_home / "runs" / result.run / "manifest.json").read_text())["results"]["step"] == 1024
    assert [row["run"] for row in json.loads((folder / "results.json").read_text())] == [r.run for r in results]
    console = Console(width=120, record=True, quiet=True)
    console.quiet = False
    with console.capture() as shown:
        print_results(results, tune, console=console)
    assert f"best: {results[0].run}" in shown.get()
    assert "training.lr" in shown.get()
    again = run_sweep(BASE, make_config(BASE), tune, folder=folder)  # nothing is left to do
    assert again == results


def test_in_a_population_the_worse_go_on_from_the_better(arcade_home, ray_cluster):
    from trainer.sweeps import run_sweep

    base = BASE | {"steps": 30720}  # long enough that both run at once for a while, however late one begins
    given = {"samples": 2, "parallel": 2, "metric": "kl", "mode": "min", "scheduler": "pbt", "interval": 10,
             "search": {"training.lr": {"loguniform": [1e-7, 1e-2]}},  # who moves less has the lower KL divergence
             "mutations": {"training.entropy": {"uniform": [0.0, 0.02]}}}  # fmt: skip
    results = run_sweep(base, make_config(base), read_tune(given, base), folder=arcade_home / "sweeps/sweep")
    assert [result.error for result in results] == ["", ""]
    sessions = {}
    for result in results:
        assert 0.0 <= result.sample["training.entropy"] <= 0.02
        assert result.step == 30720
        manifest = json.loads((arcade_home / "runs" / result.run / "manifest.json").read_text())
        sessions[result.run] = len(manifest["sessions"])
    assert max(sessions.values()) > 1, f"expected a run that moved on, got sessions: {sessions}"
    assert len({result.sample["training.lr"] for result in results}) == 1, "expected the better's settings in both"


def test_the_worse_end_early_where_asked():
    from trainer.sweeps import make_scheduler

    def result(step, value):
        return {"iteration": step, "score": value, "training_iteration": step}

    scheduler = make_scheduler(read_tune({"scheduler": "asha", "interval": 2, "reduction": 2}, BASE))
    scheduler.set_search_properties("score", "max")
    good, bad = Trial(0), Trial(1)
    for trial in (good, bad):
        scheduler.on_trial_add(None, trial)
    assert scheduler.on_trial_result(None, good, result(2, 5.0)) == "CONTINUE"
    assert scheduler.on_trial_result(None, bad, result(1, 1.0)) == "CONTINUE"
    assert scheduler.on_trial_result(None, bad, result(2, 1.0)) == "STOP"
