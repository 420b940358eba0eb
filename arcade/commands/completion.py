"""Completes words of the command line in the shell: the games, snapshots and recordings of this machine.

``arcade --install-completion`` switches it on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from agents.errors import UserError
from agents.files import folder

COMMANDS = ("arcade", "pettingzoo-arcade")
"""The commands that are installed."""


def command_name() -> str:
    """The command that was typed; ``arcade`` for ``python -m arcade``."""
    typed = Path(sys.argv[0]).name.removesuffix(".exe")
    return typed if typed in COMMANDS else COMMANDS[0]


def is_completing() -> bool:
    """Whether a shell asks for completions, by Typer's variable, and not a person for a command."""
    return any(f"_{name}_COMPLETE".replace("-", "_").upper() in os.environ for name in COMMANDS)


def completing(words: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """A function for Typer's `autocompletion`; what cannot be read has no completions."""

    def complete(incomplete: str) -> list[str]:
        try:
            return [word for word in words() if word.startswith(incomplete)]
        except (UserError, OSError):
            return []

    return complete


def _games() -> Iterable[str]:
    from arcade.games import games

    return [spec.id for spec in games()]


def _snapshots() -> Iterable[str]:
    from agents.snapshots.store import open_store

    return ["latest", "best", *(card.name for card in open_store().list())]


def _recordings() -> Iterable[str]:
    from arcade.recordings.library import RecordingLibrary

    found, _ = RecordingLibrary(folder("replays")).list()
    return ["latest", *(one.card.name or one.id for one in found)]


complete_game = completing(_games)
complete_snapshot = completing(_snapshots)
complete_recording = completing(_recordings)
