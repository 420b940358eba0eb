"""``arcade ladder run``: play a tournament, new or resumed."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from agents.ladder.ratings.sequential import SequentialTest
from agents.platform import system
from arcade.commands.ladder_test import check_promotion, entrants_of, promote_winner, test_lines
from arcade.commands.options import hide_windows
from arcade.commands.terminal import make_table
from arcade.tournaments.plan import TournamentPlan
from arcade.tournaments.standings import Place, standings_of
from arcade.tournaments.tournament import Tournament, TournamentProgress

if TYPE_CHECKING:
    from arcade.tournaments.tournament import MakeExecutor


UPDATE_SECONDS = 1.0  # between two updates of the standings
PATIENCE = 10.0  # times as long as the last update took, where that is more
SHOWN_FORFEITS = 10
HYPOTHESES = ("elo0", "elo1", "alpha", "beta")


def run(
    options: dict[str, Any], *, as_json: bool, executor: MakeExecutor | None = None,
    on_result: Callable[[dict[str, Any]], None] = lambda result: None,
) -> int:  # fmt: skip
    """Play with these `options` of `arcade.api.tournament`, print the standings, and return the exit status.

    `on_result` may add to the result before it is printed.
    """
    hide_windows()
    from arcade import api
    from arcade.tournaments.plan import read_plan

    try:
        with redirect_stdout(sys.stderr):  # Python modules of entrants may print when they are imported
            result = api.tournament(**options, executor=executor, progress=partial(LiveStandings, quiet=as_json))
    except KeyboardInterrupt:
        print("arcade: the matches so far are on the ladder; resume with: arcade ladder run --resume", file=sys.stderr)
        return 130
    on_result(result)
    print(json.dumps(result)) if as_json else print_result(result, read_plan(result["id"]))
    return 0


def run_test(
    options: dict[str, Any], words: tuple[str, str], game: str, *, promotes: bool = False, as_json: bool
) -> int:
    """Test two players with these `options` of `arcade.api.tournament`, as `run`, in rounds that suit the hypotheses.

    Raises UserError.
    With `promotes` the first one is the best snapshot of the game from now on if it is found stronger.
    """
    found, entrants = entrants_of(words, game)
    test = SequentialTest(**{name: value for name, value in options.items() if name in HYPOTHESES})
    options = {"format": "sprt", "games": test.round_pairs, **options}
    if promotes:
        check_promotion(entrants)

    def promote(result: dict[str, Any]) -> None:
        result["test"]["promoted"] = promote_winner(entrants, result) if promotes else ""

    return run({"game": found, "entrants": entrants, **options}, as_json=as_json, on_result=promote)


def run_on_ray(address: str, options: dict[str, Any], *, as_json: bool) -> NoReturn:
    """Become the trainer's program for Ray, which must never be loaded here."""
    request = json.dumps({"options": options, "as_json": as_json})
    system.become([sys.executable, "-m", "trainer.cluster.tournament", address, request])


class LiveStandings(TournamentProgress):
    """Shows progress and standings on stderr, where that is a terminal."""

    def __init__(self, tournament: Tournament, *, quiet: bool, console: Console | None = None) -> None:
        self._tournament = tournament
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
        plan = self._tournament.plan
        title = f"round {number + 1}" if plan.form.has_rounds else "matches"
        if (most := plan.form.most_matches(plan)) is not None:
            title, matches, played = "matches, at most", most, len(self._tournament.rows)
        self._progress.update(self._task, description=title, total=matches, completed=played)

    def on_match(self) -> None:
        self._progress.update(self._task, advance=1)
        if self._shows and (began := time.monotonic()) >= self._next:
            own = self._tournament
            places, _ = standings_of(own.plan, own.in_order, cooperative=own.cooperative)
            self._live.update(Group(standings_table(places), self._progress))
            ended = time.monotonic()
            self._next = ended + max(UPDATE_SECONDS, PATIENCE * (ended - began))


def standings_table(places: Sequence[Place]) -> Table:
    """The standings as a table."""
    scored = any(place.score is not None for place in places)
    columns = [">", "entrant", ">score (95%)" if scored else ">rating here (95%)", ">matches"]
    columns += [] if scored else [">won", ">drawn", ">lost"]
    has_forfeits = any(place.forfeits for place in places)
    columns += [">points"] if any(place.points is not None for place in places) else []
    columns += [">forfeits"] if has_forfeits else []
    rows = []
    for number, place in enumerate(places, 1):
        ends = [] if scored else [place.wins, place.draws, place.losses]
        points = [f"{place.points:g}"] if place.points is not None else []
        forfeits = [place.forfeits or ""] if has_forfeits else []
        rows.append([number, place.label, _rating(place), place.matches, *ends, *points, *forfeits])
    return make_table(columns, rows)


def _rating(place: Place) -> str:
    if place.rating is not None:
        return str(place.rating)
    if place.score is not None:
        return f"{place.score:.2f}" + (f" ± {place.high - place.score:.2f}" if place.high is not None else "")
    return "–"


def print_result(result: Mapping[str, Any], plan: TournamentPlan) -> None:
    """Print the standings, the value of the first seat, the forfeits, and the time."""
    print_line = partial(Console().print, markup=False, highlight=False)
    print_line(f"{plan.game}: {result['matches']} matches of {plan.id} ({plan.format})")
    print_line(standings_table([Place(**place) for place in result["table"]]))
    if roles := ", ".join(result["roles"]):
        print_line(f"all roles together; arcade ladder show {plan.game} rates each by itself: {roles}")
    if first := result["first_seat"]:
        print_line(f"first seat: {first['elo']:+.0f} ({first['low']:+.0f} to {first['high']:+.0f})")
    for line in test_lines(result["test"]) if "test" in result else ():
        print_line(line, soft_wrap=True)
    if wider := ", ".join(result.get("wider", ())):
        print_line(f"wider than ± {plan.bound:g} after {result['rounds']} rounds: {wider}")
    for kind, matches in (("forfeited", result["forfeits"]), ("failed", result["failed"])):
        for one in matches[:SHOWN_FORFEITS]:
            outcome = f"{one['label']} forfeited" if kind == "forfeited" else "failed:"
            print_line(f"match {one['number']}: {outcome} {one['why']}", style="yellow", soft_wrap=True)
        if len(matches) > SHOWN_FORFEITS:
            print_line(f"and {len(matches) - SHOWN_FORFEITS} more {kind}, which --json lists")
    now, seconds = result["played_now"], result["seconds"]
    print_line(f"{now} matches in {seconds:.1f} s ({now / max(seconds, 1e-9):.1f} a second)")
