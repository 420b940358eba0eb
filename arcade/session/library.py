"""Library: the games, snapshots and recordings of this machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agents.files import folder
from arcade.session.worker import Worker

if TYPE_CHECKING:  # the title is on screen before these are imported
    from agents.snapshots.store import SnapshotStore
    from arcade.games.spec import GameSpec
    from arcade.recordings.library import RecordingLibrary


class Library:
    """Empty until the catalogue is loaded, see `Startup`."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.games: tuple[GameSpec, ...] = ()
        self.featured: GameSpec | None = None  # the title's game
        self.snapshots: dict[str, tuple[str, ...]] = {}  # game → names in the store, newest first
        self._store: SnapshotStore | None = None
        self._recordings: RecordingLibrary | None = None

    def find(self, game: str) -> GameSpec | None:
        """The game of the catalogue with this id."""
        return next((spec for spec in self.games if spec.id == game), None)

    def names(self, game: str) -> tuple[str, ...]:
        """The snapshots that play `game`, newest first, as of the last refresh."""
        return self.snapshots.get(game, ())

    def refresh_snapshots(self, game: str, done: Callable[[], None] = lambda: None) -> None:
        """List the snapshots of `game` again, in the worker; then call `done`."""

        def finish(names: tuple[str, ...]) -> None:
            self.snapshots[game] = names
            done()

        self._worker.submit(lambda: tuple(card.name for card in self.store().list(game)[::-1]), done=finish)

    def store(self) -> SnapshotStore:
        """The user's snapshots and the bundled ones.  Reads the disk: for the worker only."""
        if self._store is None:
            from agents.snapshots.store import open_store  # numpy takes longer than the title may

            self._store = open_store()
        return self._store

    def recordings(self) -> RecordingLibrary:
        """All recordings.  Reads the disk: for the worker only."""
        if self._recordings is None:
            from arcade.recordings.library import RecordingLibrary  # numpy takes longer than the title may

            self._recordings = RecordingLibrary(folder("replays"))
        return self._recordings
