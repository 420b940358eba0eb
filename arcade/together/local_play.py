"""LocalPlay: an online match as one machine plays it: stage, seats, recording and result."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from agents.closing import Closing
from agents.files import folder
from agents.ladder.ladder import Ladder, LadderError
from agents.seats.controller import AgentID, Controller, ControllerError
from agents.spaces import conform
from arcade.language import _
from arcade.match.play.result import MatchResult, Recorder
from arcade.match.play.seats import types_of
from arcade.match.recording.format import PATIENT, RecordingOptions
from arcade.match.recording.replay_writer import ReplayWriter, new_replay_path
from arcade.match.stage.stage import Stage
from arcade.recordings.library import RecordingError, RecordingLibrary
from arcade.together.digest_book import DigestBook
from arcade.together.input_log import InputLog, Inputs, OwnInputs, PendingInputs
from arcade.together.messages import FROM_HOST, End, Foretold, Handover, Input, Message, Player, Ticks
from arcade.together.online_match import OnlineMatch
from arcade.together.rollback import MAX_DELAY, same_moves
from arcade.together.rollback_match import RollbackMatch
from arcade.together.seats import OnlineSeat
from arcade.together.terms import Terms

ROLLBACK_SHARE = 0.3
"""Share of the longest round trip by which inputs are delayed where predictions cover the rest."""

SLACK = 0.75
"""Ticks that a machine may be ahead of another one without slowing down."""

SLOWER = 0.25
"""Ticks by which a machine that is ahead waits longer, each time that it hears where the other one is."""

DIGEST_RATE = 30.0
"""Ticks a second that digests are kept for in a match without a rate."""


class LocalPlay(Closing):
    """Owns the stage and the controllers of this machine's seats; the match begins with `begin`.

    The session that plays it sets `send`, for the inputs, and `on_failed`, for a controller that cannot play on.
    """

    hears: Sequence[type[Message]] = FROM_HOST  # of the host's messages
    doubt = ""  # why what the host has shown is not believed; "" where it is
    name_of: Callable[[Player], str] = staticmethod(attrgetter("name"))  # of a player, for people here
    send: Callable[[Message], None]
    on_failed: Callable[[AgentID, ControllerError], None]

    def __init__(
        self, stage: Stage, terms: Terms, *, rolls_back: bool = False, record: RecordingOptions | None = PATIENT,
        watch: Sequence[Recorder] = (), countdown: float = 0.0, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """With `rolls_back` the present is shown at once, and corrected; else each tick waits for all inputs.

        `record`: None for no recording; `watch` hears every tick once, when it is sealed; `countdown`: seconds before
        the first step of a real-time game.
        """
        self.stage, self.spec, self.terms = stage, stage.spec, terms
        self.own: dict[AgentID, Controller] = {}
        self.log = InputLog(self.spec.agents)
        self.inputs = OwnInputs((), self._send_input)
        self.book = DigestBook(terms.rate or DIGEST_RATE)
        self.recording: Path | None = None
        self.match: OnlineMatch | None = None
        self.rolls_back = rolls_back and not self.spec.turn_based
        self.pending = PendingInputs(self.spec.agents, self.log)
        self._clock, self._records, self._watch, self._countdown = clock, record, watch, countdown
        self._writer: ReplayWriter | None = None
        self._seats: dict[AgentID, OnlineSeat] = {}
        self.lineup: Mapping[str, Player] = {}  # at the beginning
        self.handovers: list[Handover] = []  # in mid-match
        self._later: dict[AgentID, Controller] = {}  # of seats that are still to be handed over to this machine
        self._taken: set[AgentID] = set()  # seats that this machine got in mid-match
        self._retired: list[Controller] = []  # of seats that were handed over to others

    @property
    def result(self) -> MatchResult | None:
        """The result, once the match is over."""
        return self.match.result if self.match is not None else None

    @property
    def shown(self) -> OnlineMatch | None:
        """The match as people see it."""
        return self.match

    def watch(self, recorder: Recorder) -> None:
        """Let one more hear every tick; before `begin`."""
        self._watch = (*self._watch, recorder)

    def seat(self, own: Mapping[AgentID, Controller]) -> None:
        """Give this machine's seats their controllers, which are reset already; before `begin`."""
        self.own = dict(own)
        self.inputs = OwnInputs(own, self._send_input, turn_based=self.spec.turn_based)

    def begin(self, lineup: Mapping[str, Player]) -> None:
        """Begin the match with these players in all seats."""
        self.lineup = dict(lineup)
        self._seats = self._make_seats(self.inputs, self.own)
        self._start()

    def _make_seats(self, inputs: OwnInputs, own: Mapping[AgentID, Controller]) -> dict[AgentID, OnlineSeat]:
        return {
            agent: OnlineSeat(self.stage.seat(agent), self.lineup[str(agent)], self.log, inputs, own.get(agent))
            for agent in self.spec.agents
        }

    @property
    def first_own(self) -> list[AgentID]:
        """The seats of this machine that it has had since the beginning."""
        return [agent for agent in self.own if agent not in self._taken]

    def wait_for_seats(self, own: Mapping[AgentID, Controller]) -> None:
        """Look on until seats are handed over to this machine's controllers."""
        self.seat({})
        self._later = {**self._later, **own}

    def handover_text(self, message: Handover) -> str:
        """Return which player has which seat from now on."""
        words = _("{player} takes over {seat}")
        return words.format(player=self.name_of(message.player), seat=self.spec.seat_title(message.seat))

    def hand_over(self, message: Handover) -> None:
        """Let another player decide a seat from a tick on, at this machine or elsewhere."""
        if message in self.handovers:
            return
        self.handovers = [*(one for one in self.handovers if one.seat != message.seat), message]
        agent = self._agent_at(message.seat)
        if agent in self._later:
            self._take(agent, self._later.pop(agent))
        if agent in self._taken:
            self.inputs.enter(agent, message.tick)
        elif agent in self.own:
            self.inputs.leave(agent, message.tick)
        if self.match is not None and self.match.index > message.tick:
            self.play_anew()

    def _agent_at(self, word: str) -> AgentID:
        return next(agent for agent in self.spec.agents if str(agent) == word)

    def _take(self, agent: AgentID, own: Controller) -> None:
        self.own[agent] = own
        self._taken.add(agent)
        self.stage.obs_types = self.stage.obs_types | types_of(own)
        if self.match is not None:
            self.match.put(agent, own)

    @property
    def of_others(self) -> list[AgentID]:
        """The seats whose inputs come from elsewhere; of one that this machine took over those before that."""
        return [agent for agent in self.spec.agents if agent not in self.own or agent in self._taken]

    def _handed_over(self, tick: int) -> dict[AgentID, OnlineSeat]:
        """The seats that other players decide from this tick on."""
        found: dict[AgentID, OnlineSeat] = {}
        for one in self.handovers:
            if one.tick == tick:
                agent = self._agent_at(one.seat)
                if agent in self.own and agent not in self._taken:
                    self._retired.append(self.own.pop(agent))
                found[agent] = self._seat_of(one, self.own)
        return found

    def _seat_of(self, one: Handover, own: Mapping[AgentID, Controller]) -> OnlineSeat:
        """The seat of a player that takes it over."""
        agent = self._agent_at(one.seat)
        return OnlineSeat(self.stage.seat(agent), one.player, self.log, self.inputs, own.get(agent))

    def play_anew(self) -> None:
        """Play the match again from its start, as the log has it; the recording begins anew."""
        self._drop_recording()
        self.book.begin_anew()
        self._start()

    def _start(self) -> None:
        self.match = self._make_match(self.stage, self._seats, self.inputs, self.book, self._recorders())
        self.match.start()

    def _make_match(
        self, stage: Stage, seats: Mapping[AgentID, OnlineSeat], inputs: OwnInputs, book: DigestBook,
        recorders: Sequence[Recorder],
    ) -> OnlineMatch:  # fmt: skip
        terms = self.terms
        make = partial(RollbackMatch, foreknown=self.pending.at) if self.rolls_back else OnlineMatch
        return make(
            stage, seats, self.log, inputs, book, on_failed=self.on_failed, countdown=self._countdown,
            handed_over=self._handed_over,
            seed=terms.seed, rate=terms.rate or None, max_ticks=terms.max_ticks or None, recorders=recorders,
            settings={"speed": self._speed, "online": terms.match}, clock=self._clock,
        )  # fmt: skip

    def end_at(self, end: End) -> None:
        """End as the host says, once all sealed ticks up to there are played."""
        if self.match is not None:
            self.match.end_at(end)

    def end_here(self, loser: str, why: str) -> None:
        """End at the present tick: no more will come from the host; `loser`: the seat that forfeits, "" for none."""
        if self.match is not None:
            ended = "forfeit" if loser else "quit"
            self.match.end_at(End(tick=max(0, self.match.index), ended=ended, loser=loser, why=why))
            self.match.end_now()

    def take_ticks(self, message: Ticks) -> None:
        """Take sealed inputs of the host; raises ValueError for inputs that are none of the game."""
        self.log.take(message, self.stage.spaces)
        self.pending.sealed()

    def take_lacking(self, message: Ticks) -> None:
        """Take sealed inputs of a machine that is not the host, as far as they agree with what is known here."""
        self.log.take(message, self.stage.spaces, self._agrees)
        self.pending.sealed()

    def _agrees(self, tick: int, inputs: Inputs) -> bool:
        """Whether each seat has the input that its own machine has sent, where that is known."""
        sent = {**self.pending.at(tick), **self.inputs.at(tick)}
        never = [
            agent for agent in self.first_own if agent in inputs and agent not in sent and tick >= self.inputs.next
        ]
        spaces = self.stage.spaces
        return not never and all(
            same_moves({agent: conform(sent[agent], spaces[agent][1])}, {agent: action})
            for agent, action in inputs.items() if agent in sent
        )  # fmt: skip

    def keep(self, count: int) -> None:
        """Forget the sealed inputs from `count` on, which no longer count, and all that was played with them."""
        if count < len(self.log):
            self.log.keep(count)
            if self.match is not None and self.match.index > count:
                self.play_anew()

    def learn(self, message: Input | Foretold, *, of: Container[AgentID]) -> Mapping[int, Inputs]:
        """Take inputs that are not sealed yet; returns them by tick.  Raises ValueError, see PendingInputs."""
        checked = self.pending.add(message, self.stage.spaces, of=of)
        if isinstance(self.match, RollbackMatch):
            self.match.learn()
        return checked

    def adapt(self, round_trip: float) -> None:
        """Choose the delay of own inputs for the longest round trip in seconds."""
        ticks = round_trip * self.terms.rate
        if self.rolls_back:
            self.inputs.adapt(ticks * ROLLBACK_SHARE, most=MAX_DELAY)
        else:
            self.inputs.adapt(ticks + 1 if self.terms.rate else 0)

    @property
    def present(self) -> int:
        """The number of the tick that is shown."""
        return self.match.present_index if self.match is not None else 0

    def keep_pace(self, theirs: float) -> None:
        """Slow down a little where this machine is ahead of another one, whose present tick is `theirs`."""
        lead = self.present - theirs
        if self.rolls_back and self.match is not None and lead > SLACK:
            self.match.clock.postpone(min(lead - SLACK, 1.0) * SLOWER / self.terms.rate)

    @property
    def _speed(self) -> float | None:
        """Times the game's own rate; 1 where moves count once they are there."""
        if self.spec.turn_based and not self.terms.rate:
            return 1.0
        return self.terms.rate / self.spec.fps if self.terms.rate else None

    def _recorders(self) -> list[Recorder]:
        if self._records is None:
            return list(self._watch)
        self.recording = new_replay_path(folder("replays"), self.spec.id)
        self._writer = ReplayWriter(self.recording, self._records)
        return [self._writer, *self._watch]

    def _drop_recording(self) -> None:
        writer = self.take_writer()
        if writer is not None:
            writer.close()
            writer.path.unlink(missing_ok=True)

    def _send_input(self, message: Input) -> None:
        self.send(message)

    def advance(self, now: float) -> None:
        """Play what can be played by `now`; raises StageError where the game fails."""
        if self.match is not None:
            self.match.advance(now)

    def network_facts(self) -> dict[str, Any]:
        """``delay`` of inputs in ticks, ``stalls``, ``rollbacks`` and their ``longest``, and what a Meter measures."""
        match = self.shown
        if match is None:
            return {}
        rollback = match.rollback if isinstance(match, RollbackMatch) else None
        return {
            "rolls_back": rollback is not None, "delay": self.inputs.delay, "stalls": match.stalls,
            "rollbacks": rollback.count if rollback is not None else 0,
            "longest": rollback.longest if rollback is not None else 0, **match.meter.as_json(),
        }  # fmt: skip

    def stop(self) -> None:
        """End here, where others play on."""
        if self.match is not None and not self.match.over:
            self.match.quit()

    def take_writer(self) -> ReplayWriter | None:
        """The writer of the recording, for the caller to close; None without one, or where it was taken."""
        writer, self._writer = self._writer, None
        return writer

    def finish_recording(self) -> list[str]:
        """Close the recording with its card; returns what is missing from it and why."""
        writer = self.take_writer()
        if writer is None:
            return []
        writer.close()
        if not writer.path.exists():
            return [writer.warning]
        try:
            RecordingLibrary(writer.path.parent).read(writer.path)
        except RecordingError as error:
            return [str(error)]
        return [writer.warning] if writer.warning else []

    def close(self) -> None:
        """End the match, and free the stage and the controllers."""
        self.stop()
        self.finish_recording()
        for controller in (*self.own.values(), *self._later.values(), *self._retired):
            controller.close()
        self.stage.close()


def keep_result(result: MatchResult, match: str, path: Path) -> str:
    """Add the result to the ladder, once a match; returns why it cannot, "" where it can."""
    try:
        with Ladder(path) as ladder:
            ladder.add(result.as_json(), key=match)
    except LadderError as error:
        return str(error)
    return ""


def as_result(result: MatchResult) -> dict[str, Any]:
    """The fields of a Result message."""
    return {"ticks": result.ticks, "actions": result.actions, "placements": result.placements}
