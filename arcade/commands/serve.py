"""``arcade serve``: the policy server on the user's snapshots, until it is told to stop."""

from __future__ import annotations

from agents.errors import UserError
from agents.home import folder
from agents.snapshots.search import open_store
from agents.wire.server import PolicyServer, run_until_signalled


class ServeError(UserError):
    """An endpoint at which nothing can be served."""


def serve_snapshots(endpoint: str) -> None:
    """Serve every snapshot that this user has, those shipped too; prints the endpoint once it listens.

    Transitions that clients send are kept below ``demos``.  Raises ServeError for an endpoint that is taken.
    """
    store = open_store()
    try:
        policy_server = PolicyServer(store, endpoint=endpoint, demos=folder("demos"))
    except OSError as error:  # no endpoint, or one that another process has
        raise ServeError(str(error)) from error
    with policy_server as server:
        run_until_signalled(server, ready=lambda bound: _announce(bound, len(store.list())))


def _announce(endpoint: str, snapshots: int) -> None:
    print(
        f"serving {snapshots} snapshots at {endpoint}; sit one with: --seat AGENT=remote:{endpoint}/latest", flush=True
    )
