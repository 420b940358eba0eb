"""``python -m trainer.cluster.tournament ADDRESS REQUEST``: the program of ``arcade ladder run --ray-address``."""

from __future__ import annotations

import json
import sys

from agents.errors import UserError
from arcade.commands.ladder_run import TournamentRequest, run
from trainer.cluster.ray_executor import RayExecutor


def main(address: str, request: str) -> int:
    """Play the tournament of a TournamentRequest, as JSON, on the cluster; returns the exit status."""
    asked = TournamentRequest(**json.loads(request))
    try:
        return run(asked, executor=lambda plan, _: RayExecutor(plan, count=asked.workers, address=address))
    except UserError as error:
        print(f"arcade: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
