"""The ``arcade`` command.  Each command imports what it needs when it runs, so that help and listings are quick."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from arcade.commands.errors import mending
from arcade.commands.ladder import ladder_app
from arcade.commands.recordings import demos_app

app = typer.Typer(
    name="arcade",
    help="Play PettingZoo games: people and policies in any seat, beside live self-play.",
    no_args_is_help=False,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
)
snapshots_app = typer.Typer(help="Frozen policies.", no_args_is_help=True)
runs_app = typer.Typer(help="Training runs, and orders to those under way.", no_args_is_help=True)
app.add_typer(demos_app, name="demos")
app.add_typer(ladder_app, name="ladder")
app.add_typer(runs_app, name="runs")
app.add_typer(snapshots_app, name="snapshots")

Game = Annotated[str, typer.Argument(help="A game of the catalogue (house/volley) or module:function.")]
Seats = Annotated[
    list[str] | None,
    typer.Option("--seat", metavar="AGENT=CONTROLLER", help="Who sits where; repeat it, *= sets the rest."),
]
Run = Annotated[str, typer.Argument(metavar="RUN", help="A run, or tcp://HOST:PORT; without it the only one there is.")]
Sticky = Annotated[float, typer.Option(min=0, max=0.99, help="Chance that a seat's last action is done again.")]
Skip = Annotated[int, typer.Option(min=1, max=16, help="Ticks for which each decision is held.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


@app.callback()
def main(context: typer.Context) -> None:
    """Without a command: open the arcade."""
    if context.invoked_subcommand is None:
        raise typer.Exit(_in_window(None, None))


@app.command()
def games(
    game: Annotated[list[str] | None, typer.Argument(help="Only these; without any, all.", show_default=False)] = None,
    measure: Annotated[
        bool, typer.Option("--measure", help="Play them again and again: which repeat exactly?")
    ] = False,
    ticks: Annotated[int, typer.Option(min=2, help="Of each game, for --measure.")] = 600,
    out: Annotated[
        Path | None, typer.Option(help="The table that --measure writes, instead of the one in ARCADE_HOME.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List every game: seats, teams, turn-based or real-time, rate, whether a recording replays exactly."""
    from arcade.commands import terminal
    from arcade.games import game_row, open_game
    from arcade.games import games as all_games

    with mending():
        if measure:
            from arcade.commands import repeatability

            raise typer.Exit(repeatability.measure_games(game or (), ticks=ticks, out=out, as_json=as_json))
        rows = [game_row(spec) for spec in (map(open_game, game) if game else all_games())]
        print(json.dumps(rows)) if as_json else terminal.print_games(rows)


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(help="A game of the catalogue, or module:function.")] = None,
    seat: Seats = None,
    headless: Annotated[bool, typer.Option(help="Play without a window.")] = False,
    episodes: Annotated[int, typer.Option(min=1, help="Matches to play (headless).")] = 1,
    max_ticks: Annotated[int | None, typer.Option(min=1, help="End a match after so many ticks.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the first match; later ones count up.")] = None,
    speed: Annotated[float | None, typer.Option(help="Times the game's own rate; headless: as fast as it can.")] = None,
    record: Annotated[bool, typer.Option("--record", help="Write a replay of each match.")] = False,
    sticky_actions: Sticky = 0.0,
    frame_skip: Skip = 1,
    train: Annotated[
        bool, typer.Option("--train", help="Run a self-play trainer beside it, which AI seats follow.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Play a game, in the window or headless."""
    from arcade.commands import play

    with mending():
        request = play.PlayRequest(
            game=game, seats=tuple(seat or ()), episodes=episodes, max_ticks=max_ticks, seed=seed, speed=speed,
            record=record, sticky_actions=sticky_actions, frame_skip=frame_skip, train=train, as_json=as_json,
        )  # fmt: skip
        raise typer.Exit(play.play_headless(request) if headless else play.play_in_window(request))


@app.command()
def evaluate(
    game: Game,
    seat: Seats = None,
    episodes: Annotated[int, typer.Option(min=1, help="Matches to play.")] = 100,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the first match; later ones count up.")] = None,
    max_ticks: Annotated[int | None, typer.Option(min=1, help="End a match after so many ticks.")] = None,
    swap: Annotated[
        bool | None,
        typer.Option(
            "--swap/--no-swap", help="Play each seed once a side; without it, where the lineup can.", show_default=False
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; without it, as many as are worth their start.")
    ] = None,
    sticky_actions: Sticky = 0.0,
    frame_skip: Skip = 1,
    ladder: Annotated[bool, typer.Option("--ladder", help="Book the matches in the ladder.")] = False,
    as_json: Json = False,
) -> None:
    """Measure players over many matches, headless: returns, lengths, wins, each with its 95 % interval."""
    from arcade.commands import evaluate

    with mending():
        request = evaluate.EvaluateRequest(
            game=game, seats=tuple(seat or ()), episodes=episodes, seed=seed, max_ticks=max_ticks, swap=swap,
            workers=workers, sticky_actions=sticky_actions, frame_skip=frame_skip, ladder=ladder, as_json=as_json,
        )  # fmt: skip
        raise typer.Exit(evaluate.evaluate(request))


@app.command()
def replay(
    take: Annotated[
        str, typer.Argument(metavar="TAKE", help="A recording: its file, name, id or part of it, or latest.")
    ],
    verify: Annotated[bool, typer.Option("--verify", help="Re-simulate headless and compare every tick.")] = False,
    speed: Annotated[float, typer.Option(min=0.05, max=64, help="Times the game's own rate.")] = 1.0,
    video: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write a video instead: OUT.mp4 or OUT.gif.")
    ] = None,
    start: Annotated[float, typer.Option("--from", min=0, help="Second at which the video begins.")] = 0.0,
    end: Annotated[
        float | None, typer.Option("--to", help="Second at which it ends; without it, with the recording.")
    ] = None,
    size: Annotated[
        str, typer.Option(metavar="WxH", help="Pixels of the video; without it 1280x720, a GIF 640x360.")
    ] = "",
    hud: Annotated[bool, typer.Option("--hud", help="Names, scores and the time above the video's picture.")] = False,
    view: Annotated[str, typer.Option(metavar="AGENT", help="Through whose eyes cards are seen.")] = "",
    as_json: Json = False,
) -> None:
    """Show a recorded match again, verify that it comes out the same, or make a video of it."""
    from arcade.commands import play

    with mending():
        file = play.recording(take)
        if video is not None:
            from arcade.commands.video import VideoRequest, write_video

            request = VideoRequest(
                start=start, end=end, speed=speed, size=size, hud=hud, view=view, as_json=as_json
            )  # fmt: skip
            raise typer.Exit(write_video(file, video, request))
        raise typer.Exit(play.verify_replay(file, as_json=as_json) if verify else play.show_replay(file, speed=speed))


@app.command()
def serve(
    endpoint: Annotated[
        str, typer.Option(help="Where to listen; the default is this machine alone.")
    ] = "tcp://127.0.0.1:5555",
) -> None:
    """Serve snapshots as remote seats: batched inference for any number of clients."""
    from arcade.commands import serve

    with mending():
        serve.serve_snapshots(endpoint)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []})
