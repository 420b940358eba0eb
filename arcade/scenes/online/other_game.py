"""The list of games for a host who wants to play another one with the same people."""

from __future__ import annotations

from arcade.engine.window.scene import Host
from arcade.games.spec import GameSpec
from arcade.language import N_
from arcade.scenes import routes
from arcade.together.terms import SessionError, check_game
from arcade.together.ways.codes import SessionCode


def other_game(engine: Host, code: SessionCode) -> routes.Games:
    """The route to that list; the lobby of the chosen game replaces the scene on top and keeps the code."""

    def choose(spec: GameSpec) -> None:
        try:
            check_game(spec)
        except SessionError as error:
            engine.say(str(error))
            return
        engine.replace(routes.Lobby(spec=spec, again=code))

    return routes.Games(choose, N_("Game to host"))
