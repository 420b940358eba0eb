"""A stage in this process: for headless play, evaluation and training."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.controller import Action, AgentID
from arcade.games.spec import GameSpec
from arcade.match.drivers import Driver, make_driver, seat_spaces, without_mask
from arcade.match.stage import Stage, StageError
from arcade.match.tick import Frame, Tick

TRACEBACK_LINES = 16
_log = logging.getLogger(__name__)


class LocalStage(Stage):
    """Steps the env at the call itself, so `poll` always has the Tick.

    With `render` each Tick carries its frame; without it `picture` draws one on demand where `drawable`.
    `checked` is as `make_driver` has it.
    """

    def __init__(self, spec: GameSpec, *, render: bool = False, drawable: bool = False, checked: bool = True) -> None:
        self.spec = spec
        self._checked = checked
        self._render = render
        self._render_mode = "rgb_array" if render or drawable else None
        self._env: Any = None
        self.draws = True  # False: the next steps bring no picture, but for the last of an episode
        self._driver = self._make()
        self._is_used = False
        declared = seat_spaces(self._env, spec)
        self._spaces = {agent: (without_mask(seen), action) for agent, (seen, action) in declared.items()}
        self._tick: Tick | None = None

    @property
    def ready(self) -> bool:
        return True

    @property
    def spaces(self) -> Mapping[AgentID, tuple[Any, Any]]:
        return self._spaces

    def reset(self, seed: int) -> None:
        if self._is_used and self.spec.keeps_state:
            self._driver = self._make()  # a reset of the old env would not be the seed's own episode
        self._is_used = True
        self._tick = self._guard(lambda: self._driver.reset(seed))
        if self._render:
            self._tick.frame = self.picture()

    def step(self, actions: Mapping[AgentID, Action]) -> None:
        try:
            tick = self._driver.step(actions)
        except Exception as error:
            raise self._failure(error) from error
        if self._render and (self.draws or not tick.acting):
            tick.frame = self.picture()
        self._tick = tick

    def poll(self, timeout: float = 0.0) -> Tick | None:
        tick, self._tick = self._tick, None
        return tick

    def picture(self) -> Frame | None:
        """The env's picture of this moment, None where it draws none."""
        frame = self._guard(self._env.render)
        return frame if isinstance(frame, np.ndarray) and frame.ndim == 3 else None

    def close(self) -> None:
        env, self._env = self._env, None
        if env is not None:
            try:
                env.close()
            except Exception as error:  # noqa: BLE001  (whatever a game does at its end, the results stand)
                _log.warning("%s failed to close: %s: %s", self.spec.id, type(error).__name__, error)

    def _make(self) -> Driver:
        self.close()
        self._env = self._guard(lambda: self.spec.make(render_mode=self._render_mode))
        driver: Driver = self._guard(lambda: make_driver(self._env, self.spec, checked=self._checked))
        return driver

    def _guard(self, call: Any) -> Any:
        try:
            return call()
        except Exception as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> StageError:
        lines = "".join(traceback.format_exception(error)).rstrip().splitlines()
        return StageError(
            self.spec.id,
            f"the game failed: {type(error).__name__}: {error}",
            details="\n".join(lines[-TRACEBACK_LINES:]),
        )
