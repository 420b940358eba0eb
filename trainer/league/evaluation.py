"""Matches between two sides, many at once: yardsticks, placement, the table of a pool."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.policies.batch import BatchPolicy, PolicyPerPlace
from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_batch
from arcade.match.batch.vector_env import GameBatch, flat

MAX_TICKS = 20_000

Side = BatchPolicy | Mapping[AgentID, BatchPolicy]
"""Who plays some seats of a match: one policy for all of them, or one for each agent that may be asked."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a series: `first` played the seats of `team`."""

    seed: int
    team: int
    returns: dict[str, float]  # str of the agent id to its return
    outcome: float  # of `first`: 1 won, 0.5 drawn, 0 lost
    ticks: int


def play_series(
    spec: GameSpec, first: Side, second: Side, *, games: int, seed: int, teams: Sequence[int] = ()
) -> list[PlayedGame]:
    """`games` games, `first` on each team in turn, or on each of `teams`, and `second` on all others; the same seed,
    the same games."""
    series = Series(spec, first, second, games=games, seed=seed, teams=teams)
    while not series.advance(seconds=1.0):
        pass
    return series.played


class Series:
    """The games of `play_series`, a piece at a time, so that whoever plays them is never away for long."""

    def __init__(
        self, spec: GameSpec, first: Side, second: Side, *, games: int, seed: int, teams: Sequence[int] = ()
    ) -> None:
        self._pieces = _play_pieces(spec, (first, second), games, seed, teams or range(len(spec.teams)))
        self.played: list[PlayedGame] = []  # all of them once `advance` said so

    def advance(self, *, seconds: float) -> bool:
        """Play on for about so long, one tick at least; whether all games are over."""
        end = time.monotonic() + seconds
        for played in self._pieces:
            if played is not None:
                self.played = played
            elif time.monotonic() >= end:
                return False
        return True

    def close(self) -> None:
        """Leave the games as they stand; twice does no harm."""
        self._pieces.close()


def win_rate(played: list[PlayedGame]) -> float:
    """Of `first`; a draw is half a win."""
    return sum(game.outcome for game in played) / len(played)


def _play_pieces(
    spec: GameSpec, sides: tuple[Side, Side], games: int, seed: int, teams: Sequence[int]
) -> Generator[list[PlayedGame] | None, None, None]:
    """None after each tick of all games, at last what came of them."""
    rng = np.random.default_rng(seed)
    batch = make_batch(spec, games)
    try:
        seeds = rng.integers(2**31, size=games)
        batch.reset(np.arange(games), seeds)
        team = np.array(teams)[np.arange(games) % len(teams)]
        players = _policy(sides[0], spec), _policy(sides[1], spec)
        seats = np.arange(games * len(batch.agents))
        for policy in players:
            policy.begin(seats, rng.integers(2**31, size=len(seats)))
        returns, ticks = yield from _play(batch, team, players)
        yield [
            PlayedGame(int(seeds[i]), int(team[i]), *_result(spec, batch, returns[i], int(team[i])), int(ticks[i]))
            for i in range(games)
        ]
    finally:
        batch.close()


def _play(
    batch: GameBatch, teams: NDArray[Any], players: tuple[BatchPolicy, BatchPolicy]
) -> Generator[None, None, tuple[NDArray[np.float64], NDArray[np.intp]]]:
    """Yields after every tick; returns (N, A) and ticks (N,) of games played to their ends."""
    team_of_seat = np.array([batch.spec.team_of(agent) for agent in batch.agents])
    is_first = team_of_seat[None, :] == teams[:, None]
    returns, ticks = np.zeros(is_first.shape), np.zeros(batch.games, np.intp)
    for _ in range(MAX_TICKS):
        if batch.over.all():
            break
        live = ~batch.over
        ticks += live
        batch.step(_actions(batch, is_first, players))
        returns += batch.rewards * live[:, None]
        yield
    return returns, ticks


def _actions(
    batch: GameBatch, is_first: NDArray[np.bool_], players: tuple[BatchPolicy, BatchPolicy]
) -> list[NDArray[Any]]:
    """(N, G, *action shape) for each group: what the seats that act do, each by its player."""
    actions = [group.no_actions() for group in batch.groups]
    for player, own in zip(players, (is_first, ~is_first), strict=True):
        for number, group in enumerate(batch.groups):
            lanes = np.flatnonzero((batch.acting & own)[:, group.columns])
            if len(lanes):
                masks = None if group.masks is None else flat(group.masks)[lanes]
                seats = batch.seats_of(number, lanes)
                flat(actions[number])[lanes] = player.act(seats, flat(group.observations)[lanes], masks)
    return actions


def _policy(side: Side, spec: GameSpec) -> BatchPolicy:
    return PolicyPerPlace([side.get(agent) for agent in spec.agents]) if isinstance(side, Mapping) else side


def _result(
    spec: GameSpec, batch: GameBatch, returns: NDArray[np.float64], team: int
) -> tuple[dict[str, float], float]:
    by_agent = {agent: float(value) for agent, value in zip(batch.agents, returns, strict=True)}
    totals = [sum(by_agent[agent] for agent in members) / len(members) for members in spec.teams]
    others = totals[:team] + totals[team + 1 :]
    outcome = 0.5 + 0.5 * float(np.sign(totals[team] - max(others))) if others else 0.5
    return {str(agent): value for agent, value in by_agent.items()}, outcome
