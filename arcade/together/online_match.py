"""OnlineMatch: a match whose every tick waits for the sealed inputs of all seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

from agents.seats.controller import Action, AgentID, Controller, ControllerError
from arcade.match.play.match import Match
from arcade.match.stage.tick import Tick
from arcade.together.digest_book import DigestBook
from arcade.together.input_log import InputLog, OwnInputs
from arcade.together.messages import End, printable
from arcade.together.meter import Meter
from arcade.together.seats import OnlineSeat

ENDINGS = ("forfeit", "quit", "failed", "resigned", "agreed")
"""How an `end` may end a match."""

BEHIND = 3
"""Sealed ticks beyond the delay from which a machine counts as behind, and plays as fast as it can."""


class OnlineMatch(Match):
    """Steps once the log has the tick's inputs and the clock says so; a machine that is behind does not wait for it.

    At each tick it decides the inputs of this machine's seats, for the tick that is `inputs.delay` later.
    """

    def __init__(
        self, stage: Any, seats: Mapping[AgentID, OnlineSeat], log: InputLog, inputs: OwnInputs, book: DigestBook, *,
        on_failed: Callable[[AgentID, ControllerError], None], countdown: float = 0.0,
        handed_over: Callable[[int], Mapping[AgentID, OnlineSeat]] = lambda tick: {}, **options: Any,
    ) -> None:  # fmt: skip
        """`on_failed` gets a seat whose controller cannot play on; `countdown`: seconds before the first step.

        `handed_over` has the seats that other players decide from a tick on.
        """
        super().__init__(stage, dict(seats), **options)
        self.mapping = {agent: seat.own or seat for agent, seat in seats.items()}  # as the people here see it
        self._online, self._log, self._inputs, self._book = dict(seats), log, inputs, book
        self._on_failed, self._handed_over = on_failed, handed_over
        self._turns = self.spec.turn_based
        self._waits = True
        self._pending_end: End | None = None
        self._waiting = False  # the tick is due, and inputs are missing
        self._countdown = countdown if self.clock.rate else 0.0
        self.meter = Meter(self.clock.rate or 0.0)
        self.stalls = 0  # ticks whose inputs came late
        self.why = ""  # why it was ended

    @property
    def index(self) -> int:
        """The newest tick's number, -1 before the first."""
        return self.tick.index if self.tick is not None else -1

    @property
    def present_index(self) -> int:
        """The number of the tick that is shown."""
        return max(0, self.index)

    @property
    def moves(self) -> Sequence[Mapping[AgentID, Action]]:
        return [self._log[tick] for tick in range(max(0, self.index))]

    @property
    def is_waiting(self) -> bool:
        """Whether the next tick is due, and inputs are missing."""
        return self._waiting and not self.over

    @property
    def is_settled(self) -> bool:
        """Whether the stage is at `tick`, with no step under way."""
        return self.tick is not None and not self.stepping and not self.over

    @property
    def behind(self) -> int:
        """Sealed ticks that are still to be played, but for those of the delay."""
        return len(self._log) - max(0, self.index) - self._inputs.delay

    def due_in(self, now: float) -> float:
        """As for a match that does not wait: the loop may sleep so long."""
        if self.over or self.stepping:
            return 0.0
        return 0.0 if self.behind > BEHIND else self.clock.due_in(now)

    def end_at(self, end: End) -> None:
        """End as the host says, once all sealed ticks up to there are played."""
        self._pending_end = end

    def end_now(self) -> None:
        """End as `end_at` was told, at the present tick: no more inputs will come."""
        if self._pending_end is not None and not self.over:
            self._end(self._pending_end)

    def _step_if_due(self, now: float) -> bool:
        tick = self.tick
        assert tick is not None
        end = self._pending_end
        if end is not None and tick.index >= min(end.tick, len(self._log)):
            self._end(end)
            return False
        hurries = self.behind > BEHIND
        self.stage.draws = not hurries
        if not hurries and not self.clock.is_due(now):
            return False
        self._decide(tick, now)
        if len(self._log) <= tick.index or not self._step(now):
            self.stalls += not self._waiting
            self._waiting = True
            return False
        self.meter.shown(tick.index, now)
        (self.clock.restart if hurries or self._waiting else self.clock.advance)(now)
        self._waiting = False
        return True

    def _is_patient(self, now: float) -> bool:
        return True

    def _end(self, end: End) -> None:
        self.why = printable(end.why)
        self.loser = next((agent for agent in self.stage.agents if str(agent) == end.loser and end.loser), None)
        self._finish(end.ended if end.ended in ENDINGS else "failed")  # type: ignore[arg-type]

    def _decide(self, tick: Tick, now: float) -> None:
        """The inputs of this machine's seats; in a turn-based game those to move, once they have an answer."""
        if not self._inputs.needs(tick.index):
            return
        asked = [agent for agent in self._inputs.agents if not self._turns or agent in tick.acting]
        found: dict[AgentID, Action] = {}
        for agent in asked:
            try:
                action = self._online[agent].decide(tick.index, late=not self._turns)
            except ControllerError as error:
                self._on_failed(agent, error)
                return
            if action is not None:
                found[agent] = action
        if asked and len(found) == len(asked):
            first = self._inputs.next
            self._inputs.fill(tick.index, found)
            self.meter.decided(range(first, self._inputs.next), now)

    def _receive(self, tick: Tick, now: float) -> None:
        self._book.note(tick)
        self._inputs.sealed(min(tick.index, len(self._log)))
        super()._receive(tick, now)
        self._change_seats(tick)
        if tick.index == 0:
            self._count_down()

    def put(self, agent: AgentID, own: Controller | None) -> None:
        """Let a controller of this machine decide a seat from now on, or none."""
        seat = self._online[agent]
        seat.own = own
        self.mapping[agent] = own or seat

    def _change_seats(self, tick: Tick) -> None:
        """Note the players that decide seats from this tick on."""
        for agent, seat in self._handed_over(tick.index).items():
            seat.foresees = self._online[agent].foresees
            self._online[agent] = seat
            if not self.over:
                self.replace(agent, seat, why="join")
            self.mapping[agent] = seat.own or seat

    def _count_down(self) -> None:
        """Let people find their keys before the first step; not where the match is played anew."""
        if self._countdown and not len(self._log):
            self.clock.postpone(self._countdown)

    def counts_down(self, now: float) -> int:
        """The seconds to the first step, as people count: 3, 2, 1; 0 without a countdown."""
        if not self._countdown or self.over or self.tick is None or self.present_index:
            return 0
        left = self.clock.due_in(now)
        return ceil(left) if left > 1 / (self.clock.rate or 1.0) else 0
