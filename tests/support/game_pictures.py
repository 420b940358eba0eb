"""Makes the pictures on the tiles of the built-in games: python -m tests.support.game_pictures FOLDER."""

import sys
from pathlib import Path

from arcade.games.built_in import built_in_games
from arcade.games.spec import GameSpec
from arcade.scenes import routes
from arcade.scenes.home.game_pictures import GamePictures, file_name
from arcade.session.match.setup import WindowOptions
from tests.support.open_arcade import OpenArcade


def make_pictures(folder: Path) -> None:
    """Write a picture for each game that has none in `folder`."""
    arcade = OpenArcade(WindowOptions(seed=1))
    arcade.engine.push(routes.Title())
    arcade.until(lambda: arcade.services.ready, "the services to be ready")
    pictures = GamePictures(arcade.services, shipped=folder, made=folder)
    for spec in built_in_games():

        def made(spec: GameSpec = spec) -> bool:
            pictures.update(arcade.engine.clock(), [spec], arcade.engine.theme)
            return (folder / file_name(spec)).exists()

        arcade.until(made, f"a picture of {spec.id}")
        print(spec.id, flush=True)
    pictures.close()
    arcade.close()


if __name__ == "__main__":
    make_pictures(Path(sys.argv[1]))
