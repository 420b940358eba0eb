"""``arcade ladder run``: play a tournament, new or resumed."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, Self

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from agents.ladder.ratings.rows import Row
from arcade.commands.options import hide_windows
from arcade.tournaments.plan import TournamentPlan
from arcade.tournaments.standings import Place, standings_of
from arcade.tournaments.tournament import TournamentProgress

if TYPE_CHECKING:
    from arcade.tournaments.tournament import MakeExecutor


@dataclass(frozen=True, kw_only=True)
class TournamentRequest:
    """The options of ``arcade ladder run``, which another process may carry out; see its help."""

    game: str = ""
    entrants: Sequence[str] = ()
    settings: dict[str, Any] = field(default_factory=dict)  # of the plan, those that are given
    id: str = ""
    resume: str | None = None
    workers: int | None = None
    as_json: bool = False


def run(request: TournamentRequest, *, executor: MakeExecutor | None = None) -> int:
    """Play, print the standings, and return the exit status; by `executor`, or on this machine."""
    hide_windows()
    from arcade import api
    from arcade.tournaments.plan import read_plan

    try:
        with redirect_stdout(sys.stderr):  # Python modules of entrants may print when they are imported
            result = api.tournament(
                request.game, request.entrants, id=request.id, resume=request.resume, workers=request.workers,
                executor=executor, progress=lambda played: LiveStandings(
                    played.plan, cooperative=played.cooperative, quiet=request.as_json
                ), **request.settings,
            )  # fmt: skip
    except KeyboardInterrupt:
        print("arcade: the matches so far are on the ladder; resume with: arcade ladder run --resume", file=sys.stderr)
        return 130
    print(json.dumps(result)) if request.as_json else print_result(result, read_plan(result["id"]))
    return 0


def run_on_ray(request: TournamentRequest, address: str) -> NoReturn:
    """Become the trainer's program for Ray, which must never be loaded here."""
    words = [sys.executable, "-m", "trainer.cluster.tournament", address, json.dumps(asdict(request))]
    os.execv(sys.executable, words)


UPDATE_SECONDS = 1.0  # between two updates of the standings
PATIENCE = 10.0  # times as long as the last update took, where that is more
SHOWN_FORFEITS = 10


class LiveStandings(TournamentProgress):
    """The `TournamentProgress` on stderr, where that is a terminal."""

    def __init__(self, plan: TournamentPlan, *, cooperative: bool, quiet: bool, console: Console | None = None) -> None:
        self._plan, self._cooperative = plan, cooperative
        console = console or Console(stderr=True)
        self._shows = console.is_terminal and not quiet
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
            TimeRemainingColumn(), console=console,
        )  # fmt: skip
        self._task = self._progress.add_task("matches", total=None)
        self._live = Live(self._progress, console=console, refresh_per_second=4, transient=True)
        self._next = 0.0  # update, on the monotonic clock

    def __enter__(self) -> Self:
        if self._shows:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def on_round(self, number: int, matches: int, played: int) -> None:
        words = f"round {number + 1}" if self._plan.form.has_rounds else "matches"
        self._progress.update(self._task, description=words, total=matches, completed=played)

    def on_rows(self, count: int, rows: Callable[[], Sequence[Row]]) -> None:
        self._progress.update(self._task, advance=count)
        if self._shows and (began := time.monotonic()) >= self._next:
            places, _ = standings_of(self._plan, rows(), cooperative=self._cooperative)
            self._live.update(Group(standings_table(places, self._plan), self._progress))
            ended = time.monotonic()
            self._next = ended + max(UPDATE_SECONDS, PATIENCE * (ended - began))


def standings_table(places: Sequence[Place], plan: TournamentPlan) -> Table:
    """The standings as a table."""
    grid = Table(box=None, header_style="bold", pad_edge=False)
    scored = any(place.score is not None for place in places)
    names = ["", "entrant", "score (95 %)" if scored else "rating (95 %)", "matches"]
    names += [] if scored else ["won", "drawn", "lost"]
    names += (["points"] if any(place.points is not None for place in places) else []) + ["forfeits"]
    for name in names:
        grid.add_column(name, justify="left" if name == "entrant" else "right")
    for number, place in enumerate(places, 1):
        ends = [] if scored else [place.wins, place.draws, place.losses]
        points = [f"{place.points:g}"] if place.points is not None else []
        cells = [number, escape(place.label), _rating(place), place.matches, *ends, *points, place.forfeits or ""]
        grid.add_row(*map(str, cells))
    return grid


def _rating(place: Place) -> str:
    if place.elo is not None and place.high is not None:
        return f"{place.elo:.0f} ± {place.high - place.elo:.0f}"
    if place.score is not None:
        return f"{place.score:.2f}" + (f" ± {place.high - place.score:.2f}" if place.high is not None else "")
    return "–"


def print_result(result: Mapping[str, Any], plan: TournamentPlan) -> None:
    """Print the standings, the value of the first seat, the forfeits, and the time."""
    console = Console()
    print_line = console.print
    print_line(f"{plan.game}: {result['matches']} matches of {plan.id} ({plan.format})", highlight=False)
    print_line(standings_table([Place(**place) for place in result["table"]], plan))
    if result["roles"]:
        words = f"all roles together; arcade ladder show {plan.game} rates each by itself: {', '.join(result['roles'])}"
        print_line(words, markup=False, highlight=False)
    if first := result["first_seat"]:
        print_line(f"first seat: {first['elo']:+.0f} ({first['low']:+.0f} to {first['high']:+.0f})", highlight=False)
    if result.get("wider"):
        words = f"wider than ± {plan.bound:g} after {result['rounds']} rounds: {', '.join(result['wider'])}"
        print_line(words, highlight=False)
    for kind, told in (("forfeited", result["forfeits"]), ("failed", result["failed"])):
        for one in told[:SHOWN_FORFEITS]:
            who = f"{one['label']} forfeited" if kind == "forfeited" else "failed:"
            print_line(
                f"match {one['number']}: {who} {one['why']}",
                markup=False,
                highlight=False,
                style="yellow",
                soft_wrap=True,
            )
        if len(told) > SHOWN_FORFEITS:
            print_line(f"and {len(told) - SHOWN_FORFEITS} more {kind}, which --json lists", highlight=False)
    now, seconds = result["played_now"], result["seconds"]
    print_line(f"{now} matches in {seconds:.1f} s ({now / max(seconds, 1e-9):.1f} a second)", highlight=False)
