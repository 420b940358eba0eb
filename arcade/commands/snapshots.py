"""``arcade snapshots``, and ``arcade serve`` (the policy server)."""

from __future__ import annotations

import json
import socket
import sys
from typing import Annotated

import typer

from arcade.commands.completion import complete_game, complete_snapshot
from arcade.commands.options import Game, Json
from arcade.commands.snapshot_files import compare, delete, export_snapshot, import_snapshot, rename, show

snapshots_app = typer.Typer(help="Frozen policies.", no_args_is_help=True)
snapshots_app.command("show")(show)
snapshots_app.command("import")(import_snapshot)
snapshots_app.command("export")(export_snapshot)
snapshots_app.command("rename")(rename)
snapshots_app.command("delete")(delete)
snapshots_app.command("compare")(compare)


@snapshots_app.command("list")
def list_snapshots(
    game: Annotated[str | None, typer.Argument(help="Only those of this game.", autocompletion=complete_game)] = None,
    as_json: Json = False,
) -> None:
    """List the snapshots that seats can use, oldest first, and the refused ones with the reason."""
    from agents.snapshots.store import open_store
    from arcade.commands.terminal import print_table
    from arcade.games import find_game

    store = open_store()
    names = [card.name for card in store.list(find_game(game).id if game else None) if store.is_whole(card.name)]
    found = [store.get(name) for name in names]
    cards, strange = [one.card for one in found], [one.card.name for one in found if not one.trusted]
    if as_json:
        data = [card.model_dump(mode="json") for card in cards]
        print(json.dumps({"snapshots": data, "untrusted": strange, "refused": store.refused}))
        return
    rows = ((card.name, card.game, f"{card.step:,}", str(card.created)[:16], card.algorithm) for card in cards)
    print_table(("snapshot", "game", ">steps", "made", "by"), rows)
    for name, reason in store.refused.items():
        print(f"refused {name}: {reason}", file=sys.stderr)

    if strange:
        print(f"from elsewhere, played in a process with limits: {', '.join(strange)}", file=sys.stderr)
        print("let those that you trust play at full speed: arcade snapshots trust NAME", file=sys.stderr)


@snapshots_app.command("trust")
def trust_snapshot(
    name: Annotated[
        str, typer.Argument(help="A snapshot's name, or the path of its folder.", autocompletion=complete_snapshot)
    ],
    as_json: Json = False,
) -> None:
    """Trust a snapshot from elsewhere: it plays at full speed, in the arcade's own process."""
    from agents.snapshots.store import open_store
    from agents.snapshots.trust import trust

    card = open_store().get(name).card
    trust(card.sha256)
    data = {"snapshot": card.name, "trusted": True, "sha256": card.sha256}
    print(json.dumps(data) if as_json else f"{card.name} is trusted: {card.sha256}")


@snapshots_app.command("best")
def best_snapshot(
    game: Game,
    by_rating: Annotated[
        bool, typer.Option("--by-rating", help="Forget a promotion: the highest rated is the best again.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print the snapshot that snapshot:best means: a promoted one (`arcade ladder test`), else the highest rated."""
    from agents.snapshots.store import open_store
    from arcade.games import find_game

    store, id = open_store(), find_game(game).id
    if by_rating:
        store.forget_promotion(id)
    elif damage := store.promotions_damage:
        print(f"{damage}; the highest rated snapshot is the best", file=sys.stderr)
    card = store.get("best", game=id).card
    data = {"snapshot": card.name, "game": id, "promoted": store.is_promoted(card)}
    print(json.dumps(data) if as_json else card.name + (", promoted by a test" if data["promoted"] else ""))


def serve(
    endpoint: Annotated[
        str, typer.Option(help="Where to listen; the default is this machine alone.")
    ] = "tcp://127.0.0.1:5555",
    insecure: Annotated[
        bool, typer.Option("--insecure", help="No keys: anyone who reaches it can play against and copy all snapshots.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Serve snapshots as remote seats: batched inference for any number of clients whose keys are allowed."""
    from agents.errors import UserError
    from agents.snapshots.store import open_store
    from agents.wire.server import PolicyServer, run_until_signalled

    store = open_store()

    try:
        server = PolicyServer(store, endpoint=endpoint, insecure=insecure)
    except OSError as error:  # an invalid endpoint, or one in use
        raise UserError(str(error)) from error
    address, count = server.address, len(store.list())
    is_ours = address.is_on_loopback and not insecure
    shown = address.endpoint if is_ours else address.seen_from_elsewhere(socket.gethostname())

    def announce(bound: str) -> None:
        if as_json:
            print(
                json.dumps({"endpoint": bound, "address": shown, "snapshots": count, "insecure": insecure}), flush=True
            )
            return
        print(f"serving {count} snapshots at {bound}; play against one with: --seat AGENT=remote:{shown}/latest")
        if insecure:
            print(f"without keys: anyone who reaches {bound} can play against and copy them")
        elif not address.is_on_loopback:
            print("players elsewhere need their keys allowed here: arcade keys allow KEY --name NAME")
        sys.stdout.flush()

    with server:
        run_until_signalled(server, ready=announce)
