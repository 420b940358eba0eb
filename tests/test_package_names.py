"""Other distributions with packages of our names: the command says whose they are, and how to mend it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pettingzoo_arcade

ROOT = Path(__file__).parents[1]


def run(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": str(place), "ARCADE_HOME": str(place / "home")}
    command = [sys.executable, "-m", "pettingzoo_arcade", *words]
    return subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with our packages, as an installation has them."""
    shutil.copy(ROOT / "pettingzoo_arcade.py", tmp_path)
    for name in ("agents", "arcade", "trainer"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def test_our_own_packages_run(place: Path) -> None:
    done = run(place, "--version")
    assert (done.returncode, done.stdout) == (0, "pettingzoo-arcade 0.2.0\n")


def test_a_package_of_somebody_else_is_named_and_never_imported(place: Path) -> None:
    (place / "agents").unlink()
    (place / "agents").mkdir()
    (place / "agents" / "__init__.py").write_text("raise SystemExit('imported')\n")
    facts = place / "openai_agents-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: openai-agents\nVersion: 1.0\n")
    (facts / "top_level.txt").write_text("agents\n")
    done = run(place, "games")
    assert done.returncode == 4
    assert "the Python package 'agents' here comes from openai-agents" in done.stderr
    assert "pip uninstall openai-agents" in done.stderr
    assert "imported" not in done.stderr


def test_a_package_that_is_missing_is_named(place: Path) -> None:
    (place / "trainer").unlink()
    (place / "trainer").mkdir()
    (place / "trainer" / "__init__.py").write_text("")
    done = run(place, "games")
    assert done.returncode == 4
    assert "'trainer' is not that of pettingzoo-arcade" in done.stderr or "'trainer' here comes from" in done.stderr


def test_numpy_of_the_command_has_one_thread_unless_the_user_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr("arcade.__main__.main", lambda: seen.append(os.environ["OPENBLAS_NUM_THREADS"]))
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "4")
    pettingzoo_arcade.main()
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    pettingzoo_arcade.main()
    assert seen == ["4", "1"]
