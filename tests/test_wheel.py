"""The wheel: built from this tree, installed away from it, opened and played."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.environments import environment_above, install

ROOT = Path(__file__).parents[1]
LIMIT = 300.0


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("pettingzoo_arcade-*.whl"))


def test_it_installs_three_packages_and_the_assets_inside_them(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "agents", "arcade", "trainer", "pettingzoo_arcade.py",
    }  # fmt: skip
    assert {f"{top}/py.typed" for top in ("agents", "arcade", "trainer")} <= set(names)
    assert any(name.startswith("arcade/_assets/fonts/") for name in names)
    assert "arcade/_assets/volley/court.png" in names
    assert {f"arcade/_assets/{file.name}" for file in (ROOT / "assets").glob("*.json")} <= set(names)
    assert sum(name.startswith("agents/snapshots/bundled/") and name.endswith("card.json") for name in names) >= 5
    metadata = zipfile.ZipFile(wheel).read(next(name for name in names if name.endswith("/METADATA"))).decode()
    assert "\nVersion: 0.2.0\n" in metadata
    assert "\nClassifier: Typing :: Typed\n" in metadata
    assert "License-Expression: MIT AND OFL-1.1" in metadata
    assert "torch==" not in metadata, "the pin is in constraints.txt, not in the metadata"
    assert not any(name.startswith("tests") or "__pycache__" in name for name in names)


def test_it_boots_in_a_clean_environment_elsewhere(wheel: Path, tmp_path: Path) -> None:
    """The dependencies are lent from this environment by a path file: they are the same pinned set."""
    place = tmp_path / "venv"
    site = environment_above(place)
    installed = install(place, "--no-deps", "--no-index", "--ignore-installed", str(wheel))
    assert installed.returncode == 0, installed.stderr
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "DISPLAY", "SDL_VIDEODRIVER")}
    env["ARCADE_HOME"] = str(tmp_path / "home")

    def run(program: str, *words: str) -> str:
        done = subprocess.run(
            [str(place / "bin" / program), *words],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert str(site) in run("python", "-c", "import arcade; print(arcade.__file__)")
    played = json.loads(run("pettingzoo-arcade", "play", "house/volley", "--headless", "--max-ticks", "60", "--json"))
    assert played["ticks"] == 60
    assert played["matches"][0]["lineup"]["left_0"].startswith("volley-")  # a snapshot that came with the wheel
    assert run("arcade", "--version") == "pettingzoo-arcade 0.2.0\n"
    drawn = run("python", "-c", BOOT)
    assert "TitleScene" in drawn


BOOT = """
import os
os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy")
from arcade.engine.window.engine import Engine
from arcade.scenes.home import title
shown = title.TitleScene.draw
def told(scene, canvas):
    shown(scene, canvas)
    print(type(scene).__name__)
title.TitleScene.draw = told
from arcade.scenes.app import run_window
raise SystemExit(run_window(frames=3))
"""
