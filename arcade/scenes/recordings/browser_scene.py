"""The recordings page: find, watch, name, rate and delete recordings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from itertools import chain

from arcade import language
from arcade.engine.input.events import InputEvent, KeyInput, MenuInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Grid, Panel, Row
from arcade.engine.ui.texts import Label
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import N_, _, local_number, ngettext
from arcade.recordings.library import Recording, UnreadableRecording
from arcade.scenes import routes
from arcade.scenes.recordings.actions import RecordingActions
from arcade.scenes.recordings.details import Still, details
from arcade.scenes.recordings.list_view import RecordingListView
from arcade.scenes.recordings.missing_pictures import MissingPictures
from arcade.scenes.recordings.thumbnails import Thumbnails
from arcade.scenes.screen import Screen
from arcade.session.recordings import recording_texts
from arcade.session.recordings.recording_list import FILTERS, RecordingList
from arcade.session.services import Services

NONE = {
    "game": N_("No recordings yet"),
    "person": N_("No recording names a person yet: see Settings, General, Recording"),
    "outcome": N_("No recording has a result yet"),
    "tag": N_("No recording has a tag yet: add some with Tags …"),
}
"""Messages of filters without options."""
HINTS = {
    "game": N_("Show the recordings of one game"),
    "person": N_("Show the recordings of one person"),
    "outcome": N_("Show the recordings with one result"),
    "tag": N_("Show the recordings with one tag"),
}


class BrowserScene(Screen):
    """Lists all recordings; a press on the selected row replays it, and the buttons act on it."""

    heading = N_("Recordings")
    legend = (("accept", N_("Watch")), ("next", N_("Next page")), ("back", N_("Back")))

    def __init__(self, services: Services, route: routes.Recordings) -> None:
        super().__init__(services, route)
        games = {spec.id: spec for spec in services.library.games}
        self.recordings = RecordingList(games, snapshots=services.library.snapshot_names)
        self._thumbnails = Thumbnails(services.worker)
        self._missing_pictures = MissingPictures(self._thumbnails, services.jobs)
        self.list = RecordingListView(self.recordings, self._thumbnails, press=self._watch, moved=self._moved)
        self._summary = _("Loading …")
        self._game = route.game  # to be filtered by, once the recordings are read
        self._missing = ""  # that the game has none
        self._undoes = False  # Undo is on the page
        self._written: int | None = None  # the version of the language in which the recordings are listed

    def enter(self, engine: Host) -> None:
        self.actions_of = RecordingActions(engine, self.services, changed=self._changed)
        super().enter(engine)
        self._read()

    def resume(self) -> None:
        self._read()

    def update(self, now: float) -> None:
        super().update(now)
        if self._undoes and self.services.deletions.newest is None:
            self.refresh()
        shown = chain((self.list.chosen,), self.recordings.shown)  # the large picture comes first
        recordings = (one for one in shown if isinstance(one, Recording))
        self._missing_pictures.update(recordings, self.engine.settings.palette)

    def leave(self) -> None:
        self._missing_pictures.close()

    @property
    def recording(self) -> Recording | None:
        """The recording that the buttons act on."""
        return self.list.chosen if isinstance(self.list.chosen, Recording) else None

    def actions(self) -> list[Widget]:
        undo = self.actions_of.undo_widgets()
        self._undoes = bool(undo)
        show_totals = partial(self.engine.push, routes.Totals(self.recordings))
        totals = Button(_("Totals"), show_totals, hint=_("Totals by person and game"))
        return [*undo, totals]

    def build(self) -> Widget:
        if self._written not in (None, language.version):
            self._write()
        page = super().build()
        self._first = self.list
        return page

    def body(self) -> Widget:
        self.list.hint = _("Press to watch") if self.recording is not None else ""
        filters = [self._filter(name) for name in FILTERS]
        if self.recordings.is_filtered:
            filters.append(Button(_("Show all"), self._show_all, hint=_("Remove the filters")))
        return Column([
            Grid(filters, cell=180, most=len(filters)),
            Label(lambda: self._summary, size=themes.SMALL, colour="muted"),
            Row([self.list, self._side()], align="stretch", grow=1),
        ], gap=8, grow=1)  # fmt: skip

    def _filter(self, name: str) -> Button:
        recordings = self.recordings
        label = recordings.label(name, recordings.chosen[name])
        hint = _((HINTS if len(recordings.options[name]) > 1 else NONE)[name])
        return Button(label, lambda: self.ask(name), hint=hint, key=name, chosen=bool(recordings.chosen[name]))

    def _side(self) -> Widget:
        """Make the picture, the facts and the buttons of the selected recording."""
        recording, chosen = self.recording, self.list.chosen
        here = recording is not None
        row = self.list.index
        watch = Button(
            _("Watch"), lambda: self._watch(row), primary=True, enabled=here, grow=1,
            hint=_("Replay it, step by step if you like"),
        )  # fmt: skip
        video = Button(_("Video …"), self._video, enabled=here, grow=1, hint=_("Save it as a video"))
        keep, stars, name, tags, delete = self.actions_of.widgets(recording)
        for widget in (keep, stars, name, tags, delete):
            widget.grow = 1
        return Panel(Column([
            Still(chosen, self._thumbnails, self._missing_pictures.is_waiting),
            *details(chosen, self.recordings, datetime.now().astimezone()),
            Row([watch, video]), Row([keep, stars]), Row([name, tags, delete]),
        ], gap=8), padding=12, grow=2, least=300)  # fmt: skip

    def handle(self, event: InputEvent) -> bool | None:
        turns = isinstance(event, MenuInput) and event.action in ("next", "previous")
        if turns and self.list.menu(event):  # type: ignore[arg-type]
            return None
        if isinstance(event, KeyInput) and event.pressed and event.name in ("home", "end"):
            self.list.select(0 if event.name == "home" else len(self.recordings.shown) - 1)
            return None
        return super().handle(event)

    def ask(self, name: str) -> None:
        """Open the options of a filter."""
        recordings, options = self.recordings, self.recordings.options[name]
        if len(options) == 1:
            self.engine.say(_(NONE[name]))
            return

        def pick(index: int) -> None:
            recordings.filter(name, options[index])
            self.list.select(0)
            self.show()

        index = options.index(recordings.chosen[name])

        def texts() -> list[str]:
            return [recordings.label(name, option) for option in options]

        self.engine.push(routes.Pick(_("Show recordings of"), texts, index, pick))

    def _show_all(self) -> None:
        self.recordings.reset()
        self.show()

    # Actions

    def _read(self) -> None:
        """Read the folder again, in the worker."""
        self.services.worker.submit(
            lambda: self.services.library.recordings().list(progress=self._count), done=self._fill
        )

    def _count(self, read: int, count: int) -> None:
        """In the worker: show the progress of the first reading."""
        if not self.recordings.all and not self.recordings.bad:
            self._summary = _("Loading … {read} of {count}").format(
                read=local_number(f"{read:,}"), count=local_number(f"{count:,}")
            )

    def _fill(self, found: tuple[Sequence[Recording], Sequence[UnreadableRecording]]) -> None:
        self.recordings.fill(*found)
        if self._game in self.recordings.options["game"]:
            self.recordings.filter("game", self._game)
            self._game = ""
        elif self._game:
            spec = self.services.library.find(self._game)
            self._missing = _("No recordings of {game} yet. All others:").format(game=_(spec.title)) if spec else ""
        self._thumbnails.forget()
        notices = self.services.library.recordings().notices
        if count := len(notices):
            notices.clear()
            words = ngettext(
                "The details of {count} recording were damaged; they were made again from the match",
                "The details of {count} recordings were damaged; they were made again from the matches",
                count,
            )
            self.engine.say(words.format(count=count))
        self.show()

    def show(self) -> None:
        """Show the recordings that pass the filters."""
        self._write()
        self.refresh()

    def _write(self) -> None:
        """Write the rows and the summary."""
        self._written = language.version
        on = self.engine.settings.record_matches
        recorded = _("No recordings yet: matches are recorded automatically")
        empty = recorded if on else _("No recordings yet: turn recording on in Settings, Recording")
        self.list.show_all(datetime.now().astimezone(), empty=empty)
        recordings = [recording for recording in self.recordings.shown if isinstance(recording, Recording)]
        missing = "" if self.recordings.is_filtered or not recordings else self._missing
        parts = [missing, recording_texts.totals(recordings), _unreadable(len(self.recordings.bad))]
        self._summary = "  ·  ".join(filter(None, parts))

    def _changed(self, recording: Recording | None) -> None:
        if recording is None:  # the next press must not delete another one
            self.focus.focus(self.list, silently=True)
        self._read()

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
            self.engine.say(_("The game {game} is not installed here").format(game=card.game))
            return
        start, end = (tick / spec.fps for tick in card.ticks_that_count)
        self.engine.push(routes.Video(self.recording.path, card.ticks / spec.fps, start, end))


def _unreadable(count: int) -> str:
    if not count:
        return ""
    return ngettext("{count} cannot be read", "{count} cannot be read", count).format(count=count)
