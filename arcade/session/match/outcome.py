"""MatchOutcome: the result of a match, its rating changes and its recording."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from agents.errors import UserError
from agents.files import home
from agents.seats.controller import AgentID, SeatChoice
from arcade.games.spec import GameSpec
from arcade.match.play.result import MatchResult
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.recordings.library import Recording, RecordingError
from arcade.session.match.series import Series
from arcade.session.rating_changes import RatingChanges, keep_result
from arcade.session.services import Services


class MatchOutcome:
    """The worker adds ratings and recording; `changed` is called with the recording."""

    def __init__(
        self,
        services: Services,
        spec: GameSpec,
        lineup: Mapping[AgentID, SeatChoice],
        result: MatchResult,
        series: Series | None = None,
    ) -> None:
        self._services, self.spec, self.lineup, self.result = services, spec, lineup, result
        self.series = series or Series.begin(spec)  # with this match counted
        self.ratings: RatingChanges | None = None  # None: not written yet
        self.is_recorded = False
        self.recording: Recording | None = None  # None: not written yet, or deleted
        self.recording_text = "This recording …"
        self.changed: Callable[[], None] = lambda: None

    def keep_result(self) -> None:
        """Put the result on the ladder."""
        self._services.on_result(self.result)
        if not self.result.rated:
            self.ratings = RatingChanges()
            return
        path = home() / "ladder.sqlite"
        self._services.worker.submit(lambda: keep_result(self.result, path), done=self._rated)

    def keep_recording(self, writer: ReplayWriter | None, save_picture: Callable[[Path], None]) -> None:
        """Finish the recording of `writer`, with its card and thumbnail, once."""
        if self.is_recorded or writer is None:
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
            if writer.warning:
                self._services.say(writer.warning)
            self.show_recording(recording)

        self._services.worker.submit(close, done=closed, failed=self._not_recorded, errors=(UserError, OSError))

    def show_recording(self, recording: Recording) -> None:
        """Show this recording."""
        self.is_recorded = True
        self.recording, self.recording_text = recording, recording.card.name or "This recording"
        self.changed()

    def drop_recording(self, reason: str) -> None:
        """Show that there is no recording, and the reason."""
        self.recording, self.recording_text = None, reason
        self.changed()

    def _rated(self, ratings: RatingChanges) -> None:
        self.ratings = ratings

    def _not_recorded(self, error: BaseException) -> None:
        """Report why there is no recording, such as a full disk; the match still counts."""
        self._services.say(f"The recording failed: {error}")
        self.drop_recording("No recording")
