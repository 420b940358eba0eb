"""Plots the comparison of a person and a clone with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from arcade.recordings.export.formats import library
from arcade.recordings.likeness.figures import OUTCOMES, PLAYERS, Likeness

COLOURS = {"person": "#0072B2", "clone": "#D55E00"}
"""Blue and vermilion of the palette that all kinds of colour sight tell apart (Okabe and Ito 2008)."""

LINES = {"person": "-", "clone": "--"}
Data = Mapping[str, Any]


def draw_likeness(likeness: Likeness, path: Path) -> None:
    """Write a PNG; raises DatasetError where matplotlib is not there, OSError where it cannot be written."""
    library("matplotlib")
    from matplotlib.figure import Figure

    data, samples = likeness.data, likeness.samples
    figure = Figure(figsize=(11, 8), layout="constrained")
    figure.suptitle(f"{data['snapshot']} beside {data['person']} in {data['game']}", parse_math=False)
    agreement, runs, times, results = figure.subplots(2, 2).flat
    _draw_agreement(agreement, data["agreement"])
    _draw_shares(runs, samples["runs"], "decisions", "How long an action lasts")
    runs.set_xscale("log")
    if data["seconds_to_decide"]:
        _draw_shares(times, samples["seconds_to_decide"], "seconds", "Time to decide (the clone: its machine's)")
    elif reaction := data["reaction"]:
        title = f"Time to follow {reaction['reference']}"
        _draw_shares(times, samples["reaction"], "ms of play", title, scale=reaction["ms_a_tick"])
    else:
        _draw_shares(times, {}, "ms of play", "Time to follow a reference (there is none)")
    _draw_results(results, data["matches"])
    figure.savefig(path, format="png", dpi=100)  # of Figure's own: no window, whatever the backend


def _draw_agreement(axes: Any, data: Data) -> None:
    """Shares of held-out decisions, with their intervals."""
    bars = {"same": "clone", "at_changes": "clone, where the\nperson changed", "repeating": "the last action\nagain"}
    for place, name in enumerate(bars):
        if share := data[name]:
            is_clone = name != "repeating"
            colour, hatch = (COLOURS["clone"], "//") if is_clone else ("#999999", "")
            axes.bar(place, share["mean"], color=colour, width=0.6, hatch=hatch)
            _draw_interval(axes, place, share["mean"], share)
    axes.set_xticks(range(len(bars)), list(bars.values()))
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("share of decisions")
    axes.set_title(f"The same as the person ({data['decisions']:,} held-out decisions)")


def _draw_shares(axes: Any, samples: Data, unit: str, title: str, *, scale: float = 1.0) -> None:
    """Empirical distribution functions."""
    for player, values in samples.items():
        if len(values):
            label = f"{player} (n = {len(values):,})"
            axes.ecdf(values * scale, label=label, color=COLOURS[player], linestyle=LINES[player], lw=2)
    if axes.lines:
        axes.legend()
    axes.set_xlabel(unit)
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("share at most so long")
    axes.set_title(title, parse_math=False)
    axes.grid(alpha=0.3)


def _draw_results(axes: Any, data: Data) -> None:
    for number, player in enumerate(PLAYERS):
        places = np.arange(len(OUTCOMES)) + 0.4 * number - 0.2
        rates = data[player]["outcomes"]
        for place, outcome in zip(places, OUTCOMES, strict=True) if rates else ():
            rate, label = rates[outcome], player if outcome == OUTCOMES[0] else None
            axes.bar(place, rate["rate"], width=0.36, color=COLOURS[player], label=label, hatch="//" * number)
            _draw_interval(axes, place, rate["rate"], rate)
    if axes.containers:
        axes.legend()
    axes.set_xticks(range(len(OUTCOMES)), ("won", "drawn", "lost"))
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("share of matches")
    axes.set_title(f"The same {data['person']['played']} matches")


def _draw_interval(axes: Any, place: float, middle: float, data: Data) -> None:
    if data["low"] is not None:
        below, above = max(0.0, middle - data["low"]), max(0.0, data["high"] - middle)
        axes.errorbar(place, middle, yerr=[[below], [above]], color="black", capsize=4)
