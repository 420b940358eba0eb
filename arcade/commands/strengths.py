"""``arcade strengths``: how strong the difficulty levels of each game are, as measured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from arcade.commands.options import Json, SomeGames
from arcade.games import find_game
from arcade.games.strengths import Figure, Strength, measured


def strengths(game: SomeGames = None, as_json: Json = False) -> None:
    """List the measured strength of the difficulty levels: win rates, or returns gained, with 95 % intervals."""
    found = measured()
    wanted = [find_game(name).id for name in game] if game else list(found)
    rows = {name: found[name] for name in wanted if name in found}
    if as_json:
        print(json.dumps({name: asdict(row) for name, row in rows.items()}))
        return
    _print(rows)
    for name in wanted:
        if name not in found:
            print(f"{name} was not measured; measure it with: python -m tests.benchmarks.strengths {name}")


def _print(rows: Mapping[str, Strength]) -> None:
    if rows:
        print(f"{'game':32}{'level':24}{'vs random':24}vs below")
    for name, row in rows.items():
        for one in row.levels:
            level = f"{one.level}, {one.role}" if one.role else one.level
            print(f"{name:32}{level:24}{_figure(one.versus_random):24}{_figure(one.versus_below)}")


def _figure(figure: Figure) -> str:
    return f"{figure.value:.2f} ({figure.low:.2f}..{figure.high:.2f})"
