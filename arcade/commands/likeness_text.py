"""Prints the comparison of a person and a clone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from arcade.commands.terminal import make_table
from arcade.recordings.likeness.figures import PLAYERS, Likeness

Data = Mapping[str, Any]


def print_likeness(likeness: Likeness) -> None:
    """Print the agreement, then person and clone side by side."""
    console, data = Console(highlight=False, markup=False), likeness.data
    console.print(
        f"{data['snapshot']} beside {data['person']} in {data['game']}: {data['held_out']} of {data['takes']} "
        "recordings held out"
    )
    console.print(_agreement(data["agreement"]))
    console.print(make_table(["", *(f">{player}" for player in PLAYERS), ">distance (KS)"], _beside(data)))
    for reason, count in data["matches"]["left_out"].items():
        console.print(f"matches not replayed: {count}, {reason}")
    for line in _notes(data):
        console.print(line, style="dim")


def _notes(data: Data) -> Iterator[str]:
    yield "in brackets: 95% intervals for means and shares (over recordings), quartiles for times"
    if reaction := data["reaction"]:
        reference = reaction["reference"]
        yield f"time to react: time until the player copies a new action of {reference}, at most a second"
    elif data["seconds_to_decide"]:
        yield "seconds to decide: the clone's depend on this machine alone"
    else:
        yield "time to react: not measured without a reference player; choose one with --reference"


def _agreement(data: Data) -> Table:
    chance = data["log_likelihood_of_chance"]
    rows = [
        ("same action as the clone's most likely", _share(data["same"])),
        ("… where the person changed the action", _share(data["at_changes"])),
        ("… of a baseline that repeats the person's last action", _share(data["repeating"])),
        ("log likelihood of a decision", _number(data["log_likelihood"])),
        ("… by chance", "" if chance is None else f"{chance:.3g}"),
    ]
    return make_table([f"{data['decisions']:,} held-out decisions", ">"], rows)


def _beside(data: Data) -> Iterator[Sequence[str]]:
    """The rows of person and clone."""
    yield _quartiles("decisions in a row", data["runs"])
    if reaction := data["reaction"]:
        yield _quartiles("ms to react", reaction, scale=reaction["ms_a_tick"])
        for name, count in (("… changes followed", "answered"), ("… by chance", "by_chance")):
            yield name, *(_percent(reaction[player][count], reaction[player]["changes"]) for player in PLAYERS)
    if data["seconds_to_decide"]:
        yield _quartiles("seconds to decide", data["seconds_to_decide"])
    results = [data["matches"][player] for player in PLAYERS]
    yield f"matches ({data['matches']['held_out']} held out)", *(str(one["played"]) for one in results)
    if all(one["outcomes"] for one in results):
        for outcome, word in (("win", "won"), ("draw", "drawn"), ("loss", "lost")):
            yield f"… {word}", *(_rate(one["outcomes"][outcome]) for one in results)
    yield "… return", *(_number(one["return"]) for one in results)


def _quartiles(name: str, data: Data, *, scale: float = 1.0) -> Sequence[str]:
    distance = data["kolmogorov_smirnov"]
    shown = "" if distance is None else f"{distance:.3f}"
    return name, *(_median(data[player], scale) for player in PLAYERS), shown


def _median(sample: Data, scale: float) -> str:
    if not sample["count"]:
        return "none"
    low, middle, high = (sample["quantiles"][place] * scale for place in ("0.25", "0.5", "0.75"))
    return f"{middle:.3g} ({low:.3g}–{high:.3g})"


def _share(mean: Data | None) -> str:
    if mean is None:
        return "none"
    interval = "" if mean["low"] is None else f" ({100 * mean['low']:.1f}–{100 * mean['high']:.1f})"
    return f"{100 * mean['mean']:.1f}%{interval}"


def _number(mean: Data | None) -> str:
    if mean is None:
        return "none"
    return f"{mean['mean']:.3g}" + ("" if mean["low"] is None else f" ({mean['low']:.3g} to {mean['high']:.3g})")


def _rate(rate: Data) -> str:
    return f"{100 * rate['rate']:.0f}% ({100 * rate['low']:.0f}–{100 * rate['high']:.0f})"


def _percent(count: int, total: int) -> str:
    return f"{100 * count / total:.0f}% of {total}" if total else "none"
