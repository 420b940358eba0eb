"""``arcade strengths``: how strong the difficulty levels of each game are, as measured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from arcade.commands.options import Json, SomeGames

if TYPE_CHECKING:
    from arcade.games.strengths import Figure, Strength


def strengths(game: SomeGames = None, as_json: Json = False) -> None:
    """List the measured strength of the difficulty levels: win rates, or returns gained, with 95 % intervals."""
    from arcade.games import find_game
    from arcade.games.strengths import strengths as measured

    found = measured()
    wanted = [find_game(name).id for name in game] if game else list(found)
    rows = {name: found[name] for name in wanted if name in found}
    print(json.dumps({name: asdict(row) for name, row in rows.items()})) if as_json else _print(rows)
    for name in wanted:
        if name not in found and not as_json:
            print(f"{name} was not measured; measure it with: python -m tests.benchmarks.strengths {name}")


def _print(rows: Mapping[str, Strength]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("game", "level", "vs random", "vs below"):
        table.add_column(column, no_wrap=True, overflow="fold")
    for name, row in rows.items():
        for one in row.levels:
            level = f"{one.level}, {one.role}" if one.role else one.level
            table.add_row(name, level, _figure(one.versus_random), _figure(one.versus_below))
    Console().print(table)


def _figure(figure: Figure) -> str:
    return f"{figure.value:.2f} ({figure.low:.2f}..{figure.high:.2f})"
