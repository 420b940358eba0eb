"""``arcade runs``: training runs, and commands to running trainers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

import typer

from agents.errors import UserError
from agents.files import folder
from agents.wire.addresses import without_key
from arcade.commands.options import Json
from arcade.commands.run_files import compare, complete_run, delete, logs, show

runs_app = typer.Typer(help="Training runs, and commands to running trainers.", no_args_is_help=True)

runs_app.command("show")(show)
runs_app.command("logs")(logs)
runs_app.command("compare")(compare)
runs_app.command("delete")(delete)

RUN_HELP = "A run, or tcp://KEY@HOST:PORT; default: the only one being trained."
Run = Annotated[str, typer.Argument(metavar="RUN", help=RUN_HELP, autocompletion=complete_run)]

ORDERS = {
    "status": "Show the step and the matchmaking of a run.",
    "pause": "Pause a trainer after the current iteration.",
    "resume": "Resume a paused trainer.",
    "freeze": "Make a snapshot of each policy after the current iteration.",
    "stop": "End a run, with a checkpoint to resume from.",
}


class OrderError(UserError):
    """A malformed command, or one that no trainer receives."""


@runs_app.command("list")
def list_runs(as_json: Json = False) -> None:
    """List the runs on this machine, those in training first, then the newest."""
    from arcade.commands.terminal import print_table
    from arcade.session.training.runs import find_runs

    rows = [
        {"run": r.run, "game": r.game, "step": r.step, "control": r.reached.control if r.reached else ""}
        for r in find_runs(folder("runs"))
    ]
    if as_json:
        print(json.dumps(rows))
    else:
        cells = (
            (row["run"], row["game"], f"{row['step']:,}", without_key(str(row["control"])) or "none") for row in rows
        )
        print_table(("run", "game", ">step", "trainer"), cells)


def _order(name: str) -> Callable[..., None]:
    def order(run: Run = "", as_json: Json = False) -> None:
        _send(name, run, {}, as_json=as_json)

    return order


for _name, _help in ORDERS.items():
    runs_app.command(_name, help=_help)(_order(_name))


@runs_app.command("match")
def match(
    changes: Annotated[
        list[str],
        typer.Argument(
            metavar="KEY=VALUE…",
            help="newest_ratio, fixed_ratio, play_against_latest_model_ratio; weighting (uniform, variance, hard, "
            "nash, alpha_rank)",
        ),
    ],
    run: Annotated[str, typer.Option("--run", help=RUN_HELP)] = "",
    as_json: Json = False,
) -> None:
    """Change the opponents of a run, from the next episodes on."""
    _send("matchmaking", run, _read_changes(changes), as_json=as_json)


def _send(name: str, run: str, params: Mapping[str, Any], *, as_json: bool) -> None:
    """Send a command to the trainer of a run and print its status.  Raises OrderError or ControlError."""
    from arcade.session.training.client import ask_trainer

    address = _find_control(run)
    status = ask_trainer(address, name, params)
    if as_json:
        print(json.dumps(status.as_data()))
        return
    requested = f", requested: {status.asked}" if status.asked and status.asked != status.state else ""
    print(f"{status.run or without_key(address)}: {status.state}{requested}, step {status.step:,}")
    if name == "matchmaking":
        print("  the changes apply from the next iteration")
    if name == "status":
        for key, value in status.as_data().get("matchmaking", {}).items():
            print(f"  {key} = {value}")


def _find_control(run: str) -> str:
    """The control address of a run, or `run` itself where it is an address."""
    from arcade.session.training.runs import endpoint, find_runs

    if endpoint(run):
        return run
    living = {one.run: one.reached.control for one in find_runs(folder("runs")) if one.reached}
    if run in living:
        return living[run]
    if not run and len(living) == 1:
        return next(iter(living.values()))
    there = ", ".join(living) or "none"
    wanted = f"{run!r}" if run else "no name"
    raise OrderError(
        f"expected a run that is being trained ({there}) or an address tcp://KEY@HOST:PORT, got: {wanted}",
        code="not_found",
    )


def _read_changes(texts: Iterable[str]) -> dict[str, Any]:
    """Matchmaking changes from ``KEY=VALUE`` texts, values as numbers where possible."""
    changes: dict[str, Any] = {}
    for change in texts:
        key, equals, text = change.partition("=")
        if not equals or not key:
            raise OrderError(f"expected KEY=VALUE such as newest_ratio=0.3, got: {change!r}")
        try:
            changes[key] = float(text)
        except ValueError:
            changes[key] = text
    return changes
