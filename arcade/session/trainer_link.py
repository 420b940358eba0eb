"""Follows the newest trainer on this machine, and reports the snapshots that it freezes."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from arcade.session.worker import Worker

if TYPE_CHECKING:
    from agents.wire.trainer_events import TrainerStatus
    from arcade.session.training.client import Subscribe, TrainerClient
    from arcade.session.training.runs import Reached

LOOK_EVERY = 1.0
"""Seconds between two checks for a running trainer."""


class TrainerLink:
    """Called once a frame; the disk is read in the worker::

    for game, snapshot in link.update(now):  # newly frozen
        ...
    link.status  # None while no trainer runs
    """

    def __init__(self, runs: Path, *, worker: Worker, subscribe: Subscribe | None = None) -> None:
        self._runs, self._worker, self._subscribe = runs, worker, subscribe
        self._reached: Reached | None = None
        self._client: TrainerClient | None = None
        self._look_at = 0.0
        self._looking = False
        self.frozen = 0  # snapshots since the link to this trainer opened

    @property
    def status(self) -> TrainerStatus | None:
        """The last status of the trainer, None while none runs."""
        return self._client.status if self._client is not None else None

    @property
    def words(self) -> str:
        """The state of the trainer in one line, "" while none runs."""
        if self._client is None:
            return ""
        status, rate = self._client.status, self._client.win_rate
        parts = [f"trainer {status.state or 'starting'}"]
        if status.step:
            parts.append(f"{status.step:,} steps")
        if rate is not None:
            parts.append(f"wins {rate:.0%}")
        if self.frozen:
            parts.append(f"{self.frozen} new snapshot{'s' if self.frozen > 1 else ''}")
        return "  ·  ".join(parts)

    def update(self, now: float) -> list[tuple[str, str]]:
        """Handle new events; returns the newly frozen snapshots as (game, name), oldest first."""
        if now >= self._look_at and not self._looking:
            self._looking, self._look_at = True, now + LOOK_EVERY
            self._worker.submit(lambda: find_trainer(self._runs), done=self._found, failed=lambda _: self._found(None))
        if self._client is None:
            return []
        self._client.update(now)
        events, self._client.frozen, self._client.notices = self._client.frozen, [], []
        self.frozen += len(events)
        return [(event.game, event.name) for event in events]

    def close(self) -> None:
        """Stop listening; twice does no harm."""
        if self._client is not None:
            self._client.close()
        self._reached, self._client, self.frozen = None, None, 0

    def _found(self, reached: Reached | None) -> None:
        from arcade.session.training.client import TrainerClient  # imports zmq

        self._looking = False
        if reached == self._reached:
            return
        self.close()
        if reached is not None:
            self._reached = reached
            self._client = TrainerClient(events=reached.events, subscribe=self._subscribe)


def find_trainer(runs: Path) -> Reached | None:
    """The trainer of the newest ``runs/*/endpoints.json`` whose process lives; None where there is none."""
    from arcade.session.training.runs import find_reached

    dated: list[tuple[float, Path]] = []
    for path in runs.glob("*/endpoints.json"):
        with contextlib.suppress(OSError):  # its trainer just ended
            dated.append((path.stat().st_mtime, path.parent))
    found = (find_reached(folder) for _, folder in sorted(dated, reverse=True))
    return next((reached for reached in found if reached is not None), None)
