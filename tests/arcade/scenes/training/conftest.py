"""The trainer's own schema, asked of its program; and a program in its place that trains nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.platform import system

ROOT = Path(__file__).parents[4]

PROGRAM = '''
"""Answers as the trainer does; a run of it is a FakeTrainer that ends when it is told to."""
import json, signal, sys, time
from pathlib import Path
from agents.files import folder
from tests.support.fake_trainer import FakeTrainer

words = sys.argv[1:]
(Path(__file__).parent / "calls").open("a").write(json.dumps(words) + "\\n")
if words[0] == "--schema":
    if words[1] == "SAC":
        sys.exit("expected an algorithm that is installed, got: 'SAC'")
    print((Path(__file__).parent / "schema.json").read_text())
    sys.exit(0)
if "--resume" in words:
    run = words[words.index("--resume") + 1]
else:
    settings = json.loads(Path(words[words.index("--config") + 1]).read_text())
    run = words[words.index("--run") + 1]
    training = settings.get("training", {})
    if training.get("minibatch", 0) > training.get("batch", 16384):
        print(f"training.minibatch: expected at most training.batch, got: {training['minibatch']}", file=sys.stderr)
        sys.exit(2)
    if settings["game"].endswith("tictactoe_v3"):
        print("PPO cannot do it today", file=sys.stderr)
        sys.exit(2)
if "--dry-run" in words:
    sys.exit(0)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
with FakeTrainer(folder("runs") / run, run=run) as trainer:
    (folder("runs") / run / "config.toml").touch()
    while not trainer.named("stop"):
        time.sleep(0.02)
'''


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """Of PPO, as the trainer prints it."""
    command = [sys.executable, "-m", "trainer", "--schema", "PPO"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    return json.loads(run.stdout)


@pytest.fixture
def trainer_program(tmp_path: Path, schema: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Path:
    """What ``python -m trainer`` runs from now on; the file `calls` beside it notes how it was called."""
    package = tmp_path / "elsewhere" / "trainer"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(PROGRAM)
    (package / "schema.json").write_text(json.dumps(schema))
    monkeypatch.chdir(package.parent)
    # A busy machine would give it no turn.
    monkeypatch.setattr(system, "give_way", lambda nice, *, process_id=0: None)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(package.parent), str(ROOT)]))
    return package
