"""A comparison as one picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from arcade.recordings.export.formats import library
from arcade.recordings.likeness.figures import OUTCOMES, PLAYERS, Likeness

COLOURS = {"person": "#0072B2", "clone": "#D55E00"}
"""Blue and vermilion of the palette that all kinds of colour sight tell apart (Okabe and Ito 2008)."""

LINES = {"person": "-", "clone": "--"}


def draw_likeness(likeness: Likeness, path: Path) -> None:
    """Write a PNG; raises DatasetError where matplotlib is not there, OSError where it cannot be written."""
    library("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 8), layout="constrained")
    figure.suptitle(f"{likeness.snapshot} beside {likeness.person} in {likeness.game}", parse_math=False)
    agreement, runs, reaction, results = figure.subplots(2, 2).flat
    _draw_agreement(agreement, likeness)
    _draw_runs(runs, likeness)
    _draw_reaction(reaction, likeness)
    _draw_results(results, likeness)
    figure.savefig(path, format="png", dpi=100)  # of Figure's own: no window, whatever the backend


def _draw_agreement(axes: Any, likeness: Likeness) -> None:
    """Shares of held-out decisions, with their intervals."""
    found = likeness.agreement
    bars = {
        "clone": found.same,
        "clone, where the\nperson changed": found.at_changes,
        "the last action\nagain": found.repeating,
    }
    for place, (mean, colour) in enumerate(
        zip(bars.values(), (COLOURS["clone"], COLOURS["clone"], "#999999"), strict=True)
    ):
        if mean is not None:
            axes.bar(place, mean.mean, color=colour, width=0.6, hatch="//" if colour == COLOURS["clone"] else "")
            _interval(axes, place, mean.mean, mean.low, mean.high)
    axes.set_xticks(range(len(bars)), list(bars))
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("share of decisions")
    axes.set_title(f"The same as the person ({found.decisions:,} held-out decisions)")


def _draw_runs(axes: Any, likeness: Likeness) -> None:
    _draw_shares(axes, {player: likeness.habits[player].runs for player in PLAYERS})
    axes.set_xscale("log")
    axes.set_xlabel("decisions")
    axes.set_title("How long an action lasts")


def _draw_reaction(axes: Any, likeness: Likeness) -> None:
    if likeness.fps:
        per_tick = 1000 / likeness.fps
        _draw_shares(axes, {p: likeness.habits[p].reactions.ticks * per_tick for p in PLAYERS})
        axes.set_xlabel("ms of play")
        axes.set_title(f"Time to follow {likeness.reference or 'a reference (there is none)'}", parse_math=False)
        return
    _draw_shares(axes, {player: likeness.habits[player].seconds for player in PLAYERS})
    axes.set_xlabel("seconds")
    axes.set_title("Time to decide (the clone: its machine's)")


def _draw_shares(axes: Any, samples: dict[str, Any]) -> None:
    """Empirical distribution functions."""
    for player, values in samples.items():
        if len(values):
            axes.ecdf(
                values, label=f"{player} (n = {len(values):,})", color=COLOURS[player], linestyle=LINES[player], lw=2
            )
    if axes.lines:
        axes.legend()
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("share at most so long")
    axes.grid(alpha=0.3)


def _draw_results(axes: Any, likeness: Likeness) -> None:
    data = likeness.as_json()["matches"]
    for number, player in enumerate(PLAYERS):
        places = np.arange(len(OUTCOMES)) + 0.4 * number - 0.2
        rates = data[player]["outcomes"]
        for place, outcome in zip(places, OUTCOMES, strict=True) if rates else ():
            rate, label = rates[outcome], player if outcome == OUTCOMES[0] else None
            axes.bar(place, rate["rate"], width=0.36, color=COLOURS[player], label=label, hatch="//" * number)
            _interval(axes, place, rate["rate"], rate["low"], rate["high"])
    if axes.containers:
        axes.legend()
    axes.set_xticks(range(len(OUTCOMES)), ("won", "drawn", "lost"))
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("share of matches")
    axes.set_title(f"The same {data['person']['played']} matches")


def _interval(axes: Any, place: float, middle: float, low: float | None, high: float | None) -> None:
    if low is not None and high is not None:
        axes.errorbar(
            place, middle, yerr=[[max(0.0, middle - low)], [max(0.0, high - middle)]], color="black", capsize=4
        )
