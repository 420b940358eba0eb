"""Match: controllers in the seats of a stage, from reset to the end, on a fixed tick.  It knows no window.

A window drives it a slice at a time, a script to the end::

    match = Match(stage, mapping, seed=7, rate=spec.fps)      match = Match(stage, mapping, seed=7)
    while not match.over:                                      print(match.run())
        match.advance(time.monotonic())     # never blocks
        draw(match.frame, match.scores)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from agents.seats.controller import Action, ActionMask, AgentID, Controller, ControllerError, Turn
from agents.spaces import idle_action
from arcade.match.play.pacer import MAX_CATCH_UP, Pacer, RateMeter
from arcade.match.play.recorder import Recorder
from arcade.match.play.result import ChangeReason, Ending, MatchResult, SeatChange, placements
from arcade.match.play.tally import SeatLog, Tally
from arcade.match.play.understudies import Understudies
from arcade.match.stage.stage import Stage, StageError
from arcade.match.stage.tick import Frame, Tick

PolicyMapping = dict[AgentID, Controller]
"""Agent id to Controller: RLlib's policy mapping with people in it."""

_SLICE = 64
"""Ticks that an unpaced match plays between two looks at the clock."""

PATIENCE = 30.0
"""Seconds that an unpaced match waits for a controller before it counts as late."""


