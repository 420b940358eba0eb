"""MatchSeats: passes turns to the controllers of one match, collects actions, replaces late ones, keeps totals."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from agents.errors import UserError
from agents.seats.controller import (
    MOVES,
    Action,
    ActionMask,
    AgentID,
    Controller,
    ControllerError,
    FailureCause,
    SeatSpec,
    Turn,
    TurnClock,
)
from agents.spaces import idle_action, is_legal
from arcade.match.play.result import ChangeReason, Recorder, RecordingSource, SeatChange
from arcade.match.stage.stage import Stage, StageError
from arcade.match.stage.tick import Tick

_log = logging.getLogger(__name__)

PolicyMapping = dict[AgentID, Controller]
"""Agent id to Controller: RLlib's policy mapping with people in it."""


class SeatFailure(StageError):
    """The controller of `agent` failed and cannot play on."""

    def __init__(
        self, game: str, reason: str, agent: AgentID, *, label: str = "", kind: str = "", cause: FailureCause = ""
    ) -> None:
        """`label` and `kind` of the controller."""
        super().__init__(game, f"the controller of {agent} ({label}) failed: {reason}")
        self.agent, self.reason, self.label, self.kind, self.cause = agent, reason, label, kind, cause

    def __reduce__(self) -> tuple[Callable[..., SeatFailure], tuple[str, str]]:
        make = partial(SeatFailure, agent=self.agent, label=self.label, kind=self.kind, cause=self.cause)
        return make, (self.game, self.reason)


class Reserves(dict[AgentID, Controller]):
    """AI controllers whose seats people have taken over, ready to resume at any moment.

    They observe every turn of their seats and answer, but their answers are not played: so a policy with a memory
    remembers what happened, and nothing is loaded when it resumes.  A controller that fails is closed and removed.
    """

    def keep(self, agent: AgentID, controller: Controller) -> None:
        """Hold `controller`, which has just left the seat, in reserve."""
        self.drop(agent)
        self[agent] = controller

    def drop(self, agent: AgentID) -> None:
        """Close the controller in reserve, if there is one."""
        if agent in self:
            self.pop(agent).close()

    def observe(self, turn: Turn) -> None:
        self._guard(turn.agent, lambda controller: controller.observe(turn))

    def act(self) -> None:
        """Take every answer, as a match does at every tick: some controllers only continue then."""
        for agent in tuple(self):
            self._guard(agent, Controller.act)

    def finish(self, agent: AgentID, reward: float, *, terminated: bool) -> None:
        self._guard(agent, lambda controller: controller.finish(reward, terminated=terminated))

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._guard(seat.agent, lambda controller: controller.reset(seat, seed=seed))

    def close(self) -> None:
        """Close every controller; can be called twice."""
        for agent in tuple(self):
            self.drop(agent)

    def _guard(self, agent: AgentID, call: Callable[[Controller], object]) -> None:
        try:
            if agent in self:
                call(self[agent])
        except UserError as error:
            _log.warning("%s is no longer in reserve for %s: %s", self[agent].label, agent, error)
            self.drop(agent)


