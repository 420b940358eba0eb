"""The yardstick: how the learning policy fares against the game's scripted player, which stays as it is."""

from __future__ import annotations

import copy

from arcade.games.spec import GameSpec
from trainer.league.evaluation import Series, win_rate
from trainer.networks.seat import SeatNetwork
from trainer.sampling.opponents import SCRIPTED, network_player, scripted_player

GAMES = 64


class Yardstick:
    """Nothing happens in a game without a scripted player or with one team."""

    def __init__(self, spec: GameSpec, *, seed: int) -> None:
        self._spec, self._seed = spec, seed
        self._series: Series | None = None

    def begin(self, network: SeatNetwork) -> None:
        """Measure `network` as it stands now, unless a measurement is under way."""
        scripted = scripted_player(self._spec)
        if self._series is None and scripted is not None and len(self._spec.teams) > 1:
            player = network_player(copy.deepcopy(network))
            self._series = Series(self._spec, player, scripted, games=GAMES, seed=self._seed)

    def work(self, seconds: float) -> dict[str, float]:
        """Play for about so long; the metric once all games are over, nothing before."""
        if self._series is None or not self._series.advance(seconds=seconds):
            return {}
        played, self._series = self._series.played, None
        return {f"win_rate_{SCRIPTED}": win_rate(played)}

    def close(self) -> None:
        """Drop what is under way; twice does no harm."""
        if self._series is not None:
            self._series.close()
            self._series = None
