"""The command ``arcade train GAME``: train by self-play until stopped."""

from __future__ import annotations

import json
import os
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

from agents.errors import EXIT_CODES, UserError
from agents.platform.children import end_with_parent, follow
from arcade.commands.options import ReportedCommand, complete_options
from trainer.api import train
from trainer.cluster.ray_cluster import end_agents
from trainer.config.explaining import make_schema
from trainer.runs import launch
from trainer.runs.choice import choose_run
from trainer.runs.progress import LastingConsole, print_event
from trainer.runs.stopping import StoppedAtOnce, StoppedEarly

STOP_SECONDS = 60.0
"""Time for the last checkpoint after the parent has ended; what is stuck then is killed."""

ENDS = {
    StoppedEarly: ("stopped before it began", 0),
    StoppedAtOnce: ("stopped at once; what came after the newest checkpoint is lost", 130),  # as a shell counts Ctrl-C
}
"""What a program that ends at once says, and its status."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(cls=ReportedCommand, help="Train policies by self-play and freeze snapshots of them.")
def begin(
    game: Annotated[str, typer.Argument(help="A game of the catalogue (house/volley); not with --resume.")] = "",
    config: Annotated[Path | None, typer.Option(help="TOML or JSON file of settings, as in a run's folder.")] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Let the settings files name code, programs and remote opponents.")
    ] = False,
    run: Annotated[str, typer.Option(help="The run's id; without it game and time.")] = "",
    start_from: Annotated[str, typer.Option("--from", metavar="SNAPSHOT", help="Start from a snapshot.")] = "",
    resume: Annotated[
        str | None, typer.Option(metavar="[RUN_ID]", help="Resume a run from its last checkpoint; the newest run.")
    ] = None,
    from_best: Annotated[
        bool, typer.Option("--from-best", help="With --resume: from its best checkpoint, not its newest.")
    ] = False,
    trust_checkpoint: Annotated[
        bool, typer.Option("--trust-checkpoint", help="With --resume: though this machine has not signed it.")
    ] = False,
    steps: Annotated[int | None, typer.Option(help="Env steps until it ends; without it, until stopped.")] = None,
    minutes: Annotated[float | None, typer.Option(help="Minutes until it ends; without it, until stopped.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of weights, games and draws.")] = None,
    nice: Annotated[int | None, typer.Option(help="Priority, 0 (normal) to 19 (lowest).")] = None,
    ray_address: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Cluster: HOST:6379, ray://HOST:10001 or auto.")
    ] = None,
    listen: Annotated[
        str, typer.Option(metavar="tcp://HOST:PORT", help="Take requests from allowed keys; events on the next port.")
    ] = "",
    insecure: Annotated[
        bool, typer.Option("--insecure", help="With --listen: no keys; anyone who reaches it can stop the run.")
    ] = False,
    stop_with_parent: Annotated[
        bool, typer.Option("--stop-with-parent", help="End when the process that started it ends.")
    ] = False,
    parent: Annotated[int, typer.Option(metavar="PID", help="End when this process, its parent, ends.")] = 0,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any setting: training.lr=1e-3.")
    ] = None,
    tune: Annotated[Path | None, typer.Option(help="Try many settings: TOML or JSON file of a sweep.")] = None,
    schema: Annotated[
        str, typer.Option(metavar="ALGORITHM", help="Print the JSON schema of the settings, and end.")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check all settings, print them and RLlib's as JSON, and end.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line: progress, notices, the result, errors.")
    ] = False,
) -> None:
    given = {"steps": steps, "minutes": minutes, "seed": seed, "resources.nice": nice,
             "resources.ray_address": ray_address, "start_from": start_from or None}  # fmt: skip
    end = partial(end_at_once, as_json=as_json)
    words = [f"{name}={value}" for name, value in given.items() if value is not None] + (settings or [])
    try:
        if schema:
            return show(make_schema(schema), as_line=as_json)
        launch.check_packages()
        chosen = choose_run(
            game=game, config=config, tune=tune, settings=words, run=run, resume=resume, from_best=from_best,
            trust_checkpoint=trust_checkpoint,
            trust=trust, dry_run=dry_run,
        )  # fmt: skip
        if dry_run:
            with Console(stderr=True).status("checking the settings …"):
                found = launch.look_ahead(chosen)
            return show(found, as_line=as_json)
        if chosen.tune:
            raise typer.Exit(0 if launch.sweep(chosen, as_json=as_json, end=end) else 1)
        parent = parent or (os.getppid() if stop_with_parent else 0)
        if parent:
            follow(parent, grace=STOP_SECONDS)
        trained = train(
            chosen.config, resume=chosen.resume, from_best=from_best, trust_checkpoint=trust_checkpoint,
            parent=parent, listen=listen, insecure=insecure,
            command=shlex.join(["python", "-m", "trainer", *sys.argv[1:]]),
            show=launch.show_as_json if as_json else launch.show_in_terminal, end=end,
        )  # fmt: skip
    except UserError as error:
        if as_json:
            show({"error": error.as_json()}, as_line=True)
        print(error, file=sys.stderr)
        raise typer.Exit(EXIT_CODES[error.code]) from error
    except (StoppedEarly, StoppedAtOnce) as stopped:
        end(type(stopped))  # ray, half begun, would take long to end in order
    if as_json:
        print_event(
            "result", run=trained.id, game=trained.config.game, folder=str(trained.folder), step=trained.step,
            snapshots=trained.snapshots, metrics=trained.metrics,
        )  # fmt: skip


def end_at_once(why: type[BaseException], *, as_json: bool) -> NoReturn:
    """Say why, and end this process and with it those of ray; `why` is one of ENDS."""
    words, status = ENDS[why]
    try:
        if as_json:
            print_event("stopped", message=words)
        print(words, file=sys.stderr, flush=True)
        if sys.stdout.isatty():
            Console().show_cursor()  # the live screen, which hides it, is not closed
        end_agents()
    finally:
        os._exit(status)


def show(facts: dict[str, Any], *, as_line: bool) -> None:
    """Print `facts` as JSON; a reader that closes the pipe early, such as `head`, is no error."""
    LastingConsole().out(json.dumps(facts, indent=None if as_line else 1, allow_nan=False), highlight=False)


def main(words: list[str] | None = None) -> int:
    """0 when the run ended as asked, 1 when a trial of a sweep failed, 2 to 4 when it could not begin (EXIT_CODES)."""
    words = sys.argv[1:] if words is None else words
    end_with_parent()
    try:
        app(args=complete_options(words), prog_name="arcade train")
    except SystemExit as end:
        return int(end.code or 0)
    return 0
