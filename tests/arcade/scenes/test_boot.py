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
