"""``python -m trainer.cluster.tournament ADDRESS REQUEST``: the program of ``arcade ladder run --ray-address``."""

from __future__ import annotations

import json
import sys

from agents.errors import UserError
from arcade.commands.ladder_run import run
from trainer.cluster.ray_executor import RayExecutor


def main(address: str, request: str) -> int:
    """Play on the cluster with the arguments `request`, as JSON, of `run`; returns the exit status."""
    given = json.loads(request)
    count = given["options"]["workers"]
    try:
        return run(**given, executor=lambda plan, _: RayExecutor(plan, count=count, address=address))
    except UserError as error:
        print(f"arcade: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
