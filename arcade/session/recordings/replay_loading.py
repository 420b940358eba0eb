"""ReplayLoading: a recording read, and its game made anew in a child, while the window draws."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agents.errors import UserError
from arcade.games.spec import GameSpec
from arcade.match.playback.playback import Playback
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import Replay
from arcade.match.playback.timeline import Timeline
from arcade.match.stage.hosted import HostedStage
from arcade.session.preview import TURN_RATE
from arcade.session.services import Services


@dataclass(frozen=True)
class LoadedReplay:
    """A recording as it was read, and the stage that its game is played on again."""

    replay: Replay
    spec: GameSpec
    timeline: Timeline
    stage: HostedStage

    def playback(self) -> Playback:
        """From the start; the stage must be ready."""
        return Playback(self.stage, self.replay, rate=TURN_RATE if self.spec.turn_based else self.spec.fps)


class ReplayLoading:
    """Call `update` each frame; it gives the reel once its stage is ready, and raises what does not concern the file.

    Of a file that cannot be shown `trouble` says why.
    """

    def __init__(self, services: Services, path: Path) -> None:
        self._services, self._path = services, path
        self._asked = self._closed = False
        self._reel: LoadedReplay | None = None
        self.trouble = ""

    def update(self) -> LoadedReplay | None:
        """The reel, None while it is on its way."""
        services = self._services
        if not services.ready:
            services.warm_up()
        elif not self._asked:
            self._asked = True
            services.worker.submit(self._read, done=self._done, failed=self._failed)
        if self._reel is None or self.trouble:
            return None
        try:
            self._reel.stage.poll()
        except UserError as error:
            self._failed(error)
        return self._reel if self._reel.stage.ready and not self.trouble else None

    def close(self) -> None:
        """Free the stage, or as soon as it is there."""
        self._closed = True
        if self._reel is not None:
            self._services.stages.free(self._reel.stage)

    def _read(self) -> LoadedReplay:
        """In the worker."""
        replay = read_replay(self._path)
        spec = replay.spec()
        timeline = Timeline(replay, spec)
        return LoadedReplay(replay, spec, timeline, self._services.stages.make(spec))

    def _done(self, reel: LoadedReplay) -> None:
        self._reel = reel
        if self._closed:
            self._services.stages.free(reel.stage)
        else:
            self._services.stages.warm()

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, UserError):
            raise error
        self.trouble = str(error)
