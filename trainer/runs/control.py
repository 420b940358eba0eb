"""Remote control of a run: answers requests (pause, resume, freeze, stop, status …), publishes metrics and events."""

from __future__ import annotations

import contextlib
import logging
import math
import os
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Any

from agents.closing import Closing
from agents.matchmaking.pool import NEWEST
from agents.wire.control import ControlServer, EventPublisher
from agents.wire.local_endpoints import LocalEndpoints
from agents.wire.trainer_events import (
    Matchmaking,
    Metrics,
    PoolTable,
    SnapshotFrozen,
    TrainerEvent,
    TrainerStatus,
    WatchPiece,
    WinRates,
)
from trainer.config import ConfigError, RunConfig
from trainer.league.lineage import Lineage
from trainer.league.matchmaker import change_matchmaking
from trainer.league.opponents import OpponentPools
from trainer.sampling.episodes import EpisodeResult

_log = logging.getLogger(__name__)

COMMANDS = ("pause", "resume", "freeze", "stop", "status", "watch", "matchmaking")
WATCH_SECONDS = 10.0
"""Time after a watch request until the stream of a game ends."""
_POLL_SECONDS = 0.05
_PARENT_POLLS = 10
_WAKE_SECONDS = 0.2

SECONDS_BETWEEN_EVENTS = 1.0

LEARNER_METRICS = {
    "entropy": "entropy", "kl": "mean_kl_loss", "policy_loss": "policy_loss", "vf_loss": "vf_loss",
    "vf_explained_var": "vf_explained_var", "qf_loss": "qf_loss", "q_mean": "qf_mean", "alpha": "alpha_value",
    "kl_penalty": "kl_penalty_coefficient", "reference_kl": "reference_kl", "clip_fraction": "clip_fraction",
}  # fmt: skip
"""Our names of learner metrics to RLlib's."""


