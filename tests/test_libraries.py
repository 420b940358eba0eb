"""The scripts of docs/libraries: each trains against the pool, freezes, and is on the ladder; with few steps here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.environments import environment_above, install

PAGES = sorted((Path(__file__).parents[1] / "docs" / "libraries").glob("*.md"))
FENCES = [fence for page in PAGES for fence in re.findall(r"```(\w+)\n(.*?)```", page.read_text("utf-8"), re.DOTALL)]
SCRIPTS = {match[1]: body for _, body in FENCES if (match := re.match(r"# (\w+\.py)\n", body))}
LIBRARIES = {
    "sb3_ppo.py": "stable_baselines3",
    "sb3_maskable.py": "sb3_contrib",
    "cleanrl_ppo.py": "torch",
    "tianshou_ppo.py": "tianshou",
    "pufferlib_ppo.py": "pufferlib",
    "rllib_ppo.py": "ray",
}
STEPS = "4096"
ELSEWHERE = {"tianshou_ppo.py": "tianshou.txt"}
"""Scripts whose library wants older packages than ours: installed in an environment of its own, above this one."""

pytestmark = pytest.mark.ray


def test_no_block_is_left_out() -> None:
    assert [language for language, _ in FENCES] == ["python"] * len(LIBRARIES)
    assert set(SCRIPTS) == set(LIBRARIES)


def installed(requirements: Path, place: Path) -> str:
    """The Python of an environment with these packages, and those of this one where they are not."""
    environment_above(place)
    done = install(place, "--quiet", "--disable-pip-version-check", "-r", str(requirements))
    if "No matching distribution found" in done.stderr:
        pytest.skip(f"no package index here has all of {requirements.name}")
    assert done.returncode == 0, done.stderr
    return str(place / "bin" / "python")


@pytest.mark.parametrize("script", LIBRARIES)
def test_script(script: str, tmp_path: Path) -> None:
    python = sys.executable
    if find_spec(LIBRARIES[script]) is None:
        if script not in ELSEWHERE:
            pytest.skip(f"not installed: {LIBRARIES[script]}")
        python = installed(Path(__file__).parent / "support" / ELSEWHERE[script], tmp_path / "venv")
    (tmp_path / script).write_text(SCRIPTS[script], encoding="utf-8")
    root = str(Path(__file__).parents[1])
    env = {**os.environ, "ARCADE_HOME": str(tmp_path / "home"), "SDL_VIDEODRIVER": "dummy", "PYTHONPATH": root}
    command = [python, script, STEPS]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=800, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    rate = re.search(r"against random: ([\d.]+)", done.stdout)
    assert rate is not None
    assert 0 <= float(rate[1]) <= 1
    [name] = [path.name for path in (tmp_path / "home" / "snapshots").iterdir() if not path.name.startswith(".")]
    assert f"'{name}'" in done.stdout.split("on the ladder:")[1]
