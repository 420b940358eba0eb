"""The window with all screens, and its keyboards and gamepads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents.platform import system
from agents.seats.controller import AgentID, Controller, SeatChoice
from agents.seats.kinds import parse_seat
from arcade.engine.input.default_bindings import KEYBOARD
from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import Device
from arcade.engine.window.engine import Engine
from arcade.engine.window.scene import Route
from arcade.exit import closing_on_signals
from arcade.scenes import routes
from arcade.session.match.setup import WindowOptions
from arcade.session.people import PlayerDevices
from arcade.session.player.file_texts import warning_text
from arcade.session.services import Services
from arcade.session.settings import Settings, is_first_start, load_settings, settings_file

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.play.lineup import Devices
    from arcade.match.play.result import MatchResult

FIRST = ("arcade.scenes.home.game_pictures",)
"""Imported before play can begin: the title shows its game then."""

PAGES = (
    "arcade.scenes.match.match_scene", "arcade.scenes.match.results", "arcade.scenes.recordings.browser_scene",
    "arcade.scenes.ladder.ladder_scene", "arcade.scenes.online.menu",
)  # fmt: skip
"""Imported last: one that is opened earlier waits for its own import alone."""


@contextmanager
def open_window(
    opening: WindowOptions, *, on_result: Callable[[MatchResult], None] = lambda result: None, **engine: Any
) -> Iterator[tuple[Engine, Services]]:
    """Open the window without a scene, and the services of its scenes; `engine` goes to the Engine."""
    system.share_heap()
    settings = engine.get("settings", Settings())
    defaults = {"settings": settings, "save_settings": settings_file(settings).save, "error_route": routes.Failed}
    with Engine(**{**defaults, **engine}) as made:
        services = Services(
            opening,
            settings=lambda: made.settings,
            say=made.say,
            devices=ScreenDevices(made.devices),
            is_open=lambda: made.running,
            on_result=on_result,
            first=FIRST,
            pages=PAGES,
            on_loaded=made.finish_loading,
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
    """Open the window and run it until it is closed; returns the exit status.

    `game` is the one that the title starts; with a `lineup` its match begins at once.  `on_result` is called with the
    result of each match.  `frames` closes the window after so many, for measurements.  `over` is shown over the title.
    """
    opening = opening or WindowOptions()
    if game is not None:
        opening = replace(opening, featured=game)
    is_new = is_first_start()
    settings, warning = load_settings(hud_pieces=_hud_pieces)
    look = {"title": "PettingZoo Arcade", "settings": settings}
    with open_window(opening, on_result=on_result, **look) as (engine, services):
        for text in filter(None, (warning, engine.input.warning, *services.warnings)):
            engine.say(warning_text(text))
        for route in opening_routes(lineup, over, is_new=is_new and game is None and frames is None):
            engine.push(route)
        if frames is None:
            with closing_on_signals(engine.quit):
                engine.run()
        for _ in range(frames or 0):
            if engine.running:
                engine.frame(engine.clock())
    return 0


def opening_routes(
    lineup: Mapping[AgentID, SeatChoice] | None = None, over: Route | None = None, *, is_new: bool
) -> list[Route]:
    """Return the scenes of a window that opens, the lowest first; `is_new`: for a player without settings."""
    first = [routes.FirstRun()] if is_new and lineup is None and over is None else []
    return [routes.Title(lineup), *first, *([over] if over is not None else [])]


def _hud_pieces() -> list[str]:
    from arcade.scenes.hud.pieces import PIECES  # on demand: the title is shown before their pictures are loaded

    return [piece.name for piece in PIECES]


class ScreenDevices(PlayerDevices):
    """The keyboards and gamepads of the window."""

    def __init__(self, hub: DeviceHub) -> None:
        self._hub = hub

    @property
    def seats(self) -> tuple[SeatChoice, ...]:
        self._hub.keyboards.refresh()
        own = self._hub.keyboards.present if self._hub.keyboards.apart else ()
        devices = [*KEYBOARD.values(), *own, *self._hub.pads]
        return tuple(parse_seat(word) for word in ("keyboard", *(device.word for device in devices)))

    def factories(self, spec: GameSpec) -> Devices:
        from arcade.controls.device_controllers import make_devices  # games take longer to import than the title may

        return make_devices(self._hub, find=lambda game: spec)

    def plays(self, word: str, controller: Controller) -> bool:
        kind, _, slot = word.partition(":")
        return controller in self._hub.listeners(Device(kind, slot))  # type: ignore[arg-type,comparison-overlap]

    def is_gone(self, word: str) -> bool:
        return self._hub.is_gone(word)
