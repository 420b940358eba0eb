"""A trainer that trains nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import opponent_trainer


@pytest.fixture
def trainer_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What ``python -m trainer`` runs from now on."""
    opponent_trainer.install(tmp_path, monkeypatch)
