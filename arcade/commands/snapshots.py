"""``arcade snapshots``: frozen policies."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from arcade.commands.errors import reported
from arcade.commands.options import Json

snapshots_app = typer.Typer(help="Frozen policies.", no_args_is_help=True)


@snapshots_app.command("list")
def list_snapshots(
    game: Annotated[str | None, typer.Argument(help="Only those of this game.")] = None, as_json: Json = False
) -> None:
    """List the snapshots that seats can use, oldest first, and the refused ones with the reason."""
    from agents.snapshots.store import open_store
    from arcade.commands.terminal import print_table
    from arcade.games import find_game

    with reported():
        store = open_store()
        cards = [card for card in store.list(find_game(game).id if game else None) if store.is_whole(card.name)]
    if as_json:
        print(json.dumps({"snapshots": [card.model_dump(mode="json") for card in cards], "refused": store.refused}))
        return
    rows = ((card.name, card.game, f"{card.step:,}", str(card.created)[:16], card.algorithm) for card in cards)
    print_table(("snapshot", "game", ">steps", "made", "by"), rows)
    for name, reason in store.refused.items():
        print(f"refused {name}: {reason}", file=sys.stderr)
