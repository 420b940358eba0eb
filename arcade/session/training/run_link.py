"""RunLink: one run, on this machine or another, with or without a running trainer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from agents.run_lock import holder
from agents.wire.trainer_events import TrainerStatus, line
from arcade.session.training.client import Pools, TrainerClient
from arcade.session.training.curves import Curves, read_history
from arcade.session.training.runs import Reached, find_reached
from arcade.session.worker import Worker

if TYPE_CHECKING:
    from arcade.session.trainer_process import OwnTrainer

LOOK_EVERY = 1.0
"""Seconds between two checks for a trainer of a local run."""

START_SECONDS = 10.0
"""Seconds within which a started trainer becomes visible, on a busy machine."""


class RunLink:
    """A run in a local folder, whose trainers come and go, or a trainer at an address.

    Called once a frame::

        link.update(now)
        link.state, link.status   # for people
        link.client               # None without a trainer
    """

    def __init__(
        self, *, worker: Worker, folder: Path | None = None, address: str = "",
        status: TrainerStatus | None = None, own: Callable[[], OwnTrainer | None] = lambda: None,
    ) -> None:  # fmt: skip
        """Either `folder` or `address`; `status` is shown until a trainer answers.

        `own` finds the trainer that this window started for the run.
        """
        self.folder, self.address = folder, address
        self.curves, self.pools = Curves(), Pools()
        self.client: TrainerClient | None = None
        self._own = own
        self._worker = worker
        self._look_at = self._now = 0.0
        self._expected_until: float | None = 0.0  # None: from the next update on
        self._looking = self._looked = self._closed = False
        self._reached: Reached | None = None
        self._starting, self._error = False, ""
        self._status = status or TrainerStatus()
        if folder is not None:
            worker.submit(lambda: read_history(folder / "metrics.jsonl"), done=self.curves.put_before)
        else:
            self._open(address, "")

    @property
    def status(self) -> TrainerStatus:
        """The last status of a trainer, also after its end."""
        return self.client.status if self.client is not None else self._status

    @property
    def name(self) -> str:
        """The run's name, or its address."""
        return line(self.folder.name) if self.folder is not None else self.status.run or self.address

    @property
    def state(self) -> str:
        """looking, starting, ended, connecting, silent, or the trainer's own state: running, paused …"""
        client = self.client
        if client is None:
            return "starting" if self._starting else "ended" if self._looked else "looking"
        if not client.answers:
            return "silent" if client.heard or client.silent_seconds > LOOK_EVERY * 5 else "connecting"
        return client.status.state or "running"

    @property
    def live(self) -> bool:
        """Whether a trainer takes requests."""
        return self.client is not None and self.client.answers and self.state != "stopped"

    @property
    def trouble(self) -> str:
        """An error to show, "" for none."""
        if self.state == "ended":
            return self._error
        if self.state == "silent" and self.client is not None:
            where = "" if self.client.heard else f" from {self.client.control}"
            return f"No answer{where} for {self.client.silent_seconds:.0f} s; still trying"
        return ""

    def update(self, now: float) -> None:
        self._now = now
        if self._expected_until is None:
            self._expected_until = now + START_SECONDS
        if self.folder is not None and now >= self._look_at and not self._looking:
            folder, own = self.folder, self._own()
            self._looking, self._look_at = True, now + LOOK_EVERY
            self._worker.submit(lambda: _look(folder, own), done=self._found)
        if self.client is not None:
            self.client.update(now)

    def close(self) -> None:
        """Close the connection; twice does no harm."""
        self._closed = True
        self._disconnect()

    def expect_trainer(self) -> None:
        """Show the run as starting until its trainer has had time to become visible."""
        self._starting, self._expected_until = True, None

    def _found(self, look: tuple[Reached | None, bool, str]) -> None:
        self._looking, self._looked = False, True
        reached, starting, self._error = look
        expected = self._expected_until is None or self._now < self._expected_until
        self._starting = starting or (reached is None and expected and not self._error)
        if self._closed or reached == self._reached:
            return
        self._reached = reached
        self._disconnect()
        if reached is not None:
            self._open(reached.control, reached.events)

    def _open(self, control: str, events: str) -> None:
        self.client = TrainerClient(control, events, curves=self.curves, pools=self.pools)

    def _disconnect(self) -> None:
        client, self.client = self.client, None
        if client is not None:
            self._status = client.status
            client.close()


def _look(folder: Path, own: OwnTrainer | None) -> tuple[Reached | None, bool, str]:
    """The trainer's endpoints, whether one is starting, and why our own ended.  Reads the disk."""
    reached = find_reached(folder)
    starting = reached is None and (holder(folder) != 0 or (own is not None and own.running))
    return reached, starting, own.end if own is not None else ""
