"""The documentation as a site: every page is built, without a warning."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arcade.games.strengths import measured

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "--fail-on-warning",
        "--keep-going",
        "-q",
        "-b",
        "html",
        "docs",
        str(out),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_each_page_is_there_and_in_the_tree(site: Path) -> None:
    pages = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert all((site / page).exists() for page in pages - {Path("README.html")})
    tree = (site / "index.html").read_text("utf-8")
    assert all(f'href="{page.as_posix()}"' in tree for page in pages - {Path("README.html"), Path("index.html")})


def test_the_reference_has_all_games_commands_and_settings(site: Path) -> None:
    pages = {
        name: (site / "reference" / f"{name}.html").read_text("utf-8") for name in ("games", "commands", "settings")
    }
    assert pages["games"].count("<h3>") == 53
    assert pages["games"].count("<img") >= 53
    assert pages["games"].count("<p>against random</p>") == len(measured()) >= 30
    figure = measured()["house/volley"].expert_vs_random
    assert f"{figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f})" in pages["games"]
    assert "gobblet-rl" in pages["games"]
    assert "arcade doctor" in pages["commands"]
    assert "best_by" in pages["settings"]
    assert "training, with SAC" in pages["settings"]
