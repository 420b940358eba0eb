"""The window: every screen, from the title to the last result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.window.engine import Engine
from arcade.engine.window.scene import Scene
from arcade.scenes.dialogs.error import ErrorScene
from arcade.scenes.home.title import TitleScene
from arcade.scenes.hud.pieces import PIECES
from arcade.scenes.lobby import Lobby
from arcade.session.options import WindowOptions
from arcade.session.settings import load_settings, save_settings

if TYPE_CHECKING:
    from arcade.match.play.result import MatchResult


def run_window(
    game: str | None = None,
    lineup: Mapping[AgentID, SeatChoice] | None = None,
    *,
    opening: WindowOptions | None = None,
    on_result: Callable[[MatchResult], None] = lambda result: None,
    frames: int | None = None,
    over: Callable[[Lobby], Scene] | None = None,
) -> int:
    """Open the window and stay until it is closed; returns the exit status.

    With a `game` the title offers that one, at one press; with a `lineup` too the match begins by itself.
    `on_result` is told of each match that ends.  `frames` ends it after as many, for measuring.  `over` makes a scene
    that lies on the title at first.
    """
    opening = opening or WindowOptions()
    if game is not None:
        opening = opening.with_featured(game)
    settings, warning = load_settings(hud_pieces=[piece.name for piece in PIECES])
    lobbies: list[Lobby] = []

    def tell(error: BaseException, words: str) -> Scene:
        return ErrorScene(lobbies[0], error, words)

    with Engine(title="PettingZoo Arcade", settings=settings, save_settings=save_settings, error_scene=tell) as engine:
        lobby = Lobby(engine, opening)
        lobbies.append(lobby)
        lobby.on_result = on_result
        for words in filter(None, (warning, engine.layouts_warning, lobby.people_warning)):
            lobby.toasts.say(words)
        try:
            engine.push(TitleScene(lobby, lineup=lineup))
            if over is not None:
                engine.push(over(lobby))
            _turn(engine, frames)
        finally:
            engine.close()
            lobby.close()
    return 0


def _turn(engine: Engine, frames: int | None) -> None:
    if frames is None:
        engine.run()
        return
    for _ in range(frames):
        if engine.running:
            engine.frame(engine.clock())
