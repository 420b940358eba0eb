"""SearchingSeats: learning seats that search each of their moves, for AlphaZero."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.policies.batch import Masks, Seats
from arcade.match.batch.vector_env import VectorEnv
from trainer.config import RunConfig
from trainer.config.algorithms.alphazero import AlphaZeroSettings
from trainer.networks.seat import Decision, SeatNetwork, decide
from trainer.sampling.board_models import BoardModel, RunningGames
from trainer.sampling.layouts import SEARCHED
from trainer.sampling.learning_seats import Choice, LearningSeats
from trainer.sampling.plan import Policy
from trainer.sampling.tree_search import GumbelSearch, PuctSearch, TreeSearch


class SearchingSeats(LearningSeats):
    """Plays the actions that a search finds, and stores its policy and value.

    The network evaluates the positions of both sides, so that its policy plays every seat.
    """

    def __init__(
        self, run: RunConfig, policy: Policy, network: SeatNetwork, batch: VectorEnv, *, learns: bool,
        games: RunningGames,
    ) -> None:  # fmt: skip
        super().__init__(run, policy, network, batch, learns=learns, central=None)
        assert isinstance(run.training, AlphaZeroSettings)
        self._settings, self._games = run.training, games

    def _choose(self, seats: Seats, decision: Decision, masks: Masks, rng: np.random.Generator) -> Choice:
        envs = seats // self.live.shape[1]
        search = make_search(self._settings, self._games.model, self.network, rng)
        found = search.search(self._games.boards.take(envs), self._games.turns[envs])
        return Choice(found.actions, {SEARCHED: found.policy}, found.values)


def make_search(
    settings: AlphaZeroSettings, model: BoardModel, network: SeatNetwork, rng: np.random.Generator
) -> TreeSearch:
    """The search of the settings, by a network that evaluates its positions."""

    def evaluate(observations: NDArray[Any], masks: NDArray[np.int8]) -> tuple[NDArray[Any], NDArray[np.float32]]:
        found = decide(network, observations, masks, {})
        return found.inputs, found.values

    if settings.search == "puct":
        return PuctSearch(
            model, evaluate, simulations=settings.simulations, rng=rng, alpha=settings.dirichlet_alpha,
            noise=settings.dirichlet_ratio, temperature_moves=settings.temperature_moves,
        )  # fmt: skip
    return GumbelSearch(model, evaluate, simulations=settings.simulations, considered=settings.considered, rng=rng)
