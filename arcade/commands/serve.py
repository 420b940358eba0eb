"""``arcade serve``: the policy server on the user's snapshots, until it is stopped."""

from __future__ import annotations

from typing import Annotated

import typer

from arcade.commands.errors import reported


def serve(
    endpoint: Annotated[
        str, typer.Option(help="Where to listen; the default is this machine alone.")
    ] = "tcp://127.0.0.1:5555",
) -> None:
    """Serve snapshots as remote seats: batched inference for any number of clients."""
    from agents.errors import UserError
    from agents.home import folder
    from agents.snapshots.store import open_store
    from agents.wire.server import PolicyServer, run_until_signalled

    store = open_store()

    def announce(bound: str) -> None:
        seat = f"--seat AGENT=remote:{bound}/latest"
        print(f"serving {len(store.list())} snapshots at {bound}; play against one with: {seat}", flush=True)

    with reported():
        try:
            server = PolicyServer(store, endpoint=endpoint, demos=folder("demos"))
        except OSError as error:  # an invalid endpoint, or one in use
            raise UserError(str(error)) from error
        with server:
            run_until_signalled(server, ready=announce)
