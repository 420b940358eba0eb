"""CursorController: a seat of a turn-based game, played by hand among its legal actions."""

from __future__ import annotations

from agents.controller import Action, Controller, SeatSpec, Turn
from arcade.engine.cursor import Cursor, Option
from arcade.engine.devices import DeviceHub
from arcade.engine.events import ControlInput


class CursorController(Controller):
    """A seat of a turn-based game: a cursor over the legal actions, moved by directions and played with a.

    `act` is None until one is played.  The HUD shows `options` and marks `cursor`; the mouse calls `point` and
    `choose`.
    """

    def __init__(self, hub: DeviceHub, word: str, *, label: str, names: tuple[str, ...] = ()) -> None:
        self.word, self.label = word, label
        self._hub, self._names = hub, names
        self._cursor = Cursor("", names)
        self._due = False
        self._answer: Action | None = None
        hub.subscribe(self, word)

    @property
    def options(self) -> tuple[Option, ...]:
        """The legal actions of the turn that is due; () while none is."""
        return self._cursor.options if self._due else ()

    @property
    def cursor(self) -> int:
        """The index in `options` that a press would play."""
        return self._cursor.index

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._due, self._answer = False, None
        self._cursor = Cursor(seat.game, self._names, seat=seat.agent)
        self._cursor.reset(seat.action_space)

    def observe(self, turn: Turn) -> None:
        self._due, self._answer = True, None
        self._cursor.show(turn.action_mask)

    def act(self) -> Action | None:
        return self._answer

    def point(self, index: int) -> None:
        """Put the cursor on `options[index]`."""
        self._cursor.point(index)

    def choose(self, index: int | None = None) -> None:
        """Play `options[index]`, or what the cursor is on."""
        if self._due and self._cursor.options:
            if index is not None:
                self._cursor.point(index)
            self._answer = self._cursor.options[self._cursor.index].action
            self._due = False

    def close(self) -> None:
        self._hub.unsubscribe(self)

    def on_control(self, event: ControlInput) -> None:
        if not event.pressed or not self._due:
            return
        if event.control == "a" and not event.repeated:
            self.choose()
        else:
            self._cursor.move(event.control)

    def on_axis(self, axis: str, value: float) -> None:
        """Sticks arrive as directions too; that is enough for a cursor."""

    def on_clear(self) -> None:
        """Nothing is held in a cursor."""
