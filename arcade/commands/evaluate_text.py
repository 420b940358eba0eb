"""Prints the result of ``arcade evaluate``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from agents.ladder.ratings.rows import CUT_SHORT
from arcade.commands.terminal import make_table

Data = Mapping[str, Any]
SHOWN_FAILURES = 10


def print_evaluation(data: Data) -> None:
    """Print returns, then outcomes, each in total and by side; lengths, speed, and the command that repeats it."""
    console = Console()
    console.print(f"{data['game']}: {data['played']} of {data['episodes']} matches from seed {data['seed']} on")
    if data["played"]:
        console.print(_returns(data))
        if len(data["teams"]) > 1:
            console.print(_outcomes(data))
        length = data["length"]
        console.print(f"length: {_mean(length)} ticks, {length['min']:,} to {length['max']:,}", highlight=False)
    console.print(_sides(data), markup=False, highlight=False)
    timing = data["timing"]
    speed = f"{data['ticks']:,} ticks in {timing['seconds']:.2f} s ({timing['ticks_per_second']:,.0f} a second)"
    console.print(speed, highlight=False)
    print(f"again: {data['command']}")


def _sides(data: Data) -> str:
    if not data["swap"]:
        return f"sides as given: {data['why_not_swapped']}"
    return "each seed played once a side" + (", the last one on one side alone" if data["episodes"] % 2 else "")


def print_failures(failures: Sequence[Data]) -> None:
    """List failed matches with the reasons on stderr, `SHOWN_FAILURES` at most."""
    for failure in failures[:SHOWN_FAILURES]:
        side = ", sides changed" if failure["swapped"] else ""
        where = f"episode {failure['episode']} (seed {failure['seed']}{side})"
        print(f"arcade: {where} failed: {failure['error'].splitlines()[0]}", file=sys.stderr)
    if len(failures) > SHOWN_FAILURES:
        print(f"arcade: and {len(failures) - SHOWN_FAILURES} more, which --json lists", file=sys.stderr)


def print_unrated(data: Data) -> None:
    """Say on stderr how many matches do not count on the ladder, since they were cut short."""
    cut = sum(match["unrated"] == CUT_SHORT for match in data["matches"])
    if cut:
        print(f"arcade: {cut} of {data['played']} matches are not rated: --max-ticks cut them short", file=sys.stderr)


def _returns(data: Data) -> Table:
    """A row a seat, and one a team of several: the mean over its seats."""
    table = make_table(["seat", "player", ">return (95%)", ">std", ">least", ">most", ">late"])
    for one in (*data["seats"], *(team for team in data["teams"] if len(team["seats"]) > 1)):
        players = dict.fromkeys(one["players"])
        table.add_row(_seats(one), ", ".join(players), *_spread(one["return"]), str(one["late"]))
        for side in one["sides"] if data["swap"] else ():
            table.add_row(f"  as {_seats(side)}", "", *_spread(side["return"]), str(side["late"]), style="dim")
    return table


def _outcomes(data: Data) -> Table:
    table = make_table(["team", ">won", ">drawn", ">lost"])
    for team in data["teams"]:
        table.add_row(_seats(team), *_rates(team))
        for side in team["sides"] if data["swap"] else ():
            table.add_row(f"  as {_seats(side)}", *_rates(side), style="dim")
    return table


def _seats(entry: Data) -> str:
    seats = entry["seats"]
    return ", ".join(seats) if len(seats) <= 3 else f"{seats[0]} to {seats[-1]}"


def _spread(figure: Data | None) -> tuple[str, ...]:
    if figure is None:
        return ("",) * 4
    std = "" if figure["std"] is None else f"{figure['std']:.3g}"
    return _mean(figure), std, f"{figure['min']:g}", f"{figure['max']:g}"


def _mean(figure: Data | None) -> str:
    if figure is None:
        return ""
    margin = "" if figure["high"] is None else f" ± {figure['high'] - figure['mean']:.3g}"
    mean = figure["mean"]
    return (f"{mean:.4g}" if abs(mean) < 10_000 else f"{mean:,.0f}") + margin


def _rates(entry: Data) -> list[str]:
    """Count, rate and interval of each outcome."""
    return ["" if rate is None else _rate(rate) for rate in entry["outcomes"].values()]


def _rate(rate: Data) -> str:
    return f"{rate['count']}: {100 * rate['rate']:.0f}% ({100 * rate['low']:.0f}–{100 * rate['high']:.0f})"
