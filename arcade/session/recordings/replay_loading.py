"""ReplayLoading: reads a recording and starts a stage of its game in the worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agents.errors import UserError
from agents.origin import origin
from arcade.games import open_game
from arcade.games.spec import GameSpec, NotOpenedError
from arcade.match.playback.playback import Playback
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import Replay
from arcade.match.playback.timeline import Timeline
from arcade.match.stage.hosted import HostedStage
from arcade.recordings.notes import NotesBook, key_of
from arcade.session.preview import TURN_RATE
from arcade.session.recordings.recording_errors import recording_text
from arcade.session.services import Services


@dataclass(frozen=True)
class LoadedReplay:
    """A recording, and the stage that it is replayed on."""

    replay: Replay
    spec: GameSpec
    timeline: Timeline
    stage: HostedStage
    people: Mapping[str, str] = field(default_factory=dict)  # "person 1" → the name, known on this machine alone

    def playback(self) -> Playback:
        """From the start; the stage must be ready."""
        return Playback(self.stage, self.replay, rate=TURN_RATE if self.spec.turn_based else self.spec.fps)


class ReplayLoading:
    """Call `update` each frame; `trouble` is the reason why a recording cannot be shown, "" for none.

    `game` is then the ``module:function`` that would run here if the player opened it, "" for none.
    """

    def __init__(self, services: Services, path: Path) -> None:
        self._services, self._path = services, path
        self._begun = self._closed = False
        self._loaded: LoadedReplay | None = None
        self.trouble = self.game = ""

    def trust(self) -> None:
        """Open the game, which runs its code, and read the recording again."""
        game, self.trouble, self.game = self.game, "", ""

        def read() -> LoadedReplay:
            open_game(game)
            return self._read()

        self._services.worker.submit(read, done=self._done, failed=self._failed, errors=UserError)

    def update(self) -> LoadedReplay | None:
        """Return the recording once its stage is ready.  Raises errors that have nothing to do with the file."""
        services = self._services
        if not services.ready:
            services.warm_up()
        elif not self._begun:
            self._begun = True
            services.worker.submit(self._read, done=self._done, failed=self._failed, errors=UserError)
        if self._loaded is None or self.trouble:
            return None
        try:
            self._loaded.stage.poll()
        except UserError as error:
            self._failed(error)
        return self._loaded if self._loaded.stage.ready and not self.trouble else None

    def close(self) -> None:
        """Free the stage, now or when the worker returns it."""
        self._closed = True
        if self._loaded is not None:
            self._services.stages.free(self._loaded.stage)

    def _read(self) -> LoadedReplay:
        """In the worker."""
        replay = read_replay(self._path)
        spec = replay.spec()
        people = NotesBook().people(self._path).get(key_of(self._path), {})
        timeline = Timeline(replay, spec, name=self._services.library.player_names(spec).knowing(people).of_label)
        return LoadedReplay(replay, spec, timeline, self._services.stages.make(spec), people)

    def _done(self, loaded: LoadedReplay) -> None:
        self._loaded = loaded
        if self._closed:
            self.close()
        else:
            self._services.stages.warm()

    def _failed(self, error: BaseException) -> None:
        self.trouble, cause = recording_text(error, self._path), error.__cause__
        self.game = cause.word if isinstance(cause, NotOpenedError) and origin(cause.word) else ""
