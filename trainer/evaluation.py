"""Matches between two policies, many at once: yardsticks, placement, the table of a pool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.spec import GameSpec
from trainer.games_batch import GameBatch, make_batch
from trainer.opponents import Act

MAX_TICKS = 20_000


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a series: `first` played the seats of `team`."""

    seed: int
    team: int
    returns: dict[str, float]  # str of the agent id to its return
    outcome: float  # of `first`: 1 won, 0.5 drawn, 0 lost
    ticks: int


def play_series(spec: GameSpec, first: Act, second: Act, *, games: int, seed: int) -> list[PlayedGame]:
    """`games` games, `first` on each team in turn and `second` on all others; the same seed, the same games."""
    rng = np.random.default_rng(seed)
    batch = make_batch(spec, games)
    try:
        seeds = rng.integers(2**31, size=games)
        batch.reset(np.arange(games), seeds)
        teams = np.arange(games) % len(spec.teams)
        returns, ticks = _play(batch, teams, (first, second), rng)
    finally:
        batch.close()
    return [
        PlayedGame(int(seeds[i]), int(teams[i]), *_result(spec, batch, returns[i], int(teams[i])), int(ticks[i]))
        for i in range(games)
    ]


def win_rate(played: list[PlayedGame]) -> float:
    """Of `first`; a draw is half a win."""
    return sum(game.outcome for game in played) / len(played)


def _play(
    batch: GameBatch, teams: NDArray[Any], players: tuple[Act, Act], rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Returns (N, A) and ticks (N,) of games played to their ends."""
    team_of_seat = np.array([batch.spec.team_of(agent) for agent in batch.agents])
    is_first = team_of_seat[None, :] == teams[:, None]
    space = batch.spaces[batch.agents[0]][1]
    actions = np.zeros((*is_first.shape, *space.shape), space.dtype)
    returns, ticks = np.zeros(is_first.shape), np.zeros(batch.games, np.intp)
    for _ in range(MAX_TICKS):
        if batch.over.all():
            break
        live = ~batch.over
        ticks += live
        for player, own in zip(players, (is_first, ~is_first), strict=True):
            acting = batch.acting & own & batch.learnable
            if acting.any():
                masks = None if batch.masks is None else batch.masks[acting]
                actions[acting] = player(batch.observations[acting], masks, rng)
        batch.step(actions)
        returns += batch.rewards * live[:, None]
    return returns, ticks


def _result(
    spec: GameSpec, batch: GameBatch, returns: NDArray[np.float64], team: int
) -> tuple[dict[str, float], float]:
    by_agent = {agent: float(value) for agent, value in zip(batch.agents, returns, strict=True)}
    totals = [sum(by_agent[agent] for agent in members) / len(members) for members in spec.teams]
    others = totals[:team] + totals[team + 1 :]
    outcome = 0.5 + 0.5 * float(np.sign(totals[team] - max(others))) if others else 0.5
    return {str(agent): value for agent, value in by_agent.items()}, outcome
