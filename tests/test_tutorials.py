"""The tutorials of docs/tutorials, followed from the first command to the last: headless, with fewer steps."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

PAGES = {page.stem: page.read_text("utf-8") for page in (Path(__file__).parents[1] / "docs/tutorials").glob("*.md")}
TRAINING = "--minutes 5 --steps 2000 --set training.batch=1024 --set training.minibatch=256"
INSTEAD = [  # what needs a person, a window or an hour, and what is run in its place
    (r"^(arcade play house/volley .*)keyboard(.*)", r"\1scripted\2 --headless --record --episodes 3 --max-ticks 900"),
    (r"^(arcade play sticks:env .*)keyboard(.*)", r"\1random\2 --headless --record"),
    (r"--kind keyboard", "--label scripted"),
    (r"^(arcade imitate .*)", r"\1 --epochs 1"),
    (r"--minutes \d+", TRAINING),
    (r"--episodes [25]0", "--episodes 2 --max-ticks 900"),
    (r"^python study\.py 3$", "python study.py 3 --pilot"),
]
PRINTED = {
    "clone": ["play it: arcade play house/volley --seat SEAT=snapshot:my-clone", "run: beyond-me", "beyond-me-"],
    "tournament": ["random", "±", "mcts"],
    "game": ["first", "exactly"],
    "study": ["slow: ", "95% interval"],
}
"""Words that each tutorial must show."""

pytestmark = pytest.mark.ray


def fences(page: str) -> list[tuple[str, str]]:
    return re.findall(r"```(\w+)\n(.*?)```", PAGES[page], re.DOTALL)


def test_every_block_of_every_tutorial_is_run() -> None:
    assert set(PAGES) == set(PRINTED)
    for page in PAGES:
        assert PAGES[page].count("```") == 2 * len(fences(page)), page
        for language, body in fences(page):
            named = language == "python" and re.match(r"# \w+\.py\n", body)
            assert named or language in ("sh", "toml"), body


@pytest.mark.parametrize("page", PRINTED)
def test_tutorial(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = {**os.environ, "ARCADE_HOME": str(tmp_path / "home"), "SDL_VIDEODRIVER": "dummy", "COLUMNS": "160"}
    printed = ""
    for language, body in fences(page):
        if language == "python":
            (tmp_path / body.split()[1]).write_text(body, "utf-8")
        elif language == "toml":
            monkeypatch.syspath_prepend(str(tmp_path))
            for group, points in tomllib.loads(body)["project"]["entry-points"].items():
                for name, value in points.items():
                    assert EntryPoint(name, value, group).load().id == "mine/sticks"
        else:
            for line in body.splitlines():
                printed += follow(line, tmp_path, env)
    for words in PRINTED[page]:
        assert words in printed


def follow(line: str, desk: Path, env: dict[str, str]) -> str:
    for pattern, words in INSTEAD:
        line = re.sub(pattern, words, line)
    first, *rest = shlex.split(line)
    command = [sys.executable, *(["-m", "arcade"] if first == "arcade" else []), *rest]
    done = subprocess.run(command, cwd=desk, env=env, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    return f"$ {line}\n{done.stdout}\n"
