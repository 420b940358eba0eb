"""The totals of recordings by person and game."""

from __future__ import annotations

from arcade.engine.ui.layout import Column
from arcade.engine.ui.tables import Column as Heading
from arcade.engine.ui.tables import DataTable
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _, local_number
from arcade.recordings.card import Total, totals
from arcade.recordings.library import Recording
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.recordings import recording_texts
from arcade.session.recordings.recording_list import RecordingList
from arcade.session.services import Services


class TotalsScene(Screen):
    """Of the recordings that pass the filters of the page it was opened from."""

    heading = N_("Totals")
    legend = (("back", N_("Back")),)

    def __init__(self, services: Services, route: routes.Totals) -> None:
        super().__init__(services, route)
        recordings = route.recordings
        self._recordings = [recording for recording in recordings.shown if isinstance(recording, Recording)]
        self._list = recordings
        self._found = totals(recording.card for recording in self._recordings)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The cells of each person and game."""
        return [_row(total, self._list) for total in self._found]

    def body(self) -> Widget:
        headings = (
            Heading(_("Player"), 2.4), Heading(_("Game"), 2.4), Heading(_("Recordings"), 1.2, figures=True),
            Heading(_("Length"), 1.3, figures=True), Heading(_("Won"), figures=True, least=70),
            Heading(_("Drawn"), figures=True, least=70), Heading(_("Lost"), figures=True, least=70),
        )  # fmt: skip
        hint = _("Recordings, their length and how they ended")
        table = DataTable(headings, self.rows, empty=_("Nothing is recorded"), hint=hint, width=1200, wanted=12)
        return Column([Paragraph(recording_texts.totals(self._recordings), colour="muted"), table], grow=1)


def _row(total: Total, recordings: RecordingList) -> tuple[str, ...]:
    player = _("AI alone") if total.person is None else total.person or _("People without a name")
    results = (local_number(f"{count:,}") for count in (total.wins, total.draws, total.losses))
    length = recording_texts.length(total.seconds)
    return player, recordings.title(total.game), local_number(f"{total.recordings:,}"), length, *results
