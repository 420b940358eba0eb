"""The recordings page: find, watch, name, rate and delete recordings; and their totals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

import pygame

from arcade.engine.input.events import InputEvent, KeyInput, MenuInput
from arcade.engine.ui import theme
from arcade.engine.ui.table import Column, DataTable
from arcade.engine.ui.widgets import Button, Widget
from arcade.engine.window.scene import Host
from arcade.recordings.card import Total, totals
from arcade.recordings.library import Recording, UnreadableRecording
from arcade.scenes import routes
from arcade.scenes.recordings.editor import RecordingEditor
from arcade.scenes.recordings.list_view import SIDE, RecordingListView, draw_side
from arcade.scenes.recordings.thumbnails import Thumbnails
from arcade.scenes.screen import Screen
from arcade.session.recordings import recording_texts
from arcade.session.recordings.recording_list import FILTERS, RecordingList
from arcade.session.services import Services

FILTER = pygame.Rect(theme.MARGIN, 92, 291, 46)
LIST = pygame.Rect(theme.MARGIN, 152, 760, 84 * 6)
ROW = pygame.Rect(SIDE.left, 506, SIDE.w, 46)
PITCH = 52
CORNER = pygame.Rect(1240 - 120 - 12 - 120, 28, 120, 48)
NONE = {
    "game": "No recordings yet",
    "person": "No recording names a person yet: see Settings, General",
    "outcome": "No recording has a result yet",
    "tag": "No recording has a tag yet: Tags … gives it some",
}
"""Messages of filters without options."""


class BrowserScene(Screen):
    """Lists all recordings; a press on the selected row replays it, and the buttons act on it."""

    heading = "Recordings"
    legend = "{tab} or {l}, {r}: page    {enter}, {a} or two clicks: watch    {esc} or {b}: back"

    def __init__(self, services: Services, route: routes.Recordings) -> None:
        super().__init__(services, route)
        self.recordings = RecordingList(
            {spec.id: spec for spec in services.library.games}, snapshots=services.library.snapshot_names
        )
        self._thumbnails = Thumbnails(services.worker)
        self._list = RecordingListView(LIST, self.recordings, self._thumbnails, pick=self._watch, moved=self._moved)
        self._totals_words = "Looking …"

    def enter(self, engine: Host) -> None:
        self._editor = RecordingEditor(engine, self.services, changed=lambda recording: self._look())
        super().enter(engine)
        self._look()

    def resume(self) -> None:
        self._look()

    @property
    def recording(self) -> Recording | None:
        """The recording that the buttons act on."""
        return self._list.chosen if isinstance(self._list.chosen, Recording) else None

    def widgets(self) -> list[Widget]:
        self._list.hint = "Press to watch" if self.recording is not None else ""
        filters = [
            self._filter(name, FILTER.move(place * (FILTER.w + theme.GAP), 0)) for place, name in enumerate(FILTERS)
        ]
        show_totals = partial(self.engine.push, routes.Totals(self.recordings))
        summed = Button(CORNER, "Totals", show_totals, hint="Totals by person and game")
        return [self._list, *filters, *self._buttons(), summed, self.back_button()]

    def handle(self, event: InputEvent) -> bool | None:
        turns = isinstance(event, MenuInput) and event.action in ("next", "previous")
        if turns and self._list.menu(event):  # type: ignore[arg-type]
            return None
        if isinstance(event, KeyInput) and event.pressed and event.name in ("home", "end"):
            self._list.select(0 if event.name == "home" else len(self.recordings.shown) - 1)
            return None
        return super().handle(event)

    def draw_page(self, canvas: pygame.Surface) -> None:
        at = (self._heading.right + 24, 48)
        theme.draw_text(canvas, self._totals_words, at, colour=theme.MUTED, width=CORNER.left - at[0] - 16)
        draw_side(canvas, self._list.chosen, self.recordings, self._thumbnails)

    # The widgets

    def _filter(self, name: str, rect: pygame.Rect) -> Button:
        recordings = self.recordings
        words = f"{recordings.label(name, recordings.chosen[name])} …"
        hint = f"Show those of one {name} only" if len(recordings.options[name]) > 1 else NONE[name]
        return Button(rect, words, lambda: self.ask(name), hint=hint)

    def ask(self, name: str) -> None:
        """Open the options of a filter."""
        recordings, options = self.recordings, self.recordings.options[name]
        if len(options) == 1:
            self.engine.say(NONE[name])
            return

        def pick(index: int) -> None:
            recordings.filter(name, options[index])
            self._list.index = self._list.scroll.top = 0
            self._show()

        texts = [recordings.label(name, option) for option in options]
        index = options.index(recordings.chosen[name])
        self.engine.push(routes.Pick("Show recordings of", texts, index, pick))

    def _buttons(self) -> list[Widget]:
        half = (SIDE.w - theme.GAP) // 2
        third = (SIDE.w - 2 * theme.GAP) // 3
        left, right = pygame.Rect(ROW.left, 0, half, ROW.h), pygame.Rect(ROW.right - half, 0, half, ROW.h)
        rows = [ROW.top + place * PITCH for place in range(3)]
        thirds = [pygame.Rect(ROW.left + n * (third + theme.GAP), rows[2], third, ROW.h) for n in range(3)]
        recording, here = self.recording, self.recording is not None
        edits = self._editor.widgets(recording, [left.move(0, rows[1]), right.move(0, rows[1]), *thirds])
        look, show = "Replay it, step by step if you like", "Save it as a video"
        row = self._list.index
        watch = Button(left.move(0, rows[0]), "Watch", lambda: self._watch(row), primary=True, enabled=here, hint=look)
        video = Button(right.move(0, rows[0]), "Video …", self._video, enabled=here, hint=show)
        return [watch, video, *edits]

    # Actions

    def _look(self) -> None:
        """Read the folder again, in the worker."""
        self.services.worker.submit(
            lambda: self.services.library.recordings().list(progress=self._count), done=self._fill
        )

    def _count(self, read: int, count: int) -> None:
        """In the worker: show the progress of the first reading."""
        if not self.recordings.all and not self.recordings.bad:
            self._totals_words = f"Looking …  {read:,} of {count:,}"

    def _fill(self, found: tuple[Sequence[Recording], Sequence[UnreadableRecording]]) -> None:
        self.recordings.fill(*found)
        self._thumbnails.forget()
        self._show()

    def _show(self) -> None:
        on = self.engine.settings.record_matches
        empty = "matches are recorded automatically" if on else "turn recording on in Settings, Recording"
        self._list.show(datetime.now().astimezone(), empty=f"No recordings yet: {empty}")
        recordings = [recording for recording in self.recordings.shown if isinstance(recording, Recording)]
        bad = f"  ·  {len(self.recordings.bad)} that cannot be read" if self.recordings.bad else ""
        self._totals_words = recording_texts.totals(recordings) + bad
        self.refresh()

    def _moved(self, index: int) -> None:
        self.engine.sound.play("move")
        self.refresh()

    def _watch(self, index: int) -> None:
        if self.recording is not None:
            self.engine.push(routes.Replay(self.recording.path, span=self.recording.card.span))

    def _video(self) -> None:
        if self.recording is None:
            return
        card = self.recording.card
        spec = self.services.library.find(card.game)
        if spec is None:
            self.engine.say(f"expected a game that is installed here, got: {card.game}")
            return
        start, end = (tick / spec.fps for tick in card.ticks_that_count)
        self.engine.push(routes.Video(self.recording.path, card.ticks / spec.fps, start, end))


TABLE = pygame.Rect(theme.MARGIN, 104, 1200, 548)
COLUMNS = (
    Column("Player", 2.4), Column("Game", 2.4), Column("Recordings", figures=True), Column("Length", 1.3, figures=True),
    Column("Won", figures=True), Column("Drawn", figures=True), Column("Lost", figures=True),
)  # fmt: skip


class TotalsScene(Screen):
    """Of the recordings that pass the filters of the page it was opened from."""

    heading = "Totals"

    def __init__(self, services: Services, route: routes.Totals) -> None:
        super().__init__(services, route)
        recordings = route.recordings
        self._recordings = [recording for recording in recordings.shown if isinstance(recording, Recording)]
        hint = "Recordings, their length and how they ended"
        self._table = DataTable(TABLE, COLUMNS, empty="Nothing is recorded", hint=hint)
        found = totals(recording.card for recording in self._recordings)
        self._table.set_rows([_row(total, recordings) for total in found])

    def widgets(self) -> list[Widget]:
        return [self._table, self.back_button("To the recordings")]

    def draw_page(self, canvas: pygame.Surface) -> None:
        at = (self._heading.right + 24, 48)
        theme.draw_text(canvas, recording_texts.totals(self._recordings), at, colour=theme.MUTED, width=760)


def _row(total: Total, recordings: RecordingList) -> tuple[str, ...]:
    player = "AI alone" if total.person is None else total.person or "People without a name"
    results = (f"{count:,}" for count in (total.wins, total.draws, total.losses))
    length = recording_texts.length(total.seconds)
    return player, recordings.title(total.game), f"{total.recordings:,}", length, *results
