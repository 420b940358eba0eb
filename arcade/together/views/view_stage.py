"""ViewStage: the stage of a machine that does not run the game; its ticks come from the host."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from agents.seats.controller import Action, AgentID
from arcade.games.spec import GameSpec
from arcade.match.stage.stage import Stage
from arcade.match.stage.state import StageState
from arcade.match.stage.tick import Tick
from arcade.match.states.errors import StateError

_NOT_HERE = "expected a game that runs on this machine, got one that runs at the host"


class ViewStage(Stage):
    """Hands over the ticks that it is fed."""

    cannot_save = _NOT_HERE

    def __init__(self, spec: GameSpec, spaces: Mapping[AgentID, tuple[Any, Any]]) -> None:
        self.spec, self._spaces = spec, spaces
        self._ticks: deque[Tick] = deque()
        self._is_asked = False

    def __len__(self) -> int:
        """The ticks that were not handed over yet."""
        return len(self._ticks)

    def feed(self, tick: Tick) -> None:
        self._ticks.append(tick)

    @property
    def ready(self) -> bool:
        return True

    @property
    def spaces(self) -> Mapping[AgentID, tuple[Any, Any]]:
        return self._spaces

    def reset(self, seed: int) -> None:
        self._is_asked = True

    def step(self, actions: Mapping[AgentID, Action]) -> None:
        self._is_asked = True

    def poll(self, timeout: float = 0.0) -> Tick | None:
        if not self._is_asked or not self._ticks:
            return None
        self._is_asked = False
        return self._ticks.popleft()

    def replay(self, moves: Sequence[Mapping[AgentID, Action]], anew: bool = False) -> None:
        raise StateError(_NOT_HERE)

    def save(self, *, whole: bool = True) -> StageState:
        raise StateError(_NOT_HERE)

    def load(self, state: StageState, moves: Sequence[Mapping[AgentID, Action]] = (), *, shown: bool = True) -> None:
        raise StateError(_NOT_HERE)

    @property
    def states_size(self) -> int:
        return 0

    def close(self) -> None:
        """Nothing to free."""
