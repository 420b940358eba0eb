"""A window that resumes a run asks about all that its folder would run, and only once."""

from __future__ import annotations

import pytest

from agents.seal import seal
from arcade.session.training.resuming import find_risk
from tests.support.foreign_games import GAME, MODULE, receive

CONFIG = '[opponents]\nfixed = ["random", "python:my_player:play", "uci:stockfish"]\n'


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A run of two checkpoints that this machine has signed."""
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    for number in (9, 10):
        checkpoint = tmp_path / "runs" / "run" / "checkpoints" / f"{number:08d}"
        checkpoint.mkdir(parents=True)
        (checkpoint / "algorithm").write_bytes(b"pickles")
        seal(checkpoint)
    return tmp_path / "runs" / "run"


def test_a_run_of_ones_own_is_not_asked_about(run):
    (run / "config.toml").write_text('[opponents]\nfixed = ["scripted", "snapshot:latest"]\n')
    assert find_risk(run) is None


def test_words_that_run_something_are_asked_about_once(run):
    (run / "config.toml").write_text(CONFIG)
    risk = find_risk(run)
    assert "Python code: my_player:play" in risk.text
    assert "Program: stockfish" in risk.text
    assert not risk.foreign_checkpoint
    risk.accept()
    assert find_risk(run) is None


def test_a_game_that_was_never_opened_here_is_asked_about_once(run, tmp_path, monkeypatch):
    received = receive(tmp_path, monkeypatch)
    (run / "config.toml").write_text(f"game = {GAME!r}\n")
    risk = find_risk(run)
    assert f"Python code: {GAME} ({tmp_path / MODULE}.py)" in risk.text
    assert not received.mark.exists()
    risk.accept()
    again = find_risk(run)  # signed by another machine: `receive` changes the home folder
    assert (again.game, again.foreign_checkpoint) == ("", True)


def test_a_checkpoint_of_another_machine_is_asked_about(run, tmp_path):
    (tmp_path / "keys" / "signing.key").unlink()
    risk = find_risk(run)
    assert risk.foreign_checkpoint
    assert "can run any code" in risk.text


def test_a_run_without_checkpoints_or_settings_is_not_asked_about(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    assert find_risk(tmp_path / "runs" / "none") is None
