"""RunLink: one run as the window knows it, wherever its trainer is and whether or not one runs."""

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
"""Seconds between two looks at whether a run of this machine is trained."""

START_SECONDS = 10.0
"""From an order to start a trainer to its process being there, on a machine with much else to do."""


class RunLink:
    """A run in a folder of this machine, whose trainers come and go, or a trainer at an address.

    Called once a frame::

        link.update(now)
        link.state, link.status   # for people
        link.client               # None while no trainer is known
    """

    def __init__(
        self, *, worker: Worker, folder: Path | None = None, address: str = "",
        status: TrainerStatus | None = None, own: Callable[[], OwnTrainer | None] = lambda: None,
    ) -> None:  # fmt: skip
        """Either `folder` or `address`.

        `status` is what is known before a trainer is asked; `own` finds the trainer that this window started for it.
        """
        if (folder is None) == (not address):
            raise ValueError(f"expected either folder or address, got: {folder}, {address!r}")
        self.folder, self.address = folder, address
        self.curves, self.pools = Curves(), Pools()
        self.client: TrainerClient | None = None
        self._own = own
        self._worker = worker
        self._look_at = self._now = 0.0
        self._expected_until: float | None = 0.0  # None: from the next update on
        self._looking = self._looked = self._closed = False
        self._reached: Reached | None = None
        self._starting, self._last_words = False, ""
        self._status = status or TrainerStatus()
        if folder is not None:
            self._load()
        else:
            self._open(address, "")

    @property
    def status(self) -> TrainerStatus:
        """What its trainer told last, also after that ended."""
        return self.client.status if self.client is not None else self._status

    @property
    def name(self) -> str:
        """What to call the run."""
        return line(self.folder.name) if self.folder is not None else self.status.run or self.address

    @property
    def state(self) -> str:
        """looking, starting, ended, connecting, silent, or what the trainer itself says: running, paused …"""
        client = self.client
        if client is None:
            return "starting" if self._starting else "ended" if self._looked else "looking"
        if not client.answers:
            return "silent" if client.heard or client.silent_seconds > LOOK_EVERY * 5 else "connecting"
        return client.status.state or "running"

    @property
    def live(self) -> bool:
        """Whether it can be given orders."""
        return self.client is not None and self.client.answers and self.state != "stopped"

    @property
    def trouble(self) -> str:
        """What is wrong, for people; "" where nothing is."""
        if self.state == "ended":
            return self._last_words
        if self.state == "silent" and self.client is not None:
            seconds = self.client.silent_seconds
            if not self.client.heard:
                return f"Nobody answers at {self.client.control} for {seconds:.0f} s; this window keeps asking"
            return f"No answer for {seconds:.0f} s; this window keeps asking"
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
        """Let go of the trainer; twice does no harm."""
        self._closed = True
        self._hang_up()

    def expect_trainer(self) -> None:
        """One is being started: it counts as starting until it had the time to show itself."""
        self._starting, self._expected_until = True, None

    def _found(self, look: tuple[Reached | None, bool, str]) -> None:
        self._looking, self._looked = False, True
        reached, starting, self._last_words = look
        expected = self._expected_until is None or self._now < self._expected_until
        self._starting = starting or (reached is None and expected and not self._last_words)
        if self._closed or reached == self._reached:
            return
        self._reached = reached
        self._hang_up()
        if reached is not None:
            self._open(reached.control, reached.events)

    def _open(self, control: str, events: str) -> None:
        self.client = TrainerClient(control, events, curves=self.curves, pools=self.pools)

    def _hang_up(self) -> None:
        client, self.client = self.client, None
        if client is not None:
            self._status = client.status
            client.close()

    def _load(self) -> None:
        """Read what the run wrote so far, in the worker."""
        assert self.folder is not None
        path = self.folder / "metrics.jsonl"
        self._worker.submit(lambda: read_history(path), done=self.curves.put_before)


def _look(folder: Path, own: OwnTrainer | None) -> tuple[Reached | None, bool, str]:
    """Where its trainer is reached, whether one is about to be, and why one of ours ended.  Reads the disk."""
    reached = find_reached(folder)
    starting = reached is None and (holder(folder) != 0 or (own is not None and own.running))
    return reached, starting, own.end if own is not None else ""
