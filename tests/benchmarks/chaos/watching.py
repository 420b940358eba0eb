"""Watching: the frames of the watched arcade, its memory and descriptors, and what the killed left behind."""

from __future__ import annotations

import json
import os
import signal
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median, median_high
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import theilslopes

from tests.benchmarks.chaos.arcade import FRAME
from tests.benchmarks.chaos.process_table import Sample, command, started
from tests.benchmarks.chaos.strikes import Scene

ORPHAN_SECONDS = 60.0
"""The descendants of a killed process must be gone by then; Ray's agents take their time on a busy machine."""

WARM_SECONDS = 240.0
"""From the first rest on memory and descriptors do not count: caches fill, and the clip of the last half minute."""

FEWEST = 8
"""Rests that can be compared."""

KEPT = 1.3
"""Up to this ratio of its longest turn a bare loop has kept its pace in a second."""


class Struck(NamedTuple):
    """A strike that has passed."""

    name: str
    at: float
    until: float


class Orphans:
    """Descendants of killed processes that live on; each is ended here."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def check(self, scene: Scene, now: float, *, patience: float = ORPHAN_SECONDS) -> None:
        """Count those whose time is up, and those alone that are the same processes as then."""
        waiting = []
        for since, pid, start in scene.left:
            if not start or started(pid) != start:
                continue
            if now < since + patience:
                waiting.append((since, pid, start))
                continue
            self.found.append(command(pid))
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        scene.left = waiting


def read_frames(path: Path) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The time of each frame, and whether a match was on show."""
    data = path.read_bytes()
    whole = data[: len(data) // FRAME.size * FRAME.size]
    found = np.frombuffer(whole, np.dtype([("at", "<f8"), ("plays", "?")]))
    return found["at"], found["plays"]


def p99_ms(times: NDArray[np.float64], start: float, seconds: float = 1.0) -> float | None:
    """The p99 interval of the frames of a second; None where too few are there."""
    first, last = np.searchsorted(times, (start, start + seconds))
    shown = times[max(0, first - 1) : last + 1]
    return float(np.percentile(np.diff(shown), 99) * 1000) if len(shown) > 5 else None


def quiet_ms(times: NDArray[np.float64], struck: list[Struck]) -> float:
    """The median p99 interval of the seconds in which nothing struck, nor in the second before."""
    hit = {second for one in struck for second in range(int(one.at) - 1, int(one.until) + 3)}
    seconds = [second for second in range(int(times[0]) + 15, int(times[-1])) if second not in hit]
    found = [one for one in (p99_ms(times, second) for second in seconds) if one is not None]
    return median(found or [p99_ms(times, times[0], times[-1] - times[0]) or 1.0])


def frame_figures(path: Path, bare: Path, struck: list[Struck]) -> dict[str, object]:
    """The ratios of all strikes: the worst, the median, and the median of each kind.

    `bare` has the turns of a loop that does nothing: `bare_loop_ratio` is its worst ratio in the same seconds, and
    `own_frame_ratio` the window's worst in those of them in which the bare loop had its turns (KEPT), so that what the
    machine does to every program is told apart from what ours does.
    """
    times, turns = read_frames(path)[0], read_frames(bare)[0]
    quiet, quiet_turn = quiet_ms(times, struck), quiet_ms(turns, struck)
    by_kind = defaultdict[str, list[float]](list)
    bare_ratios, own = [0.0], [0.0]
    for one in struck:
        found, turn = p99_ms(times, one.at), p99_ms(turns, one.at)
        if found is None:
            continue
        by_kind[one.name].append(found / quiet)
        if turn is not None:
            bare_ratios.append(turn / quiet_turn)
            own += [found / quiet] if turn / quiet_turn <= KEPT else []
    ratios = sorted(ratio for kind in by_kind.values() for ratio in kind)
    return {
        "bare_loop_ratio": round(max(bare_ratios), 3),
        "own_frame_ratio": round(max(own), 3),
        "own_strikes": len(own) - 1,
        "worst_frame_ratio": round(ratios[-1], 3),
        "p90_frame_ratio": round(float(np.percentile(ratios, 90)), 3),
        "median_frame_ratio": round(median(ratios), 3),
        "quiet_p99_ms": round(quiet, 2),
        "frames_per_second": round(len(times) / (times[-1] - times[0]), 1),
        "frame_ratios": {name: [round(median(kind), 2), round(max(kind), 2)] for name, kind in by_kind.items()},
    }


def growth_figures(path: Path) -> dict[str, object]:
    """Of the watched arcade at rest on its title.

    Memory an hour by the median slope (Theil and Sen) with its 95% interval; a run of minutes cannot tell a few
    megabytes an hour from none, so read the interval beside it.  It is what the process holds: what glibc keeps free
    between blocks goes up and down by 20 MB, so it is given back at each rest, and counted apart.  Descriptors and
    threads: the median of the last third less that of the first.  What leaked is open at each rest; at one in thirty
    the spare game of the next match is not, which was killed, so that the least ones tell of chance.  The first minutes
    are left out, and so are the rests with a connection to the trainer or those without one, whichever are fewer: it
    comes and goes with the trainer.  None for all where fewer than `FEWEST` are left.
    """
    samples = [Sample(**json.loads(line)) for line in path.read_text().splitlines()]
    warm = [one for one in samples if one.at >= samples[0].at + WARM_SECONDS]
    alike = max(([o for o in warm if o.follows_trainer is follows] for follows in (False, True)), key=len)
    if len(alike) < FEWEST:
        return {"leaked_fds": None, "rss_growth_mb_per_hour": None}
    hours, memory = [one.at / 3600 for one in alike], [one.memory_mb for one in alike]
    slope, _, least, most = theilslopes(memory, hours)
    slope_with_free = theilslopes([one.with_free_mb for one in alike], hours)[0]
    third = len(alike) // 3
    early, late = alike[:third], alike[-third:]
    leaked = median_high(sum(o.descriptors.values()) for o in late) - median_high(
        sum(o.descriptors.values()) for o in early
    )
    return {
        "leaked_fds": max(0, leaked),
        "leaked_descriptors": _more(early, late) if leaked > 0 else {},
        "leaked_threads": max(0, median_high(o.threads for o in late) - median_high(o.threads for o in early)),
        "rss_growth_mb_per_hour": round(float(slope), 2),
        "rss_growth_interval": [round(float(least), 1), round(float(most), 1)],
        "growth_with_free_mb_per_hour": round(float(slope_with_free), 2),
        "rests": len(samples),
        "compared_rests": len(alike),
        "rss_mb": [round(memory[0], 1), round(memory[-1], 1)],
    }


def _more(early: Sequence[Sample], late: Sequence[Sample]) -> dict[str, int]:
    """What more descriptors lead to at late rests than at early ones."""
    kinds = {kind for one in late for kind in one.descriptors}
    usual = {
        kind: [median_high(one.descriptors.get(kind, 0) for one in part) for part in (early, late)]
        for kind in sorted(kinds)
    }
    return {kind: after - before for kind, (before, after) in usual.items() if after > before}
