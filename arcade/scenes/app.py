"""The window: every screen, from the title to the last result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.engine.window.engine import Engine
from arcade.engine.window.route import Route
from arcade.scenes import routes
from arcade.scenes.lobby import Lobby
from arcade.session.options import WindowOptions
from arcade.session.settings import Settings, load_settings, save_settings

if TYPE_CHECKING:
    from arcade.match.play.result import MatchResult


@contextmanager
def open_window(opening: WindowOptions, **engine: Any) -> Iterator[tuple[Engine, Lobby]]:
    """The window without a scene yet, and what its scenes share; `engine` goes to the Engine."""
    keywords: dict[str, Any] = {
        "settings": Settings(),
        "save_settings": save_settings,
        "error_route": routes.Failed,
    } | engine
    with Engine(**keywords) as made:
        lobby = Lobby(made, opening)
        made.open_route = lambda route: routes.make_scene(lobby, route)
        try:
            yield made, lobby
        finally:
            made.close()
            lobby.close()


def run_window(
    game: str | None = None,
    lineup: Mapping[AgentID, SeatChoice] | None = None,
    *,
    opening: WindowOptions | None = None,
    on_result: Callable[[MatchResult], None] = lambda result: None,
    frames: int | None = None,
    over: Route | None = None,
) -> int:
    """Open the window and stay until it is closed; returns the exit status.

    With a `game` the title offers that one, at one press; with a `lineup` too the match begins by itself.
    `on_result` is told of each match that ends.  `frames` ends it after as many, for measuring.  `over` leads to a
    scene that lies on the title at first.
    """
    opening = opening or WindowOptions()
    if game is not None:
        opening = opening.with_featured(game)
    settings, warning = load_settings(hud_pieces=_hud_pieces)
    with open_window(opening, title="PettingZoo Arcade", settings=settings) as (engine, lobby):
        lobby.on_result = on_result
        for words in filter(None, (warning, engine.input.warning, lobby.people_warning)):
            lobby.toasts.say(words)
        engine.push(routes.Title(lineup))
        if over is not None:
            engine.push(over)
        _turn(engine, frames)
    return 0


def _hud_pieces() -> list[str]:
    from arcade.scenes.hud.pieces import PIECES  # on demand: the title is shown before their pictures are loaded

    return [piece.name for piece in PIECES]


def _turn(engine: Engine, frames: int | None) -> None:
    if frames is None:
        engine.run()
        return
    for _ in range(frames):
        if engine.running:
            engine.frame(engine.clock())
