"""Which way a game is stepped many times at once."""

from __future__ import annotations

from arcade.games.spec import GameSpec
from trainer.games.batch import GameBatch
from trainer.games.engine import EngineGames
from trainer.games.stages import StageGames


def make_batch(spec: GameSpec, games: int) -> GameBatch:
    """The game's own batch engine where it has one, else `games` single stages; raises GameError or StageError."""
    return EngineGames(spec, games) if spec.batch else StageGames(spec, games)
