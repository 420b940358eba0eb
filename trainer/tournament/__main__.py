"""``python -m trainer.tournament GAME``: what ``arcade ladder run`` goes on as."""

from __future__ import annotations

import argparse
import json
import os
import sys
from contextlib import redirect_stdout
from typing import Any

from agents.errors import UserError
from agents.home import folder, home
from arcade.tournaments.plan import Plan
from trainer.tournament.command_line import begin, keep, make_parser


def main(words: list[str] | None = None) -> int:
    """0 when it is over, 2 when it could not be begun or gone on with, 130 when it was broken off."""
    options = make_parser().parse_args(words)
    try:
        with redirect_stdout(sys.stderr):  # modules that are entered may print when they are imported
            result, plan = _run(options)
    except UserError as error:
        print(f"arcade: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("arcade: what is booked stays; go on with: arcade ladder run --resume", file=sys.stderr)
        return 130
    _tell(result, plan, as_json=options.json)
    return 0


def _run(options: argparse.Namespace) -> tuple[dict[str, Any], Plan]:
    """The result of the tournament, and its plan."""
    from agents.ladder.ladder import Ladder
    from arcade.match.play.lineup import open_store
    from arcade.tournaments.table import make_table
    from trainer.tournament.chunks import is_small
    from trainer.tournament.running import Tournament
    from trainer.tournament.telling import LiveTable
    from trainer.tournament.workers import make_workers

    store = open_store(folder("snapshots"))
    plan, spec = begin(options, store)
    with Ladder(home() / "ladder.sqlite") as ladder:
        tournament = Tournament(make_table(plan, spec, store), ladder)
        small = is_small(tournament.table, tournament.first_round())
        keep(plan, options)
        workers = make_workers(count=options.workers, address=options.ray_address, small=small)
        try:
            with LiveTable(plan, cooperative=tournament.cooperative, quiet=options.json) as watcher:
                return tournament.play(workers, watcher), plan
        finally:
            workers.close()


def _tell(result: dict[str, Any], plan: Plan, *, as_json: bool) -> None:
    from trainer.tournament.telling import print_result

    print(json.dumps(result)) if as_json else print_result(result, plan)


if __name__ == "__main__":
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    sys.exit(main())
