"""BranchedMatch: repeats a recorded match up to a tick, and continues with other controllers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.seats.controller import Action, AgentID
from arcade.match.play.adjustable import AdjustableMatch, Moment
from arcade.match.play.result import ChangeReason
from arcade.match.play.seats import PolicyMapping
from arcade.match.playback.replay import Replay, ReplayController, ReplayError
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.stage import StageError
from arcade.match.stage.tick import Tick

LISTENING = 0.05
"""Seconds of one wait for the stage."""

ATTEMPT = 7919
"""Distance between the seeds of two attempts at a moment."""

STRETCH = 64
"""Most ticks of the recorded part of one request: beside a drawing window each request waits for the interpreter."""

STRETCH_BYTES = 2**23
"""Rough most bytes of what the seats see in those ticks: twenty seats that see the screen take megabytes a tick."""


@dataclass(frozen=True, kw_only=True)
class Branch:
    """The tick at which a recorded match is continued."""

    replay: Replay
    tick: int  # 0 … the recording's last
    recording: str  # its id
    people: Mapping[str, str] = field(default_factory=dict)  # "person 1" → the name, where this machine knows it
    attempt: int = 0  # gives the players that continue another seed

    def __post_init__(self) -> None:
        if not 0 <= self.tick <= len(self.replay.actions):
            last = len(self.replay.actions)
            raise ReplayError(f"expected a tick from 0 to {last} to continue from, got: {self.tick}")


class BranchedMatch(AdjustableMatch):
    """Unrated; its recording is complete, and names the one that it was branched from::

    match = BranchedMatch(stage, branch, rate=spec.fps)
    match.start()
    match.catch_up()                        # blocks while the recorded part is played
    match.seat(mapping)                     # from now on these decide
    """

    def __init__(self, stage: HostedStage, branch: Branch, *, rate: float, **options: Any) -> None:
        replay = branch.replay
        origin = {"parent": branch.recording, "parent_tick": branch.tick}
        settings = {**options.pop("settings", {}), **origin}
        seats = {agent: ReplayController(replay, agent) for agent in stage.agents}
        super().__init__(stage, seats, rate=rate, seed=replay.seed, settings=settings, **options)
        self._branch, self._hosted, self._seed_offset = branch, stage, branch.attempt * ATTEMPT
        self.rated = False
        self.begins_at: Moment | None = None  # the tick of the branch, once it is reached

    @property
    def caught_up(self) -> float:
        """Share of the recorded part that has been played, 0 … 1; any thread may read it."""
        tick = self.tick
        return min(1.0, tick.index / self._branch.tick) if tick is not None and self._branch.tick else 0.0

    def catch_up(self) -> None:
        """Play the recorded part as fast as the stage can, undrawn; blocks.

        Raises ReplayError where the game does not come to that tick again; a stage that fails at once ends the match.
        """
        while self.stepping:
            self._guarded(lambda: self._listen(self.clock.now(), LISTENING))
        alike = self._is_as_recorded  # some games look different when they are drawn
        while not self.over and self.tick is not None and self.tick.index < self._branch.tick:
            self._catch_up()
        if self.error is None and (self.over or self.tick is None or self.tick.over):
            raise ReplayError(f"expected a game that continues at tick {self._branch.tick}, got its end")
        if alike and not self._is_as_recorded:
            self.settings["branched_from_another_state"] = True
        self.begins_at = self.save_moment()

    @property
    def _is_as_recorded(self) -> bool:
        return self.tick is not None and self._branch.replay.is_same(self.tick)

    def _catch_up(self) -> None:
        """Play a stretch of it; the last tick by itself, since it is drawn."""
        assert self.tick is not None
        self._is_ahead = True
        start, last = self.tick.index, self._branch.tick - 1
        end = min(start + stretch_of(self.tick), last) if start < last else last + 1
        moves = self._branch.replay.actions[start:end]
        try:
            ticks = self._hosted.play(moves) if start < last else self._draw(moves[0])
        except StageError as error:
            why = f"expected the recorded actions to fit from tick {start} on, got: {error.message}"
            raise ReplayError(why) from error
        for actions, tick in zip(moves, ticks, strict=False):
            self.seats.actions = dict(actions)
            self._receive(tick, self.clock.now())
        self._is_ahead = False

    def _draw(self, actions: Mapping[AgentID, Action]) -> list[Tick]:
        self._hosted.draws = True
        self._hosted.step(actions)
        return [self._hosted.wait()]

    def seat(self, mapping: PolicyMapping) -> None:
        """Seat these controllers; a person takes over from an AI, or joins."""
        for agent, controller in mapping.items():
            self.replace(agent, controller, why=self._reason(agent, person=controller.is_human)).close()

    def _reason(self, agent: AgentID, *, person: bool) -> ChangeReason:
        if not person:
            return "policy"
        return "join" if self._branch.replay.source_at(agent, self._branch.tick).human else "takeover"


def stretch_of(tick: Tick) -> int:
    """The ticks of one request, where the seats see about as much as at `tick`."""
    seen = {id(one): one for one in tick.observations.values()}  # some games show all seats the same
    return max(1, min(STRETCH, STRETCH_BYTES // max(1, sum(map(_bytes, seen.values())))))


def _bytes(seen: Any) -> int:
    """Of an observation of any space."""
    if isinstance(seen, Mapping):
        return sum(map(_bytes, seen.values()))
    return sum(map(_bytes, seen)) if isinstance(seen, tuple | list) else int(getattr(seen, "nbytes", 8))
