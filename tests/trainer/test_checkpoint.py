"""What is kept of a run: which checkpoints, and all that a resume needs."""

import errno
import json
import random
import shutil
import threading

import numpy as np
import pytest
import torch

from agents.seal import check_seal, seal
from tests.support.runs import VOLLEY, close, finish, make_run
from tests.support.saved_algorithm import SavedAlgorithm
from trainer.config import ConfigError
from trainer.runs import checkpoint
from trainer.runs.checkpoint import (
    MEASURED_FILE,
    CheckpointFolder,
    first_sound,
    metric_of,
    read_measured,
    read_score,
    read_state,
)


def save_all(folder, values):
    for number, value in enumerate(values):
        folder.add({} if value is None else {"score": value})
        folder.save(SavedAlgorithm(), {"number": number}, step=number)
    return sorted(int(path.name) for path in folder.root.iterdir())


@pytest.mark.parametrize(
    ("last", "best", "kept"), [(2, 0, [5, 6]), (1, 1, [2, 6]), (2, 2, [2, 4, 5, 6]), (1, 9, [0, 2, 3, 4, 6])]
)
def test_the_newest_and_the_best_are_kept(last, best, kept, tmp_path):
    folder = CheckpointFolder(tmp_path, keep_last=last, keep_best=best)
    (tmp_path / ".00000003.77.part").mkdir()  # left behind by a kill
    assert save_all(folder, [1.0, None, 9.0, 2.0, 3.0, None, 1.5]) == kept
    assert read_state(folder.newest()) == {"number": 6}
    if best:
        assert (folder.best().name, read_score(folder.best())["value"]) == ("00000002", 9.0)


def test_checksums_and_flushes_of_a_checkpoint_keep_nobody_waiting(tmp_path, monkeypatch):
    released = threading.Event()
    monkeypatch.setattr(checkpoint, "seal", lambda folder: (released.wait(60.0), seal(folder)))
    folder = CheckpointFolder(tmp_path)
    path = folder.save(SavedAlgorithm(), {"number": 0}, step=0, waits=False)
    assert (folder.newest(), path.exists()) == (None, False)
    released.set()
    folder.settle()
    assert folder.newest() == path
    check_seal(path)


def test_a_checkpoint_that_a_full_disk_cut_short_in_the_background_is_reported_and_written_again(tmp_path, monkeypatch):
    errors = [OSError(errno.ENOSPC, "No space left on device")]

    def fail_once(folder):
        if errors:
            raise errors.pop()
        seal(folder)

    monkeypatch.setattr(checkpoint, "seal", fail_once)
    folder = CheckpointFolder(tmp_path)
    folder.add({"score": 2.0})
    lost = folder.save(SavedAlgorithm(), {"number": 0}, step=0, waits=False)
    folder.add({"score": 4.0})
    folder.note(lost, {"score": 9.0})
    with pytest.raises(OSError, match="No space"):
        folder.save(SavedAlgorithm(), {"number": 1}, step=1, waits=False)
    assert [path.name for path in tmp_path.iterdir()] == [MEASURED_FILE]
    assert folder.save(SavedAlgorithm(), {"number": 1}, step=1, waits=False) == lost
    folder.settle()
    assert read_state(folder.newest()) == {"number": 1}
    assert folder.value(lost) == 3.0, "the mean since the last checkpoint that was written, not the figures of another"


def test_an_adopted_checkpoint_becomes_the_newest(tmp_path):
    theirs, own = CheckpointFolder(tmp_path / "theirs"), CheckpointFolder(tmp_path / "own")
    save_all(theirs, [4.0])
    save_all(own, [1.0, 2.0])
    assert own.adopt(theirs.newest()) == own.newest()
    assert read_state(own.newest()) == {"number": 0}
    assert theirs.newest() is not None


def test_a_score_is_the_mean_since_the_last_checkpoint_over_all_policies(tmp_path):
    folder = CheckpointFolder(tmp_path)
    for metrics in ({"score": 1.0}, {"entropy": 5.0}, {"score/left": 2.0, "score/right": 4.0}):
        folder.add(metrics)
    assert read_score(folder.save(SavedAlgorithm(), {}, step=7)) == {"metric": "score", "value": 2.0, "step": 7}
    assert read_score(folder.save(SavedAlgorithm(), {}, step=8))["value"] is None
    assert metric_of({"scores": 1.0}, "score") is None


