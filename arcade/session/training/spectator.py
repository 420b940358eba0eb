"""Spectator: replays the moves of a training game in a child process, at the game's own rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agents.seats.controller import Action, AgentID
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.stage import StageError
from arcade.match.stage.tick import Frame, Tick
from arcade.session.preview import TURN_RATE, game_error_text
from arcade.session.training.client import EpisodeBuffer, Moves, SpectatedEpisode
from arcade.session.worker import Stages

SMOOTH = 1.5
"""Seconds over which buffered ticks are stretched where the trainer plays slower than the screen."""

HOLD = 0.8
"""Seconds that the last picture of an episode stays."""


class Spectator:
    """Called once a frame and between frames; never waits::

    spectator.update(now, buffer)
    spectator.frame, spectator.episode, spectator.tick, spectator.trouble
    """

    def __init__(self, stages: Stages, find: Callable[[], GameSpec]) -> None:
        """`find` returns the game; called in the worker."""
        self._stages, self._find = stages, find
        self._stage: HostedStage | None = None
        self._making = self._closed = False
        self._rate = TURN_RATE
        self._due = 0.0
        self.tick = 0  # of the episode: the steps that were played
        self._last: Tick | None = None  # None while the stage is busy
        self.episode: SpectatedEpisode | None = None
        self.frame: Frame | None = None
        self.newest: Tick | None = None  # the last shown tick
        self.spec: GameSpec | None = None  # the game, once found
        self.trouble = ""  # why nothing is shown, for players

    def update(self, now: float, buffer: EpisodeBuffer) -> None:
        """Do what is due at `now`."""
        if self._closed:
            return
        try:
            self._advance(now, buffer)
        except StageError as error:
            self.trouble = _trouble_text(error)
            self._drop()
            self._due = now + 5.0  # do not restart a broken game at once

    def close(self) -> None:
        """End the child; can be called twice."""
        self._closed = True
        self._drop()

    def _advance(self, now: float, buffer: EpisodeBuffer) -> None:
        stage = self._stage
        if stage is None:
            if now >= self._due and buffer.coming is not None and not self._making:
                self._making = True
                self._stages.worker.submit(self._find_and_make, done=self._made, failed=self._not_made)
        elif not stage.ready:
            stage.poll()
        else:
            if self.episode is not None and self._last is None:
                self._take(stage.poll())
            if now >= self._due and (self.episode is None or self._last is not None):
                self._play(stage, now, buffer)

    def _play(self, stage: HostedStage, now: float, buffer: EpisodeBuffer) -> None:
        episode, last = self.episode, self._last
        if episode is not None and last is not None and not last.over and self.tick < len(episode.ticks):
            actions = read_moves(episode.ticks[self.tick], last, stage.spaces)
            if actions is not None:
                pause = self._pause(episode)
                self._due = max(self._due + pause, now - pause)
                self.tick, self._last = self.tick + 1, None
                stage.step(actions)
                return
            episode.whole, self.trouble = True, _("The moves of this game do not fit. Waiting for the next game …")
            del episode.ticks[self.tick :]
        if buffer.coming is not None:
            self._begin(stage, buffer, now)

    def _pause(self, episode: SpectatedEpisode) -> float:
        """Seconds to the next tick: at the game's own rate, slower while few ticks are buffered."""
        left = len(episode.ticks) - self.tick
        rate = self._rate if episode.whole else min(self._rate, max(1.0, left / SMOOTH))
        return 1 / rate

    def _begin(self, stage: HostedStage, buffer: EpisodeBuffer, now: float) -> None:
        """Begin the next episode, once the last picture was shown long enough."""
        if self.episode is not None and self.frame is not None and self.tick and self._due > now - HOLD:
            return
        episode = buffer.show_next()
        assert episode is not None
        self.episode, self.tick, self._last, self._due, self.trouble = episode, 0, None, now, ""
        stage.reset(episode.seed)

    def _take(self, tick: Tick | None) -> None:
        if tick is not None:
            self._last = self.newest = tick
            if tick.frame is not None:
                self.frame = tick.frame

    def _find_and_make(self) -> tuple[GameSpec, HostedStage]:
        spec = self._find()
        return spec, self._stages.make(spec)

    def _made(self, made: tuple[GameSpec, HostedStage]) -> None:
        self._making = False
        self.spec, self._stage = made
        self._rate = TURN_RATE if self.spec.turn_based else self.spec.fps
        if self._closed:
            self._drop()

    def _not_made(self, error: BaseException) -> None:
        self._making, self._due = False, self._due + 5.0
        self.trouble = _trouble_text(error)

    def _drop(self) -> None:
        stage, self._stage = self._stage, None
        self.episode, self._last = None, None
        if stage is not None:
            self._stages.free(stage)


def _trouble_text(error: BaseException) -> str:
    """Return an error of the game in words for players."""
    return _("This game cannot be shown here: {reason}").format(reason=game_error_text(error))


def read_moves(moves: Moves, tick: Tick, spaces: Any) -> dict[AgentID, Action] | None:
    """The actions of the agents that act at `tick`; None where one is missing or not in its space."""
    actions: dict[AgentID, Action] = {}
    for agent in tick.acting:
        action = _as_action(moves.get(str(agent)), spaces[agent][1])
        if action is None:
            return None
        actions[agent] = action
    return actions


def _as_action(value: Any, space: Any) -> Action | None:
    try:
        if not space.shape and hasattr(space, "n"):  # Discrete
            action: Action = int(value) if float(value) == int(value) else None
        else:
            action = np.asarray(value).astype(space.dtype).reshape(space.shape)
            action = np.clip(action, space.low, space.high) if hasattr(space, "low") else action
    except (TypeError, ValueError, OverflowError):
        return None
    return action if action is not None and space.contains(action) else None