def train(context: typer.Context) -> None:
    """Train by self-play: `arcade train GAME`; `arcade train --help` lists the options."""
    import os

    # The trainer's libraries must never be loaded here, so it is another program from the first line on.
    os.execv(sys.executable, [sys.executable, "-m", "trainer", *context.args])


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []})
def imitate(context: typer.Context) -> None:
    """Clone recorded play: `arcade imitate GAME --person NAME`; `arcade imitate --help` lists the options."""
    import os

    os.execv(sys.executable, [sys.executable, "-m", "trainer.imitation", *context.args])


@runs_app.command("list")
def runs_list(as_json: Json = False) -> None:
    """List the runs on this machine, those that are being trained first."""
    from arcade.commands import runs

    with mending():
        runs.list_runs(as_json=as_json)


@runs_app.command("status")
def runs_status(run: Run = "", as_json: Json = False) -> None:
    """Ask a trainer how far it is, and how it matches."""
    _order("status", run, as_json)


@runs_app.command("pause")
def runs_pause(run: Run = "", as_json: Json = False) -> None:
    """Let a trainer rest after the iteration under way."""
    _order("pause", run, as_json)


@runs_app.command("resume")
def runs_resume(run: Run = "", as_json: Json = False) -> None:
    """Let a paused trainer go on."""
    _order("resume", run, as_json)


@runs_app.command("freeze")
def runs_freeze(run: Run = "", as_json: Json = False) -> None:
    """Make a snapshot of each policy after the iteration under way."""
    _order("freeze", run, as_json)


@runs_app.command("stop")
def runs_stop(run: Run = "", as_json: Json = False) -> None:
    """End a run, with a checkpoint to go on from."""
    _order("stop", run, as_json)


@runs_app.command("match")
def runs_match(
    changes: Annotated[
        list[str],
        typer.Argument(
            metavar="KEY=VALUE…",
            help="newest_ratio, fixed_ratio, play_against_latest_model_ratio; weighting (uniform, variance, hard)",
        ),
    ],
    run: Annotated[
        str, typer.Option("--run", help="A run, or tcp://HOST:PORT; without it the only one there is.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Change whom a run plays against, from the next episodes on."""
    from arcade.commands import runs

    with mending():
        runs.order("matchmaking", run, params=runs.read_changes(changes), as_json=as_json)


@snapshots_app.command("list")
def snapshots_list(
    game: Annotated[str | None, typer.Argument(help="Only those of this game.")] = None, as_json: Json = False
) -> None:
    """List the snapshots that seats can use, oldest first, and the refused ones with the reason."""
    from arcade.commands import terminal
    from arcade.games import find_game

    with mending():
        terminal.print_snapshots(find_game(game).id if game else None, as_json=as_json)


def _order(name: str, run: str, as_json: bool) -> None:
    from arcade.commands import runs

    with mending():
        runs.order(name, run, as_json=as_json)


def _in_window(game: str | None, seats: tuple[str, ...] | None) -> int:
    from arcade.commands import play

    with mending():
        return play.play_in_window(play.PlayRequest(game=game, seats=seats or ()))