def test_a_checkpoint_is_ranked_by_what_was_measured_of_its_own_policies(tmp_path):
    folder = CheckpointFolder(tmp_path, keep_last=1, keep_best=1, metric="yardstick")
    for number, rate in enumerate([0.2, 0.9, 0.4]):
        path = folder.save(SavedAlgorithm(), {}, step=number)
        folder.begin_measuring(path)
        folder.save(SavedAlgorithm(), {}, step=number)  # the run goes on meanwhile
        assert path.exists(), "it is measured"
        folder.note(path, {"yardstick": rate, "win_rate_random": 1.0})
    assert folder.best().name == "00000002"
    assert sorted(path.name for path in tmp_path.glob("0*")) == ["00000002", "00000005"]
    again = CheckpointFolder(tmp_path, metric="yardstick")
    assert again.value(again.best()) == 0.9
    assert CheckpointFolder(tmp_path, metric="score").best() is None, "figures of another metric say nothing"


def stand_of(run):
    """All that has to come back as it was."""
    group = run.algorithm.env_runner_group
    learner = run.algorithm.learner_group.get_state(components="learner")["learner"]
    return {
        "learner": {name: learner[name] for name in ("rl_module", "optimizer")},
        "runners": group.foreach_env_runner(lambda r: r.rng.bit_generator.state),
        "driver": [torch.get_rng_state(), np.random.get_state()[1].copy(), random.getstate()],
        "run": run._state(),
    }


def assert_same(left, right, where=""):
    if isinstance(left, dict):
        assert left.keys() == right.keys(), where
        for key in left:
            assert_same(left[key], right[key], f"{where}.{key}")
    elif isinstance(left, (list, tuple)):
        assert len(left) == len(right), where
        for number, pair in enumerate(zip(left, right, strict=True)):
            assert_same(*pair, f"{where}.{number}")
    elif isinstance(left, (np.ndarray, torch.Tensor)):
        assert np.array_equal(np.asarray(left), np.asarray(right)), where
    else:
        assert left == right, where


@pytest.mark.parametrize("runners", [0, 1])
def test_all_of_a_run_comes_back_as_it_was_at_its_checkpoint(runners, tmp_path, ray_cluster):
    settings = VOLLEY | {"steps": 1024, "evaluation": {"steps": 0}, "freeze": {"save_steps": 512}}
    settings["resources"] = settings["resources"] | {"runners": runners}
    first = make_run("house/volley", settings, tmp_path)
    first.run()
    stand = stand_of(first)
    close(first)
    frozen = {path: path.read_bytes() for path in (tmp_path / "snapshots").rglob("*") if path.is_file()}
    np.random.seed(9)
    second = make_run("house/volley", settings | {"steps": 1536}, tmp_path, resume=True)
    assert_same(stand_of(second), stand)
    assert second.step == 1024
    sessions = json.loads((tmp_path / "runs/test/manifest.json").read_text())["sessions"]
    assert [session.get("lost") for session in sessions] == [None, ["the games under way, which begin anew"]]
    finish(second)
    assert second.step == 1536
    assert {path: path.read_bytes() for path in frozen} == frozen


TURNS = {
    "training": {"batch": 64, "minibatch": 32}, "resources": {"games": 2}, "freeze": {"at_start": False},
    "network": {"hidden": [8]},
}  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "lost"),
    [
        ({"resources": {"games": 2, "learners": 1}}, "the random generators of the remote learners"),
        ({"evaluation": {"games": 2, "against": ["random"]}}, "the evaluation under way, which begins anew"),
        ({"algorithm": "AlphaZero"}, "the earlier decisions that are learnt from again"),
    ],
)
def test_a_resumed_run_says_what_it_lost(settings, lost, tmp_path, ray_cluster, monkeypatch):
    monkeypatch.setattr("trainer.runs.measuring.PIECE_SECONDS", 0.0)
    settings = TURNS | {"evaluation": {"steps": 0}} | settings
    for resume in (False, True):
        run = make_run("classic/tictactoe_v3", settings, tmp_path, resume=resume)
        try:
            if not resume:
                run._iterate()
                run.save_checkpoint()
        finally:
            close(run)
    sessions = json.loads((tmp_path / "runs/test/manifest.json").read_text())["sessions"]
    assert sessions[1]["lost"] == ["the games under way, which begin anew", lost]


