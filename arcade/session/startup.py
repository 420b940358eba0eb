"""Startup: imports what play needs and starts the first child, in the worker, behind the title."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arcade.session.library import Library
from arcade.session.stages import Stages
from arcade.session.worker import Worker

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.stage.hosted import StageHost

_FIRST = ("arcade.games", "arcade.match.playback.reader", "arcade.session.preview", "arcade.session.match.session")
"""Together they take longer to import than the title may."""

_LAST = ("agents.policies.pool", "agents.wire.client")
"""onnxruntime takes long, and only a match with a policy in it needs it."""


class Startup:
    """`ready` turns True once games can be played."""

    def __init__(
        self, worker: Worker, library: Library, stages: Stages, *, featured: str, pages: Sequence[str] = ()
    ) -> None:
        """`pages` are modules of screens that may wait, imported last."""
        self._worker, self._library, self._stages = worker, library, stages
        self._featured, self._pages = featured, pages
        self._begun = self.ready = False

    def begin(self, then: Callable[[], object], *, failed: Callable[[BaseException], None]) -> None:
        """Load all, once; `then` follows in the worker, and `failed` if it raises."""
        if not self._begun:
            self._begun = True
            self._worker.submit(self._load, done=lambda found: self._loaded(*found, then, failed))

    def _load(self) -> tuple[tuple[GameSpec, ...], GameSpec, StageHost]:
        """In the worker."""
        for name in _FIRST:
            importlib.import_module(name)
        catalogue = importlib.import_module("arcade.games")
        featured = catalogue.find_game(self._featured)
        host = importlib.import_module("arcade.match.stage.hosted").StageHost()
        host.warm(featured)
        return catalogue.games(), featured, host

    def _loaded(
        self, games: tuple[GameSpec, ...], featured: GameSpec, host: StageHost,
        then: Callable[[], object], failed: Callable[[BaseException], None],
    ) -> None:  # fmt: skip
        def finish() -> None:
            self.ready = True
            self._worker.submit(lambda: [importlib.import_module(name) for name in (*_LAST, *self._pages)])
            self._worker.submit(then, failed=failed)

        self._library.games, self._library.featured = games, featured
        self._stages.open(host)
        self._library.refresh_snapshots(featured.id, done=finish)
