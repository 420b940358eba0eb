"""Preview: a game that AI plays in a child process: the live picture on the select screen and behind the title."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from agents.errors import UserError
from agents.policies.functions import FunctionController
from agents.policies.random import RandomController
from arcade.games.spec import GameError, GameSpec, load_entry
from arcade.language import _
from arcade.match.play.lineup import close_mapping
from arcade.match.play.match import Match
from arcade.match.play.seats import PolicyMapping
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.stage import Stage, StageError
from arcade.session.worker import T

if TYPE_CHECKING:
    from arcade.session.worker import Stages

DWELL = 0.25
"""Seconds that a game must stay selected before a child starts for it, so that scrolling starts none."""

TURN_RATE = 2.0
"""Moves a second in a turn-based game."""


def game_error_text(error: BaseException) -> str:
    """Return why a game cannot be shown, as part of a sentence."""
    missing = error.missing if isinstance(error, GameError | StageError) else None
    if missing is not None and missing.command:
        words = _("the package {package} is missing; install it with: {command}")
        return words.format(package=missing.module, command=missing.command)
    if missing is not None:
        return _("the package {package} is missing").format(package=missing.module)
    if isinstance(error, UserError) and error.code == "not_installed":
        return _("something that the game needs is not installed")
    if isinstance(error, StageError):
        return _("the game stopped unexpectedly")
    return _("the game could not be started")


def preview_seats(stage: Stage) -> PolicyMapping:
    """The scripted player in every seat where the game has one, at its easiest level, else random moves."""
    function: Callable[..., Any] | None = load_entry(stage.spec.scripted) if stage.spec.scripted else None
    if function is not None and stage.spec.has_levels:
        function = partial(function, level="easy")
    return {
        agent: FunctionController(function, label="scripted") if function else RandomController()
        for agent in stage.agents
    }


class Preview:
    """Shows one game at a time; `show` and `update` return at once."""

    def __init__(
        self, stages: Stages, seats: Callable[[Stage], PolicyMapping] = preview_seats, *, move_rate: float = TURN_RATE
    ) -> None:
        """`seats` makes the controllers for a stage that is ready; called in the worker, as it may read the disk.

        `move_rate`: moves a second in a turn-based game.
        """
        self._stages, self._seats, self._move_rate = stages, seats, move_rate
        self.spec: GameSpec | None = None
        self.match: Match | None = None  # with the newest picture
        self.failure = ""  # why there is no picture, for players
        self._stage: HostedStage | None = None
        self._busy = False  # the worker makes a stage or controllers
        self._since = 0.0
        self._seed = 0

    @property
    def ticks(self) -> int:
        """The tick of the match."""
        return self.match.tick.index if self.match is not None and self.match.tick is not None else 0

    def show(self, spec: GameSpec | None, *, now: float) -> None:
        """Change to `spec`, or to no game with None; the same game continues."""
        if spec is not self.spec:
            self.close()
            self.spec, self._since, self.failure = spec, now, ""

    def update(self, now: float) -> None:
        """Do what is due by `now`."""
        if self.spec is None or self.failure or now - self._since < DWELL:
            return
        try:
            self._advance(self.spec, now)
        except StageError as error:
            self._fail(error)
        if self.match is not None and self.match.error is not None:
            self._fail(self.match.error)

    def take(self) -> HostedStage | None:
        """Return the stage for a match and show no game; None without a stage."""
        stage = self._stage
        if stage is None or self.failure:
            return None
        self._stage = None
        self.close()
        return stage

    def close(self) -> None:
        """End the child; can be called twice."""
        if self.match is not None:
            close_mapping(self.match.mapping)
        if self._stage is not None:
            self._stages.free(self._stage)
        self.spec = self._stage = self.match = None

    def _advance(self, spec: GameSpec, now: float) -> None:
        stage, match = self._stage, self.match
        if stage is None:
            self._submit(lambda: self._stages.make(spec), lambda stage: self._made(spec, stage), spec)
        elif not stage.ready:
            stage.poll()
        elif match is None:
            self._submit(lambda: self._seats(stage), lambda mapping: self._seated(stage, mapping), spec)
        elif match.over and not match.stepping:
            self._play(stage, match.mapping)
        else:
            match.advance(now)

    def _submit(self, job: Callable[[], T], done: Callable[[T], None], spec: GameSpec) -> None:
        """Start a job in the worker; one at a time, however fast the user scrolls."""

        def finish(outcome: T) -> None:
            self._busy = False
            done(outcome)

        def fail(error: BaseException) -> None:
            self._busy = False
            if spec is self.spec:
                self._fail(error)

        if not self._busy:
            self._busy = True
            self._stages.worker.submit(job, done=finish, failed=fail, errors=UserError)

    def _made(self, spec: GameSpec, stage: HostedStage) -> None:
        if spec is self.spec and self._stage is None:
            self._stage = stage
        else:
            self._stages.free(stage)
        self._stages.warm()

    def _seated(self, stage: HostedStage, mapping: PolicyMapping) -> None:
        if stage is self._stage:
            self._play(stage, mapping)
        else:
            close_mapping(mapping)

    def _play(self, stage: HostedStage, mapping: PolicyMapping) -> None:
        self._seed += 1
        rate = self._move_rate if stage.spec.turn_based else stage.spec.fps
        self.match = Match(stage, mapping, seed=self._seed, rate=rate)
        self.match.start()

    def _fail(self, error: BaseException) -> None:
        """End the child, but keep the game and the reason."""
        spec = self.spec
        self.close()
        self.spec, self.failure = spec, game_error_text(error)