def test_the_end_of_a_run_writes_its_checkpoint_once(tmp_path, ray_cluster, monkeypatch):
    """A huge one takes seconds, for which a run that is stopped would be waited."""
    quiet = {"evaluation": {"steps": 0}, "freeze": {"save_steps": 0, "win_rate": 0, "at_end": True}}
    run = make_run("house/volley", VOLLEY | quiet | {"steps": 512}, tmp_path)
    save, steps = run.checkpoints.save, []

    def note(*words, step, **more):
        steps.append(step)
        return save(*words, step=step, **more)

    monkeypatch.setattr(run.checkpoints, "save", note)
    finish(run)
    run.save_checkpoint()
    assert steps[-1] == run.step
    assert len(steps) == len(set(steps))


def test_a_checkpoint_follows_the_metrics_of_its_step(tmp_path, ray_cluster, monkeypatch):
    """A run that resumes from it has a line for every iteration before."""
    settings = {"evaluation": {"games": 2, "against": ["random"], "steps": 1024}, "freeze": {"save_steps": 512}}
    run = make_run("house/volley", VOLLEY | settings | {"steps": 1536}, tmp_path)
    save, found = run.checkpoints.save, []

    def note(*words, step, **more):
        metrics = tmp_path / "runs/test/metrics.jsonl"
        lines = metrics.read_text().splitlines() if metrics.exists() else []
        found.append((step, max((json.loads(line)["step"] for line in lines), default=0)))
        return save(*words, step=step, **more)

    monkeypatch.setattr(run.checkpoints, "save", note)
    finish(run)
    assert {step for step, _ in found} == {0, 512, 1024, 1536}
    assert [step for step, _ in found] == [written for _, written in found]


def test_a_run_that_goes_on_learns_at_its_new_rate(tmp_path, ray_cluster):
    quiet = {"evaluation": {"steps": 0}, "freeze": {"save_steps": 0, "win_rate": 0}}
    finish(make_run("house/volley", VOLLEY | quiet | {"steps": 512}, tmp_path))
    training = VOLLEY["training"] | {"lr": 1e-5}
    second = make_run("house/volley", VOLLEY | quiet | {"steps": 1024, "training": training}, tmp_path, resume=True)
    finish(second)
    rates = [group["lr"] for group in second.algorithm.learner_group._learner.get_optimizer("main").param_groups]
    assert rates == [1e-5]


def test_without_a_figure_there_is_no_best_checkpoint(tmp_path, ray_cluster):
    quiet = {"evaluation": {"steps": 0}, "freeze": {"save_steps": 0, "win_rate": 0}}
    finish(make_run("house/volley", VOLLEY | quiet | {"steps": 512}, tmp_path))  # no episode ended yet
    with pytest.raises(ConfigError, match="a checkpoint whose score is known"):
        make_run("house/volley", VOLLEY | quiet, tmp_path, resume=True, from_best=True)


