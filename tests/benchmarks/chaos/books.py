"""Books: what should be on the ladder and in the recordings, and what is."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from agents.ladder.ladder import Ladder
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import ReplayError
from arcade.match.playback.verify import verify
from arcade.match.recording.format import SUFFIX
from tests.benchmarks.chaos.actors import Arcade, Recording, Tournament
from tests.benchmarks.chaos.recorder import PLAYED

FPS = 60


def ladder_figures(home: Path, arcade: Arcade, tournament: Tournament) -> dict[str, object]:
    """Rows of finished matches that are missing."""
    with Ladder(home / "ladder.sqlite") as ladder:
        volley, doubles = ladder.results("house/volley"), ladder.results("house/volley_2v2")
    there = Counter[str]()
    failed = 0
    for row in volley:
        own = row["settings"].get("tournament", {})
        there[str(own.get("id", ""))] += 1
        failed += row["ended"] == "failed"
    lost = sum(max(0, count - there[id]) for id, count in tournament.reported.items())
    results = [json.loads(line) for line in arcade.results.read_text().splitlines()]
    seeds = Counter(str(row["seed"]) for row in doubles)
    lost_here = sum((Counter(str(one["seed"]) for one in results) - seeds).values())
    return {
        "lost_rows": lost + lost_here,
        "rows": {"tournament": sum(tournament.reported.values()), "arcade": len(results), "failed": failed},
        "tournaments": tournament.finished,
    }


def recording_figures(home: Path, recorder: Recording) -> dict[str, object]:
    """Of all recordings, verified one by one; seconds played less those readable, of the recorder's."""
    lost, unverified, reported = {"": 0.0}, list[str](), 0
    paths = sorted([*recorder.replays.glob(f"*{SUFFIX}"), *home.glob(f"replays/*{SUFFIX}")])
    for path in paths:
        told = recorder.played / f"{path.stem}.trouble"
        played = recorder.played / f"{path.stem}.played"
        seconds = PLAYED.unpack(played.read_bytes())[0] / FPS if played.exists() else 0.0
        reported += told.exists()
        problem, readable = _read(path)
        unverified += [f"{path.name}: {problem}"] if problem else []
        if not told.exists():
            lost[path.stem] = round(seconds - readable, 3)
    for one in recorder.played.glob("*.played"):
        if not (recorder.replays / f"{one.stem}{SUFFIX}").exists() and not one.with_suffix(".trouble").exists():
            lost[one.stem] = PLAYED.unpack(one.read_bytes())[0] / FPS
    return {
        "lost_recording_seconds": max(lost.values()),
        "most_lost": sorted(lost.values())[-5:],
        "unverified_replays": len(unverified),
        "replays": len(paths),
        "reported_recordings": reported,
        "unverified": unverified[:5],
    }


def _read(path: Path) -> tuple[str, float]:
    """Why it does not verify, "" where it does; and its seconds, 0 where it was cut off before the first tick."""
    try:
        replay = read_replay(path)
    except ReplayError as error:
        cut_off = "got the end of the file" in str(error) or "got an empty one" in str(error)
        return "" if cut_off else str(error), 0.0
    seconds = (len(replay.digests) - 1) / FPS
    verdict = verify(replay)
    differs = f"tick {verdict.differs_at}: {verdict.what} {verdict.problem}" if verdict.differs_at is not None else ""
    return differs, seconds
