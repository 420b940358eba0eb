"""A kill, a torn write, a full or a broken disk at any system call leaves each file as it was before or after."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.system_calls import IS_KNOWN, trace
from tests.support.write_paths import WRITE_PATHS


def can_trace(folder: Path) -> bool:
    """Some containers forbid ptrace."""
    return IS_KNOWN and not trace(lambda: None, below=folder).error


def try_faults(name: str, folder: Path) -> dict[str, Any]:
    if not can_trace(folder):
        pytest.skip("needs ptrace of Linux on x86-64")
    command = [sys.executable, "-m", "tests.support.crash_trial", name]
    root = Path(__file__).parents[1]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    "name", [pytest.param(one.name, marks=pytest.mark.ray) if one.heavy else one.name for one in WRITE_PATHS]
)
def test_a_write_path_is_old_or_new_after_a_fault_at_any_of_its_calls(name: str, tmp_path: Path) -> None:
    found = try_faults(name, tmp_path)
    assert found["wrong"] == []
    assert found["strikes"] > len(found["calls"]) > 0


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("in place", "JSONDecodeError"),
        ("unflushed", "renamed before it is flushed"),
        ("littering", "left behind"),
        ("forgetful", "claims to be done"),
    ],
)
def test_a_wrong_write_path_is_found_out(name: str, what: str, tmp_path: Path) -> None:
    assert any(what in line for line in try_faults(name, tmp_path)["wrong"])
