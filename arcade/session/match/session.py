"""MatchSession: one match from its launch to its result, without a window.

Screens and scripts use the same calls::

    session = MatchSession(services, spec, lineup)
    while session.outcome is None:
        services.update(now)                     # finished jobs, events of the trainer
        session.update(now)                      # launches, then plays what is due; never waits
    session.seats.seat(agent, choice)            # meanwhile: change seats
    session.close()
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from agents.seats.controller import Action, AgentID, SeatChoice, SeatSpec
from arcade.games.spec import GameSpec
from arcade.match.play.adjustable import AdjustableMatch, Moment
from arcade.match.playback.branch import Branch, BranchedMatch
from arcade.match.stage.hosted import HostedStage
from arcade.session.match.countdown import Countdown
from arcade.session.match.draw_offers import DrawOffers
from arcade.session.match.following import Following
from arcade.session.match.hints import Hints
from arcade.session.match.joining import Joining, MissingPads
from arcade.session.match.launch import Launch, Launched
from arcade.session.match.outcome import MatchOutcome
from arcade.session.match.pace import Pace, Running
from arcade.session.match.save_slots import Played, SaveSlots
from arcade.session.match.seat_changes import Audience, SeatChanges
from arcade.session.match.series import Series
from arcade.session.services import Services


class MatchSession:
    """Owns the stage and the controllers; `release_stage` passes the stage on to a rematch.

    `match`, `running`, `seats`, `joining`, `pace`, `pads`, `following`, `hints`, `draw_offers`, `slots` come once
    `is_begun`.
    """

    match: AdjustableMatch
    running: Running
    seats: SeatChanges
    joining: Joining
    pace: Pace
    pads: MissingPads
    following: Following
    hints: Hints
    draw_offers: DrawOffers
    slots: SaveSlots

    def __init__(
        self,
        services: Services,
        spec: GameSpec,
        lineup: Mapping[AgentID, SeatChoice],
        *,
        stage: HostedStage | None = None,
        series: Series | None = None,
        branch: Branch | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`series`: None begins one of the length chosen last."""
        self.services, self.spec = services, spec
        self.lineup = dict(lineup)  # the present choice of each seat
        self.series = series or Series.begin(spec, 1 if branch is not None else services.setup.best_of)
        self.outcome: MatchOutcome | None = None  # once the match is over
        self.launched: Launched | None = None
        self.branch = branch
        self.audience = Audience()
        self.countdown = Countdown()  # the match is paused while it is on
        self._clock = clock
        self._stage: HostedStage | None = None  # the launch's until the match has begun
        self._frozen = ""  # the newest snapshot since the launch began
        self._warned = ""
        services.setup.lineups[spec.id], services.setup.playing = dict(lineup), self
        self.launch = Launch(services, spec, self.lineup, stage=stage, branch=branch)

    @property
    def is_begun(self) -> bool:
        """Whether the match has begun."""
        return self.launched is not None

    @property
    def is_running(self) -> bool:
        """Whether the match has begun and is not over."""
        return self.is_begun and not self.match.over

    @property
    def seat_specs(self) -> tuple[SeatSpec, ...]:
        """The spaces of each seat; () before the match has begun."""
        return tuple(map(self.match.stage.seat, self.spec.agents)) if self.is_begun else ()

    @property
    def last_actions(self) -> Mapping[AgentID, Action]:
        """The actions of the newest tick."""
        return self.launched.watch.last_actions if self.launched is not None else {}

    def update(self, now: float) -> None:
        """Do what is due; called once a frame.  Raises the error that stopped the launch or the match.

        The call that begins the match plays no tick of it, so that the caller can pause before the first one.
        """
        if self.launched is None:
            if (launched := self.launch.update()) is not None:
                self._begin(launched)
            return
        self.running.frame(now)
        if self.countdown.update(now, ready=self.match.tick is not None):
            self.match.resume(now)
        self.following.update()
        self.pace.update()
        self.slots.update()
        self._warn(self.launched.watch.warning)
        if self.match.error is not None:
            raise self.match.error
        if self.match.over and self.outcome is None:
            self._end()

    def on_frozen(self, game: str, name: str) -> None:
        """Swap in the new snapshot `name` of `game`, at the end of the rally, in seats that follow the trainer."""
        if self.launched is not None:
            self.following.on_frozen(game, name)
        elif game == self.spec.id:
            self._frozen = name

    def pause(self) -> None:
        """Stop the clock, and give back seats that are held for a moment."""
        self.countdown.cancel()
        self.match.pause()
        self.joining.release_all()

    def resume(self) -> None:
        """Continue, after a countdown where people play in real time; one that runs or is over stays as it is."""
        if not self.match.paused or self.match.over:
            return
        if self._counts_down:
            self.countdown.begin()
        else:
            self.match.resume(self._clock())

    @property
    def _counts_down(self) -> bool:
        people = any(choice.is_human for choice in self.lineup.values())
        return people and not self.spec.turn_based and not self.match.over and self.services.settings().countdown

    def quit(self) -> None:
        """End the match now."""
        if self.launched is not None:
            self.match.quit()

    @property
    def begins_at(self) -> Moment | None:
        """The moment that this match began at, where it continues another one."""
        return self.match.begins_at if isinstance(self.match, BranchedMatch) else None

    def begin_again(self) -> bool:
        """Begin to go back to the moment that this match began at; False where it cannot."""
        moment = self.begins_at
        return moment is not None and self.slots.go_to(moment)

    def release_stage(self) -> HostedStage | None:
        """Return the stage if it can play another match; then the caller closes it."""
        stage = self._stage
        if stage is None or self.match.error is not None:
            return None
        self._stage, stage.draws = None, True
        return stage

    @property
    def is_recorded(self) -> bool:
        """Whether there is a recording that is not finished yet."""
        launched, outcome = self.launched, self.outcome
        kept = outcome is not None and outcome.is_recorded
        return launched is not None and launched.is_begun and launched.watch.writer is not None and not kept

    def keep_recording(self, save_picture: Callable[[Path], None] | None = None) -> None:
        """Finish the recording, once, in the worker; `save_picture` writes its thumbnail there."""
        if self.is_recorded and self.outcome is not None and self.launched is not None:
            self.outcome.keep_recording(self.launched.watch.writer, save_picture or (lambda path: None))

    def close(self, save_picture: Callable[[Path], None] | None = None) -> None:
        """End the match and free its resources; the result counts and the recording is kept.  Can be called twice."""
        services = self.services
        if services.setup.playing is self:
            services.setup.playing = None
        if self.launched is None:
            self.launch.close()
            services.stages.warm()
            return
        self.hints.close()
        self.launched.end(services.worker)
        if self.outcome is None:
            self._end()
        self.keep_recording(save_picture)
        if self._stage is not None:
            services.stages.free(self._stage)
            self._stage = None
        services.stages.warm()

    def _begin(self, launched: Launched) -> None:
        services, match, audience = self.services, launched.match, self.audience
        assert self.launch.stage is not None
        self.launched, self.match, self._stage = launched, match, self.launch.stage
        self.running = Running(match, self._stage, clock=self._clock)
        self.pace = Pace(match, self._stage, speed=services.opening.speed, say=partial(audience.say, about="pace"))
        self.seats = SeatChanges(services, match, self.lineup, audience)
        self.joining = Joining(self.seats, match, services.devices, audience, self._clock)
        self.pads = MissingPads(services.devices, match)
        self.hints, self.draw_offers = Hints(services, match), DrawOffers(match)
        self.following = Following(services, launched, self.lineup, audience.say)
        writer = launched.watch.writer
        played = Played(match, launched.records, writer.path.stem if writer is not None else "")
        self.slots = SaveSlots(services, self.spec, played, say=audience.say)
        services.stages.warm()
        if self._counts_down:
            match.pause()
            self.countdown.begin()

        if any(choice.is_human for choice in self.lineup.values()):
            services.shelf.note_played(self.spec.id, self.lineup, title=self.spec.title)
        if self._frozen:
            self.following.on_frozen(self.spec.id, self._frozen)

    def _end(self) -> None:
        """Count the result for the series and on the ladder."""
        result = self.match.result
        if result is None:
            return
        self.joining.release_all()
        self.series = self.series.after(self.spec, result)
        self.outcome = MatchOutcome(self.services, self.spec, self.lineup, result, self.series)
        if self.match.absent is not None:
            self.outcome.why = self.services.library.player_names(self.spec).of_failure(self.match.absent)
        self.outcome.keep_result()

    def _warn(self, warning: str) -> None:
        """Say once why a part is not recorded."""
        if warning and warning != self._warned:
            self.audience.say(warning, about="recording")
            self.audience.sound("warning")
        self._warned = warning

    def change_series(self, best_of: int) -> None:
        """Change the length of this series and of the next ones."""
        self.services.setup.best_of = best_of
        self.series = replace(self.series, best_of=best_of)
