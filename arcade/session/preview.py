"""A game that plays by itself in a child process: the live picture on the select screen and behind the title."""

from __future__ import annotations

from collections.abc import Callable

from agents.errors import UserError
from agents.policies.functions import FunctionController
from agents.policies.random import RandomController
from arcade.games.spec import GameSpec, load_entry
from arcade.match.play.lineup import close_mapping
from arcade.match.play.match import Match
from arcade.match.play.seats import PolicyMapping
from arcade.match.stage.hosted import HostedStage, StageHost
from arcade.match.stage.stage import Stage, StageError
from arcade.session.worker import Worker

DWELL = 0.25
"""Seconds that a game must stay selected before a child starts for it, so that scrolling starts none."""

TURN_RATE = 2.0
"""Moves a second in a turn-based game."""


class Preview:
    """Shows one game at a time.  `show` and `update` return at once; `match` is None until there is one."""

    def __init__(
        self,
        host: StageHost,
        *,
        worker: Worker,
        seats: Callable[[Stage], PolicyMapping],
        free: Callable[[Stage], None] = lambda stage: stage.close(),
        warm: Callable[[], None] = lambda: None,
    ) -> None:
        """`seats` fills a stage that is ready, in the worker: policies may be read from the disk there.

        `free` closes a stage, which waits for its child to end; `warm` has a spare child made for the next.
        """
        self._host, self._worker, self._free, self._warm = host, worker, free, warm
        self._making = self._seating = False
        self._seats = seats
        self._spec: GameSpec | None = None
        self._stage: HostedStage | None = None
        self._match: Match | None = None
        self._since = 0.0
        self._seed = 0
        self.failure = ""

    @property
    def spec(self) -> GameSpec | None:
        return self._spec

    @property
    def match(self) -> Match | None:
        """The match on show, with its newest picture."""
        return self._match

    @property
    def ticks(self) -> int:
        """How far the match on show is."""
        return self._match.tick.index if self._match is not None and self._match.tick is not None else 0

    def show(self, spec: GameSpec | None, *, now: float) -> None:
        """Turn to `spec`, or to nothing with None; the same game goes on playing."""
        if spec is self._spec:
            return
        self.close()
        self._spec, self._since, self.failure = spec, now, ""

    def update(self, now: float) -> None:
        """Do what can be done by `now`."""
        if self._spec is None or self.failure or now - self._since < DWELL:
            return
        try:
            self._advance(self._spec, now)
        except StageError as error:
            self._fail(error)
        if self._match is not None and self._match.error is not None:
            self._fail(self._match.error)

    def take(self) -> HostedStage | None:
        """Hand over the stage of the game shown, or None where there is none; then shows nothing."""
        stage = self._stage
        if stage is None or self.failure:
            return None
        self._stage = None
        self.close()
        return stage

    def close(self) -> None:
        """End the child; twice does no harm."""
        if self._match is not None:
            close_mapping(self._match.mapping)
        if self._stage is not None:
            self._free(self._stage)
        self._spec = self._stage = self._match = None

    def _advance(self, spec: GameSpec, now: float) -> None:
        if self._stage is None:
            self._make(spec)
        elif not self._stage.ready:
            self._stage.poll()
        elif self._match is None or (self._match.over and not self._match.stepping):
            self._begin(self._stage, spec)
        else:
            self._match.advance(now)

    def _make(self, spec: GameSpec) -> None:
        """Start a child in the worker; one at a time, however fast somebody scrolls."""
        if not self._making:
            self._making = True
            self._worker.submit(
                lambda: self._host.stage(spec),
                done=lambda stage: self._made(spec, stage),
                failed=lambda error: self._not_made(spec, error),
            )

    def _made(self, spec: GameSpec, stage: HostedStage) -> None:
        self._making = False
        if self._spec is spec and self._stage is None:
            self._stage = stage
        else:
            self._free(stage)
        self._warm()

    def _not_made(self, spec: GameSpec, error: BaseException) -> None:
        self._making = False
        if not isinstance(error, StageError):
            raise error
        if self._spec is spec:
            self._fail(error)

    def _begin(self, stage: HostedStage, spec: GameSpec) -> None:
        if self._match is not None:
            self._play(stage, spec, self._match.mapping)
        elif not self._seating:
            self._seating = True
            self._worker.submit(
                lambda: self._seats(stage),
                done=lambda mapping: self._seated(stage, spec, mapping),
                failed=lambda error: self._not_seated(stage, error),
            )

    def _seated(self, stage: HostedStage, spec: GameSpec, mapping: PolicyMapping) -> None:
        self._seating = False
        if stage is self._stage:
            self._play(stage, spec, mapping)
        else:
            close_mapping(mapping)

    def _not_seated(self, stage: HostedStage, error: BaseException) -> None:
        self._seating = False
        if not isinstance(error, UserError):
            raise error
        if stage is self._stage:
            self._fail(StageError(stage.spec.id, str(error)))

    def _play(self, stage: HostedStage, spec: GameSpec, mapping: PolicyMapping) -> None:
        self._seed += 1
        self._match = Match(stage, mapping, seed=self._seed, rate=TURN_RATE if spec.turn_based else spec.fps)
        self._match.start()

    def _fail(self, error: StageError) -> None:
        """End the child, and keep the game and the reason on show."""
        spec = self._spec
        self.close()
        self._spec, self.failure = spec, error.message


def preview_seats(stage: Stage) -> PolicyMapping:
    """The scripted player in every seat where the game has one, else random moves."""
    function = load_entry(stage.spec.scripted) if stage.spec.scripted else None
    return {
        agent: FunctionController(function, label="scripted") if function else RandomController()
        for agent in stage.agents
    }
