"""Match: controllers in the seats of a stage, from reset to the end, on a fixed tick.  It knows no window.

A window drives it a slice at a time, a script to the end::

    match = Match(stage, mapping, seed=7, rate=spec.fps)      match = Match(stage, mapping, seed=7)
    while not match.over:                                      print(match.run())
        match.advance(time.monotonic())     # never blocks
        draw(match.frame, match.score)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents.seats.controller import Action, AgentID, Controller
from arcade.games.scores import Points
from arcade.match.play.action_digest import ActionDigest
from arcade.match.play.clock import MAX_CATCH_UP, MatchClock
from arcade.match.play.opening import Opening
from arcade.match.play.result import ChangeReason, Ending, MatchResult, Recorder, placements
from arcade.match.play.seats import MatchSeats, PolicyMapping, SeatFailure, turn_of
from arcade.match.play.side_clocks import TimeControl, make_clocks
from arcade.match.stage.stage import Stage, StageError
from arcade.match.stage.tick import Frame, Tick

_SLICE = 64
"""Ticks that an unpaced match plays between two looks at the clock."""

PATIENCE = 30.0
"""Seconds that an unpaced match waits for a controller before its action counts as late."""


class Match:
    """One episode.

    With a `rate` (ticks a second) a real-time game steps on time and repeats the last action of a late seat.  Without
    one, or in a turn-based game, it waits for the acting seats, at most `PATIENCE` seconds when unpaced.  The mapping
    belongs to the caller, who closes its controllers.  An AdjustableMatch can also be slowed down, stepped and rewound.
    """

    def __init__(
        self, stage: Stage, mapping: PolicyMapping, *, seed: int, rate: float | None = None,
        max_ticks: int | None = None, recorders: Sequence[Recorder] = (), settings: dict[str, Any] | None = None,
        clock: Callable[[], float] = time.monotonic, time_control: TimeControl | None = None,
        opening: Opening | None = None,
    ) -> None:  # fmt: skip
        """`time_control`: of a board game, whose sides have clocks then; `opening`: how it begins."""
        stage.rules.check(stage.spec)
        stage.start = opening.start if opening and opening.start else stage.spec.start
        self.stage, self.spec, self.seed = stage, stage.spec, seed
        self.seats = MatchSeats(stage, mapping, recorders, opening.actions if opening else ())
        self.mapping, self.late_streak, self.reserves = mapping, self.seats.late_streak, self.seats.reserves
        self.clock = MatchClock(rate, clock)
        self.settings = {**(settings or {}), **stage.rules.as_settings()}
        if stage.start:
            self.settings["start"] = stage.start
        if time_control is not None:
            self.settings["clock"] = time_control.text
        if opening is not None:
            self.settings["opening"] = opening.text
        self.tick: Tick | None = None
        self.frame: Frame | None = None
        self.error: StageError | None = None
        self.absent: SeatFailure | None = None  # of the seat that lost a match played to its end
        self.result: MatchResult | None = None
        self.loser: AgentID | None = None  # resigned, ran out of time or failed
        self.side_clocks = make_clocks(self.spec, time_control)
        self.paused = False
        self.stepping = False  # the stage works on a tick, and must hand it over before anything else is asked of it
        self.rated = not stage.rules.any  # strength under other rules is another one
        self.rewinds: list[tuple[int, int]] = []  # (from tick, to tick), in order
        self._waits = stage.spec.turn_based or rate is None
        self._max_ticks = max_ticks
        self._digest = ActionDigest(self.spec.agents)
        self._recorders = recorders
        self._asked_at = 0.0
        self._runs = False  # `run` plays it, many ticks a look at the clock
        self._seed_offset = 0  # added to the seed of players that come later

    @property
    def scores(self) -> Mapping[AgentID, float]:
        """Each seat's sum of rewards."""
        return self.seats.totals.scores

    @property
    def score(self) -> Points:
        """Each team's score as the game counts it, see `GameSpec.score`; () before the first tick."""
        return self.spec.score.of_teams(self.tick.score, self.scores, self.spec.teams) if self.tick else ()

    @property
    def late(self) -> Mapping[AgentID, int]:
        """Each seat's ticks without an answer in time."""
        return self.seats.totals.late

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def moves(self) -> Sequence[Mapping[AgentID, Action]]:
        """The actions of tick 1, 2, … as the seats chose them; () where they are not kept."""
        return ()

    @property
    def rewinding(self) -> bool:
        """Whether the game is being played again up to an earlier tick."""
        return False

    @property
    def is_waiting(self) -> bool:
        """Whether the next tick is due, and another machine keeps it waiting."""
        return False

    @property
    def waiting_for(self) -> tuple[AgentID, ...]:
        """The agents whose action the next tick still needs, () while the stage works or the match is over."""
        if self.over or self.tick is None or not self._waits:
            return ()
        return tuple(agent for agent in self.tick.acting if agent not in self.seats.actions)

    def due_in(self, now: float) -> float:
        """Seconds until `advance` would step the stage, and take the newest input for it.

        Infinity while no step is to come by itself: paused, over, the stage at work, a seat to be waited for.
        """
        if self._waits or self.paused or self.over or self.stepping:
            return float("inf")
        return self.clock.due_in(now)

    def start(self) -> None:
        """Reset the stage and every controller; the first Tick comes by `advance`."""
        self.clock.begin()
        self.seats.reset(self.seed)
        sources = self.seats.begin()
        for recorder in self._recorders:
            recorder.start(self.spec, self.seed, dict(self.settings), sources)
        self.stepping = True
        self._guarded(lambda: self.stage.reset(self.seed))

    def advance(self, now: float) -> None:
        """Do what can be done by `now`, without waiting for the stage, a controller or the clock."""
        if not self.over and not self.paused:
            self._guarded(lambda: self._advance(now))

    def listen(self, now: float) -> None:
        """Take the tick under way from the stage, if it is there, and ask the seats; do not step.

        Called between frames it gives a remote seat the rest of the frame to answer in, while the next step still
        waits for the next frame, so that it uses the newest input.
        """
        if self.stepping and not self.over and not self.paused:
            self._guarded(lambda: self._listen(now))

    def run(self) -> MatchResult:
        """Play to the end and return the result; blocks.  Where the stage or a seat fails it has the `error`."""
        self._runs = True
        self.start()
        while self.result is None:
            self._guarded(self._run_slice)
        return self.result

    def pause(self) -> None:
        self.paused = True

    def resume(self, now: float) -> None:
        """Continue; the next tick of a paced match is one period from `now`."""
        self.paused = False
        self.clock.restart(now)
        if self.side_clocks is not None:
            self.side_clocks.skip()

    def quit(self) -> None:
        """End here; the result says so."""
        self._finish("quit")

    def resign(self, agent: AgentID) -> None:
        """End here as a loss for the team of `agent`, in a game of several teams."""
        if not self.over and len(self.spec.teams) > 1:
            self.loser = agent
            self._finish("resigned")

    def agree_draw(self) -> None:
        """End here as a draw, in a game of several teams."""
        if len(self.spec.teams) > 1:
            self._finish("agreed")

    def replace(self, agent: AgentID, controller: Controller, *, why: ChangeReason = "policy") -> Controller:
        """Seat another controller from the next decision on; returns the one that left, for the caller to close.

        An action that the old controller had chosen for a tick that still waits for others is void.  The old one may
        be kept in `reserves`, where it waits for `give_back` as long as people have the seat.
        """
        tick = self.tick
        seed = self.seed + self._seed_offset + (tick.index if tick else 0)
        controller.reset(self.stage.seat(agent), seed=seed % 2**32)
        old = self._seat(agent, controller, why)  # only one that fits takes the seat
        if not controller.is_human:
            self.reserves.drop(agent)
        if tick and agent in tick.acting and not self.stepping:
            controller.observe(turn_of(agent, controller, tick, tick.action_masks.get(agent)))
        return old

    def give_back(self, agent: AgentID) -> Controller:
        """Seat the controller in reserve, with its memory; returns the one that left, for the caller to close."""
        return self._seat(agent, self.reserves.pop(agent), "give back")

    def rename(self, agent: AgentID) -> None:
        """Note that the person in the seat, who stays the same, has another label now; the match stays rated."""
        self.seats.rename(agent, self.tick.index if self.tick else 0)

    def _seat(self, agent: AgentID, controller: Controller, why: ChangeReason) -> Controller:
        index = self.tick.index if self.tick else 0
        old = self.seats.replace(agent, controller, why, index, index + self.stepping)
        if self._waits and not self.stepping:
            self.seats.actions.pop(agent, None)
        return old

    # For matches that build on this one

    def _guarded(self, call: Callable[[], None]) -> None:
        try:
            call()
        except SeatFailure as error:
            self.error, self.loser = error, error.agent
            self._finish("forfeit")
        except StageError as error:
            self.error = error
            self._finish("failed")

    def _run_slice(self) -> None:
        self._advance(self.clock.now(), timeout=0.05)
        if not self.stepping and not self.over:
            time.sleep(0.0005)  # the clock or a controller is to come

    def _advance(self, now: float, timeout: float = 0.0) -> None:
        self._count_time(now)
        if self.over:
            return
        for _ in range(MAX_CATCH_UP if self.clock.rate else _SLICE):
            if self.stepping:
                self._listen(now, timeout)
            if self.stepping or self.over or not self._step_if_due(now):
                return

    def _count_time(self, now: float) -> None:
        """Let the clock of the side to move run; without time left it loses."""
        clocks = self.side_clocks
        if clocks is None:
            return
        clocks.count(self._side_time(now))
        if clocks.out_of_time is not None:
            self.loser = self.spec.teams[clocks.out_of_time][0]
            self._finish("out_of_time")

    def _side_time(self, now: float) -> float:
        """The present time for the clocks of the sides: controllers may have thought since `now`."""
        return self.clock.now() if self._runs else now

    def _listen(self, now: float, timeout: float = 0.0) -> None:
        tick = self.stage.poll(timeout)
        if tick is not None:
            self._receive(tick, now)

    def _step_if_due(self, now: float) -> bool:
        if not self.clock.is_due(now) or not self._step(now):
            return False
        (self.clock.restart if self._waits else self.clock.advance)(now)
        return True

    def _step(self, now: float) -> bool:
        """Step the stage if every action is there that the match waits for."""
        assert self.tick is not None
        if not self.seats.collect(self.tick, wait=self._waits and self._is_patient(now)):
            return False
        if self.side_clocks is not None:
            self._count_time(now)  # of a controller that has thought in this call
            if self.over:
                return False
            self.side_clocks.moved(self._side_time(now))
        self.stage.step(self.seats.actions)
        self.stepping = True
        return True

    def _is_patient(self, now: float) -> bool:
        return self.clock.rate is not None or now - self._asked_at < PATIENCE

    def _show(self, tick: Tick) -> None:
        self.tick = tick
        if tick.frame is not None:
            self.frame = tick.frame

    def _receive(self, tick: Tick, now: float) -> None:
        self.stepping = False
        self.clock.count(now)
        is_first = self.tick is None or tick.index == 0  # who joins a match late is shown none before the present
        self._show(tick)
        played = self.seats.take_actions()
        self.seats.count(tick)
        self._add_to_digest(tick, played)
        self._counted(tick, played)
        for recorder in self._recorders:
            recorder.tick(tick, played, self.clock.elapsed)
        if is_first:
            self.clock.restart(now)
        if not tick.acting:
            self._finish("finished")
        elif self._max_ticks is not None and tick.index >= self._max_ticks:
            self._finish("max_ticks")
        else:
            self._ask(tick, now)

    def _add_to_digest(self, tick: Tick, played: dict[AgentID, Action]) -> None:
        if tick.index:
            self._digest.add(played)
        else:
            self._digest.begin(tick, {agent: self.stage.spaces[agent][0] for agent in tick.acting})

    def _counted(self, tick: Tick, played: dict[AgentID, Action]) -> None:
        """The totals include `tick`, and no seat has been asked yet: the moment to remember."""

    def _ask(self, tick: Tick, now: float) -> None:
        self._asked_at = now
        if self.side_clocks is not None:
            side = self.spec.team_of(tick.acting[0])
            self.side_clocks.begin(side, self._side_time(now))
            self.seats.ask(tick, self.side_clocks.of(side))
            return
        self.seats.ask(tick)

    def _finish(self, ended: Ending) -> None:
        if self.result is not None:
            return
        index = self.tick.index if self.tick else 0
        if ended in ("finished", "max_ticks") and (absent := self.seats.find_absent()):
            self.absent, self.loser, ended = absent, absent.agent, "forfeit"
        self.seats.finish(index, index + self.stepping)
        self.result = self._make_result(ended, index)
        for recorder in self._recorders:
            recorder.finish(self.result)

    def _make_result(self, ended: Ending, index: int) -> MatchResult:
        controllers = {agent: self.seats.mapping[agent] for agent in self.stage.agents}
        read = self.tick.score if self.tick else ()
        places = placements(self.spec, self.scores, read, loser=self.loser, drawn=ended == "agreed")
        return MatchResult(
            game=self.spec.id, seed=self.seed, ticks=index, seconds=self.clock.elapsed, ended=ended,
            lineup=dict(self.seats.log.lineup),
            returns={str(agent): float(score) for agent, score in self.scores.items()},
            teams=[[str(agent) for agent in team] for team in self.spec.teams],
            placements=places, score=list(read), actions=self._digest.text,
            late={str(agent): count for agent, count in self.late.items()},
            changes=list(self.seats.log.changes), settings=self.settings, rewinds=list(self.rewinds),
            seats={str(agent): {"kind": one.kind, **one.report()} for agent, one in controllers.items()},
            loser="" if self.loser is None else str(self.loser), error=str(self.error or self.absent or ""),
            rated=self.rated and all(controller.rated for controller in controllers.values()),
        ).judged(self._unanswered(controllers))  # fmt: skip

    def _unanswered(self, controllers: Mapping[AgentID, Controller]) -> str:
        """Why the match does not count where a remote seat has no answers at its end; "" where all have."""
        silent = [str(agent) for agent, one in controllers.items() if one.silent]
        return f"{silent[0]} did not answer any more" if silent and self.loser is None else ""
