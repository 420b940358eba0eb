"""RunCards: what the cards of the training page show of each run, read in the worker."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arcade.language import _, duration_text, ngettext
from arcade.session.training.curves import Curves, read_lines
from arcade.session.training.presets import rounded_text
from arcade.session.training.run_files import METRICS, matches_of, read_settings
from arcade.session.training.runs import RunFound, find_failed, find_runs
from arcade.session.training.strength import Strength, strength_of, strength_text

CARD_LINES, CARD_BYTES = 150, 2 * 2**20
"""Lines of the metrics that a sparkline is made of, and the bytes they are taken from."""

_STARTED = re.compile(r"-\d{8}-\d{6}.*")


@dataclass(frozen=True, slots=True)
class RunCard:
    """One run, and how strong it is."""

    found: RunFound
    strength: Strength

    @property
    def title(self) -> str:
        """Its title where the game is not in the catalogue."""
        return plain_title(self.found.run)

    def state(self, seconds_left: float | None = None) -> str:
        """Return whether it trains, or when it ended."""
        if self.found.has_failed:
            return _("Could not start")
        if self.found.is_starting:
            return _("Starting …")
        if self.found.reached is None:
            return ended_text(time.time() - self.found.written)
        if seconds_left is None:
            return _("Training now")
        return _("Training now, {left} left").format(left=duration_text(seconds_left))

    @property
    def strength_text(self) -> str:
        """How strong it is, or how far it has come."""
        steps = _("{count} steps").format(count=rounded_text(self.found.step)) if self.found.step else _("No steps yet")
        return strength_text(self.strength) or steps


class RunCards:
    """Reads the curves of a run only after its files have changed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, tuple[float, Strength]] = {}  # run → when it was written, and its strength

    def find(self, started: Mapping[str, int] | None = None) -> tuple[RunCard, ...]:
        """Return running runs first, then those that could not start, then the others, newest first.

        `started` as in `find_runs`.  Reads the disk: for the worker.
        """
        runs, failed = find_runs(self._root, started), find_failed(self._root, started or ())
        running = [run for run in runs if run.reached is not None or run.is_starting]
        ended = [run for run in runs if run.reached is None and not run.is_starting]
        return tuple(RunCard(run, self._strength(run)) for run in (*running, *failed, *ended))

    def _strength(self, run: RunFound) -> Strength:
        written, strength = self._known.get(run.run, (-1.0, Strength()))
        if written != run.written:
            curves = Curves()
            for metrics in read_lines(run.folder / METRICS, most=CARD_LINES, size=CARD_BYTES):
                curves.add(metrics)
            strength = strength_of(curves, matches_of(read_settings(run.folder)))
            self._known[run.run] = run.written, strength
        return strength


def plain_title(run: str) -> str:
    """Return the name of a run without the time of its start."""
    return _STARTED.sub("", run).replace("_", " ").capitalize()


def _days(count: int) -> str:
    return ngettext("Ended {count} day ago", "Ended {count} days ago", count)


def _hours(count: int) -> str:
    return ngettext("Ended {count} hour ago", "Ended {count} hours ago", count)


def _minutes(count: int) -> str:
    return ngettext("Ended {count} minute ago", "Ended {count} minutes ago", count)


_AGES: tuple[tuple[int, Callable[[int], str]], ...] = ((86400, _days), (3600, _hours), (60, _minutes))


def ended_text(seconds: float) -> str:
    """Return how long ago a run has ended."""
    for size, text in _AGES:
        if (count := int(seconds // size)) > 0:
            return text(count).format(count=count)
    return _("Ended just now")
