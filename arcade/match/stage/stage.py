"""Stage: steps one PettingZoo env, of either API and in any process.

The caller's loop::

    with LocalStage(spec) as stage:            # or HostedStage(spec)
        stage.reset(seed=7)
        while not (tick := stage.wait()).over:
            stage.step({agent: choose(tick, agent) for agent in tick.acting})
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from typing import Any

from agents.closing import Closing
from agents.errors import ErrorCode, UserError
from agents.seats.controller import Action, AgentID, SeatSpec
from arcade.games.spec import GameSpec, Missing
from arcade.match.stage.rules import PLAIN, StageRules
from arcade.match.stage.state import StageState
from arcade.match.stage.tick import Tick


class StageError(UserError):
    """The env or its process failed, and the stage can no longer be used.

    `game` is the catalogue id; `details` the last lines of the env's own traceback, "" where there are none; `missing`
    what the game needs and is not installed.
    """

    def __init__(
        self, game: str, message: str, *, details: str = "", code: ErrorCode = "invalid", missing: Missing | None = None
    ) -> None:
        super().__init__(f"{game}: {message}" + (f"\n{details}" if details else ""), code=code)
        self.game, self.message, self.details, self.missing = game, message, details, missing

    def __reduce__(self) -> tuple[Callable[..., StageError], tuple[str, str]]:
        """Pickle with all arguments, not with the text alone as exceptions do."""
        make = partial(StageError, details=self.details, code=self.code, missing=self.missing)
        return make, (self.game, self.message)


class Stage(Closing, ABC):
    """One env.  ``reset`` or ``step`` begins an advance, ``poll`` or ``wait`` hands over its Tick, in turns."""

    spec: GameSpec
    draws = True  # False: the next steps bring no picture, but for the last of an episode
    locates = False  # the next drawn ticks say where the figure of each seat is
    obs_types: Set[str] = frozenset()  # of GameSpec.obs_types: the next ticks have these observations too
    rules: StageRules = PLAIN  # of the episodes that begin from now on
    start = ""  # the position that they begin with, of GameSpec.set_start; "": the game's own
    forks = False  # moments are copies of the whole process: other copies of this game were proved wrong
    cannot_save = ""  # why `save` failed, as far as it is known

    @property
    @abstractmethod
    def ready(self) -> bool:
        """True once the env is made; `seat` and `reset` may be called from then on."""

    @property
    @abstractmethod
    def spaces(self) -> Mapping[AgentID, tuple[Any, Any]]:
        """Each agent's (observation space without its mask, action space), as gymnasium spaces."""

    @property
    def other_spaces(self) -> Mapping[str, Any]:
        """The spaces of other observations that policies learn from, by type, as in SeatSpec."""
        return {}

    @abstractmethod
    def reset(self, seed: int) -> None:
        """Begin an episode; 0 <= seed < 2**32, and < 2**63 in games with `long_seeds`."""

    @abstractmethod
    def step(self, actions: Mapping[AgentID, Action]) -> None:
        """Begin the advance that `actions` cause: one for each agent that the last Tick called acting."""

    @abstractmethod
    def replay(self, moves: Sequence[Mapping[AgentID, Action]], anew: bool = False) -> None:
        """Begin to play `moves`, of which `poll` hands over the last tick; it alone is drawn.

        They continue the episode, or start `anew` from its reset with the same seed; a game that is not repeatable
        then reaches another state.  Where the game ends earlier, its last tick comes.
        """

    @abstractmethod
    def save(self, *, whole: bool = True) -> StageState:
        """The present moment, which the newest tick shows; called between two advances.

        Without `whole` it takes less memory, and `load` needs moves.  A local stage raises StateError where the game
        cannot be saved; a hosted one fails at `load` then, so ask `saves` first.
        """

    @abstractmethod
    def load(self, state: StageState, moves: Sequence[Mapping[AgentID, Action]] = (), *, shown: bool = True) -> None:
        """Begin to go back to that moment of this episode and to play `moves` from there, as `replay` does.

        `poll` hands over the last tick: without moves, that of the moment.  Played moves lead to a picture only where
        it is `shown`.  A state can be loaded any number of times.
        """

    @property
    @abstractmethod
    def states_size(self) -> int:
        """Rough bytes of all states that are held, as of the newest tick."""

    @abstractmethod
    def poll(self, timeout: float = 0.0) -> Tick | None:
        """The Tick of the advance under way, None before it is there or without an advance.

        While the env is being made, this waits for that.  Raises StageError when the stage has failed.
        """

    @abstractmethod
    def close(self) -> None:
        """Free the env and its process; can be called twice."""

    @property
    def saves(self) -> bool:
        """Whether states are known to be exact here; False for a game that was not measured."""
        return self.spec.saves and not self.cannot_save

    @property
    def agents(self) -> tuple[AgentID, ...]:
        return self.spec.agents

    def seat(self, agent: AgentID) -> SeatSpec:
        """The spec that a controller of `agent` gets."""
        seen, action = self.spaces[agent]
        return SeatSpec(
            game=self.spec.id, agent=agent, observation_space=seen, action_space=action, fps=self.spec.fps,
            frame_skip=self.rules.frame_skip, sticks=self.rules.sticky_actions > 0, other_spaces=self.other_spaces,
        )  # fmt: skip

    def wait(self, timeout: float = 60.0) -> Tick:
        """The Tick of the advance under way; blocks, for headless use.  Raises StageError after `timeout` seconds."""
        deadline = time.monotonic() + timeout
        while (tick := self.poll(0.05)) is None:
            if time.monotonic() > deadline:
                raise StageError(self.spec.id, f"expected a tick within {timeout:g} s, got none")
        return tick
