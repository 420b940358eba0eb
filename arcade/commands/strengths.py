"""``arcade strengths``: how strong the difficulty levels of each game are, as measured."""

from __future__ import annotations

import json
from dataclasses import asdict

from arcade.commands.options import Json, SomeGames
from arcade.games import find_game
from arcade.games.strengths import Figure, Strength, measured


def strengths(game: SomeGames = None, as_json: Json = False) -> None:
    """List the measured strength of the difficulty levels: win rates, or returns gained, with 95% intervals."""
    found = measured()
    wanted = [find_game(name).id for name in game] if game else list(found)
    rows = {name: found[name] for name in wanted if name in found}
    if as_json:
        print(json.dumps({name: asdict(row) for name, row in rows.items()}))
        return
    for name, row in rows.items():
        _print(name, row)
    for name in wanted:
        if name not in found:
            print(f"{name} was not measured; measure it with: python -m tests.benchmarks.strengths {name}")


def _print(name: str, row: Strength) -> None:
    order = (
        "each level beats the one below" if row.levels_ordered else "not every level was shown to beat the one below"
    )
    print(f"{name}: {row.measure}, {order}")
    print(f"  {'level':24}{'vs random':24}vs below")
    for one in row.levels:
        print(f"  {one.title:24}{_figure(one.versus_random):24}{_figure(one.versus_below)}")
    if row.normalised:
        print(f"  experts together, from random 0 to best {row.normalised.best:g} as 1: {_figure(row.normalised)}")
        print(f"  best known result: {row.normalised.source}")
    if row.reference:
        print(f"  expert against a {row.reference.name}: {_figure(row.reference)}")
    print(f"  {row.date}, {row.machine}: {row.command}")


def _figure(figure: Figure) -> str:
    return f"{figure.value:.2f} ({figure.low:.2f}..{figure.high:.2f})"
