"""Arcades as processes, which end with the test."""

from __future__ import annotations

import pytest

from tests.support.online import Arcade


@pytest.fixture
def arcades(tmp_path):
    """Starts arcades, each with a home of its own unless told which."""
    started = []

    def start(*words, home="", program="arcade"):
        folder = tmp_path / (home or str(len(started)))
        folder.mkdir(exist_ok=True)
        started.append(Arcade(folder, *words, program=program))
        return started[-1]

    yield start
    for one in started:
        one.close()
