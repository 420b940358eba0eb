"""CursorController: a person's controller in a turn-based game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agents.seats.controller import Action, AgentID, Controller, SeatSpec, Turn
from arcade.controls.boards import Path, Place
from arcade.controls.cursor import Cursor, Option
from arcade.engine.input.devices import Curtain, DeviceHub, DeviceListener
from arcade.engine.input.events import ControlInput
from arcade.match.play.match import Match

WAYS = ("left", "up", "right", "down")  # directions that play the first, second, third and fourth option unseen


@dataclass(frozen=True, slots=True)
class Refusal:
    """A press without a legal action, which the table explains."""

    seat: AgentID
    path: Path  # the presses, the refused place last


class CursorController(DeviceListener, Controller):
    """Chooses a legal action with a cursor: directions move it, a presses, b takes a press back.

    `act` is None until an action is complete.  Sticks arrive as directions.  The mouse calls `point_at` and `press`
    with places of the board, or `choose` with an index of `options`.
    """

    def __init__(
        self, hub: DeviceHub, word: str, *, label: str, names: tuple[str, ...] = (), curtain: Curtain | None = None
    ) -> None:
        """`curtain`: the one shared by the players of a card game at this screen."""
        self._curtain = curtain or Curtain()  # one of its own never hides anything
        self.cursor = Cursor(names)
        self._due = False
        self._answer: Action | None = None
        self._refused: Refusal | None = None
        self.confirms = False  # a press only confirms what the table shows, such as how the last hand ended
        self.seat: AgentID = ""
        super().__init__(hub, word, label=label)

    @property
    def options(self) -> tuple[Option, ...]:
        """The legal actions of the due turn; () without one, and while they must not be on the screen."""
        return self.cursor.options if self._due and not self.hidden else ()

    @property
    def hidden(self) -> bool:
        """Whether others play at this screen too, and the person has not yet confirmed to look alone."""
        return self._curtain.hides(self)

    @property
    def called(self) -> bool:
        """Whether the person is to come to the screen alone, and confirm with `lift`."""
        return self.hidden and self._curtain.called is self

    @property
    def unseen(self) -> Mapping[str, Option]:
        """The option of each direction while all choose together unseen; {} at other times."""
        options = self.cursor.options if self._due and self.hidden else ()
        if not self._curtain.together or len(options) > len(WAYS):
            return {}
        return dict(zip(WAYS, options, strict=False))

    def lift(self) -> None:
        """Confirm that the person looks alone."""
        self._curtain.lift(self)

    def take_refused(self) -> Refusal | None:
        """Return the newest refused press, once."""
        refused, self._refused = self._refused, None
        return refused

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._due, self._answer, self._refused = False, None, None
        self.confirms = False
        self.seat = seat.agent
        self._curtain.sit(self)
        self.cursor.reset(seat)

    def observe(self, turn: Turn) -> None:
        self._due, self._answer, self._refused = True, None, None
        self.cursor.show(turn.action_mask)
        self._curtain.wait(self, self.word)

    def act(self) -> Action | None:
        return self._answer

    def choose(self, index: int) -> None:
        """Play `options[index]`."""
        if self.options:
            self.cursor.point(index)
            self.press(self.cursor.at)

    def point_at(self, place: Place) -> None:
        """Put the cursor on a place of the board, or on an answer to an open question."""
        if self.options and (not self.cursor.asking or place in self.cursor.lit):
            self.cursor.at = place

    def press(self, place: Place) -> None:
        """Press a place of the board, and play a completed action; with `confirms`, confirm instead."""
        if not self.options or self.confirms:
            self.confirms = False
            return
        done = self.cursor.press(place)
        if isinstance(done, Option):
            self._play(done)
        elif not done:
            self._refused = Refusal(self.seat, (*self.cursor.path, self.cursor.board.spot(place)))

    def cancel(self) -> None:
        """Take the newest press back."""
        if self.options:
            self.cursor.cancel()

    def close(self) -> None:
        super().close()
        self._curtain.leave(self)

    def on_control(self, event: ControlInput) -> None:
        if not event.pressed or not self._due:
            return
        if self.hidden:
            self._handle_hidden(event)
        elif self.confirms:
            self.confirms = event.repeated or event.control not in ("a", "b")
        elif event.control not in ("a", "b"):
            self.cursor.move(event.control)
        elif not event.repeated:
            self.press(self.cursor.at) if event.control == "a" else self.cancel()

    def _handle_hidden(self, event: ControlInput) -> None:
        if event.repeated:
            return
        option = self.unseen.get(event.control)
        if option is not None:
            self._play(option)
        elif event.control == "a":
            self.lift()

    def _play(self, option: Option) -> None:
        self._answer, self._due = option.action, False
        self._curtain.done(self)


def people_asked(match: Match) -> Iterator[CursorController]:
    """Yield the people at this screen that a turn-based match waits for."""
    yield from (person for agent in match.waiting_for if isinstance(person := match.mapping[agent], CursorController))
