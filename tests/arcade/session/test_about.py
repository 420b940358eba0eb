"""The folder that a file manager should show is told, since whether one came is not known."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arcade.session import about


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for the file manager")
@pytest.mark.parametrize("is_there", [True, False])
def test_the_path_is_told_whether_a_file_manager_comes_or_not(is_there: bool, tmp_path: Path, monkeypatch) -> None:
    opener = tmp_path / "opener"
    opener.write_text("#!/bin/sh\nexit 3\n")
    opener.chmod(0o755)
    monkeypatch.setattr(about.shutil, "which", lambda program: str(opener) if is_there else None)
    assert str(tmp_path) in about.open_folder(tmp_path)
