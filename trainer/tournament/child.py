"""The process in which matches are played alone: it may crash, stall or be ended without harm to the rest."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import ExitStack
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import parent_process
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.home import folder
from agents.seats.controller import Controller
from agents.seats.words import parse_seat
from arcade.match.play.lineup import close_mapping, limit, make_controller, open_store
from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage
from arcade.tournaments.plan import Fixture
from arcade.tournaments.rows import Row, failed_row, forfeit_row, match_row
from arcade.tournaments.table import Table
from trainer.tournament.watched import Clock, WatchedController, first_line


def serve(pipe: Connection, table: Table, cells: Any) -> None:
    """Play the fixtures that come through `pipe`, and send the row of each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked sees to the end
    os.dup2(2, 1)  # entrants may print: standard output is the tournament's own
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    if Path(table.folder).is_dir():
        os.chdir(table.folder)
        sys.path.append(table.folder)
    with ExitStack() as stack:
        stage = stack.enter_context(LocalStage(table.spec))
        clock = Clock(cells)
        pipe.send("ready")
        while True:
            try:
                fixture = pipe.recv()
            except EOFError:
                return
            pipe.send(play(table, stage, clock, fixture))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)  # an entrant that stalls may never come back


def play(table: Table, stage: LocalStage, clock: Clock, fixture: Fixture) -> Row:
    """One match, with controllers of its own; raises nothing that an entrant does."""
    clock.begin()
    seats: dict[Any, WatchedController] = {}
    try:
        for number, agent in enumerate(stage.agents):
            try:
                inner = clock.timed(number, partial(_make, table, stage, fixture, agent))
            except Exception as error:  # noqa: BLE001  (its module may do anything when it is imported)
                return forfeit_row(table, fixture, agent, first_line(error, known=(UserError,)), ticks=0)
            seats[agent] = WatchedController(inner, number, clock, move_seconds=table.plan.move_seconds)
        return _play(table, stage, seats, fixture)
    finally:
        close_mapping(dict(seats))


def _make(table: Table, stage: LocalStage, fixture: Fixture, agent: Any) -> Controller:
    number = table.lineup(fixture)[agent]
    choice, snapshot = parse_seat(table.entrant(number).word), table.snapshots.get(number)
    if snapshot is None:
        store = open_store(folder("snapshots"))
        return make_controller(choice, stage.seat(agent), spec=stage.spec, store=store)
    from agents.policies.snapshot_controller import SnapshotController

    snapshot.check(stage.seat(agent))
    return limit(SnapshotController(snapshot), choice, stage.spec)


def _play(table: Table, stage: LocalStage, seats: dict[Any, WatchedController], fixture: Fixture) -> Row:
    match = Match(stage, dict(seats), seed=fixture.seed, max_ticks=table.plan.max_ticks)
    trouble = ""
    try:
        result = match.run()
        trouble = result.error
    except UserError as error:
        trouble = first_line(error, known=(UserError,))
    ticks = match.tick.index if match.tick else 0
    for agent, seat in seats.items():
        if seat.wrong:
            return forfeit_row(table, fixture, agent, seat.wrong, ticks=ticks)
    return failed_row(table, fixture, trouble) if trouble else match_row(table, fixture, result)
