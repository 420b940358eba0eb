"""MatchOutcome: what a match leaves: its result, what that did to the ratings, its recording."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from agents.errors import UserError
from agents.home import home
from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.match.play.recorder import Recorder
from arcade.match.play.result import MatchResult
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.recordings.library import Recording, RecordingError
from arcade.session.match.series import Series
from arcade.session.rating_changes import RatingChanges, keep_result
from arcade.session.services import Services


class MatchOutcome:
    """Ratings and recording follow from the worker; `changed` is called when the recording is there."""

    def __init__(
        self,
        services: Services,
        spec: GameSpec,
        lineup: Mapping[AgentID, SeatChoice],
        result: MatchResult,
        series: Series | None = None,
    ) -> None:
        self._services = services
        self.spec, self.lineup, self.result = spec, lineup, result
        self.series = series or Series.begin(spec)  # this match counted
        self.ratings: RatingChanges | None = None  # None: not written yet
        self.is_recorded = False
        self.recording: Recording | None = None  # None: not written yet, or none any more
        self.recording_words = "This recording …"
        self.changed: Callable[[], None] = lambda: None

    def keep_result(self) -> None:
        """Put the result on the ladder."""
        self._services.on_result(self.result)
        if not self.result.rated:
            self.ratings = RatingChanges()
            return
        path = home() / "ladder.sqlite"
        self._services.worker.submit(lambda: keep_result(self.result, path), done=self._rated)

    def keep_recording(self, writer: Recorder | None, save_picture: Callable[[Path], None]) -> None:
        """Close the file of `writer` and write its card and thumbnail, once."""
        if self.is_recorded or not isinstance(writer, ReplayWriter):
            return
        self.is_recorded = True
        library = self._services.library

        def close() -> Recording:
            writer.close()
            if not writer.path.exists():
                raise RecordingError(writer.warning)
            save_picture(writer.path.with_suffix(".png"))
            return library.recordings().read(writer.path)

        def closed(recording: Recording) -> None:
            if writer.warning:  # of its last moment perhaps
                self._services.say(writer.warning)
            self.show_recording(recording)

        self._services.worker.submit(close, done=closed, failed=self._not_recorded)

    def show_recording(self, recording: Recording) -> None:
        """Show this recording."""
        self.is_recorded = True
        self.recording, self.recording_words = recording, recording.card.name or "This recording"
        self.changed()

    def drop_recording(self, words: str) -> None:
        """There is no recording; `words` say why."""
        self.recording, self.recording_words = None, words
        self.changed()

    def _rated(self, ratings: RatingChanges) -> None:
        self.ratings = ratings

    def _not_recorded(self, error: BaseException) -> None:
        """The disk is full, for instance: the match counts all the same."""
        if not isinstance(error, UserError | OSError):
            raise error
        self._services.say(f"The recording: {error}")
        self.drop_recording("No recording of it")
