"""Searches by OpenSpiel's bots, in C++: trees where its game is the same, information sets where cards are hidden."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from agents.policies.functions import Answer
from agents.policies.search import NEAR
from agents.seats.controller import ActionMask, Insight
from arcade.games.catalogue import find_game
from arcade.games.openspiel import load
from arcade.games.players.openspiel import guessing_search, read_state, tree_search

TRIAL = 16
"""Simulations from which the time of more is estimated."""

LINE = 12
"""Moves of an expected line at most."""


class TreeSearcher:
    """Searches from the moves so far of a game without chance.

    Each move begins a new tree: the search is so fast that keeping the old one would gain little.
    """

    def __init__(self, *, game: str, simulations: int, seconds: float) -> None:
        self._game, self._simulations, self._seconds = load(find_game(game).openspiel), simulations, seconds

    def __call__(self, observation: Any, mask: ActionMask | None, rng: np.random.Generator) -> Answer:
        state = self._game.new_initial_state()
        for move in observation:
            state.apply_action(int(move))
        seed = int(rng.integers(2**31))
        count = in_time(
            lambda count: tree_search(self._game, count, seed).step(state), self._simulations, self._seconds
        )
        root = tree_search(self._game, count, seed).mcts_search(state)
        children = root.children
        visits = np.array([child.explore_count for child in children], float)
        total = max(float(visits.sum()), 1.0)
        shares = np.zeros(self._game.num_distinct_actions())
        shares[[child.action for child in children]] = visits / total
        best = root.best_child()
        worth = sum(child.total_reward for child in children) / total
        if best.outcome:  # solved
            action, worth = best.action, float(best.outcome[state.current_player()])
        else:
            near = [child.action for child in children if child.explore_count >= NEAR * visits.max()]
            action = int(rng.choice(near))
        return Answer(action, _insight(shares, worth, int(total), _line(root)))


class GuessingSearcher:
    """Searches from a state that the player takes for possible; each simulation draws the hidden cards anew."""

    def __init__(self, *, game: str, simulations: int, seconds: float) -> None:
        self._simulations, self._seconds = simulations, seconds

    def __call__(self, observation: Any, mask: ActionMask | None, rng: np.random.Generator) -> Answer:
        game, state = read_state(observation)
        seed = int(rng.integers(2**31))
        count = in_time(lambda count: guessing_search(count, seed).step(state), self._simulations, self._seconds)
        policy, action = guessing_search(count, seed).step_with_policy(state)
        shares = np.zeros(game.num_distinct_actions())
        for move, share in policy:
            shares[move] = share
        return Answer(int(action), _insight(shares, None, count, ()))


def in_time(search: Callable[[int], Any], simulations: int, seconds: float) -> int:
    """As many of the simulations as `seconds` are enough for, by those of a first few.

    OpenSpiel's own limit of time does not keep to a number of simulations.
    """
    if simulations <= TRIAL:
        return simulations
    start = time.monotonic()
    search(TRIAL)
    taken = time.monotonic() - start
    return max(TRIAL, min(simulations, int(TRIAL * (seconds - taken) / max(taken, 1e-9))))


def _insight(shares: Any, worth: float | None, visits: int, line: tuple[int, ...]) -> Insight:
    return Insight(shares=shares.tolist(), parts=(len(shares),), value=worth, visits=visits, line=line)


def _line(root: Any) -> tuple[int, ...]:
    """The moves that are expected."""
    line: list[int] = []
    node = root
    while len(line) < LINE and node.children and node.explore_count:
        node = node.best_child()
        line.append(int(node.action))
    return tuple(line)
