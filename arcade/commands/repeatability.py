"""What ``arcade games --measure`` does: play games again and again, and keep which of them come out the same."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from agents.errors import UserError
from agents.files import replace_file
from arcade.games import GameSpec, games, missing, open_game
from arcade.games.exact import Exactness, own_table, read_table, table_text
from arcade.match.stage.repeatability import measure
from arcade.match.stage.stage import StageError


class TableError(UserError):
    """A table that cannot be read, so that nothing may be added to it."""


def measure_games(words: Sequence[str], *, ticks: int, out: Path | None, as_json: bool) -> int:
    """Measure these games, or all that can be played here, and put them into the table `out`.

    Each is written as it is found.  Exit status 1 where a game could not be measured.
    """
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    path = out or own_table()
    table, found, failed = _read(path), {}, {}
    specs = [open_game(word) for word in words] or [spec for spec in games() if not missing(spec)]
    console = Console(stderr=True)
    for spec in track(specs, "measuring", console=console, disable=as_json or not console.is_terminal, transient=True):
        try:
            found[spec.id] = table[spec.id] = measure(spec, ticks=ticks)
        except StageError as error:
            failed[spec.id] = str(error)
            continue
        replace_file(path, table_text(table))
        if not as_json:
            _print(spec, found[spec.id])
    _print_end(found, failed, path, as_json=as_json)
    return 1 if failed else 0


def _read(path: Path) -> dict[str, Exactness]:
    try:
        return read_table(path)
    except (OSError, ValueError) as error:
        raise TableError(f"{error}; move it away, and it is written anew") from error


def _print(spec: GameSpec, found: Exactness) -> None:
    print(f"{spec.id}: {found.words}", flush=True)


def _print_end(found: dict[str, Exactness], failed: dict[str, str], path: Path, *, as_json: bool) -> None:
    exact = sum(row.exact for row in found.values())
    if as_json:
        rows = {game: {"exact": row.exact, "words": row.words} for game, row in found.items()}
        print(json.dumps({"games": rows, "failed": failed, "table": str(path)}))
        return
    for game, reason in failed.items():
        print(f"{game}: could not be measured: {reason}")
    print(f"{exact} of {len(found)} games come out the same again; kept in {path}")
