"""Remote control of a run: answers requests (pause, resume, freeze, stop, status …) and publishes events."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from agents.closing import Closing
from agents.wire.control import ControlServer, EventPublisher
from agents.wire.trainer_events import TrainerEvent, TrainerStatus
from trainer.config import ConfigError, RunConfig
from trainer.league.matchmaker import change_matchmaking

COMMANDS = ("pause", "resume", "freeze", "stop", "status", "watch", "matchmaking")
WATCH_SECONDS = 10.0
"""Time after a watch request until the stream of a game ends."""
_POLL_SECONDS = 0.05
_PARENT_POLLS = 10
_WAKE_SECONDS = 0.2


class TrainerServer(Closing):
    """Answers requests on its own thread, and publishes events, both on loopback with ports chosen by the system.

    The thread and signals write the pending requests, the training loop reads them.  `follow` is the process whose end
    stops the run, 0 for none.
    """

    def __init__(self, *, follow: int = 0) -> None:
        self._changed = threading.Condition()  # reentrant: signal handlers take it too
        self.paused = self.stop = False
        self._freezes = 0  # requested and not yet done
        self.config: RunConfig | None = None  # with the matchmaking requested last; None until the run has begun
        self._watched_until = 0.0  # monotonic seconds; until then a game is streamed
        self.status = TrainerStatus(state="starting", step=0)
        self._follow = follow
        self._publisher = EventPublisher()
        self._server = ControlServer({name: partial(self.request, name) for name in COMMANDS})
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="control", daemon=True)
        self._thread.start()

    @property
    def endpoints(self) -> dict[str, Any]:
        """The content of the run's endpoints.json."""
        return {"control": self._server.endpoint, "events": self._publisher.endpoint, "pid": os.getpid()}

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
            self._freezes += name == "freeze" and not self.stop
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

    def pop_freezes(self) -> int:
        """The number of freezes requested since the last call."""
        with self._changed:
            freezes, self._freezes = self._freezes, 0
        return freezes

    def wait_while_paused(self, config: RunConfig) -> None:
        """Wait while paused, until a request comes; `config` has the matchmaking in force."""
        with self._changed:
            while self.paused and not self.stop and not self._freezes and self.config is config:
                self._changed.wait(_WAKE_SECONDS)  # wakes up, so that a signal is handled

    def close(self) -> None:
        if not self._closing.is_set():
            self._closing.set()
            self._thread.join(5)
            self._publisher.close()

    def _serve(self) -> None:
        polls = 0
        while not self._closing.is_set():
            self._server.poll(_POLL_SECONDS)
            polls += 1
            if self._follow and polls % _PARENT_POLLS == 0 and os.getppid() != self._follow:
                self.request("stop")
        self._server.close()