def test_the_end_of_a_run_is_measured_too_and_its_checkpoint_is_ranked(tmp_path, ray_cluster):
    settings = {"evaluation": {"games": 2, "against": ["random", "first"]}, "freeze": {"save_steps": 0, "win_rate": 0}}
    settings |= {"training": {"batch": 64, "minibatch": 32, "epochs": 1}, "resources": {"games": 2}, "steps": 192}
    run = make_run("classic/tictactoe_v3", settings, tmp_path)
    finish(run)
    best = json.loads((tmp_path / "runs/test/manifest.json").read_text())["results"]["best"]
    assert (best["metric"], best["value"] is not None) == ("yardstick", True)
    measured = read_measured(run.checkpoints.root)
    there = [path for name in measured if (path := run.checkpoints.root / name).exists()]
    steps = {read_score(path)["step"] for path in there}
    assert run.step in steps, "the last policies"
    assert all({"win_rate_random", "win_rate_first", "yardstick"} == set(one) for one in measured.values())
    lines = (tmp_path / "runs/test/metrics.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["yardstick"] == list(measured.values())[-1]["yardstick"]
    again = make_run("classic/tictactoe_v3", settings, tmp_path, resume=True, from_best=True)
    assert again.step == best["step"]
    assert again.measuring.as_data(again.step)["opponents"] == run.measuring.as_data(run.step)["opponents"]


def test_a_run_can_go_back_to_its_best_checkpoint(tmp_path, ray_cluster, monkeypatch):
    settings = VOLLEY | {"steps": 1536, "evaluation": {"steps": 0}, "freeze": {"save_steps": 0, "win_rate": 0}}
    settings["checkpoints"] = {"seconds": 1e-9, "keep_last": 1, "keep_best": 1, "best_by": "luck"}
    luck = {512: 1.0, 1024: 3.0, 1536: 2.0}
    run = make_run("house/volley", settings, tmp_path)
    weights = {}

    def with_luck(metrics, *_, **__):
        metrics["luck"] = luck[metrics["step"]]
        weights[metrics["step"]] = run.runner.get_state()["rl_module"]
        return add(metrics)

    add = run.checkpoints.add
    monkeypatch.setattr(run.checkpoints, "add", with_luck)
    finish(run)
    assert sorted(read_score(p)["step"] for p in (tmp_path / "runs/test/checkpoints").iterdir()) == [1024, 1536]
    best = json.loads((tmp_path / "runs/test/manifest.json").read_text())["results"]["best"]
    assert (best["metric"], best["value"], best["step"]) == ("luck", 3.0, 1024)
    again = make_run("house/volley", settings, tmp_path, resume=True, from_best=True)
    assert again.step == 1024
    assert_same(again.runner.get_state()["rl_module"], weights[1024])
    lines = (tmp_path / "runs/test/metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [512, 1024]
    first, second = (json.loads(line)["time"] for line in lines)
    assert 1.7e9 < first < second, "learning may be drawn over the clock"
    close(again)


@pytest.fixture
def sealed(tmp_path, arcade_home):
    """A folder of two checkpoints, 0 and 1."""
    folder = CheckpointFolder(tmp_path / "checkpoints")
    save_all(folder, [1.0, 2.0])
    return folder


def taken(folder, *, trust=False):
    """The number of the checkpoint that a resume takes, and what it says about others."""
    said = []
    found = first_sound(folder.newest_first(), trust=trust, say=said.append)
    return int(found.name), " ".join(said)


def test_a_damaged_newest_checkpoint_falls_back_to_the_one_before(sealed):
    assert taken(sealed) == (1, "")
    (sealed.newest() / "state.json").write_text("{}")
    number, said = taken(sealed)
    assert number == 0
    assert "other contents of: state.json. Continuing from the checkpoint 00000000" in said


@pytest.mark.parametrize(
    "change",
    [
        lambda path: (path / "algorithm" / "more.pkl").write_bytes(b""),  # an added file
        lambda path: (path / "random.npz").unlink(),
        lambda path: (path / "sums.json").write_text("{}"),
        lambda path: (path / "sums.sig").write_text("0" * 64),
    ],
)
def test_any_change_of_a_checkpoint_is_noticed(sealed, change):
    change(sealed.newest())
    assert taken(sealed)[0] == 0


def test_a_checkpoint_of_an_earlier_version_has_other_sums(sealed, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr("agents.seal._DIGEST", "sha256")
        seal(sealed.newest())
    assert taken(sealed) == (1, "")
    (sealed.newest() / "state.json").write_text("{}")
    assert taken(sealed)[0] == 0


def test_a_checkpoint_of_another_machine_is_read_only_if_it_is_trusted_once(sealed, arcade_home):
    (arcade_home / "keys" / "signing.key").unlink()
    with pytest.raises(ConfigError, match="can run any code; if you trust where it comes from: --trust-checkpoint"):
        taken(sealed)
    assert taken(sealed, trust=True)[0] == 1
    assert taken(sealed) == (1, "")


def test_the_signing_key_is_its_owners_alone(sealed, arcade_home):
    key = arcade_home / "keys" / "signing.key"
    assert (key.parent.stat().st_mode & 0o777, key.stat().st_mode & 0o777) == (0o700, 0o600)


def test_no_file_of_ours_in_a_checkpoint_is_a_pickle(sealed):
    own = [path for path in sealed.newest().iterdir() if path.is_file()]
    assert {path.suffix for path in own} == {".json", ".npz", ".sig"}
    with np.load(sealed.newest() / "random.npz", allow_pickle=False) as arrays:
        assert all(arrays[name].dtype != object for name in arrays)


def test_the_state_of_a_sweep_is_read_only_where_it_began(tmp_path, arcade_home):
    from trainer.config.tuning import read_tune
    from trainer.sweeps import begin_sweep

    base = {"game": "house/volley", "steps": 1000}
    tune = read_tune({"search": {"training.lr": {"uniform": [0.1, 0.2]}}}, base)
    begin_sweep(tmp_path / "mine", base, tune)
    (tmp_path / "mine" / "tune").mkdir()
    begin_sweep(tmp_path / "mine", base, tune)
    shutil.copytree(tmp_path / "mine", tmp_path / "friend" / "mine")
    with pytest.raises(ConfigError, match="--trust-checkpoint"):
        begin_sweep(tmp_path / "friend" / "mine", base, tune)
    begin_sweep(tmp_path / "friend" / "mine", base, tune, trust=True)
    begin_sweep(tmp_path / "friend" / "mine", base, tune)
