"""``arcade snapshots``, and ``arcade serve`` (the policy server)."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

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

    store = open_store()
    cards = [card for card in store.list(find_game(game).id if game else None) if store.is_whole(card.name)]
    if as_json:
        print(json.dumps({"snapshots": [card.model_dump(mode="json") for card in cards], "refused": store.refused}))
        return
    rows = ((card.name, card.game, f"{card.step:,}", str(card.created)[:16], card.algorithm) for card in cards)
    print_table(("snapshot", "game", ">steps", "made", "by"), rows)
    for name, reason in store.refused.items():
        print(f"refused {name}: {reason}", file=sys.stderr)


def serve(
    endpoint: Annotated[
        str, typer.Option(help="Where to listen; the default is this machine alone.")
    ] = "tcp://127.0.0.1:5555",
) -> None:
    """Serve snapshots as remote seats: batched inference for any number of clients."""
    from agents.errors import UserError
    from agents.files import folder
    from agents.snapshots.store import open_store
    from agents.wire.server import PolicyServer, run_until_signalled

    store = open_store()

    def announce(bound: str) -> None:
        seat = f"--seat AGENT=remote:{bound}/latest"
        print(f"serving {len(store.list())} snapshots at {bound}; play against one with: {seat}", flush=True)

    try:
        server = PolicyServer(store, endpoint=endpoint, demonstrations=folder("demos"))
    except OSError as error:  # an invalid endpoint, or one in use
        raise UserError(str(error)) from error
    with server:
        run_until_signalled(server, ready=announce)
