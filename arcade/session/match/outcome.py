"""MatchOutcome: the result of a match, its rating changes and its recording; Series: several matches for one winner."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

from agents.errors import UserError
from agents.files import home
from agents.seats.controller import AgentID, SeatChoice
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.play.result import MatchResult
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.recordings.library import Recording
from arcade.recordings.notes import NotesBook
from arcade.session.match.rating_changes import RatingChanges
from arcade.session.match.series import Series
from arcade.session.player.book import PlayerSheet
from arcade.session.player.highlights import AfterMatch, after_match
from arcade.session.recordings.gap_texts import gap_text
from arcade.session.services import Services

_log = logging.getLogger(__name__)


class MatchOutcome:
    """The worker adds ratings, highlights and recording; `changed` is called with the last two."""

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
        self.after: AfterMatch | None = None  # of the only person here; None: not read yet, or not rated
        self.why = ""  # why it ended early, in words
        self.is_recorded = False
        self.recording: Recording | None = None  # None: not written yet, or deleted
        self.recording_text = _("This recording …")
        self.changed: Callable[[], None] = lambda: None

    def keep_result(self, *, key: str = "") -> None:
        """Put the result on the ladder, once for each `key` that is given."""
        self._services.on_result(self.result)
        if not self.result.kept:
            self.ratings = RatingChanges()
            people = [self.result.lineup[str(agent)] for agent, choice in self.lineup.items() if choice.is_human]
            if people:
                self._services.shelf.note_unrated(dict.fromkeys(people))
            return
        path = home() / "ladder.sqlite"
        keeper = self._services.results
        key = keeper.hold(self.result, key=key)  # so that a busy worker loses none at the end of the program
        self._services.worker.submit(lambda: keeper.keep(self.result, path, key=key), done=self._rated)

    def keep_recording(self, writer: ReplayWriter | None, save_picture: Callable[[Path], None]) -> None:
        """Finish the recording of `writer`, with its card and thumbnail, once."""
        if self.is_recorded or writer is None:
            return
        self.is_recorded = True
        library = self._services.library

        def close() -> Recording:
            writer.close()
            if not writer.path.exists():
                raise OSError(writer.warning)
            save_picture(writer.path.with_suffix(".png"))
            NotesBook().write_people(writer.path, writer.people)
            return library.recordings().read(writer.path)

        def closed(recording: Recording) -> None:
            if writer.gap:
                _log.warning("%s", writer.warning)
                self._services.say(gap_text(writer.gap))
            self.show_recording(recording)

        self._services.worker.submit(close, done=closed, failed=self._not_recorded, errors=(UserError, OSError))

    def show_recording(self, recording: Recording) -> None:
        """Show this recording."""
        self.is_recorded = True
        self.recording, self.recording_text = recording, recording.card.name or _("This recording")
        self.changed()

    def drop_recording(self, reason: str) -> None:
        """Show that there is no recording, and the reason."""
        self.recording, self.recording_text = None, reason
        self.changed()

    def _rated(self, ratings: RatingChanges) -> None:
        self.ratings = ratings
        people = {self.result.lineup[str(agent)] for agent, choice in self.lineup.items() if choice.is_human}
        if len(people) == 1:
            self._services.players.read(people.pop(), self._look_back)

    def _look_back(self, sheet: PlayerSheet) -> None:
        self.after = after_match(self.spec, sheet, self._services.library.games, date.today())
        self.changed()

    def _not_recorded(self, error: BaseException) -> None:
        """Report why there is no recording, such as a full disk; the match still counts."""
        _log.warning("no recording: %s", error)
        words = _("The recording failed: {error}").format(error=error)
        self._services.say(gap_text("unwritten") if isinstance(error, OSError) else words)
        self.drop_recording(_("No recording"))
