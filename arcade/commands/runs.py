"""What ``arcade runs`` does, behind its options: which training runs there are, and orders to those that live."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from agents.errors import UserError
from agents.home import folder
from arcade.session.training.addresses import endpoint
from arcade.session.training.client import ask_trainer
from arcade.session.training.runs import RunFound, find_runs


class OrderError(UserError):
    """An order that reaches no trainer, or that none could obey."""


def list_runs(*, as_json: bool) -> None:
    """Print those that live, then the others, newest first."""
    runs = find_runs(folder("runs"))
    rows = [
        {"run": r.run, "game": r.game, "step": r.step, "control": r.reached.control if r.reached else ""} for r in runs
    ]
    if as_json:
        print(json.dumps(rows))
        return
    print_table(rows)


def print_table(rows: Iterable[Mapping[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2))
    for name in ("run", "game", "step", "trainer"):
        table.add_column(name, justify="right" if name == "step" else "left")
    for row in rows:
        table.add_row(row["run"], row["game"], f"{row['step']:,}", row["control"] or "none")
    Console().print(table)


def order(name: str, whom: str, *, params: Mapping[str, Any] | None = None, as_json: bool = False) -> None:
    """Send an order to a trainer and print its status: `whom` is a run, an address, or "" for the only one.

    Raises OrderError where there is no such trainer, ControlError where it does not answer or refuses.
    """
    address = find_control(whom, find_runs(folder("runs")))
    status = ask_trainer(address, name, params)
    if as_json:
        print(json.dumps(status.as_data()))
        return
    turning = f", asked to be {status.asked}" if status.asked and status.asked != status.state else ""
    print(f"{status.run or address}: {status.state}{turning}, step {status.step:,}")
    if name == "matchmaking":
        print("  the changes apply from the next iteration")
    if name == "status":
        for key, value in status.as_data().get("matchmaking", {}).items():
            print(f"  {key} = {value}")


def find_control(whom: str, runs: Iterable[RunFound]) -> str:
    """The control address of a run, or `whom` itself where it is one."""
    if endpoint(whom):
        return whom
    living = {run.run: run.reached.control for run in runs if run.reached}
    if whom in living:
        return living[whom]
    if not whom and len(living) == 1:
        return next(iter(living.values()))
    there = ", ".join(living) or "none"
    wanted = f"{whom!r}" if whom else "no name"
    raise OrderError(f"expected a run that is being trained ({there}) or an address tcp://HOST:PORT, got: {wanted}")


def read_changes(words: Iterable[str]) -> dict[str, Any]:
    """``KEY=VALUE`` words as the trainer takes changes of its matchmaking; numbers where they are such."""
    changes: dict[str, Any] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or not key:
            raise OrderError(f"expected KEY=VALUE such as newest_ratio=0.3, got: {word!r}")
        try:
            changes[key] = float(text)
        except ValueError:
            changes[key] = text
    return changes
