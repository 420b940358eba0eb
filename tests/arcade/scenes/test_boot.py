"""What the first picture waits for."""

import subprocess
import sys

PROGRAM = """
import sys
import arcade.scenes.app, arcade.scenes.dialogs.questions, arcade.scenes.home.title, arcade.scenes.home.first_run
heavy = ("arcade.games", "gymnasium", "msgpack", "numpy", "onnxruntime", "pydantic", "zmq")
print(*(name for name in heavy if name in sys.modules))
"""


def test_the_title_imports_nothing_that_takes_long() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout.splitlines()[-1] == ""


LOADING = """
import sys, threading, time

class InFrames:
    names, watches = [], False

    def find_spec(self, name, path=None, target=None):
        if self.watches and threading.current_thread() is threading.main_thread():
            self.names.append(name)

from arcade.scenes import routes
from arcade.scenes.app import open_window
from arcade.session.match.setup import WindowOptions

with open_window(WindowOptions(seed=7)) as (engine, services):
    engine.push(routes.Title())
    for _ in range(3):
        engine.frame(engine.clock())
    sys.meta_path.insert(0, InFrames())
    InFrames.watches, frames, deadline = True, 0, time.monotonic() + 90
    while frames < 30 and time.monotonic() < deadline:
        engine.rest()
        engine.frame(engine.clock())
        frames += services.trainer is not None  # all is loaded
    InFrames.watches = False
print(frames, *(name for name in InFrames.names if name.startswith(("arcade", "agents", "numpy"))))
"""


def test_the_title_draws_on_while_modules_load(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    run = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout.splitlines()[-1] == "30"
