"""Why a recording cannot be shown, as part of a sentence for players; `str(error)` has the words for developers."""

from __future__ import annotations

from pathlib import Path

from arcade.games.spec import GameError, NotOpenedError
from arcade.language import _
from arcade.match.playback.replay import ReplayError, ReplayVersionError


def recording_text(error: BaseException, path: Path) -> str:
    """Return why the recording at `path` cannot be shown; errors of other kinds have words of their own."""
    if not isinstance(error, ReplayError):
        return str(error)
    cause = error.__cause__
    if isinstance(cause, NotOpenedError):
        words = _("its game is code that was never opened on this computer; if you trust it: arcade play {game}")
        return words.format(game=cause.word)
    if isinstance(cause, GameError):
        return _("its game is not installed on this computer")
    if isinstance(cause, OSError):
        return _("the file {file} cannot be opened").format(file=path.name)
    if isinstance(error, ReplayVersionError):
        if error.is_newer:
            return _("it was written by a newer PettingZoo Arcade; update this one")
        return _("it was written by an older PettingZoo Arcade, which can show it")
    return _("the file {file} is damaged, or no recording").format(file=path.name)
