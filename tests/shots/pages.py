"""Pictures of the pages: title, games, seats, settings, controls, questions, errors."""

from __future__ import annotations

from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.scenes import routes
from arcade.scenes.dialogs.questions import ErrorScene
from arcade.scenes.home.attract import AttractScene
from arcade.scenes.home.select import SelectScene
from arcade.scenes.home.title import TitleScene
from arcade.scenes.online.lobby import LobbyScene
from arcade.scenes.settings.bindings_scene import BindingsScene
from arcade.scenes.settings.pages import PAGES
from arcade.scenes.settings.settings_scene import SettingsScene
from arcade.scenes.setup.fair_play import FairPlayScene
from arcade.scenes.setup.seats import SeatsScene
from arcade.session.services import Services
from arcade.together.codes import SessionCode
from tests.shots.camera import Shots


def take_pages(shots: Shots) -> None:
    """All that is no match and no training."""
    for story in (_title, _first_run, _select, _seats, _online, _settings, _questions, _failure):
        story(shots)


def _title(shots: Shots) -> None:
    services = shots.services
    shots.show(TitleScene(services, routes.Title()))
    shots.take("title-first-frame")
    shots.until(lambda: services.ready and _preview_ticks(services) > 60, what="the title's picture")
    shots.take("title")
    shots.engine.push(attract := AttractScene(services, routes.Attract()))
    shots.until(lambda: attract.preview.ticks > 30, what="a game that plays by itself")
    shots.take("attract")
    shots.engine.pop()


def _first_run(shots: Shots) -> None:
    shots.engine.reset_to(routes.FirstRun())
    shots.take("first-run")


def _select(shots: Shots) -> None:
    services = shots.services
    shots.engine.push(select := SelectScene(services, routes.Games()))
    shots.until(lambda: all(_pictures(select)), what="pictures of the first games")
    shots.take("select")
    select.selection.query = "pong"
    select.show_found()
    shots.until(lambda: all(_pictures(select)), what="their pictures")
    shots.take("select-search")
    assert services.library.featured is not None
    shots.engine.push(routes.Game(services.library.featured))
    shots.until(lambda: _preview_ticks(services) > 40, what="a preview")
    shots.take("game")
    for name, game in (("strengths", "house/volley"), ("strengths-roles", "mpe/simple_adversary_v3")):
        shots.engine.push(routes.Strengths(find_game(game)))
        shots.take(name)
        shots.engine.pop()


def _seats(shots: Shots) -> None:
    services, engine = shots.services, shots.engine
    assert services.library.featured is not None
    engine.push(seats := SeatsScene(services, routes.Seats(services.library.featured, shots.wasd)))
    shots.until(lambda: _previews(services, seats.spec) and _preview_ticks(services) > 40, what="a preview")
    shots.take("seats")
    engine.push(routes.PickPlayer(seats.seating, seats.spec.agents[1], choose=lambda choice: None))
    shots.take("seats-player")
    engine.pop()
    engine.push(FairPlayScene(services, routes.FairPlay(seats.seating)))
    shots.take("seats-limits")
    engine.pop()
    engine.push(seats := SeatsScene(services, routes.Seats(shots.game("butterfly/pistonball_v6"))))
    shots.until(lambda: _previews(services, seats.spec) and _preview_ticks(services) > 20, what="a preview")
    shots.take("seats-many")


def _online(shots: Shots) -> None:
    engine, services = shots.engine, shots.services
    engine.push(routes.Online())
    shots.take("online")
    engine.pop()
    assert services.library.featured is not None
    again = SessionCode("192.0.2.7", 0, bytes(32), bytes(10))
    lobby = LobbyScene(services, routes.Lobby(spec=services.library.featured, again=again))
    engine.push(lobby)
    shots.until(lambda: lobby.session is not None and lobby.session.is_open, what="the lobby")
    shots.take("online-lobby")
    assert lobby.session is not None
    engine.push(routes.OnlineMenu(lobby.session))
    shots.take("online-menu")
    engine.pop()
    engine.pop()


def _settings(shots: Shots) -> None:
    for page in PAGES:
        shots.show(SettingsScene(shots.services, routes.Settings(page.title)))
        shots.take(f"settings-{page.title.lower()}")
    shots.show(BindingsScene(shots.services, routes.KeyBindings(shots.services.library.featured)))
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
    shots.show(ErrorScene(shots.services, routes.Failed(error, "")))
    shots.take("error")


def _pictures(select: SelectScene) -> list[object]:
    """Return the pictures of the first three games."""
    return [select.pictures.get(spec, (320, 180)) for spec in select.selection.found[:3]]


def _preview_ticks(services: Services) -> int:
    return services.preview.ticks if services.preview is not None else 0


def _previews(services: Services, spec: GameSpec | None) -> bool:
    return services.preview is not None and services.preview.spec is spec