class MatchSeats:
    """The mapping belongs to the caller, who closes its controllers."""

    def __init__(
        self, stage: Stage, mapping: PolicyMapping, recorders: Sequence[Recorder], opening: Sequence[Action] = ()
    ) -> None:
        """`opening`: the actions of the first ticks, which no controller is asked for."""
        missing = [agent for agent in stage.agents if agent not in mapping]
        if missing:
            raise ValueError(f"expected a controller for every agent of {stage.spec.id}, got none for: {missing}")
        self.mapping = mapping
        self.reserves = Reserves()
        self.totals = SeatTotals.of(stage.agents)
        self.late_streak: dict[AgentID, int] = dict.fromkeys(stage.agents, 0)  # ticks since the last answer in time
        self.actions: dict[AgentID, Action] = {}  # chosen so far for the next tick
        self.log = SeatLog()
        self._stage, self._recorders, self._opening = stage, recorders, opening

    def reset(self, seed: int, *, again: int = 0) -> None:
        """Begin an episode; after rewind number `again` with other seeds, so that chance does not repeat itself."""
        seeds = seat_seeds((seed, again) if again else seed, len(self._stage.agents))
        for agent, own in zip(self._stage.agents, seeds, strict=True):
            self.mapping[agent].reset(self._stage.seat(agent), seed=own)
            self.reserves.reset(self._stage.seat(agent), seed=own)
        players = (*self.mapping.values(), *self.reserves.values())
        always = (MOVES,) if self._stage.spec.can_search else ()  # few, for a player who takes a seat in mid-turn
        self._stage.obs_types = frozenset(always).union(*map(types_of, players))

    def begin(self) -> list[RecordingSource]:
        """Note the first controllers of all seats."""
        for agent in self._stage.agents:
            self.log.lineup[str(agent)] = self.mapping[agent].label
        return [RecordingSource.of(agent, controller) for agent, controller in self.mapping.items()]

    def ask(self, tick: Tick, clock: TurnClock | None = None) -> None:
        """Hand each acting seat its turn, with the clock of its side."""
        take_reward, masks, mapping, reserves = self.totals.take_reward, tick.action_masks, self.mapping, self.reserves
        if not self._stage.rules.decides_at(tick.index):
            self._repeat_actions(tick)
        if tick.index < len(self._opening):
            self._play_opening(tick)
        for agent in tick.acting:
            if agent in self.actions:
                continue
            controller = mapping[agent]
            turn = turn_of(agent, controller, tick, masks.get(agent), take_reward(agent), clock)
            if controller.obs_type and turn.observation is None:  # it changed to a policy of another type
                self._stage.obs_types = self._stage.obs_types | {controller.obs_type}
            try:
                controller.observe(turn)
            except ControllerError as error:
                raise self._failed(agent, error) from error
            if agent in reserves:
                reserves.observe(turn_of(agent, reserves[agent], tick, turn.action_mask, turn.reward, clock))

    def _play_opening(self, tick: Tick) -> None:
        action = self._opening[tick.index]
        for agent in tick.acting:
            space, mask = self._stage.spaces[agent][1], tick.action_masks.get(agent)
            if not space.contains(action) or not is_legal(action, space, mask):
                game = self._stage.spec.id
                raise StageError(game, f"expected a legal opening, got the action {action} as move {tick.index + 1}")
            self.actions[agent] = action

    def _repeat_actions(self, tick: Tick) -> None:
        """Between two decisions repeat every seat's last action that is still legal, without asking."""
        for agent in tick.acting:
            last, mask = self.totals.last.get(agent), tick.action_masks.get(agent)
            if last is not None and is_legal(last, self._stage.spaces[agent][1], mask):
                self.actions[agent] = last

    def collect(self, tick: Tick, *, wait: bool) -> bool:
        """Fill `actions` for every acting seat; False while one is missing that the match is to `wait` for."""
        actions, mapping = self.actions, self.mapping
        masks = tick.action_masks
        for agent in tick.acting:
            if agent in actions:
                continue
            try:
                action = mapping[agent].act()
            except ControllerError as error:
                raise self._failed(agent, error) from error
            mask = masks.get(agent) if masks else None
            if action is None or (mask is not None and not is_legal(action, self._stage.spaces[agent][1], mask)):
                if wait:
                    continue
                action = self._late_action(agent, mask)
            else:
                self.late_streak[agent] = 0
                if mapping[agent].label != self.log.labels.get(agent):
                    self._note_answer(agent, tick.index, tick.index)
            actions[agent] = action
        if self.reserves:
            self.reserves.act()
        return len(actions) == len(tick.acting)

    def find_absent(self) -> SeatFailure | None:
        """The failure of a seat whose server is lost at the end of the match, None without one."""
        for agent, controller in self.mapping.items():
            if reason := controller.why_absent():
                return self._failed(agent, ControllerError(reason, cause="absent"))
        return None

    def take_actions(self) -> dict[AgentID, Action]:
        """The actions that were played."""
        played, self.actions = self.actions, {}
        self.totals.last |= played
        return played

    def count(self, tick: Tick) -> None:
        """Add the rewards of `tick` and end the episodes that it ended."""
        try:
            self.totals.add_rewards(tick)
        except KeyError as error:
            spec = self._stage.spec
            raise StageError(spec.id, f"expected agents of {spec.agents}, got a reward for {error}") from None
        for agent in tick.ended:
            if agent in self.totals.alive:
                self.totals.alive.discard(agent)
                self._end_episode(agent, terminated=bool(tick.terminations[agent]))

    def finish(self, index: int, since: int) -> None:
        """Truncate the episodes still running at tick `index`, and note the seats that had not answered."""
        for agent in self.totals.alive:
            self._end_episode(agent, terminated=False)
        for agent in self._stage.agents:
            self._note_answer(agent, index, since)

    def replace(self, agent: AgentID, controller: Controller, why: ChangeReason, tick: int, since: int) -> Controller:
        """Seat `controller` at `tick`, which decides from tick `since` on; returns the one that left."""
        old, self.mapping[agent] = self.mapping[agent], controller
        self._stage.obs_types = self._stage.obs_types | types_of(controller)
        change = SeatChange(tick=tick, agent=str(agent), label=controller.label, why=why, left=old.report())
        self.log.replace(agent, change)
        self._record(agent, change, since)
        return old

    def rename(self, agent: AgentID, tick: int) -> None:
        """Correct the label under which the seat's controller sat down."""
        self.log.rename(agent, self.mapping[agent].label)
        for recorder in self._recorders:
            recorder.answered(RecordingSource.of(agent, self.mapping[agent], tick))

    def rewind(self, seed: int, totals: SeatTotals, *, again: int) -> None:
        """Restore the totals of an earlier tick; every memory of the episode starts anew."""
        self.totals, self.actions = totals.copy(), {}
        self.reset(seed, again=again)

    def move_changes(self, index: int) -> None:
        """Let the changes after tick `index`, which never happened, happen at it."""
        for change in self.log.rewind(index):
            self._record(next(agent for agent in self.mapping if str(agent) == change.agent), change, index)

    def _note_answer(self, agent: AgentID, tick: int, since: int) -> None:
        change = self.log.answered(agent, self.mapping[agent].label, tick=tick)
        if change is not None:
            self._record(agent, change, since)
            return
        source = RecordingSource.of(agent, self.mapping[agent], since)
        for recorder in self._recorders:
            recorder.answered(source)

    def _record(self, agent: AgentID, change: SeatChange, since: int) -> None:
        for recorder in self._recorders:
            recorder.changed(change, RecordingSource.of(agent, self.mapping[agent], since))

    def _late_action(self, agent: AgentID, mask: ActionMask | None) -> Action:
        self.totals.late[agent] += 1
        self.late_streak[agent] += 1
        space = self._stage.spaces[agent][1]
        for action in (self.mapping[agent].stale(), self.totals.last.get(agent)):
            if action is not None and is_legal(action, space, mask):
                return action
        return idle_action(space, mask)

    def _end_episode(self, agent: AgentID, *, terminated: bool) -> None:
        reward = self.totals.pending[agent]
        self.mapping[agent].finish(reward, terminated=terminated)
        self.reserves.finish(agent, reward, terminated=terminated)

    def _failed(self, agent: AgentID, error: ControllerError) -> SeatFailure:
        player, game = self.mapping[agent], self._stage.spec.id
        return SeatFailure(game, str(error), agent, label=player.label, kind=player.kind, cause=error.cause)


