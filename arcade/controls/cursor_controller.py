"""CursorController: a person chooses among the legal actions of a turn-based game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agents.seats.controller import Action, AgentID, Controller, SeatSpec, Turn
from arcade.controls.boards import Path, Place
from arcade.controls.cursor import Cursor, Option
from arcade.engine.input.curtain import Curtain
from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import ControlInput
from arcade.match.play.match import Match

WAYS = ("left", "up", "right", "down")  # directions that play the first, second, third and fourth option unseen


@dataclass(frozen=True, slots=True)
class Refusal:
    """A press that continues no legal action; the table's drawing explains it."""

    seat: AgentID
    path: Path  # what was pressed, the refused place last


class CursorController(Controller):
    """A seat of a turn-based game: a cursor moved by directions, a presses what it is on, b takes a press back.

    `act` is None until an action is complete.  The mouse calls `point_at` and `press` with places of the board, or
    `point` and `choose` with the index of one of `options`.  `path`, `lit`, `at` and `asking` are as in Cursor.
    """

    def __init__(
        self, hub: DeviceHub, word: str, *, label: str, names: tuple[str, ...] = (), curtain: Curtain | None = None
    ) -> None:
        """`curtain`: what keeps its turns from the others at this screen, in a game of secrets."""
        self.word, self.label = word, label
        self._hub, self._names = hub, names
        self._curtain = curtain
        self._cursor = Cursor("", names)
        self._due = False
        self._answer: Action | None = None
        self._refused: Refusal | None = None
        self.seat: AgentID = ""
        hub.subscribe(self, word)

    @property
    def options(self) -> tuple[Option, ...]:
        """The legal actions of the turn that is due; () while none is."""
        return self._cursor.options if self._due and not self.hidden else ()

    @property
    def hidden(self) -> bool:
        """Whether others sit at this screen too, and the person has not yet said to look alone."""
        return self._curtain is not None and self._curtain.hides(self)

    @property
    def in_view(self) -> bool:
        """The turn is due and on the screen: what this seat may know can be shown there."""
        return self._due and not self.hidden

    @property
    def called(self) -> bool:
        """The person is asked to come to the screen alone; `lift` says so."""
        return self.hidden and self._curtain is not None and self._curtain.called is self

    @property
    def unseen(self) -> Mapping[str, Option]:
        """The option that a direction plays while all choose together unseen; {} at other times."""
        options = self._cursor.options if self._due and self.hidden else ()
        if self._curtain is None or not self._curtain.together or len(options) > len(WAYS):
            return {}
        return dict(zip(WAYS, options, strict=False))

    def lift(self) -> None:
        """The person says to look alone."""
        if self._curtain is not None:
            self._curtain.lift(self)

    @property
    def cursor(self) -> int | None:
        """The index in `options` that a press leads to first; None where the cursor is on nothing legal."""
        return self._cursor.index

    @property
    def at(self) -> Place:
        """The place the cursor is on."""
        return self._cursor.at

    @property
    def path(self) -> Path:
        """The presses made so far towards an action."""
        return self._cursor.path

    @property
    def lit(self) -> frozenset[Place]:
        """The places where the next press is legal."""
        return self._cursor.lit

    @property
    def asking(self) -> bool:
        """Only an answer beside the board is missing: what a pawn becomes."""
        return self._cursor.asking

    def turn_board(self, turned: bool) -> None:
        """The board is shown from its other side, or no longer; directions follow."""
        self._cursor.turned = turned

    def take_refused(self) -> Refusal | None:
        """The newest press that was refused; each is told once."""
        refused, self._refused = self._refused, None
        return refused

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._due, self._answer, self._refused = False, None, None
        self.seat = seat.agent
        if self._curtain is not None:
            self._curtain.sit(self)
        turned = self._cursor.turned
        self._cursor = Cursor(seat.game, self._names, seat=seat.agent)
        self._cursor.turned = turned
        self._cursor.reset(seat.action_space)

    def observe(self, turn: Turn) -> None:
        self._due, self._answer, self._refused = True, None, None
        self._cursor.show(turn.action_mask)
        if self._curtain is not None:
            self._curtain.wait(self, self.word)

    def act(self) -> Action | None:
        return self._answer

    def report(self) -> dict[str, Any]:
        """The device."""
        return self._hub.told(self.word, self.label)

    def point(self, index: int) -> None:
        """Put the cursor on `options[index]`."""
        self._cursor.point(index)

    def choose(self, index: int) -> None:
        """Play `options[index]`."""
        if self.options:
            self._cursor.point(index)
            self.press(self._cursor.at)

    def point_at(self, place: Place) -> None:
        """Put the cursor on a place of the board, or on an answer while one is asked for."""
        if self.in_view and (not self.asking or place in self.lit):
            self._cursor.at = place

    def press(self, place: Place) -> None:
        """Press a place of the board: an action that it completes is played, an illegal one is refused."""
        if not self.options:
            return
        done = self._cursor.press(place)
        if isinstance(done, Option):
            self._play(done)
        elif not done:
            self._refused = Refusal(self.seat, (*self.path, self._cursor.board.spot(place)))

    def cancel(self) -> None:
        """Take the newest press back."""
        if self.in_view:
            self._cursor.cancel()

    def close(self) -> None:
        self._hub.unsubscribe(self)
        if self._curtain is not None:
            self._curtain.leave(self)

    def on_control(self, event: ControlInput) -> None:
        if not event.pressed or not self._due:
            return
        if self.hidden:
            self._hear_hidden(event)
            return
        if event.control in ("a", "b"):
            if not event.repeated:
                self.press(self.at) if event.control == "a" else self.cancel()
        else:
            self._cursor.move(event.control)

    def _hear_hidden(self, event: ControlInput) -> None:
        if event.repeated:
            return
        option = self.unseen.get(event.control)
        if option is not None:
            self._play(option)
        elif event.control == "a":
            self.lift()

    def _play(self, option: Option) -> None:
        self._answer, self._due = option.action, False
        if self._curtain is not None:
            self._curtain.done(self)

    def on_axis(self, axis: str, value: float) -> None:
        """Sticks arrive as directions too; that is enough for a cursor."""

    def on_clear(self) -> None:
        """Nothing is held in a cursor."""


def people_asked(match: Match) -> Iterator[CursorController]:
    """The people at this screen that a turn-based match waits for."""
    for agent in match.waiting_for:
        if isinstance(person := match.mapping[agent], CursorController):
            yield person