class TrainerServer(Closing):
    """Answers requests on its own thread, and publishes events, on this machine or at `listen`, tcp://HOST:PORT.

    The thread and signals write the pending requests, the training loop reads them.  `follow` is the process whose end
    stops the run, 0 for none.  Peers need a key that we allow, unless `insecure`.  Raises OSError for an endpoint that
    is invalid or in use.
    """

    def __init__(self, *, follow: int = 0, listen: str = "", insecure: bool = False) -> None:
        self._changed = threading.Condition()  # reentrant: signal handlers take it too
        self.paused = self.stop = False
        self._freeze_asked = False  # and not yet done
        self.config: RunConfig | None = None  # with the matchmaking requested last; None until the run has begun
        self._watched_until = 0.0  # monotonic seconds; until then a game is streamed
        self.status = TrainerStatus(state="starting", step=0)
        self._follow = follow
        self._local = LocalEndpoints()
        control, events = (listen, _beside(listen)) if listen else map(self._local.endpoint, ("control", "events"))
        handlers = {name: partial(self.request, name) for name in COMMANDS}
        with contextlib.ExitStack() as opened:
            opened.enter_context(self._local)
            self._server = opened.enter_context(ControlServer(handlers, endpoint=control, insecure=insecure))
            self._publisher = EventPublisher(events, insecure=insecure)
            opened.pop_all()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="control", daemon=True)
        self._thread.start()

    @property
    def endpoints(self) -> dict[str, Any]:
        """The content of the run's endpoints.json."""
        return {"control": str(self._server.address), "events": str(self._publisher.address), "pid": os.getpid()}

    @property
    def events(self) -> str:
        """The endpoint of the events; the key is that of the control socket."""
        return self._publisher.endpoint

    def publish(self, event: TrainerEvent) -> None:
        """Send an event to all listeners; never blocks.  For the thread that made the server."""
        self._publisher.publish(event.NAME, event.as_data())

    def set_status(self, **fields: Any) -> None:
        """Change fields of the status that requests are answered with."""
        with self._changed:
            self.status = self.status.model_copy(update=fields)

    def request(self, name: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Note a request, one of COMMANDS, and return the status at once; ``asked`` is the state after the iteration.

        ``watch`` takes ``on``, and lasts some seconds unless it is repeated.  ``matchmaking`` takes the settings of
        `opponents` to change; raises ConfigError, and changes nothing, for wrong ones.
        """
        with self._changed:
            if name in ("pause", "resume"):
                self.paused = name == "pause"
            self._freeze_asked |= name == "freeze" and not self.stop
            self.stop |= name == "stop"
            if name == "watch":
                self._watched_until = time.monotonic() + WATCH_SECONDS if (params or {}).get("on", True) else 0.0
            if name == "matchmaking":
                if self.config is None:
                    raise ConfigError("matchmaking: expected a run that has begun, got one that is starting")
                self.config = change_matchmaking(self.config, params or {})
            self._changed.notify_all()
            asked = "stopped" if self.stop else "paused" if self.paused else "running"
            return self.status.model_copy(update={"asked": asked}).as_data()

    @property
    def is_watched(self) -> bool:
        """Whether a viewer recently requested the stream of a game."""
        return time.monotonic() < self._watched_until

    def take_freeze(self) -> bool:
        """Whether a freeze was requested since the last call; many requests make one snapshot of the same policy."""
        with self._changed:
            asked, self._freeze_asked = self._freeze_asked, False
        return asked

    def wait_while_paused(self, config: RunConfig) -> None:
        """Wait while paused, until a request comes; `config` has the matchmaking in force."""
        with self._changed:
            while self.paused and not self.stop and not self._freeze_asked and self.config is config:
                self._changed.wait(_WAKE_SECONDS)  # wakes up, so that a signal is handled

    def close(self) -> None:
        if not self._closing.is_set():
            self._closing.set()
            self._thread.join(5)
            self._publisher.close()
            self._local.close()

    def _serve(self) -> None:
        polls = 0
        while not self._closing.is_set():
            try:
                self._server.poll(_POLL_SECONDS)
            except Exception:  # noqa: BLE001  # without this thread the run could not be stopped
                _log.exception("a request to the trainer failed")
                self._closing.wait(_POLL_SECONDS)
            polls += 1
            if self._follow and polls % _PARENT_POLLS == 0 and os.getppid() != self._follow:
                self.request("stop")
        self._server.close()


def _beside(listen: str) -> str:
    """The endpoint of the events: the port after that of the control socket."""
    host, _, port = listen.rpartition(":")
    return f"{host}:{int(port) + 1}" if port.isdecimal() else listen


def learning_metrics(
    lineages: Sequence[Lineage], result: dict[str, Any], episodes: Sequence[EpisodeResult]
) -> dict[str, float]:
    """Episode lengths, and the figures of each policy: NAME, or NAME/POLICY where several learn."""
    metrics: dict[str, float] = {}
    if lengths := [episode.ticks for episode in episodes if not episode.again]:
        metrics["episode_ticks"] = fmean(lengths)
    for lineage in lineages:
        id = lineage.policy.id
        own = _policy_metrics(lineage, result, [episode for episode in episodes if episode.policy == id])
        metrics |= {name if len(lineages) == 1 else f"{name}/{id}": value for name, value in own.items()}
    return metrics


def _policy_metrics(lineage: Lineage, result: dict[str, Any], episodes: Sequence[EpisodeResult]) -> dict[str, float]:
    """The score is over the episodes that were not against itself, if there are any."""
    recent = lineage.pool.recent()
    metrics = {"win_rate": recent.win_rate} if recent.games else {}
    if scored := [episode.score for episode in episodes if episode.opponent] or [e.score for e in episodes]:
        metrics["score"] = fmean(scored)
    learner = result.get("learners", {}).get(lineage.policy.id, {})
    figures = {name: float(learner[key]) for name, key in LEARNER_METRICS.items() if key in learner}
    # RLlib reports NaN for metrics that were logged earlier and not in this iteration.
    return metrics | {name: figure for name, figure in figures.items() if not math.isnan(figure)}


def win_rates(lineages: Sequence[Lineage]) -> dict[str, float]:
    """Pool member to the win rate against it, of all policies together."""
    return {name: rate for lineage in lineages for name, rate in lineage.pool.win_rates().items()}


class RunPublisher:
    """Events of one run, for the thread that trains."""

    def __init__(
        self, server: TrainerServer, pools: OpponentPools, lineages: Sequence[Lineage], *, run: str, game: str
    ) -> None:
        self._server, self._pools, self._lineages = server, pools, lineages
        self._source = {"run": run, "game": game}
        self._published = time.monotonic()
        self._measured: dict[str, float] = {}  # not yet published

    @property
    def is_due(self) -> bool:
        """Whether the last metrics were published long enough ago."""
        return time.monotonic() - self._published >= SECONDS_BETWEEN_EVENTS

    def status(self, **fields: Any) -> None:
        """Change fields of the status, and publish it with the matchmaking in force."""
        matchmaking = Matchmaking(**self._pools.matchmaker.status())
        self._server.set_status(**self._source, matchmaking=matchmaking, events=self._server.events, **fields)
        self._server.publish(self._server.status)

    def measured(self, figures: Mapping[str, float]) -> None:
        """Publish these, which few iterations have, with the next metrics."""
        self._measured |= figures

    def metrics(self, metrics: Mapping[str, Any]) -> None:
        """Publish the metrics of an iteration, the pools, and the win rates against their members.

        The mean win rate is since the last freezes, over the policies that had games; None without any.
        """
        self._published, step = time.monotonic(), metrics["step"]
        rates = dict(list(win_rates(self._lineages).items())[-NEWEST:])
        means = [recent.win_rate for lineage in self._lineages if (recent := lineage.pool.recent()).games]
        self._server.publish(PoolTable(**self._source, step=step, policies=self._pools.table()))
        self._server.publish(Metrics(**self._source, **(self._measured | dict(metrics))))
        self._measured = {}
        self._server.publish(WinRates(**self._source, step=step, win_rate=fmean(means) if means else None, rates=rates))

    def snapshot(self, name: str, *, policy: str, step: int, began: float) -> None:
        """Publish that `name` was frozen; `began` is in seconds since 1970."""
        self._server.publish(SnapshotFrozen(**self._source, name=name, step=step, began=began, policy=policy))

    def moves(self, pieces: Iterable[Mapping[str, Any]]) -> None:
        """Publish the newest moves of a watched game."""
        for piece in pieces:
            self._server.publish(WatchPiece(**self._source, **piece))
