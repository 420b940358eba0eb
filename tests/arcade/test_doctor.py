"""``arcade doctor`` and ``paths``, errors as JSON, and the exit statuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from arcade.commands import doctor
from arcade.commands.cli import app


@pytest.fixture
def arcade_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    return tmp_path


def findings(*words: str) -> tuple[int, dict[str, dict[str, Any]]]:
    done = CliRunner().invoke(app, ["doctor", "--json", *words])
    return done.exit_code, {one["name"]: one for one in json.loads(done.stdout)["findings"]}


def test_what_there_is_and_what_is_lacking_is_told(monkeypatch: pytest.MonkeyPatch, arcade_home: Path) -> None:
    for name in ("SDL_VIDEODRIVER", "SDL_AUDIODRIVER"):
        monkeypatch.setenv(name, "dummy")
    status, found = findings()
    assert status == 0
    assert found["display"]["text"].startswith("dummy")
    assert found["sound"]["state"] == "ok"
    assert found["games"]["text"] == "53 of 53 can be played"
    assert str(arcade_home) in found["disk"]["text"]
    assert found["extra train"]["state"] == "ok"
    needs = ["numpy>=2", "ray>=2; extra == 'train'", "no-such>=1; extra == 'train'"]
    monkeypatch.setattr(doctor.metadata, "requires", lambda name: needs)
    monkeypatch.setenv("SDL_VIDEODRIVER", "nonesuch")
    status, found = findings()
    assert status == 1
    assert (found["display"]["state"], "--headless" in found["display"]["hint"]) == ("problem", True)
    assert found["extra train"]["text"] == "without no-such"
    assert found["extra train"]["hint"] == "pip install 'pettingzoo-arcade[train]'"


def test_extras_of_a_source_that_is_not_installed_are_unknown(
    monkeypatch: pytest.MonkeyPatch, arcade_home: Path
) -> None:
    def version(name: str) -> str:
        raise doctor.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(doctor.metadata, "version", version)
    _status, found = findings()
    assert found["extras"]["state"] == "missing"
    assert "installed" in found["extras"]["text"]


def test_a_machine_without_a_display_is_told_so(monkeypatch: pytest.MonkeyPatch, arcade_home: Path) -> None:
    for name in ("SDL_VIDEODRIVER", "SDL_VIDEO_DRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    status, found = findings()
    assert (status, found["display"]["state"]) == (1, "problem")
    assert "expected a display" in found["display"]["text"]


def test_a_full_disk_is_a_problem(monkeypatch: pytest.MonkeyPatch, arcade_home: Path) -> None:
    monkeypatch.setattr(doctor, "LEAST_FREE_BYTES", 2**80)
    (found,) = doctor._disk()
    assert (found.state, "make room" in found.hint) == ("problem", True)


def test_text_names_each_finding(monkeypatch: pytest.MonkeyPatch, arcade_home: Path) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 0
    assert all(name in done.stdout for name in ("version", "display", "stockfish", "ports", "keys"))


def test_paths(arcade_home: Path) -> None:
    done = CliRunner().invoke(app, ["paths", "--json"])
    found = json.loads(done.stdout)
    assert found["home"] == str(arcade_home)
    assert found["ladder.sqlite"] == str(arcade_home / "ladder.sqlite")
    assert Path(found["assets"], "fonts").is_dir()
    assert f"home: {arcade_home}" in CliRunner().invoke(app, ["paths"]).stdout


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (["games", "nosuch"], 3, "not_found"),
        (["evaluate", "classic/chess_v6", "--seat", "player_0=uci:no-such-program"], 4, "not_installed"),
        (["recordings", "show", "nosuch"], 3, "not_found"),
        (["runs", "stop", "nosuch"], 3, "not_found"),
        (["ladder", "run", "--resume", "nosuch"], 3, "not_found"),
        (["ladder", "run", "house/volley", "--entrant", "snapshot:nosuch-*"], 3, "not_found"),
        (["ladder", "show", "house/volley", "--player", "nosuch"], 3, "not_found"),
        (["keys", "revoke", "nosuch"], 3, "not_found"),
        (["snapshots", "import", "nosuch"], 3, "not_found"),
        (["evaluate", "house/volley", "--seat", "left_0=snapshot:nosuch"], 3, "not_found"),
        (["evaluate", "house/volley", "--seat", "left_0=nosuch"], 2, "invalid"),
        (["evaluate", "house/volley", "--seat", "left_0=python:nosuch:f"], 4, "not_installed"),
        (["evaluate", "nosuch:f"], 4, "not_installed"),
    ],
)
def test_errors_are_objects_with_json_and_have_statuses(
    words: list[str], status: int, code: str, arcade_home: Path
) -> None:
    command = [sys.executable, "-m", "arcade", *words, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"]) == (status, code), done.stderr
    assert error["message"].startswith(("expected", "no recording"))
    assert done.stderr.startswith("arcade: ")