def turn_of(
    agent: AgentID, controller: Controller, tick: Tick, mask: ActionMask | None = None, reward: float = 0.0,
    clock: TurnClock | None = None,
) -> Turn:  # fmt: skip
    """The turn of a controller, with the observations that it decides from."""
    turn = Turn(agent, tick.index, tick.seen(agent, controller.obs_type), mask, reward, clock)
    if controller.other_types:
        turn.others = {name: tick.seen(agent, name) for name in controller.other_types}
    return turn


def types_of(controller: Controller) -> Set[str]:
    """The observations that it needs beside the env's own."""
    return controller.other_types | {controller.obs_type} if controller.obs_type else controller.other_types


def seat_seeds(seed: int | tuple[int, int], seats: int) -> list[int]:
    """A seed for the randomness of each seat of a match."""
    return [int(one) for one in np.random.SeedSequence(seed).generate_state(seats)]


@dataclass(slots=True)
class SeatTotals:
    """Sums over one episode; `copy` before a moment that may be gone back to."""

    scores: dict[AgentID, float]  # sums of rewards
    pending: dict[AgentID, float]  # reward since the seat's last turn
    late: dict[AgentID, int]  # ticks at which the seat had no answer
    alive: set[AgentID]
    last: dict[AgentID, Action] = field(default_factory=dict)  # each seat's last action

    @classmethod
    def of(cls, agents: Sequence[AgentID]) -> SeatTotals:
        return cls(dict.fromkeys(agents, 0.0), dict.fromkeys(agents, 0.0), dict.fromkeys(agents, 0), set(agents))

    def copy(self) -> SeatTotals:
        return SeatTotals(dict(self.scores), dict(self.pending), dict(self.late), set(self.alive), dict(self.last))

    def add_rewards(self, tick: Tick) -> None:
        """Raises KeyError with an agent that has no seat."""
        scores, pending = self.scores, self.pending
        for agent, reward in tick.rewards.items():
            if reward:
                scores[agent] += reward
                pending[agent] += reward

    def take_reward(self, agent: AgentID) -> float:
        """The reward since the seat's last turn, counted anew from now on."""
        pending, self.pending[agent] = self.pending[agent], 0.0
        return pending


