"""OnlineSeat: the controller of a seat of an online match, which plays the sealed inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.seats.controller import HUMAN_KINDS, Action, ActionMask, Controller, SeatSpec, Turn
from agents.spaces import conform, idle_action, is_legal
from arcade.together.input_log import InputLog, OwnInputs, as_plain
from arcade.together.messages import Player


class OnlineSeat(Controller):
    """Plays what the log has.  Where `own` decides the seat, on this machine, its answers become inputs."""

    def __init__(
        self, seat: SeatSpec, player: Player, log: InputLog, inputs: OwnInputs, own: Controller | None = None
    ) -> None:
        self.seat, self.own, self.late = seat, own, 0
        self.foresees = False  # `own` gets its turns by `foresee`, before their ticks are sealed
        self.label, self.kind, self.rated = player.name, player.kind, player.rated
        if own is not None:
            self.obs_type, self.other_types = own.obs_type, own.other_types
        if own is not None:
            own.label = self.label  # by which the others know this player
        self._log, self._inputs = log, inputs
        self._turn: Turn | None = None
        self._asked: int | None = None  # the tick of the turn that `own` got last
        self._mask: ActionMask | None = None  # of that turn
        self._newest: Action | None = None  # of `own`

    def observe(self, turn: Turn) -> None:
        self._turn = turn
        if not self.foresees:
            self.foresee(turn)

    def foresee(self, turn: Turn) -> None:
        """Ask `own` to decide, where an input is still to be decided at that tick."""
        if self.own is not None and turn.tick != self._asked and self._inputs.needs(turn.tick):
            self._asked, self._mask = turn.tick, turn.action_mask
            self.own.observe(turn)

    def act(self) -> Action | None:
        """The seat's sealed input of the present tick; the idle action where that is not legal now."""
        turn = self._turn
        if turn is None or turn.tick >= len(self._log):
            return None
        action, space = self._log[turn.tick].get(self.seat.agent), self.seat.action_space
        if action is None or not is_legal(action, space, turn.action_mask):
            return idle_action(space, turn.action_mask)
        return action

    def decide(self, tick: int, *, late: bool) -> Action | None:
        """What `own` answers at `tick`; where it has no answer None, or with `late` its last one.

        Raises ControllerError.
        """
        if self.own is None or self._asked != tick:
            return self._last if late else None
        action = self.own.act()
        if action is not None:
            self._newest = as_plain(self._legal(action))
            return self._newest
        if not late:
            return None
        self.late += 1
        return self._last

    @property
    def _last(self) -> Action:
        return as_plain(idle_action(self.seat.action_space)) if self._newest is None else self._newest

    def _legal(self, action: Action) -> Action:
        try:
            return conform(action, self.seat.action_space, self._mask)
        except ValueError:
            return idle_action(self.seat.action_space, self._mask)

    def finish(self, reward: float, *, terminated: bool) -> None:
        if self.own is not None:
            self.own.finish(reward, terminated=terminated)

    def report(self) -> dict[str, Any]:
        return {**self.own.report(), "late": self.late} if self.own is not None else {}


def forfeited_seat(lineup: Mapping[str, Player], machine: int) -> str:
    """The seat that loses where the machine of that number leaves, one of a person if it has any; "" without seats."""
    own = [word for word, player in lineup.items() if player.peer == machine]
    return min(own, key=lambda word: lineup[word].kind not in HUMAN_KINDS, default="")
