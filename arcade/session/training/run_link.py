"""RunLink: finds a run's trainer (LOOK_EVERY), here or at an address; NewestTrainer: the newest one here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.platform import system
from agents.run_lock import holder, seconds_held
from agents.wire.addresses import without_key
from agents.wire.trainer_events import SnapshotFrozen, TrainerStatus, line
from arcade.language import _
from arcade.session.trainer_process import last_line
from arcade.session.training.client import Pools, TrainerClient
from arcade.session.training.curves import Curves
from arcade.session.training.run_files import RunFiles, is_ending, read_run_files
from arcade.session.training.runs import Reached, find_newest, find_reached, find_starting, has_saved
from arcade.session.training.strength import Strength, is_better, strength_of
from arcade.session.worker import Worker

if TYPE_CHECKING:
    from arcade.session.trainer_process import OwnTrainers

LOOK_EVERY = 1.0
"""Seconds between two checks for a running trainer."""

START_SECONDS = 10.0
"""Seconds within which a started trainer becomes visible, on a busy machine."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a check for a running trainer found."""

    reached: Reached | None = None
    process: str = ""  # "starting" or "stopping": of a trainer that takes no requests yet, or no more
    process_id: int = 0  # of that trainer; not above 0 where it is not known
    seconds: float = 0.0  # how long it has been running
    status: TrainerStatus | None = None  # what its files tell, where it is not the run of the link
    error: str = ""  # why our own trainer ended, or why a run that saved nothing did
    has_saved: bool = True  # whether there is anything to resume
    has_settings: bool = False  # whether the settings that it was started with are still there


class RunLink:
    """A run in a local folder, whose trainers come and go, or a trainer at an address.

    Called once a frame::

        link.update(now)
        link.state, link.status   # for people
        link.client               # None without a trainer
    """

    def __init__(
        self, *, worker: Worker, folder: Path | None = None, address: str = "",
        status: TrainerStatus | None = None, trainers: OwnTrainers | None = None,
    ) -> None:  # fmt: skip
        """`folder` or `address` of the run; `status` is shown until a trainer answers.

        `trainers` are those that this window started.
        """
        self.folder, self.address = folder, address
        self.curves, self.pools = Curves(), Pools()
        self.client: TrainerClient | None = None
        self._trainers = trainers
        self._worker = worker
        self._look_at = self._now = 0.0
        self._expected_until = 0.0
        self._starting_since: float | None = None  # None: it is not starting
        self._looking = self._looked = self._closed = False
        self._is_stopped = False  # asked to end before its trainer could be reached
        self._reached: Reached | None = None
        self._process, self._error = "", ""
        self._look_found = Look()
        self._measured = (0, -1, 0), Strength()  # by the version of the curves, and the matches
        self._matches = 0  # of a measurement
        self._status = status or TrainerStatus()
        if address:
            self._open(address, "")
        elif folder is not None:
            worker.submit(lambda: read_run_files(folder), done=self._take_files)

    @property
    def status(self) -> TrainerStatus:
        """The last status of a trainer, also after its end; of a run without one, what its files tell."""
        return self._status.merged(self.client.status) if self.client is not None else self._status

    @property
    def name(self) -> str:
        """The run's name, or its address."""
        return line(self.folder.name) if self.folder is not None else self.status.run or without_key(self.address)

    @property
    def state(self) -> str:
        """looking, starting, stopping, ended, connecting, silent, or the trainer's own state: running, paused …"""
        client = self.client
        if client is None:
            return self._process or ("ended" if self._looked else "looking")
        if not client.answers:
            is_silent = client.answered_at is not None or client.silent_seconds > LOOK_EVERY * 5
            return "silent" if is_silent else "connecting"
        return client.status.state or "running"

    @property
    def saved_nothing(self) -> bool:
        """Whether it ended before it began: there is nothing to resume."""
        return self.state == "ended" and not self._look_found.has_saved

    @property
    def can_start_again(self) -> bool:
        """Whether it saved nothing, but can begin anew with the same settings."""
        return self.saved_nothing and self._look_found.has_settings

    @property
    def can_stop_start(self) -> bool:
        """Whether a trainer can be asked to end that takes no requests yet, whichever window started it."""
        return self.state == "starting" and self._look_found.process_id > 0

    @property
    def strength(self) -> Strength:
        """How strong the run is by now."""
        version = id(self.curves), self.curves.version, self._matches
        if version != self._measured[0]:
            self._measured = version, strength_of(self.curves, self._matches)
        return self._measured[1]

    @property
    def live(self) -> bool:
        """Whether a trainer takes requests."""
        return self.client is not None and self.client.answers and self.state != "stopped"

    @property
    def trouble(self) -> str:
        """An error to show, "" for none."""
        if self.state == "ended":
            return self._error
        if self.client is not None and self.client.refusal:
            return self.client.refusal
        if self.state == "silent" and self.client is not None:
            seconds, where = round(self.client.silent_seconds), without_key(self.client.control)
            if self.client.answered_at is not None:
                return _("No answer for {seconds} s; still trying").format(seconds=seconds)
            return _("No answer from {address} for {seconds} s; still trying").format(address=where, seconds=seconds)
        return ""

    @property
    def starting_seconds(self) -> float:
        """How long it has been seen starting; 0 in other states."""
        return self._now - self._starting_since if self._starting_since is not None else 0.0

    def update(self, now: float) -> None:
        self._now = now
        if self.state not in ("starting", "looking", "connecting"):
            self._starting_since = None
        elif self._starting_since is None:
            self._starting_since = now
        if not self.address and now >= self._look_at and not self._looking:
            self._looking, self._look_at = True, now + LOOK_EVERY
            self._worker.submit(self._look, done=self._found)
        if self.client is not None:
            self.client.update(now)

    def close(self) -> None:
        """Close the connection; can be called twice."""
        self._closed = True
        self._disconnect()

    def expect_trainer(self, now: float) -> None:
        """Show the run as starting until its trainer has had time to become visible."""
        self._process, self._expected_until, self._is_stopped = "starting", now + START_SECONDS, False

    def stop_start(self) -> None:
        """Ask the trainer that `can_stop_start` to end; a run that saved nothing is forgotten."""
        if (folder := self.folder) is not None:
            self._is_stopped = True
            self._worker.submit(lambda: _ask_to_end(folder))

    def _found(self, look: Look) -> None:
        self._looking, self._looked = False, True
        self._process, self._error, self._look_found = look.process, look.error, look
        if look.process == "starting":
            self._starting_since = self._now - max(look.seconds, self.starting_seconds)
        is_over = look.reached or look.process or (look.error and look.has_saved)
        if not is_over and self._now < self._expected_until and not self._has_ended():
            self._process = "starting"
        if self._closed or look.reached == self._reached:
            return
        self._reached = look.reached
        self._disconnect()
        if look.reached is not None:
            self._open(look.reached.control, look.reached.events)
            self._read_again(look.reached)

    def _read_again(self, reached: Reached) -> None:
        """Read what its trainer has written before it is followed: its settings, and what it measured."""
        if (folder := reached.folder) is not None:
            self._worker.submit(
                lambda: read_run_files(folder),
                done=lambda files: self._take_files(files) if self._reached is reached else None,
            )

    def _has_ended(self) -> bool:
        """Whether the trainer that this window started is over."""
        own = self._trainers.get(self.folder.name) if self._trainers is not None and self.folder is not None else None
        return own is not None and not own.running

    def _take_files(self, files: RunFiles) -> None:
        """Show what the files tell where no trainer has told more."""
        self._status, self._matches = files.status.merged(self._status), files.matches
        self.curves.put_before(files.curves)
        if not self.pools.version:
            self.pools.of, self.pools.version = dict(files.pools), 1

    def _open(self, control: str, events: str) -> None:
        self.client = TrainerClient(control, events, curves=self.curves, pools=self.pools)

    def _disconnect(self) -> None:
        self._status = self.status
        client, self.client = self.client, None
        if client is not None:
            client.close()

    def _look(self) -> Look:
        """Look for the run's trainer, and forget a run that was stopped before it saved anything.  In the worker."""
        assert self.folder is not None
        own = self._trainers.get(self.folder.name) if self._trainers is not None else None
        if reached := find_reached(self.folder):
            return Look(reached)
        process = holder(self.folder) or (own.pid if own is not None and own.running else 0)
        if process:
            is_stopping = self._is_stopped or (own is not None and own.stopping) or is_ending(self.folder, process)
            word = "stopping" if is_stopping else "starting"
            return Look(process=word, process_id=process, seconds=seconds_held(self.folder))
        saved = has_saved(self.folder)
        runs, run = self.folder.parent, self.folder.name
        settings = runs / f"{run}.json"
        if self._is_stopped:
            if not saved:
                settings.unlink(missing_ok=True)  # so that it is not listed as failed
            return Look(has_saved=saved)
        error = own.end if own is not None else "" if saved else last_line(runs / f"{run}.log")
        return Look(error=error, has_saved=saved, has_settings=settings.exists())


