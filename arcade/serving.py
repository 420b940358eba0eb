"""``arcade serve``: the policy server on the user's snapshots, until it is told to stop."""

from __future__ import annotations

from agents.home import folder
from agents.server import PolicyServer, run_until_signalled
from arcade.match.lineup import open_store


def serve_snapshots(endpoint: str) -> None:
    """Serve every snapshot that this user has, those shipped too; prints the endpoint once it listens.

    Transitions that clients send are kept below ``demos``.
    """
    store = open_store(folder("snapshots"))
    with PolicyServer(store, endpoint=endpoint, demos=folder("demos")) as server:
        run_until_signalled(server, ready=lambda bound: _announce(bound, len(store.list())))


def _announce(endpoint: str, snapshots: int) -> None:
    print(
        f"serving {snapshots} snapshots at {endpoint}; sit one with: --seat AGENT=remote:{endpoint}/latest", flush=True
    )
