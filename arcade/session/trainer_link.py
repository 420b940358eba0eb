"""The arcade's ear on a trainer: finds one that runs, keeps what it told last, passes on what is new."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from agents.processes import is_alive
from arcade.session.worker import Worker

LOOK_EVERY = 1.0
"""Seconds between two looks for a trainer, or at whether it still lives."""


@dataclass(frozen=True, slots=True)
class TrainerAddress:
    """Where a trainer that lives can be heard."""

    run: str  # its run's id, the folder's name
    events: str  # endpoint of its PUB socket
    pid: int


@dataclass(slots=True)
class TrainerStatus:
    """What is known of the trainer; the defaults mean that it has not told yet."""

    run: str
    state: str = "starting"
    game: str = ""
    step: int = 0
    win_rate: float | None = None  # against the pool, 0 … 1
    snapshots: int = 0  # frozen since the arcade listens

    @property
    def words(self) -> str:
        """One line for people."""
        parts = [f"trainer {self.state}"]
        if self.step:
            parts.append(f"{self.step:,} steps")
        if self.win_rate is not None:
            parts.append(f"wins {self.win_rate:.0%}")
        if self.snapshots:
            parts.append(f"{self.snapshots} new snapshot{'s' if self.snapshots > 1 else ''}")
        return "  ·  ".join(parts)


class TrainerEvent(Protocol):
    """One event, as agents.wire.messages has it."""

    @property
    def name(self) -> str: ...

    @property
    def data(self) -> Mapping[str, Any]: ...


class Subscription(Protocol):
    """Events of one PUB socket; `poll` never waits.  agents.wire.events.EventSubscriber is one."""

    def poll(self) -> Sequence[TrainerEvent]: ...

    def close(self) -> None: ...


Subscribe = Callable[[str], Subscription]


class TrainerLink:
    """Listens to the newest trainer whose process lives; disks are looked at in the worker.

    Called once a frame::

        for snapshot in link.update(now):     # the names frozen since, as (game, name)
            ...
        link.status                           # None while no trainer runs
    """

    def __init__(self, runs: Path, *, worker: Worker, subscribe: Subscribe) -> None:
        self._runs = runs
        self._worker = worker
        self._subscribe = subscribe
        self._address: TrainerAddress | None = None
        self._subscription: Subscription | None = None
        self._look_at = 0.0
        self._looking = False
        self.status: TrainerStatus | None = None

    def update(self, now: float) -> list[tuple[str, str]]:
        """Take what has come; returns the snapshots frozen, as (game, name), oldest first."""
        if now >= self._look_at and not self._looking:
            self._looking, self._look_at = True, now + LOOK_EVERY
            self._worker.submit(lambda: find_trainer(self._runs), done=self._found, failed=self._not_found)
        if self._subscription is None or self.status is None:
            return []
        frozen = []
        for event in self._subscription.poll():
            self._take(self.status, event.name, event.data)
            if event.name == "snapshot_frozen":
                frozen.append((str(event.data.get("game", "")), str(event.data.get("name", ""))))
        return frozen

    def close(self) -> None:
        """Stop listening; twice does no harm."""
        if self._subscription is not None:
            self._subscription.close()
        self._address = self._subscription = self.status = None

    def _found(self, address: TrainerAddress | None) -> None:
        self._looking = False
        if address == self._address:
            return
        self.close()
        if address is not None:
            self._address = address
            self.status = TrainerStatus(address.run)
            self._subscription = self._subscribe(address.events)

    def _not_found(self, _error: BaseException) -> None:
        self._found(None)

    def _take(self, status: TrainerStatus, name: str, data: Mapping[str, Any]) -> None:
        """Book one event; fields that are missing or odd leave what was known."""
        if isinstance(data.get("game"), str):
            status.game = data["game"]
        if isinstance(data.get("step"), int):
            status.step = max(status.step, data["step"])
        if name == "status" and isinstance(data.get("state"), str):
            status.state = data["state"]
        if name in ("metrics", "snapshot_frozen") and status.state == "starting":
            status.state = "running"
        if name == "snapshot_frozen":
            status.snapshots += 1
        if name in ("metrics", "win_rates") and _is_share(data.get("win_rate")):
            status.win_rate = float(data["win_rate"])


def _is_share(rate: object) -> bool:
    return isinstance(rate, float | int) and 0.0 <= rate <= 1.0


def find_trainer(runs: Path) -> TrainerAddress | None:
    """The newest trainer of those in ``runs/*/endpoints.json`` whose process lives; None where there is none."""
    found: list[tuple[float, TrainerAddress]] = []
    for path in runs.glob("*/endpoints.json"):
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            address = TrainerAddress(path.parent.name, str(data["events"]), int(data["pid"]))
            written = path.stat().st_mtime
        except (OSError, ValueError, KeyError, TypeError):
            continue  # half written, or of another version
        if is_alive(address.pid):
            found.append((written, address))
    return max(found, key=lambda pair: pair[0])[1] if found else None
