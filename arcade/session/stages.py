"""Stages: the child processes that games run in, one of them a spare."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from arcade.session.worker import Worker

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.stage.hosted import HostedStage, StageHost
    from arcade.match.stage.stage import Stage


class Stages:
    """Makes stages once `open` has given it a host."""

    def __init__(self, worker: Worker, *, is_open: Callable[[], bool] = lambda: True) -> None:
        """No spare is started once `is_open` turns False."""
        self.worker, self._is_open = worker, is_open
        self._host: StageHost | None = None

    def open(self, host: StageHost) -> None:
        """Make stages of `host` from now on."""
        self._host = host

    def make(self, spec: GameSpec) -> HostedStage:
        """Make a stage of `spec`; takes a while: for the worker only."""
        assert self._host is not None
        return self._host.stage(spec)

    def warm(self) -> None:
        """Start a spare child for the next stage."""
        if self._host is not None and self._is_open():
            self.worker.submit(self._host.warm)

    def free(self, stage: Stage) -> None:
        """Close a stage without waiting for its child to end."""
        self.worker.submit(stage.close)

    def close(self) -> None:
        """End all children; can be called twice."""
        if self._host is not None:
            self._host.close()
