"""A home folder of its own for each test."""

import pytest


@pytest.fixture
def arcade_home(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"
