"""Publishes a run to its viewers: status, metrics, opponent pools, snapshots and watched games."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agents.wire.trainer_events import Matchmaking, Metrics, PoolTable, SnapshotFrozen, WatchPiece, WinRates
from trainer.league.lineage import Lineage
from trainer.league.opponents import OpponentPools
from trainer.runs.control import TrainerServer
from trainer.runs.metrics import mean_win_rate, win_rates

SECONDS_BETWEEN_EVENTS = 1.0
MAX_WIN_RATES = 256
"""Win rates in one event, those against the newest members."""


class RunPublisher:
    """Events of one run, for the thread that trains."""

    def __init__(
        self, server: TrainerServer, pools: OpponentPools, lineages: Sequence[Lineage], *, run: str, game: str
    ) -> None:
        self._server, self._pools, self._lineages = server, pools, lineages
        self._source = {"run": run, "game": game}
        self._published = time.monotonic()

    @property
    def is_due(self) -> bool:
        """Whether the last metrics were published long enough ago."""
        return time.monotonic() - self._published >= SECONDS_BETWEEN_EVENTS

    def status(self, **fields: Any) -> None:
        """Change fields of the status, and publish it with the matchmaking in force."""
        matchmaking = Matchmaking(**self._pools.matchmaker.status())
        events = self._server.endpoints["events"]
        self._server.control.set_status(**self._source, matchmaking=matchmaking, events=events, **fields)
        self._server.publish(self._server.control.status)

    def metrics(self, metrics: Mapping[str, Any]) -> None:
        """Publish the metrics of an iteration, the pools, and the win rates against their members."""
        self._published, step = time.monotonic(), metrics["step"]
        rates = dict(list(win_rates(self._lineages).items())[-MAX_WIN_RATES:])
        self._server.publish(PoolTable(**self._source, step=step, policies=self._pools.table()))
        self._server.publish(Metrics(**self._source, **metrics))
        self._server.publish(WinRates(**self._source, step=step, win_rate=mean_win_rate(self._lineages), rates=rates))

    def snapshot(self, name: str, *, policy: str, step: int, began: float) -> None:
        """Publish that `name` was frozen; `began` is in seconds since 1970."""
        self._server.publish(SnapshotFrozen(**self._source, name=name, step=step, began=began, policy=policy))

    def moves(self, pieces: Iterable[Mapping[str, Any]]) -> None:
        """Publish the newest moves of a watched game."""
        for piece in pieces:
            self._server.publish(WatchPiece(**self._source, **piece))
