"""A program in the trainer's place that trains nothing, but talks as a trainer does and makes snapshots."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agents.platform import system

ROOT = Path(__file__).parents[2]

PROGRAM = '''
"""Freezes three snapshots, a better one at each freeze that is asked for; ends when it is told to."""
import json, os, signal, sys, time
from pathlib import Path
from agents.files import folder
from tests.support.fake_trainer import FakeTrainer
from tests.support.volley_snapshots import freeze

words, tests = sys.argv[1:], os.getppid()
run = words[words.index("--run") + 1]
settings = json.loads(Path(words[words.index("--config") + 1]).read_text())
(folder("runs") / run).mkdir(parents=True, exist_ok=True)
(folder("runs") / run / "words.json").write_text(json.dumps(words))
if settings["minutes"] == 20:
    sys.exit("expected a machine that is not busy")
while settings["minutes"] == 30 and os.getppid() == tests:
    time.sleep(0.1)  # a start without end
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
(folder("runs") / run / "config.toml").write_text('game = "house/volley"\\n[evaluation]\\ngames = 32')
with FakeTrainer(folder("runs") / run, run=run, seconds_left=90) as trainer:
    made = 0
    while not trainer.named("stop") and os.getppid() == tests:  # killed tests leave nothing behind
        trainer.publish("metrics", {"step": 1000 * (made + 1), "win_rate_scripted": 0.3 + made / 10})
        if made < 1 or (made < 3 and len(trainer.named("freeze")) >= made):
            freeze(f"{run}-{made}", action=made, run=run, step=1000 * made)
            trainer.publish("snapshot_frozen", {"name": f"{run}-{made}", "step": 1000 * made, "game": "house/volley"})
            made += 1
        time.sleep(0.02)
'''


def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``python -m trainer`` run it from now on."""
    package = tmp_path / "elsewhere" / "trainer"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(PROGRAM)
    monkeypatch.chdir(package.parent)
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(system, "give_way", lambda nice, *, process_id=0: None)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(package.parent), str(ROOT)]))