def _ask_to_end(folder: Path) -> None:
    """In the worker."""
    if (process := holder(folder)) > 0:
        system.ask_to_end(process)


class NewestTrainer(RunLink):
    """Follows the events of the newest trainer on this machine, or shows the newest one that is starting."""

    def __init__(self, runs: Path, *, worker: Worker) -> None:
        super().__init__(worker=worker)
        self._runs = runs
        self.arrivals = 0  # snapshots of the present run that measured better than those before
        self._best: float | None = None  # strength at the last of them

    def take_frozen(self) -> list[SnapshotFrozen]:
        """The snapshots that were frozen since the last call, oldest first."""
        if self.client is None:
            return []
        events, self.client.frozen, self.client.notices = self.client.frozen, [], []
        if events:
            self._count_arrival(self.strength.value)
        return events

    def _count_arrival(self, strength: float | None) -> None:
        if is_better(strength, self._best):
            self.arrivals, self._best = self.arrivals + 1, strength

    def _look(self) -> Look:
        reached = find_newest(self._runs)
        run = find_starting(self._runs) if reached is None else None
        if run is None:
            return Look(reached)
        status = TrainerStatus(run=run.run, game=run.game, step=run.step)
        return Look(process="starting", seconds=seconds_held(run.folder), status=status)

    def _found(self, look: Look) -> None:
        super()._found(look)
        if look.status is not None:
            self._status = look.status

    def _open(self, control: str, events: str) -> None:
        self.curves, self.pools = Curves(), Pools()  # of another run
        self.arrivals, self._best, self._matches = 0, None, 0
        super()._open(control, events)
