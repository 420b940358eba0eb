"""`arcade train --json`: every line an object, the statuses of errors, and the end of a run that is stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

from trainer.command import main

SMALL = (
    "training.batch=128", "training.minibatch=64", "training.epochs=1", "resources.games=8", "network.hidden=8",
    "evaluation.steps=0", "freeze.placement_games=0", "freeze.at_end=yes",
)  # fmt: skip
TRAIN = ["house/volley", "--json", "--run", "told", *(part for word in SMALL for part in ("--set", word))]
LIMIT = 300.0


def begun(home: Any, *words: str) -> subprocess.Popen[str]:
    command, env = [sys.executable, "-m", "trainer", *words], os.environ | {"ARCADE_HOME": str(home)}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_run_tells_its_progress_and_its_result_in_lines_of_json(arcade_home) -> None:
    with begun(arcade_home, *TRAIN, "--steps", "256") as program:
        said, wrong = program.communicate(timeout=LIMIT)
    assert program.returncode == 0, wrong
    *lines, result = [json.loads(line) for line in said.splitlines()]
    assert {line["event"] for line in lines} == {"notice", "progress"}
    assert all(line["run"] == "told" for line in lines)
    steps = [line["metrics"]["step"] for line in lines if line["event"] == "progress"]
    assert steps == sorted(steps)
    assert steps[0] == 128
    assert [line["seconds_left"] for line in lines if line["event"] == "progress"][-1] == 0
    assert (result["event"], result["run"], result["game"], result["step"]) == ("result", "told", "house/volley", 256)
    assert result["folder"] == str(arcade_home / "runs" / "told")
    assert result["metrics"]["step"] == 256
    assert {path.name for path in (arcade_home / "snapshots").glob("told-*")} == set(result["snapshots"]) != set()


def test_a_run_that_is_stopped_ends_with_its_result(arcade_home) -> None:
    with begun(arcade_home, *TRAIN) as program:
        assert program.stdout is not None
        for line in program.stdout:
            if json.loads(line)["event"] == "progress":
                program.send_signal(signal.SIGTERM)
                break
        said, wrong = program.communicate(timeout=LIMIT)
    assert program.returncode == 0, wrong
    result = json.loads(said.splitlines()[-1])
    assert (result["event"], result["step"] % 128) == ("result", 0)


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (["house/voley"], 3, "not_found"),
        (["--resume", "nobody"], 3, "not_found"),
        (["house/volley", "--set", "training.lr=fast"], 2, "invalid"),
        (["third-party/cathedral"], 4, "not_installed"),
    ],
)
def test_errors_are_objects_with_the_status_of_their_kind(words, status, code, arcade_home, capsys) -> None:
    assert main([*words, "--json"]) == status
    shown = capsys.readouterr()
    error = json.loads(shown.out)["error"]
    assert error["code"] == code
    assert error["message"] in shown.err


def test_the_settings_of_a_dry_run_are_one_line(arcade_home, capsys) -> None:
    assert main(["house/volley", "--dry-run", "--json"]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert json.loads(line)["config"]["game"] == "house/volley"


@pytest.mark.parametrize("module", ["trainer", "trainer.imitation"])
def test_words_that_no_option_has_are_an_object_too(module) -> None:
    command = [sys.executable, "-m", module, "house/volley", "--stpes", "3", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "invalid"
    assert "--stpes" in error["message"]
    assert "--help" in error["hint"]
