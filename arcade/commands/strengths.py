"""``arcade strengths``: how strong the difficulty levels of each game are, as measured."""

from __future__ import annotations

import json

from arcade.commands.options import Json, SomeGames
from arcade.games import find_game
from arcade.games.strengths import Figure, Reference, Strength, measured
from arcade.games.strengths.marks import KIND_OF, REFERENCE_MARKS, as_data, is_reached
from arcade.games.strengths.reasons import reasons_for

_REACHED = {True: "reached", False: "not reached", None: "not measured"}


def strengths(game: SomeGames = None, as_json: Json = False) -> None:
    """List the measured strength of the difficulty levels: win rates, or returns gained, with 95% intervals."""
    found = measured()
    wanted = [find_game(name).id for name in game] if game else list(found)
    rows = {name: found[name] for name in wanted if name in found}
    if as_json:
        data = {name: as_data(name, row) | {"reasons": reasons_for(name, row)} for name, row in rows.items()}
        print(json.dumps(data))
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
    print(f"  {_expert_text(name, row)}")
    if row.normalised:
        print(f"  experts together, from random 0 to best {row.normalised.best:g} as 1: {_figure(row.normalised)}")
        print(f"  best known result: {row.normalised.source}")
    for known in row.reference:
        print(f"  {_reference_text(name, known)}")
    for text in reasons_for(name, row):
        print(f"  {text}")
    print(f"  {row.date}, {row.machine}: {row.command}")


def _expert_text(name: str, row: Strength) -> str:
    """The expert against random moves, in its weakest role, and whether that is enough for the kind of game."""
    found = row.expert_vs_random
    text = f"expert vs random{f' ({found.role})' if found.role else ''}: {found.measure} {_figure(found)}"
    kind = KIND_OF.get(name)
    if kind is None:
        return text
    return f"{text}; asked for ({kind.name}): {kind.measure} {kind.mark.text}: {_REACHED[is_reached(name, row)]}"


def _reference_text(name: str, known: Reference) -> str:
    """The expert against a known opponent, and whether that is what is asked of it."""
    mark = REFERENCE_MARKS.get(name, {}).get(known.name)
    asked = f"; asked for: {mark.text}: {_REACHED[mark.is_reached(known)]}" if mark else ""
    return f"expert against {known.name}: {_figure(known)}{asked}"


def _figure(figure: Figure) -> str:
    return f"{figure.value:.2f} ({figure.low:.2f}..{figure.high:.2f})"
