"""``arcade play``, ``arcade replay`` and ``arcade evaluate``."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from arcade.commands.completion import complete_game, complete_recording
from arcade.commands.options import (
    MATCH_OPTIONS,
    OPENINGS,
    Game,
    Json,
    Seats,
    hide_windows,
    option,
    seat_words,
    seats_of,
    tracked,
    with_options,
)

PEOPLE = ("keyboard", "gamepad")

PLAY_OPTIONS = {
    **MATCH_OPTIONS,
    "speed": option(float | None, None, "Times the game's own rate; headless default: unlimited.", min=0.01),
    "clock": option(str, "", "Of a board game's sides: minutes + seconds a move, as in 3+2.", metavar="M+S"),
    "openings": (Annotated[Path | None, OPENINGS], None),
    "record": option(bool, False, "Record each match.", "--record"),
    "ladder": option(bool, False, "Add headless results to the ladder; those of a window always count.", "--ladder"),
}


@with_options(PLAY_OPTIONS, dict)
def play(
    options: dict[str, Any],
    game: Annotated[
        str | None, typer.Argument(help="A game of the catalogue, or module:function.", autocompletion=complete_game)
    ] = None,
    seat: Seats = None,
    moment: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="RECORDING@TICK",
            autocompletion=complete_recording,
            help="Begin at a moment of a recording: its tick, or minutes and seconds as in latest@0:07.",
        ),
    ] = "",
    headless: Annotated[bool, typer.Option(help="Play without a window.")] = False,
    episodes: Annotated[int, typer.Option(min=1, help="Matches to play (headless).")] = 1,
    train: Annotated[
        bool, typer.Option("--train", help="Run a self-play trainer alongside; AI seats follow its snapshots.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Play a game, in the window or headless."""
    with ExitStack() as stack:
        seats = seats_of(seat)
        if options["openings"] is None:
            del options["openings"]
        elif moment or train or not headless:
            raise typer.BadParameter("expected --openings with --headless, and without --from and --train")
        if moment:
            if game or train:
                raise typer.BadParameter("expected --from without a game and --train: the recording has the game")
            words, options = seat_words(seats), {**options, "episodes": episodes}
            raise typer.Exit(_sessions().play_moment(moment, words, options, headless=headless, as_json=as_json))
        companion = stack.enter_context(_trainer(game)) if train else None
        if headless and train and game:
            options |= {"episodes": episodes}
            raise typer.Exit(_sessions().play_followed(game, seat_words(seats), options, as_json=as_json))
        plain = episodes == 1 and not as_json
        if headless or not _play_in_window(game, seats, options, plain=plain, companion=companion):
            picture = None if headless else _announce_offscreen(seats)
            game = game if headless or seats else game or "house/volley"
            raise typer.Exit(_play_headless(game, seats, {**options, "episodes": episodes}, picture, as_json=as_json))


def _sessions() -> ModuleType:
    from arcade.commands import sessions  # imports what the other kinds of matches have no use for

    return sessions


def _trainer(game: str | None) -> Any:
    from arcade.games import open_game
    from arcade.session.trainer_process import TrainerProcess

    return TrainerProcess(open_game(game or "house/volley").id)


def _play_in_window(
    game: str | None, seats: dict[str, str], options: dict[str, Any], *, plain: bool, companion: Any
) -> bool:
    """Returns when the window is closed, False where none could open."""
    from arcade.arguments import ArgumentError
    from arcade.window import NoDisplayError, check_display, play_in_window

    try:
        check_display()
        if not plain:
            raise ArgumentError("expected --headless with --episodes and --json, got a window; add it")
        if seats and game is None:
            raise ArgumentError("expected a game, got none; list them with: arcade games")
        play_in_window(game, seats, **{**options, "ladder": True, "companion": companion})
    except NoDisplayError:
        return False
    return True


def _announce_offscreen(seats: dict[str, str]) -> Path:
    """Report that there is no display; returns the path of the picture.  Raises SeatError for seats of people."""
    from agents.files import home
    from agents.seats.controller import SeatError

    print("arcade: no display found, so AI plays every seat; progress follows here", file=sys.stderr)
    people = seat_words({agent: word for agent, word in seats.items() if word.startswith(PEOPLE)})
    if people:
        raise SeatError(f"expected a display for {', '.join(people)}, got none; leave them out, or use --headless")
    return home() / "screenshots" / "offscreen.png"


def _play_headless(
    game: str | None, seats: dict[str, str], options: dict[str, Any], picture: Path | None, *, as_json: bool
) -> int:
    """Returns the exit status: 1 for a failed match."""
    hide_windows()
    from arcade.api import play as play_matches
    from arcade.commands import terminal

    with terminal.SeriesProgress(options["episodes"], quiet=as_json) as progress:
        result = play_matches(game, seats, picture=picture, on_match=progress.follow, **options)
    for warning in result.warnings:
        print(f"arcade: {warning}", file=sys.stderr)
    print(json.dumps(result.as_json())) if as_json else terminal.print_series(result)
    if picture is not None:
        where = f"the last picture is in {picture}" if picture.exists() else "this game has no picture"
        print(f"arcade: {where}", file=sys.stderr)
    return 1 if any(match.error for match in result.matches) else 0


