"""The training page: the list of runs, connections to other machines, and new runs."""

from __future__ import annotations

import time

import pygame

from agents.files import folder
from agents.wire.trainer_events import TrainerStatus, line
from arcade.engine.ui import theme
from arcade.engine.ui.axes import short_number
from arcade.engine.ui.menus import Item, ListMenu
from arcade.engine.ui.widgets import Button, Widget
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.services import Services
from arcade.session.training.run_link import RunLink
from arcade.session.training.runs import RunFound, endpoint, find_runs

LIST = pygame.Rect(theme.MARGIN, 112, 860, 46 * 12)
SIDE = pygame.Rect(LIST.right + 24, LIST.top, 1240 - LIST.right - 24, 58)
LOOK_EVERY = 2.0
"""Seconds between two scans of the runs on disk."""


class RunsScene(Screen):
    """Running runs first; a press opens one."""

    heading = "Training"

    def __init__(self, services: Services, route: routes.Runs) -> None:
        super().__init__(services, route)
        self.runs: tuple[RunFound, ...] = ()
        self._list = ListMenu(LIST, [Item("Looking for runs …", enabled=False)], pick=self._pick)
        self._look_at = 0.0
        self._looking = False
        self._address = "tcp://"

    def widgets(self) -> list[Widget]:
        rects = [SIDE.move(0, place * (SIDE.h + theme.GAP)) for place in range(2)]
        return [
            self._list,
            Button(
                rects[0], "New run", lambda: self.engine.push(routes.NewRun()), primary=True,
                hint="Choose a game, an algorithm and settings",
            ),
            Button(rects[1], "Connect …", self._connect, hint="Connect to a trainer on another machine"),
            self.back_button("To the title"),
        ]  # fmt: skip

    def update(self, now: float) -> None:
        super().update(now)
        if now >= self._look_at and not self._looking:
            self._looking, self._look_at = True, now + LOOK_EVERY
            self.services.worker.submit(lambda: find_runs(folder("runs")), done=self._found)

    def resume(self) -> None:
        self._look_at = 0.0

    def draw_page(self, canvas: pygame.Surface) -> None:
        words = "Runs on this machine"
        theme.draw_text(canvas, words, (theme.MARGIN + 220, 48), colour=theme.MUTED)

    def show_run(self, run: RunFound) -> None:
        """Open the screen of a run."""
        facts = TrainerStatus(run=run.run, game=run.game, step=run.step)
        services = self.services
        link = RunLink(worker=services.worker, folder=run.folder, status=facts, trainers=services.trainers)
        self.engine.push(routes.Run(link))

    def connect(self, address: str) -> None:
        """Open the trainer at `address`, or the local run that it belongs to."""
        address = address.strip()
        self._address = address or "tcp://"
        if not endpoint(address):
            self.engine.say(f"Expected an address like tcp://192.168.1.20:5556, got: {address!r}")
            return
        here = next((run for run in self.runs if run.reached is not None and run.reached.control == address), None)
        if here is not None:
            self.show_run(here)
        else:
            self.engine.push(routes.Run(RunLink(worker=self.services.worker, address=address)))

    def _found(self, runs: tuple[RunFound, ...]) -> None:
        self._looking = False
        chosen = self.runs[self._list.index].run if self._list.index < len(self.runs) else None
        self.runs = runs
        index = next((place for place, run in enumerate(runs) if run.run == chosen), 0)
        now, top = time.time(), self._list.scroll.top
        rows = [Item(line(run.run), detail=_detail(run, now)) for run in runs]
        self._list.set_items(rows or [Item("No runs on this machine yet", enabled=False)], index=index)
        if chosen:
            self._list.scroll.top = top

    def _pick(self, index: int) -> None:
        self.show_run(self.runs[index])

    def _connect(self) -> None:
        self.engine.push(
            routes.EnterText(
                "Address of a trainer", self._address, self.connect,
                hint="tcp://host:port of its control socket, as in the run's endpoints.json",
            )
        )  # fmt: skip


def _detail(run: RunFound, now: float) -> str:
    steps = f"{short_number(run.step)} steps  ·  " if run.step else ""
    when = "training" if run.reached else _ago(now - run.written)
    game = f"{run.game}  ·  " if run.game else ""
    return f"{game}{steps}{when}"


def _ago(seconds: float) -> str:
    for size, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {name}{'s' if count > 1 else ''} ago"
    return "just now"