class SeatLog:
    """The labels that the controllers had at their first answers, and every change since."""

    def __init__(self) -> None:
        self.lineup: dict[str, str] = {}
        self.changes: list[SeatChange] = []
        self.labels: dict[AgentID, str] = {}  # of each seat at its newest answer; none after a replacement

    def replace(self, agent: AgentID, change: SeatChange) -> None:
        """Another controller took the seat."""
        self.changes.append(change)
        self.labels.pop(agent, None)

    def rewind(self, tick: int) -> list[SeatChange]:
        """Move the changes after `tick` to it, since the controllers stay; returns what moved."""
        later = [change for change in self.changes if change.tick > tick]
        left = {change.agent: change.left for change in reversed(later)}  # by the controller that sat there at `tick`
        newest = {change.agent: change for change in later}
        moved = [replace(change, tick=tick, left=left[agent]) for agent, change in newest.items()]
        self.changes = [change for change in self.changes if change.tick <= tick] + moved
        return moved

    def answered(self, agent: AgentID, label: str, *, tick: int) -> SeatChange | None:
        """Note the label: a remote knows its policy only now, and any controller may change it in mid-match."""
        known, self.labels[agent] = self.labels.get(agent), label
        if known is None:
            self._name_newest(str(agent), label)
        elif known != label:
            change = SeatChange(tick=tick, agent=str(agent), label=label)
            self.changes.append(change)
            return change
        return None

    def rename(self, agent: AgentID, label: str) -> None:
        """Note another label of the same player."""
        if agent in self.labels:
            self.labels[agent] = label
        self._name_newest(str(agent), label)

    def _name_newest(self, agent: str, label: str) -> None:
        """Correct the label under which the seat's controller sat down."""
        for at in reversed(range(len(self.changes))):
            if self.changes[at].agent == agent:
                self.changes[at] = replace(self.changes[at], label=label)
                return
        self.lineup[agent] = label