class Match:
    """One episode.

    With a `rate` (ticks a second) a real-time game steps on time and plays a seat's last action where its controller
    is late.  Without one, or in a turn-based game, it waits for whoever is to act, at most `PATIENCE` seconds when
    unpaced.  The mapping is owned by the caller, who closes its controllers; `scores` are the sums of rewards, `late`
    counts each seat's late ticks, `late_row` those since its last answer in time.  A AdjustableMatch lets people slow
    it down, step it and take it back.
    """

    def __init__(
        self,
        stage: Stage,
        mapping: PolicyMapping,
        *,
        seed: int,
        rate: float | None = None,
        max_ticks: int | None = None,
        recorder: Recorder | None = None,
        settings: dict[str, Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        missing = [agent for agent in stage.agents if agent not in mapping]
        if missing:
            raise ValueError(f"expected a controller for every agent of {stage.spec.id}, got none for: {missing}")
        self.stage = stage
        self.spec = stage.spec
        self.mapping = mapping
        self.seed = seed
        stage.rules.check(stage.spec)
        self.settings = {**(settings or {}), **stage.rules.as_settings()}
        self.tick: Tick | None = None
        self.frame: Frame | None = None
        self.late_row: dict[AgentID, int] = dict.fromkeys(stage.agents, 0)
        self.error: StageError | None = None
        self.result: MatchResult | None = None
        self.paused = False
        self._pacer = Pacer(rate) if rate else None
        self._waits = stage.spec.turn_based or rate is None
        self._max_ticks = max_ticks
        self._recorder = recorder
        self._clock = clock
        self._began_at = self._asked_at = 0.0
        self._tally = Tally.of(stage.agents)
        self._seats = SeatLog()
        self._actions: dict[AgentID, Action] = {}
        self._busy = False  # the stage was asked and has not answered
        self.understudies = Understudies()
        self._rewinds: list[tuple[int, int]] = []
        self._turned = False  # somebody turned the clock: no match for the ladder
        self._meter = RateMeter()

    @property
    def scores(self) -> Mapping[AgentID, float]:
        return self._tally.scores

    @property
    def late(self) -> Mapping[AgentID, int]:
        return self._tally.late

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def waiting_for(self) -> tuple[AgentID, ...]:
        """The agents whose action the next tick still needs, () while the stage works or the match is over."""
        if self.over or self.tick is None or not self._waits:
            return ()
        return tuple(agent for agent in self.tick.acting if agent not in self._actions)

    @property
    def stepping(self) -> bool:
        """True while the stage works on a tick: its answer must come before anything else is asked of it."""
        return self._busy

    def start(self) -> None:
        """Reset the stage and every controller; the first Tick comes by `advance`."""
        self._began_at = self._clock()
        for agent, seed in zip(self.stage.agents, self._seat_seeds(), strict=True):
            self.mapping[agent].reset(self.stage.seat(agent), seed=seed)
            self._seats.begin(agent, self.mapping[agent].label)
        if self._recorder:
            self._recorder.start(self)
        self._busy = True
        self._guarded(lambda: self.stage.reset(self.seed))

    @property
    def elapsed(self) -> float:
        """Seconds since the start, pauses included."""
        return self._clock() - self._began_at

    @property
    def rate(self) -> float | None:
        """Ticks a second that are wanted: the game's own times the speed; None for as many as possible."""
        return 1.0 / self._pacer.period if self._pacer else None

    def rate_now(self, now: float) -> float | None:
        """Ticks a second lately, on the clock of `advance`; None before there were a few, and after a pause."""
        return self._meter.rate(now)

    def _seat_seeds(self, again: int = 0) -> list[int]:
        """A seed for each seat; others after each rewind, so that chance does not repeat itself."""
        entropy = (self.seed, again) if again else self.seed
        return [int(seed) for seed in np.random.SeedSequence(entropy).generate_state(len(self.stage.agents))]

    def due_in(self, now: float) -> float:
        """Seconds until `advance` would take a tick: then the newest input counts.

        Infinity while nothing is to come by itself: paused, over, the stage at work, somebody to be waited for.
        """
        if self._pacer is None or self._waits or self.paused or self.over or self._busy:
            return float("inf")
        return self._pacer.due_in(now)

    def advance(self, now: float) -> None:
        """Do what can be done by `now`, without waiting for the stage, a controller or the clock."""
        if not self.over and not self.paused:
            self._guarded(lambda: self._advance(now))

    def listen(self, now: float) -> None:
        """Take the tick that the stage owes, if it is there, and ask the seats; it steps nothing.

        Called between frames it gives a remote seat the rest of the frame to answer in, while the next step still
        waits for the frame, and with it for the newest input.
        """
        if self._busy and not self.over and not self.paused:
            self._guarded(lambda: self._listen(now))

    def run(self) -> MatchResult:
        """Play to the end and return the result; blocks.  The stage's failure ends it with `error` set."""
        self.start()
        while self.result is None:
            self._guarded(self._run_slice)
        return self.result

    def pause(self) -> None:
        self.paused = True

    def resume(self, now: float) -> None:
        """Go on; the next tick of a paced match is one period from `now`."""
        self.paused = False
        if self._pacer:
            self._pacer.start(now)

    def replace(self, agent: AgentID, controller: Controller, *, why: ChangeReason = "policy") -> Controller:
        """Seat another controller from the next decision on; returns the one that left, for the caller to close.

        What the one that left had chosen for a tick that still waits for others is void: the new one chooses.
        It may be kept among the `understudies`, where it waits for `give_back` as long as people sit there.
        """
        tick = self.tick
        controller.reset(self.stage.seat(agent), seed=(self.seed + (tick.index if tick else 0)) % 2**32)
        old = self._seat(agent, controller, why)  # only one that fits takes the seat
        if not controller.is_human:
            self.understudies.drop(agent)
        if tick and agent in tick.acting and not self._busy:
            controller.observe(Turn(agent, tick.index, tick.observations[agent], tick.action_masks.get(agent)))
        return old

    def give_back(self, agent: AgentID) -> Controller:
        """The understudy goes on with all that it remembers; returns the one that sat in, for the caller to close."""
        return self._seat(agent, self.understudies.take(agent), "give back")

    def _seat(self, agent: AgentID, controller: Controller, why: ChangeReason) -> Controller:
        index = self.tick.index if self.tick else 0
        old, self.mapping[agent] = self.mapping[agent], controller
        change = SeatChange(tick=index, agent=str(agent), label=controller.label, why=why, left=old.report())
        self._tell_change(self._seats.replace(agent, change))
        if self._waits and not self._busy:
            self._actions.pop(agent, None)
        return old

    def _note_answer(self, agent: AgentID, tick: int) -> None:
        change = self._seats.answered(agent, self.mapping[agent].label, tick=tick)
        if change is None and self._recorder:
            self._recorder.answered(agent)
        self._tell_change(change)

    def _tell_change(self, change: SeatChange | None) -> None:
        if change is not None and self._recorder:
            self._recorder.changed(change)

    def quit(self) -> None:
        """End here; the result says so."""
        self._finish("quit")

    def _guarded(self, call: Callable[[], None]) -> None:
        try:
            call()
        except StageError as error:
            self.error = error
            self._finish("failed")

    def _run_slice(self) -> None:
        self._advance(self._clock(), timeout=0.05)
        if not self._busy and not self.over:
            time.sleep(0.0005)  # the clock or a controller is to come

    def _advance(self, now: float, timeout: float = 0.0) -> None:
        for _ in range(MAX_CATCH_UP if self._pacer else _SLICE):
            if self._busy:
                self._listen(now, timeout)
            if self._busy or self.over or not self._step_if_due(now):
                return

    def _listen(self, now: float, timeout: float = 0.0) -> None:
        tick = self.stage.poll(timeout)
        if tick is not None:
            self._receive(tick, now)

    def _step_if_due(self, now: float) -> bool:
        if self._pacer and not self._pacer.is_due(now):
            return False
        if not self._collect(now):
            return False
        self.stage.step(self._actions)
        self._busy = True
        if self._pacer and self._waits:
            self._pacer.start(now)
        elif self._pacer:
            self._pacer.advance(now)
        return True

    def _collect(self, now: float) -> bool:
        """Fill `_actions` for everyone acting; False while somebody that the match waits for has none."""
        tick, actions, mapping = self.tick, self._actions, self.mapping
        assert tick is not None
        masks = tick.action_masks
        for agent in tick.acting:
            if agent in actions:
                continue
            try:
                action = mapping[agent].act()
            except ControllerError as error:
                raise self._seat_failed(agent, error) from error
            mask = masks.get(agent) if masks else None
            if action is None or (mask is not None and not self._is_legal(agent, action, mask)):
                if self._waits and (self._pacer or now - self._asked_at < PATIENCE):
                    continue
                action = self._late_action(agent, mask)
            else:
                self.late_row[agent] = 0
                if self._seats.is_news(agent, mapping[agent].label):
                    self._note_answer(agent, tick.index)
            actions[agent] = action
        self.understudies.act()
        return len(actions) == len(tick.acting)

    def _late_action(self, agent: AgentID, mask: ActionMask | None) -> Action:
        self._tally.late[agent] += 1
        self.late_row[agent] += 1
        for action in (self.mapping[agent].stale(), self._tally.last.get(agent)):
            if action is not None and (mask is None or self._is_legal(agent, action, mask)):
                return action
        return idle_action(self.stage.spaces[agent][1], mask)

    def _is_legal(self, agent: AgentID, action: Action, mask: ActionMask) -> bool:
        return bool(mask[action - getattr(self.stage.spaces[agent][1], "start", 0)])

    def _show(self, tick: Tick) -> None:
        self.tick = tick
        if tick.frame is not None:
            self.frame = tick.frame

    def _receive(self, tick: Tick, now: float) -> None:
        self._busy = False
        self._meter.count(now)
        self._show(tick)
        played, self._actions = self._actions, {}
        self._tally.last |= played  # of every seat, also of those that this tick did not ask
        self._reward(tick)
        self._counted(tick)
        if self._recorder:
            self._recorder.tick(tick, played)
        if tick.index == 0 and self._pacer:
            self._pacer.start(now)
        if not tick.acting:
            self._finish("finished")
        elif self._max_ticks is not None and tick.index >= self._max_ticks:
            self._finish("max_ticks")
        else:
            self._asked_at = now
            self._ask(tick)

    def _counted(self, tick: Tick) -> None:
        """`tick` is in the tally, and nobody has been asked yet: the moment to remember."""

    def _reward(self, tick: Tick) -> None:
        tally = self._tally
        try:
            tally.reward(tick)
        except KeyError as error:
            raise StageError(self.spec.id, f"expected agents of {self.spec.agents}, got a reward for {error}") from None
        for agent in tick.ended:
            if agent in tally.alive:
                tally.alive.discard(agent)
                self._end_episode(agent, terminated=bool(tick.terminations[agent]))

    def _end_episode(self, agent: AgentID, *, terminated: bool) -> None:
        reward = self._tally.pending[agent]
        self.mapping[agent].finish(reward, terminated=terminated)
        self.understudies.finish(agent, reward, terminated=terminated)

    def _ask(self, tick: Tick) -> None:
        tally, masks = self._tally, tick.action_masks
        if not self.stage.rules.decides_at(tick.index):
            self._hold(tick)
        for agent in tick.acting:
            if agent in self._actions:
                continue
            turn = Turn(agent, tick.index, tick.observations[agent], masks.get(agent), tally.take(agent))
            try:
                self.mapping[agent].observe(turn)
            except ControllerError as error:
                raise self._seat_failed(agent, error) from error
            self.understudies.observe(turn)

    def _hold(self, tick: Tick) -> None:
        """Between two decisions everybody goes on with the last one, unless it has become illegal, and is not asked."""
        for agent in tick.acting:
            last, mask = self._tally.last.get(agent), tick.action_masks.get(agent)
            if last is not None and (mask is None or self._is_legal(agent, last, mask)):
                self._actions[agent] = last

    def _seat_failed(self, agent: AgentID, error: ControllerError) -> StageError:
        return StageError(self.spec.id, f"the controller of {agent} ({self.mapping[agent].label}) failed: {error}")

    def _finish(self, ended: Ending) -> None:
        if self.result is not None:
            return
        tally, index = self._tally, self.tick.index if self.tick else 0
        for agent in tally.alive:  # their episode ends here, and nobody won or lost it
            self._end_episode(agent, terminated=False)
        names = {agent: str(agent) for agent in self.stage.agents}
        for agent in names:  # of those that answered late to the end, or not at all
            self._note_answer(agent, index)
        self.result = MatchResult(
            game=self.spec.id,
            seed=self.seed,
            ticks=index,
            seconds=self.elapsed,
            ended=ended,
            lineup=dict(self._seats.lineup),
            returns={names[agent]: float(score) for agent, score in self.scores.items()},
            teams=[[names[agent] for agent in team] for team in self.spec.teams],
            placements=placements(self.spec, self.scores),
            late={names[agent]: count for agent, count in self.late.items()},
            changes=list(self._seats.changes),
            settings=self.settings,
            seats={names[agent]: {"kind": self.mapping[agent].kind, **self.mapping[agent].report()} for agent in names},
            rewinds=list(self._rewinds),
            error=str(self.error) if self.error else "",
            rated=not self._turned
            and not self.stage.rules.any  # strength under other rules is another one
            and all(controller.rated for controller in self.mapping.values()),
        )
        if self._recorder:
            self._recorder.finish(self.result)
