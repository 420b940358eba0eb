"""RecordingActions: buttons to keep, rate, name, tag and delete a recording; RecordingStrip: those after a match."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agents.errors import UserError
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Grid, Row
from arcade.engine.ui.texts import Label
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import _
from arcade.recordings.card import check_name, check_tag
from arcade.recordings.library import Recording
from arcade.recordings.trash import Deleted
from arcade.scenes import routes
from arcade.scenes.recordings.stars import Stars
from arcade.session.services import Services

if TYPE_CHECKING:
    from arcade.session.match.outcome import MatchOutcome

NAME, TAGS = 60, 200
"""Most characters of a name, and of all tags."""


class RecordingActions:
    """Writes each change in the worker, in order; `changed` gets the new recording, None once it is deleted.

    A deleted recording can be restored for a while: see `undo_widgets`.
    """

    def __init__(self, engine: Host, services: Services, *, changed: Callable[[Recording | None], None]) -> None:
        self._engine, self._services, self._changed = engine, services, changed
        self._waiting: deque[Callable[[], Recording | Deleted]] = deque()  # the first is being written

    def widgets(self, recording: Recording | None) -> list[Widget]:
        """Make the widgets for `recording`, disabled without one."""
        card = recording.card if recording is not None else None
        kept = card is not None and card.kept

        def button(label: str, press: Callable[[Recording], None], hint: str, **look: Any) -> Button:
            return Button(
                label, lambda: press(recording) if recording is not None else None, hint=hint,
                enabled=recording is not None, **look,
            )  # fmt: skip

        def rate(rating: int) -> None:
            if recording is not None:
                self._change(recording, rating=rating)

        keep_hint = _("Allow its removal for newer recordings") if kept else _("Never remove it for newer recordings")
        return [
            button(_("Kept") if kept else _("Keep"), lambda one: self._change(one, kept=not kept), keep_hint,
                   chosen=kept, key="keep"),
            Stars(rating=card.rating if card is not None else 0, change=rate, enabled=card is not None,
                  hint=_("How good this recording is: one more star with each press")),
            button(_("Name …"), self._ask_name, _("Give it a name")),
            button(_("Tags …"), self.ask_tags, _("Words to find it by")),
            button(_("Delete"), self._delete, _("Delete this recording; you can undo it for a few seconds"),
                   danger=True),
        ]  # fmt: skip

    def undo_widgets(self) -> list[Widget]:
        """Make the message of the last deletion and its Undo; none while there is nothing to undo."""
        recording = self._services.deletions.newest
        if recording is None:
            return []
        name = recording.card.name
        text = _("“{name}” deleted").format(name=name) if name else _("Recording deleted")
        deletions = self._services.deletions

        def words() -> str:
            return _("{text}, final in {count} s").format(text=text, count=deletions.seconds_left)

        undo = Button(_("Undo"), self._undo, hint=_("Restore the recording"), primary=True)
        return [Label(words, colour="yellow"), undo]

    def ask_tags(self, recording: Recording) -> None:
        """Ask for the tags of a recording."""

        def accept(tags: str) -> None:
            self._change(recording, tags=tuple(map(check_tag, tags.replace(",", " ").split())))

        title, hint = _("Tags of this recording"), _("Words with spaces between them")
        self._engine.push(routes.EnterText(title, " ".join(recording.card.tags), accept, TAGS, hint, adds=True))

    def _ask_name(self, recording: Recording) -> None:
        def accept(name: str) -> None:
            self._change(recording, name=check_name(name))

        hint = _("Letters, digits and signs; empty for none")
        self._engine.push(routes.EnterText(_("Name of this recording"), recording.card.name, accept, NAME, hint))

    def _delete(self, recording: Recording) -> None:
        self._write(lambda: self._services.deletions.trash.put(recording))

    def _undo(self) -> None:
        self._services.deletions.undo(self._changed)

    def _change(self, recording: Recording, **changes: Any) -> None:
        self._write(lambda: self._services.library.recordings().change(recording, **changes))

    def _write(self, job: Callable[[], Recording | Deleted]) -> None:
        """Write one change after the other, so that the last one counts."""
        self._waiting.append(job)
        if len(self._waiting) == 1:
            self._next()

    def _next(self) -> None:
        if self._waiting:
            self._services.worker.submit(self._waiting[0], done=self._end, failed=self._fail)

    def _end(self, outcome: Recording | Deleted) -> None:
        self._waiting.popleft()
        self._next()
        if isinstance(outcome, Deleted):
            self._services.deletions.add(outcome)
        self._changed(outcome if isinstance(outcome, Recording) else None)

    def _fail(self, error: BaseException) -> None:
        self._waiting.popleft()
        self._next()
        if not isinstance(error, UserError | ValueError):
            raise error
        self._engine.say(str(error))
        self._engine.sound.play("warning")


class RecordingStrip:
    """The recording of `outcome` on the page of results: its name, Watch and the other actions."""

    def __init__(self, engine: Host, services: Services, outcome: MatchOutcome) -> None:
        self._engine, self._services, self._outcome = engine, services, outcome
        self._actions = RecordingActions(engine, services, changed=self._show)
        self._undoes = False  # Undo is on the page

    def body(self) -> Widget:
        """Make the widgets, disabled until the recording is written."""
        recording = self._outcome.recording
        undo = self._actions.undo_widgets() if recording is None else []
        self._undoes = bool(undo)
        if undo:
            return Row(undo)
        watch = Button(_("Watch"), self._watch, enabled=recording is not None, hint=_("Replay this match"))
        text = Label(self._outcome.recording_text, colour="muted")
        return Column([text, Grid([watch, *self._actions.widgets(recording)], cell=120, most=6)], gap=6)

    def update(self) -> None:
        """Remove Undo once the recording is deleted for good; called once a frame."""
        if self._undoes and self._services.deletions.newest is None:
            self._outcome.drop_recording(_("Recording deleted"))

    def _watch(self) -> None:
        if (recording := self._outcome.recording) is not None:
            self._engine.push(routes.Replay(recording.path, span=recording.card.span))

    def _show(self, recording: Recording | None) -> None:
        if recording is not None:
            self._outcome.show_recording(recording)
        else:
            self._outcome.drop_recording(_("Recording deleted"))
