"""The arcade as a program in a real window on an X server of its own, with its state in a file."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.support.screen import Screen

DEADLINE = 300.0

PROGRAM = """
import json, sys
from pathlib import Path
from arcade.engine.window.engine import Engine
from arcade.scenes.app import run_window
from arcade.session.match.setup import WindowOptions
from tests.support.virtual_pad import VirtualPad

pads, held = [], set()

def use_pad():
    wanted = set(Path("pad").read_text().split())
    pads[:] = pads or [VirtualPad()]
    for button in held ^ wanted:
        (pads[0].press if button in wanted else pads[0].release)(button)
    held.clear()
    held.update(wanted)

def tell(name, text):
    Path(f"{name}.new").write_text(text)
    Path(f"{name}.new").replace(name)  # whole at any moment: half of it would look like another

def shown(engine, *, turn=Engine.turn, seen={}):
    if Path("pad").exists():
        use_pad()
    turn(engine)
    scene, focused = engine.scene, getattr(getattr(engine.scene, "focus", None), "focused", None)
    state = f"{type(scene).__name__} {getattr(scene, 'listens', True)} {getattr(focused, 'label', '')}"
    if getattr(getattr(scene, "services", None), "ready", False):
        Path("ready").touch()
    code = getattr(getattr(scene, "host", None), "code", None)
    for name, text in (("code", code and code.text), ("state", state)):  # the code first: a state may wait for it
        if text and text != seen.get(name):
            seen[name] = text
            tell(name, text)

Engine.turn = shown

def told(result):
    heavy = [name for name in ("ray", "torch") if name in sys.modules]
    print(json.dumps({**result.as_json(), "heavy": heavy}), flush=True)

sys.exit(run_window("house/volley", opening=WindowOptions(seed=7, record=True), on_result=told))
"""


def until(condition: Callable[[], object], what: str) -> object:
    deadline = time.monotonic() + DEADLINE
    while not (found := condition()):
        assert time.monotonic() < deadline, f"expected {what} within {DEADLINE:g} s"
        time.sleep(0.05)
    return found


class Desk(Screen):
    """A screen with the arcade on it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        super().__init__(folder)
        self.folder = folder
        (folder / "home").mkdir()
        self.arcade = self._run()

    def _run(self) -> subprocess.Popen[str]:
        home, root = str(self.folder / "home"), str(Path(__file__).parents[2])
        environment = os.environ | self.environment | {"PYTHONPATH": root, "ARCADE_HOME": home}
        environment["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"  # standard output carries the result alone
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, text=True, cwd=self.folder
        )

    def run_again(self) -> None:
        """Kill the arcade, as a power cut would, and open it again."""
        self.arcade.kill()
        self.arcade.wait(60)
        for name in ("state", "ready"):
            (self.folder / name).unlink(missing_ok=True)
        self.arcade = self._run()

    def show(self) -> None:
        """Wait for the window, and let it have the keys."""
        window = until(self.window, "a window")
        until(lambda: self.state.startswith("TitleScene"), "the title")
        until((self.folder / "ready").exists, "the arcade to be loaded")
        self.xdotool("windowfocus", window)

    def hold(self, *buttons: str) -> None:
        """Plug a gamepad in, unless it is, and hold these buttons of it alone."""
        new = self.folder / "pad.new"
        new.write_text(" ".join(buttons))
        new.replace(self.folder / "pad")  # whole at any moment

    def focus(self, label: str, *, key: str = "Down", most: int = 12) -> None:
        """Press a key until the widget with that label has the focus."""
        for _ in range(most):
            if self.state.endswith(f" {label}"):
                return
            before = self.state
            self.xdotool("key", key)
            until(lambda before=before: self.state != before, f"the focus to move to {label}, got: {before}")
        raise AssertionError(f"expected the focus on {label!r}, got: {self.state}")

    def press(self, label: str, **way: object) -> None:
        """Focus a widget and press it."""
        self.focus(label, **way)
        self.xdotool("key", "Return")

    @property
    def state(self) -> str:
        """The screen, whether it listens, and the label that has the focus."""
        path = self.folder / "state"
        return path.read_text() if path.exists() else ""

    def close(self) -> None:
        self.arcade.kill()
        self.arcade.wait(60)
        super().close()
