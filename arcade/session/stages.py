"""Stages: the child processes that games run in, one of them a spare, and the live preview of one game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from arcade.session.worker import Worker

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.stage.hosted import HostedStage, StageHost
    from arcade.match.stage.stage import Stage
    from arcade.session.preview import Preview


class Stages:
    """`preview` is None until `open`."""

    def __init__(self, worker: Worker, *, is_open: Callable[[], bool] = lambda: True) -> None:
        """No spare is started once `is_open` turns False."""
        self.worker, self._is_open = worker, is_open
        self._host: StageHost | None = None
        self.preview: Preview | None = None

    def open(self, host: StageHost) -> None:
        """Make stages of `host` from now on."""
        from arcade.session.preview import Preview  # games take longer to import than the title may

        self._host, self.preview = host, Preview(self)

    def make(self, spec: GameSpec) -> HostedStage:
        """Make a stage of `spec`; takes a while: for the worker only."""
        assert self._host is not None
        return self._host.stage(spec)

    def take(self, spec: GameSpec, stage: HostedStage | None) -> HostedStage | None:
        """Return the last match's `stage`, or else the preview's, where it plays exactly `spec`; end the preview."""
        if stage is not None and stage.spec.kwargs != spec.kwargs:
            self.free(stage)
            stage = None
        if self.preview is not None:
            if stage is None and self.preview.spec is spec:
                stage = self.preview.take()
            self.preview.close()
        return stage

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
