"""Choosing the game of a new run: the list of games with its search and live pictures."""

from __future__ import annotations

from collections.abc import Callable

from arcade.games import GameSpec
from arcade.scenes.home.select import SelectScene
from arcade.scenes.lobby import Lobby


class PickGameScene(SelectScene):
    """`done` gets the game; Esc or B leave things as they were."""

    heading = "Game to train"

    def __init__(self, lobby: Lobby, *, done: Callable[[GameSpec], None]) -> None:
        super().__init__(lobby)
        self._done = done

    def pick(self, spec: GameSpec) -> None:
        self.engine.pop()
        self._done(spec)
