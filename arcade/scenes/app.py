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
from arcade.scenes.devices import ScreenDevices
from arcade.session.options import WindowOptions
from arcade.session.services import Services
from arcade.session.settings import Settings, load_settings, save_settings

if TYPE_CHECKING:
    from arcade.match.play.result import MatchResult

PAGES = ("arcade.scenes.recordings.browser_scene", "arcade.scenes.ladder.ladder_scene")
"""Imported last: few open them at once."""


@contextmanager
def open_window(
    opening: WindowOptions, *, on_result: Callable[[MatchResult], None] = lambda result: None, **engine: Any
) -> Iterator[tuple[Engine, Services]]:
    """The window without a scene yet, and the services of its scenes; `engine` goes to the Engine."""
    defaults = {"settings": Settings(), "save_settings": save_settings, "error_route": routes.Failed}
    with Engine(**{**defaults, **engine}) as made:
        services = Services.open(
            opening,
            settings=lambda: made.settings,
            say=made.say,
            devices=ScreenDevices(made.devices),
            is_open=lambda: made.running,
            on_result=on_result,
            pages=PAGES,
        )
        made.open_route = lambda route: routes.make_scene(services, route)
        made.each_frame = services.update
        try:
            yield made, services
        finally:
            made.close()
            services.close()


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
    look = {"title": "PettingZoo Arcade", "settings": settings}
    with open_window(opening, on_result=on_result, **look) as (engine, services):
        for words in filter(None, (warning, engine.input.warning, services.warning)):
            engine.say(words)
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
