"""The code that would run when a run of any origin is resumed.  Reads the disk: for the worker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.seal import is_sealed
from agents.trust import trust, untrusted
from arcade.games import GameError, find_game, open_game
from arcade.games.spec import NotOpenedError
from arcade.language import _
from arcade.session.match.trust_texts import words_text
from arcade.session.training.run_files import read_settings


@dataclass(frozen=True, slots=True)
class Risk:
    """What the user has not trusted yet."""

    words: Mapping[str, str]  # seat word → what it would run
    game: str  # the ``module:function`` of its game, "" for a game that is known here
    foreign_checkpoint: bool  # another machine, or an earlier version, wrote the checkpoint

    @property
    def text(self) -> str:
        """The question's detail, for people."""
        words = [*filter(None, (self.game, *self.words))]
        named = _("Its settings would run:") + "\n" + words_text(words) if words else ""
        foreign = _("This machine did not sign its checkpoint, which can run any code.")
        return "\n\n".join(filter(None, (named, foreign if self.foreign_checkpoint else "")))

    def accept(self) -> None:
        """Trust the words from now on, and open the game.  Raises GameError, TrustFileError."""
        if self.game:
            open_game(self.game)
        trust(self.words)


def find_risk(folder: Path) -> Risk | None:
    """The untrusted code that would run when the run is resumed, if any.  Raises TrustFileError, KeyFileError."""
    settings, newest = read_settings(folder), _newest_checkpoint(folder)
    words, game = untrusted(_texts(settings)), _unopened(settings.get("game"))
    is_foreign = newest is not None and not is_sealed(newest)
    return Risk(words, game, is_foreign) if words or game or is_foreign else None


def _unopened(game: Any) -> str:
    """The game of a run if it is code that was never opened here; "" for others, which the trainer judges."""
    try:
        find_game(str(game))
    except NotOpenedError as error:
        return error.word
    except GameError:
        return ""
    return ""


def _newest_checkpoint(folder: Path) -> Path | None:
    root = folder / "checkpoints"
    names = [path.name for path in root.iterdir() if path.name.isdecimal()] if root.is_dir() else []
    return root / max(names, key=int) if names else None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
