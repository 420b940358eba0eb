"""Matches between arcades as processes, with a shaper on loopback between each guest and the host.

Prints one JSON object: a key for each game and round trip, as ``volley_80ms`` (2% loss, 10 ms jitter, two machines),
with ``input_p50_ticks`` and ``input_p99_ticks`` (own decision to action, the worst machine), ``frame_p99_ratio``
(interval between the ticks that are shown, over that of the same match with no network between, on the same machine),
``rollbacks_per_second`` and their ``longest``; and ``desyncs``, ticks that differed in all matches.  With ``--all``:
round trips of 0, 30, 80 and 150 ms, with and without loss, for two and four machines.  ``--seconds`` of play for each:
where a match ends earlier, others follow, and the percentiles are medians over them.  With ``--faults``: see
`netplay_faults`.  With ``--games``: whole matches in 20 games, see `netplay_games`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from arcade.games import find_game
from arcade.together.ways.codes import parse_code
from tests.benchmarks.netplay_faults import measure_faults
from tests.benchmarks.netplay_games import play_all
from tests.support.online import Arcade
from tests.support.shaper import Shaper

SHORTEST = 5.0
"""Seconds of play for which another match is begun."""

PERCENTILES = ("input_p50_ticks", "input_p99_ticks", "frame_p99_ms")


@dataclass(frozen=True)
class Course:
    """One match."""

    game: str
    players: tuple[str, ...]  # seat words; the first is the host's, others have a machine each
    round_trip_ms: int = 80
    loss: float = 0.02
    options: tuple[str, ...] = ()
    title: str = ""

    @property
    def name(self) -> str:
        machines = f"_{len(self.players)}" if len(self.players) > 2 else ""
        lossless = "" if self.loss else "_no_loss"
        return f"{self.title or self.game.rpartition('/')[2]}_{self.round_trip_ms}ms{machines}{lossless}"


VOLLEY = Course("house/volley", ("left_0=scripted", "right_0=scripted"))
PONG = Course("atari/pong", ("first_0=random", "second_0=random"))
WAITING = replace(VOLLEY, title="volley_waiting", options=("--no-rollback",))
FOUR = Course("classic/connect_four", ("player_0=random", "player_1=random"))
QUADRAPONG = Course("atari/quadrapong", tuple(f"{one}_0=random" for one in ("first", "second", "third", "fourth")))


def courses(*, everything: bool) -> list[Course]:
    """What is measured."""
    if not everything:
        return [VOLLEY, PONG, WAITING, FOUR]
    games = (VOLLEY, PONG, WAITING, FOUR, QUADRAPONG)
    return [replace(one, round_trip_ms=ms, loss=loss) for one in games for ms in (0, 30, 80, 150) for loss in (0, 0.02)]


def play_on(course: Course, seconds: float) -> list[list[dict[str, Any]]]:
    """What each machine printed, for as many matches as it takes; a game of turns has one."""
    matches: list[list[dict[str, Any]]] = []
    while not matches or (seconds > SHORTEST and not find_game(course.game).turn_based):
        matches.append(play(course, seconds, seed=7 + len(matches)))
        seconds -= _length(matches[-1])
    return matches


def play(course: Course, seconds: float, *, seed: int = 7) -> list[dict[str, Any]]:
    """What each machine printed at the end of one match."""
    spec = find_game(course.game)
    ticks = max(2, int(seconds * spec.fps)) if not spec.turn_based else 10_000
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        homes = [home / str(number) for number in range(len(course.players))]
        for one in homes:
            one.mkdir()
        words = ("--address", "127.0.0.1", "--seed", seed, "--max-ticks", ticks, "--no-ladder")
        host = stack.enter_context(
            Arcade(homes[0], "host", course.game, "--seat", course.players[0], *words, *course.options)
        )
        code, arcades = parse_code(host.code), [host]
        for number, player in enumerate(course.players[1:], 1):
            shaper = stack.enter_context(Shaper(
                code.port, round_trip=course.round_trip_ms / 1000, jitter=0.01, loss=course.loss,
                seed=100 * seed + number,
            ))  # fmt: skip
            arcades.append(stack.enter_context(Arcade(
                homes[number], "join", replace(code, port=shaper.port).text, "--seat", player, "--no-ladder",
                *course.options,
            )))  # fmt: skip
        outcomes = [arcade.end() for arcade in arcades]
        digests = [arcade.check_recording() for arcade in arcades]
        assert all(one == digests[0] for one in digests), course
        return outcomes


def summary(matches: Sequence[Sequence[dict[str, Any]]], bare: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The worst machine of each match."""
    worst = [_worst(match, bare) for match in matches]
    seconds = sum(map(_length, matches))
    return {
        **{name: _middle(worst, name) for name in (*PERCENTILES, "frame_p99_ratio")},
        "rollbacks_per_second": round(sum(one["rollbacks"] for one in worst) / seconds, 1),
        "longest": max(one["longest"] for one in worst),
        "stalls_per_second": round(sum(one["stalls"] for one in worst) / seconds, 1),
        "delay": max(one["delay"] for one in worst), "seconds": round(seconds, 1), "matches": len(matches),
        "desyncs": sum(len(outcome["differences"]) for match in matches for outcome in match),
    }  # fmt: skip


def _worst(match: Sequence[dict[str, Any]], bare: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The largest figure of all machines of a match."""
    facts = [outcome["network"] for outcome in match]
    names = (*PERCENTILES, "rollbacks", "longest", "stalls", "delay")
    ratios = [
        one["frame_p99_ms"] / other["network"]["frame_p99_ms"]
        for one, other in zip(facts, bare, strict=True) if one["frame_p99_ms"]
    ]  # fmt: skip
    return {**{name: _most(facts, name) for name in names}, "frame_p99_ratio": max(ratios)}


def _middle(worst: Sequence[dict[str, Any]], name: str) -> Any:
    known = [one[name] for one in worst if one[name] is not None]
    return round(median(known), 3) if known else None


def _length(match: Sequence[dict[str, Any]]) -> float:
    return max(outcome["result"]["seconds"] for outcome in match)


def _most(facts: Sequence[dict[str, Any]], name: str) -> Any:
    return max((one[name] for one in facts if one[name] is not None), default=None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="", help="a part of the keys")
    parser.add_argument("--faults", action="store_true", help="measure a rejoin, a new host and a desync instead")
    parser.add_argument("--games", action="store_true", help="play a match of ten minutes in each of 20 games instead")
    options = parser.parse_args()
    if options.faults:
        print(json.dumps(measure_faults(options.seconds)))
        return
    if options.games:
        games = play_all()
        print(json.dumps({"games": games, "alike": sum(one["alike"] for one in games.values())}))
        return
    found: dict[str, Any] = {}
    bare: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for course in courses(everything=options.all):
        if options.only not in course.name:
            continue
        place = course.game, len(course.players)
        if place not in bare:
            bare[place] = play(replace(course, round_trip_ms=0, loss=0.0), options.seconds)
        found[course.name] = summary(play_on(course, options.seconds), bare[place])
    found["desyncs"] = sum(one["desyncs"] for one in found.values())
    print(json.dumps(found))


if __name__ == "__main__":
    main()
