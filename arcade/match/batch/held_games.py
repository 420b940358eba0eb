"""HeldGames: moments of recorded matches in a vectorised engine, from which others copy them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.spec import GameSpec, load_entry
from arcade.match.batch.vector_env import SeatGroup, Start


class HeldGames:
    """Games of an engine of their own, each at its moment, with the observations of all seats there."""

    def __init__(self, spec: GameSpec, group: SeatGroup, starts: Sequence[Start]) -> None:
        self.engine, playing = (load_entry(spec.batch)(len(starts), **spec.kwargs) for _ in range(2))
        every = np.arange(len(starts))
        seeds, lengths = np.array([one.seed for one in starts], np.int64), np.array([len(one.moves) for one in starts])
        seen = playing.reset_games(every, seeds)
        self.engine.reset_games(every, seeds)
        self.observations: NDArray[Any] = seen.copy()
        actions = np.zeros((len(starts), len(group.agents), *group.action_space.shape), group.action_space.dtype)
        for tick in range(lengths.max(initial=0)):
            for game in np.flatnonzero(lengths > tick).tolist():
                group.write(actions, game, starts[game].moves[tick])
            if hasattr(playing, "acting"):
                playing.acting[lengths <= tick] = False  # they are where they should be
            seen = playing.step(actions)[0]
            there = np.flatnonzero(lengths == tick + 1)
            self.engine.put_games(there, playing, there)
            self.observations[there] = seen[there]
