"""Why a game cannot be shown, in words for players instead of those of exceptions."""

from __future__ import annotations

import copy

import pytest

from agents.errors import UserError
from arcade.games.spec import GameError, Missing, not_installed
from arcade.games.third_party.probe import probe_in_child
from arcade.match.stage.stage import StageError
from arcade.session.preview import game_error_text

MISSING = not_installed(ImportError("No module named 'ale_py'"), "ale-py", "ale_py")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (StageError("a/b", "the game failed at tick 3: KeyError: 'x'", details="KeyError"), "stopped unexpectedly"),
        (StageError("a/b", "the game's process ended (killed by signal 9)"), "stopped unexpectedly"),
        (MISSING, "the package ale_py is missing; install it with: pip install ale-py"),
        (StageError("a/b", "no", code="not_installed", missing=MISSING.missing), "install it with: pip install ale-py"),
        (GameError("no", code="not_installed", missing=Missing("mine")), "the package mine is missing"),
        (GameError("expected the ROM of a/b, got none", code="not_installed"), "is not installed"),
        (UserError("expected a policy, got: None"), "could not be started"),
    ],
)
def test_players_read_what_happened_and_how_to_mend_it(error, words) -> None:
    text = game_error_text(error)
    assert text.endswith(words)
    assert not {"expected", "KeyError", "signal"} & set(text.replace(":", " ").split())


def test_a_game_of_another_that_cannot_be_imported_says_in_words_what_is_missing(tmp_path, monkeypatch) -> None:
    (tmp_path / "lonely.py").write_text("import nowhere_to_be_found")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(GameError) as failed:
        probe_in_child("lonely:make")
    assert game_error_text(failed.value) == "the package nowhere_to_be_found is missing"


def test_what_is_missing_comes_with_the_error_from_another_process() -> None:
    error = copy.copy(StageError("a/b", "no", missing=Missing("mine", "pip install mine")))  # by what pickle uses
    assert game_error_text(error).endswith("install it with: pip install mine")
