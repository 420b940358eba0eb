"""Totals: how much is recorded of everybody, game by game."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.table import Column, DataTable
from arcade.engine.ui.widgets import Widget
from arcade.recordings.library import Recording
from arcade.recordings.totals import Total, totals
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.recordings import recording_texts
from arcade.session.recordings.recording_list import RecordingList
from arcade.session.services import Services

TABLE = pygame.Rect(theme.MARGIN, 104, 1200, 548)
COLUMNS = (
    Column("Who", 2.4), Column("Game", 2.4), Column("Recordings", figures=True), Column("Length", 1.3, figures=True),
    Column("Won", figures=True), Column("Drawn", figures=True), Column("Lost", figures=True),
)  # fmt: skip


class TotalsScene(Screen):
    """Of the recordings that pass the filters of the page it was opened from."""

    heading = "Totals"

    def __init__(self, services: Services, route: routes.Totals) -> None:
        super().__init__(services, route)
        recordings = route.recordings
        self._recordings = [recording for recording in recordings.shown if isinstance(recording, Recording)]
        self._table = DataTable(
            TABLE, COLUMNS, empty="Nothing is recorded", hint="Recordings, their length and how they ended"
        )
        self._table.set_rows(
            [_row(total, recordings) for total in totals(recording.card for recording in self._recordings)]
        )

    def widgets(self) -> list[Widget]:
        return [self._table, self.back_button("To the recordings")]

    def draw_page(self, canvas: pygame.Surface) -> None:
        at = (self._heading.right + 24, 48)
        theme.draw_text(canvas, recording_texts.totals(self._recordings), at, colour=theme.MUTED, width=760)


def _row(total: Total, recordings: RecordingList) -> tuple[str, ...]:
    who = "Machines alone" if total.person is None else total.person or "People without a name"
    numbers = (total.wins, total.draws, total.losses)
    return (
        who,
        recordings.title(total.game),
        f"{total.recordings:,}",
        recording_texts.length(total.seconds),
        *(f"{n:,}" for n in numbers),
    )
