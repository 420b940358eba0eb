"""Pictures of the pages: title, games, seats, settings, controls, questions, errors."""

from __future__ import annotations

from arcade.games.spec import GameSpec
from arcade.scenes import routes
from arcade.scenes.dialogs.error import ErrorScene
from arcade.scenes.home.attract import AttractScene
from arcade.scenes.home.select import SelectScene
from arcade.scenes.home.title import TitleScene
from arcade.scenes.lobby import Lobby
from arcade.scenes.settings.bindings_scene import BindingsScene
from arcade.scenes.settings.pages import PAGES
from arcade.scenes.settings.settings_scene import SettingsScene
from arcade.scenes.setup.fair_play import FairPlayScene
from arcade.scenes.setup.seats import SeatsScene
from tests.shots.camera import Shots


def take_pages(shots: Shots) -> None:
    """All that is no match and no training."""
    for story in (_title, _select, _seats, _settings, _questions, _failure):
        story(shots)


def _title(shots: Shots) -> None:
    lobby = shots.lobby
    shots.show(TitleScene(lobby, routes.Title()))
    shots.take("title-first-frame")
    shots.until(lambda: lobby.ready and _preview_ticks(lobby) > 60, what="the title's picture")
    shots.take("title")
    shots.engine.push(attract := AttractScene(lobby, routes.Attract()))
    shots.until(lambda: attract.preview.ticks > 30, what="a game that plays by itself")
    shots.take("attract")
    shots.engine.pop()


def _select(shots: Shots) -> None:
    lobby = shots.lobby
    shots.engine.push(select := SelectScene(lobby, routes.Games()))
    shots.until(lambda: _preview_ticks(lobby) > 40, what="a preview")
    shots.take("select")
    select.selection.type("pong")
    select.show_found()
    shots.until(lambda: _previews(lobby, select.spec) and _preview_ticks(lobby) > 40, what="a preview")
    shots.take("select-search")


def _seats(shots: Shots) -> None:
    lobby, engine = shots.lobby, shots.engine
    assert lobby.featured is not None
    engine.push(seats := SeatsScene(lobby, routes.Seats(lobby.featured, shots.wasd)))
    shots.until(lambda: _previews(lobby, seats.spec) and _preview_ticks(lobby) > 40, what="a preview")
    shots.take("seats")
    engine.push(FairPlayScene(lobby, routes.FairPlay(seats.seating)))
    shots.take("seats-limits")
    engine.pop()
    engine.push(seats := SeatsScene(lobby, routes.Seats(shots.game("butterfly/pistonball_v6"))))
    shots.until(lambda: _previews(lobby, seats.spec) and _preview_ticks(lobby) > 20, what="a preview")
    shots.take("seats-many")


def _settings(shots: Shots) -> None:
    for page in PAGES:
        shots.show(SettingsScene(shots.lobby, routes.Settings(page.title)))
        shots.take(f"settings-{page.title.lower()}")
    shots.show(BindingsScene(shots.lobby, routes.KeyBindings(shots.lobby.featured)))
    shots.take("controls")


def _questions(shots: Shots) -> None:
    engine = shots.engine
    engine.push(routes.EnterText("Name of the run", "volley-night", done=lambda name: None, hint="Letters and digits"))
    shots.take("entry")
    engine.pop()
    engine.push(routes.Confirm("Stop this run?", detail="What it has learnt stays.", yes="Stop it", then=lambda: None))
    shots.take("confirm")
    engine.pop()


def _failure(shots: Shots) -> None:
    from arcade.match.stage.stage import StageError

    details = (
        "Traceback (most recent call last):\n"
        '  File "my_game.py", line 61, in step\n'
        "    reward = self.rewards[agent]\n"
        "KeyError: 'player_3'"
    )
    error = StageError("my_game:parallel_env", "the game raised KeyError in step", details=details)
    shots.show(ErrorScene(shots.lobby, routes.Failed(error, "")))
    shots.take("error")


def _preview_ticks(lobby: Lobby) -> int:
    return lobby.preview.ticks if lobby.preview is not None else 0


def _previews(lobby: Lobby, spec: GameSpec | None) -> bool:
    return lobby.preview is not None and lobby.preview.spec is spec
