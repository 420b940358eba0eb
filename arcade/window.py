"""Opens windows: the only module outside of `arcade.scenes` that imports screens, and only when called."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import UserError
from agents.seats.controller import AgentID, SeatChoice
from agents.trust import trust

if TYPE_CHECKING:
    from arcade.arguments import Seats
    from arcade.engine.window.scene import Route
    from arcade.match.batch.in_process import SeriesResult
    from arcade.match.play.result import MatchResult
    from arcade.match.stage.local import LocalStage
    from arcade.session.match.setup import WindowOptions


class NoDisplayError(UserError):
    """There is no display to open a window on."""


def open_window(
    game: str | None = None,
    lineup: Mapping[AgentID, SeatChoice] | None = None,
    *,
    over: Route | None = None,
    options: WindowOptions | None = None,
    on_result: Callable[[MatchResult], None] = lambda result: None,
) -> None:
    """Open the window and block until it is closed.

    It opens on the title, with a `game` on the title of that game, with a `lineup` in its match, and shows the scene
    `over` on top.  `on_result` gets the result of each match that ends.  Raises NoDisplayError.
    """
    check_display()
    from arcade.engine.window.video import DisplayError
    from arcade.scenes.app import run_window

    try:
        run_window(game, lineup, over=over, opening=options, on_result=on_result)
    except DisplayError as error:
        raise NoDisplayError(str(error)) from error


def play_in_window(
    game: object, seats: Seats | None, *, speed: float | None, sticky_actions: float, frame_skip: int, **more: Any
) -> SeriesResult:
    """Play `game`, or for None the games chosen on the title, until the window is closed; as `arcade.api.play`.

    `more` are further WindowOptions.
    """
    from arcade.match.stage.rules import StageRules
    from arcade.session.match.setup import WindowOptions

    rules = StageRules(sticky_actions=sticky_actions, frame_skip=frame_skip)
    options = WindowOptions(speed=speed or 1.0, rules=rules, **more)
    name, lineup = None, None
    if game is not None:
        from arcade.arguments import read_text_seats
        from arcade.games.third_party.own_env import check_is_importable, game_of

        spec = game_of(game)
        check_is_importable(spec)
        options.rules.check(spec)
        if options.clock:
            from arcade.match.batch.in_process import time_control

            time_control(options.clock, spec)  # raises for another text, and for a game without clocks
        name, lineup = spec.id, read_text_seats(spec, seats) if seats else None
        trust(map(str, (lineup or {}).values()))  # they were typed
    results: list[MatchResult] = []
    began = time.perf_counter()
    open_window(name, lineup, options=options, on_result=results.append)
    from arcade.match.batch.in_process import SeriesResult  # the title is on screen before its imports

    return SeriesResult(matches=results, replays=[], warnings=[], seconds=time.perf_counter() - began)


def show_recording(
    file: Path, *, speed: float = 1.0, begin: tuple[int, Mapping[AgentID, SeatChoice]] | None = None,
    options: WindowOptions | None = None,
) -> None:  # fmt: skip
    """Open the window on a recording and block until it is closed.  Raises NoDisplayError or ReplayError.

    With `begin` a match begins at once, at this tick with these players; without any, a person takes a seat.
    """
    from arcade.match.playback.reader import read_replay
    from arcade.recordings.library import span_of

    game = read_replay(file).spec().id  # an unreadable file is reported before a window opens
    check_display()
    from arcade.scenes.routes import Replay

    if begin is None:
        open_window(game, over=Replay(file, speed, span_of(file)))
        return
    tick, given = begin
    trust(map(str, given.values()))  # they were typed
    open_window(game, over=Replay(file, speed, (tick, None), given), options=options)


def save_picture(stage: LocalStage, path: Path) -> None:
    """Write the game as a spectator sees it at this moment as PNG; remove `path` where the game has no picture."""
    from PIL import Image

    from arcade.scenes.match.picture import picture_of

    path.unlink(missing_ok=True)
    frame = picture_of(stage.spec, stage.look())
    if frame is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(frame).save(path)


def check_display() -> None:
    """Raise NoDisplayError where Linux names no display; other systems and named displays may still lack one."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    named = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in named):
        raise NoDisplayError(f"expected a display for a window, got none: {', '.join(named)} are not set")
