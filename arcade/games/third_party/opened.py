"""Third-party games that a user of this machine has opened by name, among the words of `agents.trust`.

A recording, a snapshot or a remote trainer may name any ``module:function``, and importing it runs its code.  So a
name is imported only if it was typed here, and still resolves to the same file as then.
"""

from __future__ import annotations

from agents.origin import origin
from agents.trust import TrustFileError, note, read_trusted
from arcade.games.spec import GameError


def remember(word: str, game: str) -> None:
    """Record that `word` was typed here and means the game with id `game`; raises GameError if it cannot be saved."""
    try:
        note(word, id=game, place=origin(word))
    except TrustFileError as error:
        raise GameError(str(error)) from error


def opened_word(name: str) -> str | None:
    """Return the ``module:function`` that was typed here for the game `name`, or None.

    Raises GameError if it now resolves to another file.
    """
    try:
        known = {word: entry for word, entry in read_trusted().items() if entry["id"]}
    except TrustFileError as error:
        raise GameError(str(error)) from error
    word = name if name in known else next((word for word, entry in known.items() if entry["id"] == name), None)
    if word is None:
        return None
    before, now = known[word]["from"], origin(word)
    if now not in ("", before):
        raise GameError(
            f"expected {word} from {before}, as it was opened, got: {now}; if you trust that too: arcade play {word}"
        )
    return word
