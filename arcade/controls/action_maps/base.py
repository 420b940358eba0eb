"""ActionMap: what every style of controls has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from agents.seats.controller import Action, ActionMask
from arcade.games.controls import SeatControls

FIRM = 0.5
"""How far half of a stick is pushed before it counts as a control that is held."""


class ActionMap(ABC):
    """Turns the controls of one device into actions of one space, by the rows of a seat's controls.

    `press` is called for each press, `action` whenever an answer is asked for, `turn` once a tick has played it.
    """

    def __init__(self, controls: SeatControls) -> None:
        self._rows: dict[str, list[str]] = {}  # control → the actions of its rows
        for row in controls.rows:
            for control in row.controls:
                self._rows.setdefault(control, []).append(row.action)

    @property
    def words(self) -> str:
        """What stands as it was left, for people: "saying C"; "" where nothing does."""
        return ""

    @property
    def ready(self) -> bool:
        """Whether `action` is an answer already; False while a game waits for more presses."""
        return True

    def uses(self, control: str) -> bool:
        """Whether a control does anything in this seat."""
        return control in self._rows

    def press(self, control: str) -> None:
        """A control went down, or repeats while it is held; for maps that step through something."""
        for action in self._rows.get(control, ()):
            self._step(action)

    def turn(self) -> None:  # noqa: B027  (most maps do not care for time)
        """The last action was played: a tick is over."""

    @abstractmethod
    def action(self, controls: Sequence[str], axes: Mapping[str, float], mask: ActionMask | None) -> Action:
        """What `controls` (oldest press first) and `axes` mean; idle where they mean nothing; legal under `mask`.

        `axes` are halves of sticks and how far each is pushed, 0 … 1.
        """

    def _step(self, action: str) -> None:  # noqa: B027
        """A control of the row with this action went down."""

    def _held(self, controls: Sequence[str], axes: Mapping[str, float]) -> dict[str, int]:
        """The actions of the rows that are held → when, the newest press last; sticks come before all presses."""
        firm = [half for half, push in axes.items() if push > FIRM]
        return {
            action: when for when, control in enumerate([*firm, *controls]) for action in self._rows.get(control, ())
        }
