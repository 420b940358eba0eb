"""IdleController: does nothing."""

from __future__ import annotations

from typing import Any

from agents.seats.controller import Action, Controller, SeatSpec, Turn
from agents.spaces import idle_action


class IdleController(Controller):
    """Does nothing, or takes the first legal action where doing nothing is illegal."""

    label = kind = "idle"

    def __init__(self) -> None:
        self._space: Any = None
        self._idle: Action | None = None
        self._action: Action | None = None

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._space, self._idle, self._action = seat.action_space, idle_action(seat.action_space), None

    def observe(self, turn: Turn) -> None:
        mask = turn.action_mask
        self._action = self._idle if mask is None else idle_action(self._space, mask)

    def act(self) -> Action | None:
        return self._action
