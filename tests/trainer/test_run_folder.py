"""The manifest of a run, which tells where it comes from and what came of it."""

import json
import os
from pathlib import Path

import torch

from agents.snapshots.store import SnapshotStore
from tests.support.runs import VOLLEY, finish, make_run
from trainer.runs.run_folder import RunFolder, git_state


def test_the_manifest_tells_where_a_run_comes_from_and_what_came_of_it(tmp_path, ray_cluster):
    settings = VOLLEY | {"steps": 512, "seed": 5, "evaluation": {"steps": 0}, "freeze": {"save_steps": 512}}
    finish(make_run("house/volley", settings, tmp_path, command="python -m trainer house/volley"))
    finish(make_run("house/volley", settings | {"steps": 1024}, tmp_path, resume=True))
    manifest = json.loads((tmp_path / "runs/test/manifest.json").read_text())
    assert (manifest["game"], manifest["algorithm"], manifest["seed"]) == ("house/volley", "PPO", 5)
    assert manifest["versions"]["torch"].startswith(torch.__version__.partition("+")[0])
    assert {"cpu", "cores", "memory_gb", "gpus", "os", "python"} <= manifest["machine"].keys()
    assert [session["step"] for session in manifest["sessions"]] == [512, 1024]
    assert manifest["sessions"][0]["command"] == "python -m trainer house/volley"
    assert all(session["seconds"] > 0 and session["ended"] for session in manifest["sessions"])
    assert manifest["results"]["step"] == manifest["results"]["last"]["step"] == 1024
    assert set(manifest["results"]["win_rates"]) <= {"test-0000", "test-0001", "test-0002"}
    cards = SnapshotStore(tmp_path / "snapshots").list("house/volley")
    assert [(s["name"], s["step"], s["sha256"]) for s in manifest["snapshots"]] == [
        (card.name, card.step, card.sha256) for card in cards
    ]
    files = manifest["files"]
    assert files["config.toml"] == (tmp_path / "runs/test/config.toml").stat().st_size
    assert {name.partition("/")[0] for name in files} == {"config.toml", "metrics.jsonl", "checkpoints", "tensorboard"}


def test_checkpoints_may_come_and_go_while_the_manifest_lists_the_files(tmp_path, monkeypatch):
    checkpoints, scandir = tmp_path / "checkpoints", os.scandir
    for name in (".00000001.7.part", "00000000"):  # one that is finished in a thread, an older one that is deleted
        (checkpoints / name).mkdir(parents=True)
    (tmp_path / "config.toml").write_text("seed = 5")

    def moved_before(path):
        if Path(path).parent == checkpoints:
            Path(path).rename(tmp_path.with_name(f"moved-{Path(path).name}"))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", moved_before)
    folder = object.__new__(RunFolder)  # without TensorBoard's own files
    folder.path, folder._began, folder._manifest = tmp_path, 0.0, {"results": {}, "sessions": [{}]}
    folder.note({"step": 1})
    assert json.loads((tmp_path / "manifest.json").read_text())["files"] == {"config.toml": 8}


def test_the_state_of_a_checkout_is_told(tmp_path):
    import subprocess

    def git(*words):
        subprocess.run(["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True)

    assert git_state(tmp_path) is None
    git("init", "-q")
    (tmp_path / "file").write_text("one")
    git("add", "file")
    git("commit", "-q", "-m", "first")
    clean = git_state(tmp_path)
    assert (len(clean["commit"]), clean["dirty"]) == (40, False)
    (tmp_path / "file").write_text("two")
    assert git_state(tmp_path) == clean | {"dirty": True}
