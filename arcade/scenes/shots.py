"""A picture of every screen: ``python -m arcade.scenes.shots [FOLDER]``.

Nothing of the user's is read: the settings, snapshots and results are those of an empty home.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from agents.controller import SeatChoice
from arcade.engine.events import Device
from arcade.engine.loop import Engine
from arcade.engine.scene import Scene
from arcade.games.spec import GameSpec
from arcade.match.result import MatchResult
from arcade.scenes.lobby import Lobby
from arcade.scenes.opening import Opening
from arcade.scenes.picture import GamePicture

SEED = 7
DEADLINE = 120.0
"""Seconds that one picture may take to be ready."""

AI = SeatChoice("scripted")
PERSON = SeatChoice("keyboard")


class Shots:
    """Turns the engine by hand until a screen is worth a picture."""

    def __init__(self, engine: Engine, lobby: Lobby, folder: Path) -> None:
        self.engine, self.lobby, self.folder = engine, lobby, folder
        self.taken: list[Path] = []
        self.last_picture: GamePicture | None = None  # of the match that was shown

    def until(self, is_ready: Callable[[], bool], *, what: str) -> None:
        """Draw frames until `is_ready`; raises TimeoutError naming `what` was waited for."""
        deadline = time.monotonic() + DEADLINE
        while not is_ready():
            if time.monotonic() > deadline:
                raise TimeoutError(f"expected {what} within {DEADLINE:g} s, got none")
            self.engine.frame(self.engine.clock())
            time.sleep(0.004)

    def take(self, name: str) -> None:
        """Two frames more, then a picture called `name`."""
        for _ in range(2):
            self.engine.frame(self.engine.clock())
        self.taken.append(self.engine.screenshot(self.folder / f"{name}.png"))

    def show(self, scene: Scene) -> Scene:
        """Only `scene`, with the title below it gone."""
        self.engine.reset_to(scene)
        return scene


def take_all(folder: Path) -> list[Path]:
    """Take every picture into `folder` and return the paths."""
    from arcade.scenes.error import ErrorScene

    lobbies: list[Lobby] = []
    with Engine(error_scene=lambda error, words: ErrorScene(lobbies[0], error, words)) as engine:
        lobby = Lobby(engine, Opening(seed=SEED))
        lobbies.append(lobby)
        try:
            shots = Shots(engine, lobby, folder)
            for story in (_menus, _volley, _board, _crowd, _results, _failure, _training):
                story(shots)
        finally:
            engine.close()
            lobby.close()
    return shots.taken


def _menus(shots: Shots) -> None:
    from arcade.scenes.seats import SeatsScene
    from arcade.scenes.select import SelectScene
    from arcade.scenes.settings import SettingsScene
    from arcade.scenes.title import TitleScene

    lobby, engine = shots.lobby, shots.engine
    shots.show(TitleScene(lobby))
    shots.take("title-first-frame")
    shots.until(lambda: lobby.ready and _preview_ticks(lobby) > 150, what="the title's picture")
    shots.take("title")
    engine.push(select := SelectScene(lobby))
    shots.until(lambda: _preview_ticks(lobby) > 90, what="a preview")
    shots.take("select")
    select.selection.type("pong")
    select.show_found()
    shots.until(lambda: _previews(lobby, select.spec) and _preview_ticks(lobby) > 90, what="a preview")
    shots.take("select-search")
    assert lobby.featured is not None
    engine.push(seats := SeatsScene(lobby, lobby.featured))
    seats.meet(_wasd())
    shots.until(lambda: _previews(lobby, seats.spec) and _preview_ticks(lobby) > 90, what="a preview")
    shots.take("seats")
    engine.push(seats := SeatsScene(lobby, _game(lobby, "butterfly/pistonball_v6")))
    shots.until(lambda: _previews(lobby, seats.spec) and _preview_ticks(lobby) > 20, what="a preview")
    shots.take("seats-many")
    shots.show(SettingsScene(lobby))
    shots.take("settings")


def _volley(shots: Shots) -> None:
    from arcade.scenes.match import MatchScene

    spec = shots.lobby.featured
    assert spec is not None
    scene = MatchScene(shots.lobby, spec, dict(zip(spec.agents, (PERSON, AI), strict=True)))
    shots.show(scene)
    shots.take("match-starting")
    shots.until(lambda: _ticks(scene) > 100, what="a match")
    shots.take("match")
    assert scene.match is not None
    shots.last_picture = scene.picture
    scene.pause("Xbox Controller was pulled out", missing="gamepad:0")
    shots.take("pause")


def _board(shots: Shots) -> None:
    from arcade.scenes.match import MatchScene

    spec = _game(shots.lobby, "classic/connect_four_v3")
    scene = MatchScene(shots.lobby, spec, dict.fromkeys(spec.agents, SeatChoice("keyboard", "arrows")))
    shots.show(scene)
    shots.until(lambda: scene.match is not None and bool(scene.match.waiting_for), what="a board")
    shots.take("match-turns")


def _crowd(shots: Shots) -> None:
    from arcade.scenes.match import MatchScene

    spec = _game(shots.lobby, "atari/warlords_v3")
    scene = MatchScene(shots.lobby, spec, dict.fromkeys(spec.agents, SeatChoice("random")))
    shots.show(scene)
    shots.until(lambda: _ticks(scene) > 60, what="a match of four")
    shots.take("match-four")


def _results(shots: Shots) -> None:
    from arcade.scenes.results import ResultsScene

    spec = shots.lobby.featured
    assert spec is not None
    left, right = (str(agent) for agent in spec.agents)
    result = MatchResult(
        game=spec.id,
        seed=SEED,
        ticks=2041,
        seconds=34.2,
        ended="finished",
        lineup={left: "Player", right: "volley-000120"},
        returns={left: 2.0, right: -2.0},
        teams=[[left], [right]],
        placements={left: 1, right: 2},
        late={left: 0, right: 3},
    )
    lineup = dict(zip(spec.agents, (PERSON, AI), strict=True))
    scene = ResultsScene(shots.lobby, spec, lineup, result, picture=shots.last_picture)
    shots.lobby.keep(result, scene.kept)
    shots.show(scene)
    shots.until(lambda: scene.standings is not None, what="the ratings")
    shots.take("results")


def _failure(shots: Shots) -> None:
    from arcade.match.stage import StageError
    from arcade.scenes.error import ErrorScene

    details = (
        "Traceback (most recent call last):\n"
        '  File "my_game.py", line 61, in step\n'
        "    reward = self.rewards[agent]\n"
        "KeyError: 'player_3'"
    )
    error = StageError("my_game:parallel_env", "the game raised KeyError in step", details=details)
    shots.show(ErrorScene(shots.lobby, error, ""))
    shots.take("error")


def _training(shots: Shots) -> None:
    from arcade.scenes.training.shots import take_training

    take_training(shots)


def _preview_ticks(lobby: Lobby) -> int:
    return lobby.preview.ticks if lobby.preview is not None else 0


def _previews(lobby: Lobby, spec: GameSpec | None) -> bool:
    return lobby.preview is not None and lobby.preview.spec is spec


def _ticks(scene: object) -> int:
    match = getattr(scene, "match", None)
    return match.tick.index if match is not None and match.tick is not None else 0


def _game(lobby: Lobby, name: str) -> GameSpec:
    return next(spec for spec in lobby.games if spec.id == name)


def _wasd() -> Device:
    from arcade.engine.bindings import KEYBOARD

    return KEYBOARD["wasd"]


def main() -> int:
    """Write the pictures and print where they are."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "shots")
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCADE_HOME"] = home
        for path in take_all(folder):
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