def replay(
    recording: Annotated[
        str,
        typer.Argument(
            metavar="RECORDING",
            help="A recording: its file, name, id or part of it, or latest.",
            autocompletion=complete_recording,
        ),
    ],
    verify: Annotated[
        bool, typer.Option("--verify", help="Simulate it again, headless, and compare each tick.")
    ] = False,
    speed: Annotated[float, typer.Option(min=0.05, max=64, help="Times the game's own rate.")] = 1.0,
    video: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write a video instead: OUT.mp4 or OUT.gif.")
    ] = None,
    start: Annotated[float, typer.Option("--from", min=0, help="Second at which the video begins.")] = 0.0,
    end: Annotated[
        float | None, typer.Option("--to", help="Second at which it ends; default: the recording's end.")
    ] = None,
    size: Annotated[
        str, typer.Option(metavar="WxH", help="Pixels of the video; default: 1280x720, of a GIF 640x360.")
    ] = "",
    hud: Annotated[bool, typer.Option("--hud", help="Show names, scores and time above the video's picture.")] = False,
    view: Annotated[str, typer.Option(metavar="AGENT", help="The seat whose cards are shown.")] = "",
    as_json: Json = False,
) -> None:
    """Show a recording, verify that it replays exactly, or make a video of it."""
    from arcade.api import recording_file
    from arcade.api import replay as show
    from arcade.window import NoDisplayError

    file = recording_file(recording)
    if video is not None:
        options = {"start": start, "end": end, "speed": speed, "hud": hud, "viewer": view or None}
        raise typer.Exit(_write_video(file, video, size, options, as_json=as_json))
    if not verify:
        try:
            return show(file, speed=speed)
        except NoDisplayError:
            print("arcade: no display found, so the recording is verified instead of shown", file=sys.stderr)
    raise typer.Exit(_verify(file, as_json=as_json))


def _write_video(file: Path, out: Path, size: str, options: dict[str, Any], *, as_json: bool) -> int:
    """Returns the exit status: 1 where the video ends early."""
    from rich.console import Console
    from rich.progress import Progress

    from arcade.api import video
    from arcade.session.videos import parse_size

    console = Console(stderr=True)
    with Progress(console=console, disable=as_json or not console.is_terminal, transient=True) as bar:
        task = bar.add_task("writing", total=1.0)
        options |= {"size": parse_size(size) if size else None}
        made = video(file, out, progress=lambda share: bar.update(task, completed=share), **options)
    if as_json:
        data = {"video": str(made.path), "seconds": made.seconds, "pictures": made.pictures, "size": made.size}
        print(json.dumps({**data, "differs_at": made.differs_at}))
    else:
        print(made.text)
    return 0 if made.differs_at is None else 1


def _verify(file: Path, *, as_json: bool) -> int:
    """Returns the exit status: 0 where every tick is as recorded."""
    hide_windows()
    from arcade.api import verify
    from arcade.match.playback.reader import read_replay
    from arcade.match.playback.verify import made_otherwise

    verdict = verify(file, watch=partial(tracked, title="ticks", quiet=as_json))
    others = "" if verdict.differs_at is None else made_otherwise(read_replay(file))
    if as_json:
        data = {"file": str(file), "ok": verdict.ok, "ticks": verdict.ticks, "differs_at": verdict.differs_at}
        print(json.dumps({**data, "what": verdict.what, "problem": verdict.problem, "made_with": others}))
    elif verdict.ok:
        print(f"{file.name}: all {verdict.ticks} ticks came out the same")
    elif verdict.differs_at is not None:
        what = verdict.what or verdict.problem
        print(f"{file.name}: differs from tick {verdict.differs_at} on{f': {what}' if what else ''}")
        print(f"recorded with {others}" if others else "the game's packages are those that it was recorded with")
    else:
        print(f"{file.name}: the {verdict.ticks} ticks that can be read came out the same; then {verdict.problem}")
    return 0 if verdict.ok else 1


@with_options(MATCH_OPTIONS, dict)
def evaluate(
    rules: dict[str, Any],
    game: Game,
    seat: Seats = None,
    episodes: Annotated[int, typer.Option(min=1, help="Matches to play.")] = 100,
    swap: Annotated[
        bool | None,
        typer.Option(
            "--swap/--no-swap", help="Play each seed once a side; default: where players can.", show_default=False
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; default: as many as save time.")] = None,
    openings: Annotated[Path | None, OPENINGS] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help="Add the results to the ladder.")] = False,
    as_json: Json = False,
) -> None:
    """Measure players over many headless matches: returns, lengths and outcomes with 95% intervals."""
    hide_windows()
    from arcade import api
    from arcade.commands.evaluate_text import print_evaluation, print_failures, print_unrated

    data = api.evaluate(
        game, seats_of(seat), episodes=episodes, swap=swap, workers=workers, ladder=ladder, openings=openings,
        **rules,        watch=partial(tracked, quiet=as_json),
    )  # fmt: skip
    print(json.dumps(data)) if as_json else print_evaluation(data)
    print_failures(data["failures"])
    if ladder:
        print_unrated(data)
    raise typer.Exit(1 if data["failures"] else 0)
