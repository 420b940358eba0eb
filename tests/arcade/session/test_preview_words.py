"""Why a game cannot be shown, in words for players instead of those of exceptions."""

from __future__ import annotations

import pytest

from agents.errors import UserError
from arcade.games.spec import GameError, not_installed
from arcade.match.stage.stage import StageError
from arcade.session.preview import game_error_text

MISSING = not_installed(ImportError("No module named 'ale_py'"), "ale-py", "ale_py")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (StageError("a/b", "the game failed at tick 3: KeyError: 'x'", details="KeyError"), "stopped unexpectedly"),
        (StageError("a/b", "the game's process ended (killed by signal 9)"), "stopped unexpectedly"),
        (MISSING, "the package ale_py is missing; install it with: pip install ale-py"),
        (StageError("a/b", str(MISSING), code="not_installed"), "install it with: pip install ale-py"),
        (GameError("expected to import 'mine', got: no; looked in /x too"), "the package mine is missing"),
        (GameError("expected the ROM of a/b, got none", code="not_installed"), "is not installed"),
        (UserError("expected a policy, got: None"), "could not be started"),
    ],
)
def test_players_read_what_happened_and_how_to_mend_it(error, words) -> None:
    text = game_error_text(error)
    assert text.endswith(words)
    assert not {"expected", "KeyError", "signal"} & set(text.replace(":", " ").split())
