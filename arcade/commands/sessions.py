"""Matches of ``arcade play`` that a MatchSession plays: those beside a trainer, and those from a recorded moment."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import typer

from arcade import window
from arcade.api import recording_file
from arcade.commands import terminal
from arcade.commands.options import hide_windows
from arcade.games import open_game
from arcade.match.batch.in_process import SeriesResult
from arcade.match.stage.rules import StageRules
from arcade.session.match import headless as matches
from arcade.session.match.setup import WindowOptions
from arcade.session.recordings.moments import branch_at, given_seats, parse_moment


def play_followed(game: str, seats: Sequence[str], options: dict[str, Any], *, as_json: bool) -> int:
    """Play beside a trainer; seats change to its new snapshots between two points."""
    hide_windows()
    if options.pop("clock"):
        raise typer.BadParameter("expected no --clock beside a trainer")
    rules = StageRules(sticky_actions=options.pop("sticky_actions"), frame_skip=options.pop("frame_skip"))
    episodes, speed = options.pop("episodes"), options.pop("speed") or matches.FAST
    wanted = WindowOptions(**options, speed=speed, rules=rules)  # `ladder` says whether the results count
    with terminal.SeriesProgress(episodes, quiet=as_json) as progress:
        result = matches.play_followed(
            open_game(game), seats, wanted, episodes=episodes, on_session=lambda session: progress.follow()
        )
    _print(result, as_json=as_json)
    return 0


def play_moment(word: str, seats: Sequence[str], options: dict[str, Any], *, headless: bool, as_json: bool) -> int:
    """Play from a moment of a recording; returns the exit status, 1 for a failed match."""
    unused = [name for name in ("seed", "clock", "sticky_actions", "max_ticks") if options.pop(name)]
    if options.pop("frame_skip") != 1 or unused:
        raise typer.BadParameter("expected --from without rules, --seed, --max-ticks and --clock: a recording has them")
    moment, episodes, speed = parse_moment(word), options.pop("episodes"), options.pop("speed")
    file = recording_file(moment.recording)
    if not headless and episodes == 1 and not as_json:
        branch = branch_at(file, moment)  # what is wrong is reported before a window opens
        given = given_seats(seats, branch.replay.spec())
        wanted = WindowOptions(**options, speed=speed or 1.0)
        window.show_recording(file, speed=wanted.speed, begin=(branch.tick, given), options=wanted)
        return 0
    hide_windows()
    wanted = WindowOptions(**options, speed=speed or matches.FAST)
    with terminal.SeriesProgress(episodes, quiet=as_json) as progress:
        result = matches.play_moment(
            file, moment, seats, wanted, episodes=episodes, on_session=lambda session: progress.follow()
        )
    _print(result, as_json=as_json)
    return 1 if any(match.error for match in result.matches) else 0


def _print(result: SeriesResult, *, as_json: bool) -> None:
    print(json.dumps(result.as_json())) if as_json else terminal.print_series(result)
