"""The process of a tournament: ``python -m arcade.session.tournament_process '{ORDER}'``; prints JSON lines."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import asdict
from functools import partial
from typing import Any, TextIO

from agents.errors import UserError
from agents.platform.children import end_with_parent
from arcade.match.batch.plan import Executor, Fixture, MatchPlan, is_small
from arcade.match.batch.processes import Processes, cores
from arcade.tournaments.standings import standings_of
from arcade.tournaments.tournament import Tournament, TournamentProgress, begin, resume

UPDATE_SECONDS = 1.0
"""Between two reports of the standings."""


class Lines(TournamentProgress):
    """Prints each round, each match, and now and then the standings."""

    def __init__(self, tournament: Tournament, *, out: TextIO) -> None:
        self._tournament, self._out = tournament, out
        self._next = 0.0
        report(out, {"id": tournament.plan.id})

    def on_round(self, number: int, matches: int, played: int) -> None:
        report(self._out, {"round": number + 1, "matches": matches, "played": played})

    def on_match(self) -> None:
        own, table = self._tournament, None
        if time.monotonic() >= self._next:
            places, _ = standings_of(own.plan, own.in_order, cooperative=own.cooperative)
            table = [asdict(place) for place in places]
            self._next = time.monotonic() + UPDATE_SECONDS
        report(self._out, {"match": 1, **({"table": table} if table else {})})


def report(out: TextIO, message: dict[str, Any]) -> None:
    """Print a line."""
    with suppress(BrokenPipeError):  # the window is closed: this process ends too
        print(json.dumps(message), file=out, flush=True)


def make_executor(workers: int | None, plan: MatchPlan, first: Sequence[Fixture]) -> Executor:
    """Processes of this machine, one for a small tournament."""
    return Processes(plan, workers or (1 if is_small(plan, first) else cores()))


def main(order: str) -> None:
    """Play the tournament; a kill loses only the matches under way."""
    end_with_parent()
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    out, settings = sys.stdout, json.loads(order)
    workers, id = settings.pop("workers", None), settings.pop("resume", "")
    try:
        with redirect_stdout(sys.stderr):  # Python modules of entrants may print
            if not id:
                id = begin(settings.pop("game"), settings.pop("entrants"), id="", settings=settings).id
            result = resume(id, executor=partial(make_executor, workers), progress=partial(Lines, out=out))
        report(out, {"result": result})
    except UserError as error:
        report(out, {"error": str(error)})


if __name__ == "__main__":
    main(sys.argv[1])
