"""Prints a comparison in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from arcade.recordings.likeness.figures import PLAYERS, Likeness

Data = Mapping[str, Any]


def print_likeness(likeness: Likeness) -> None:
    """Print the agreement, then person and clone side by side."""
    console, data = Console(), likeness.as_json()
    console.print(
        f"{likeness.snapshot} beside {likeness.person} in {likeness.game}: {likeness.held_out} of "
        f"{likeness.recordings} recordings held out",
        markup=False,
        highlight=False,
    )
    console.print(_agreement(data["agreement"]))
    console.print(_beside(likeness, data))
    for reason, count in likeness.left_out.items():
        console.print(f"not repeated: {count}, {reason}", markup=False, highlight=False)
    for line in _notes(likeness):
        console.print(line, markup=False, highlight=False, style="dim")


def _notes(likeness: Likeness) -> Iterator[str]:
    yield "in brackets: 95 % intervals over recordings of means and shares; quartiles of times"
    if likeness.reference:
        yield f"time to react: from a change of the action of {likeness.reference} to the same action, within a second"
    elif likeness.fps:
        yield "time to react: not measured without a reference player; choose one with --reference"
    if not likeness.fps:
        yield "seconds to decide: the clone's depend on this machine alone"


def _agreement(data: Data) -> Table:
    table = _table(f"{data['decisions']:,} held-out decisions", "")
    rows = (
        ("same action as the clone's most likely", _share(data["same"])),
        ("… where the person changed the action", _share(data["at_changes"])),
        ("… by repeating the person's last action", _share(data["repeating"])),
        ("log likelihood of a decision", _number(data["log_likelihood"])),
        ("… by chance", "" if data["log_likelihood_of_chance"] is None else f"{data['log_likelihood_of_chance']:.3g}"),
    )
    for row in rows:
        table.add_row(*row)
    return table


def _beside(likeness: Likeness, data: Data) -> Table:
    table = _table("", *PLAYERS, "distance (KS)")
    _add(table, "decisions in a row", data["runs"])
    if reaction := data["reaction"]:
        _add(table, "ms to react", reaction, scale=reaction["ms_a_tick"])
        for name, count in (("… changes followed", "answered"), ("… by chance", "by_chance")):
            shares = [_percent(reaction[player][count], reaction[player]["changes"]) for player in PLAYERS]
            table.add_row(name, *shares, "")
    if data["seconds_to_decide"]:
        _add(table, "seconds to decide", data["seconds_to_decide"])
    matches = data["matches"]
    table.add_row(f"matches ({matches['held_out']} held out)", *(str(matches[p]["played"]) for p in PLAYERS), "")
    for outcome, word in (("win", "won"), ("draw", "drawn"), ("loss", "lost")):
        if all(matches[player]["outcomes"] for player in PLAYERS):
            table.add_row(f"… {word}", *(_rate(matches[player]["outcomes"][outcome]) for player in PLAYERS), "")
    table.add_row("… return", *(_number(matches[player]["return"]) for player in PLAYERS), "")
    return table


def _add(table: Table, name: str, data: Data, *, scale: float = 1.0) -> None:
    """Add a row: the median and quartiles of each player."""
    far = data["kolmogorov_smirnov"]
    shown = "" if far is None else f"{far:.3f}"
    table.add_row(name, *(_median(data[player], scale) for player in PLAYERS), shown)


def _median(sample: Data, scale: float) -> str:
    if not sample["count"]:
        return "none"
    low, middle, high = (sample["quantiles"][place] * scale for place in ("0.25", "0.5", "0.75"))
    return f"{middle:.3g} ({low:.3g}–{high:.3g})"


def _share(mean: Data | None) -> str:
    if mean is None:
        return "none"
    sides = "" if mean["low"] is None else f" ({100 * max(0, mean['low']):.1f}–{100 * min(1, mean['high']):.1f})"
    return f"{100 * mean['mean']:.1f} %{sides}"


def _number(mean: Data | None) -> str:
    if mean is None:
        return "none"
    return f"{mean['mean']:.3g}" + ("" if mean["low"] is None else f" ({mean['low']:.3g} to {mean['high']:.3g})")


def _rate(rate: Data) -> str:
    return f"{100 * rate['rate']:.0f} % ({100 * rate['low']:.0f}–{100 * rate['high']:.0f})"


def _percent(count: int, total: int) -> str:
    return f"{100 * count / total:.0f} % of {total}" if total else "none"


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", overflow="fold")
    return table
