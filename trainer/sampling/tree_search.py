"""Tree searches of many positions in step, each of whose leaves is evaluated in one batch with those of all others.

`TreeSearch` grows a tree for each position; its subclasses choose the actions: `GumbelSearch` as Gumbel AlphaZero
(Danihelka et al. 2022, Policy improvement by planning with Gumbel, with the constants of DeepMind's mctx), `PuctSearch`
as AlphaZero (Silver et al. 2018, supplement "Search").
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.policies.search import C_BASE, C_INIT
from trainer.networks.seat import ILLEGAL
from trainer.sampling.board_models import BoardModel, Boards, States

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]

Evaluate = Callable[[NDArray[Any], NDArray[np.int8]], tuple[NDArray[np.float32], NDArray[np.float32]]]
"""Observations (M, *shape) and masks (M, actions) to logits (M, actions), and values (M,) for the side to move."""

VALUE_SCALE, LEAST_VISITS = 0.1, 50
"""How much values weigh beside logits: scale x (least + most visits of an action)."""


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """What the search of M positions found."""

    actions: Numbers  # (M,), to play
    policy: NDArray[np.float32]  # (M, actions), to learn
    values: NDArray[np.float32]  # (M,), for the side to move
    visits: NDArray[np.int32]  # (M, actions)


class TreeSearch(ABC):
    """Node 0 of each tree is its root; simulation s adds node s, unless it comes to an end of the game."""

    def __init__(self, model: BoardModel, evaluate: Evaluate, *, simulations: int, rng: np.random.Generator) -> None:
        self._model, self._evaluate, self._simulations, self.rng = model, evaluate, simulations, rng

    def search(self, roots: Boards, turns: Numbers) -> Searched:
        """Search positions that are not over, which have been reached after so many `turns`."""
        self._plant(roots)
        self.begin()
        for simulation in range(self._simulations):
            self._simulate(simulation)
        return self.finish(turns)

    @abstractmethod
    def begin(self) -> None:
        """Called once the roots are evaluated."""

    @abstractmethod
    def at_root(self, simulation: int) -> Numbers:
        """The action (N,) to look at from each root."""

    @abstractmethod
    def inside(self, trees: Numbers, nodes: Numbers) -> Numbers:
        """The action (M,) to look at from these nodes."""

    @abstractmethod
    def finish(self, turns: Numbers) -> Searched:
        """The result, after the last simulation."""

    def qualities(self, trees: Numbers, nodes: Numbers) -> Floats:
        """The mean value (M, actions) after each action for the side to move; 0 without a visit."""
        return np.asarray(self.totals[trees, nodes] / np.maximum(self.visits[trees, nodes], 1), np.float64)

    def root_values(self) -> NDArray[np.float32]:
        """What the roots are worth, as searched."""
        values = (self.raw[:, 0] + self.totals[:, 0].sum(axis=1)) / (1 + self.visits[:, 0].sum(axis=1))
        return np.asarray(values, np.float32)

    def _plant(self, roots: Boards) -> None:
        count, nodes, actions = len(roots.side), self._simulations + 1, roots.masks.shape[1]
        self.trees = np.arange(count)
        self.roots = np.zeros(count, np.intp)
        self.logits = np.full((count, nodes, actions), ILLEGAL, np.float32)
        self.legal = np.zeros((count, nodes, actions), np.bool_)
        self.raw = np.zeros((count, nodes))  # values as evaluated, for the side to move
        self.visits = np.zeros((count, nodes, actions), np.int32)
        self.totals = np.zeros((count, nodes, actions), np.float32)
        """Of the values after each action, for the side to move."""
        self._children: NDArray[Any] = np.full((count, nodes, actions), -1, np.int32)
        self._sign = np.ones((count, nodes))  # 1 where side 0 is to move, -1 where side 1 is
        self._over = np.zeros((count, nodes), np.bool_)
        self._states: States = np.empty((count, nodes, *roots.states.shape[1:]), roots.states.dtype)
        self._results = np.zeros((count, nodes))
        self._add(self.trees, 0, roots)

    def _add(self, trees: Numbers, node: int, boards: Boards) -> Floats:
        """Add a node to each of `trees`; returns the values for side 0."""
        self._states[trees, node] = boards.states
        self._over[trees, node] = boards.over
        sign = np.where(boards.side == 0, 1.0, -1.0)
        self._sign[trees, node] = sign
        values = boards.results.astype(np.float64)
        live = np.flatnonzero(~boards.over)
        if len(live):
            masks = boards.masks[live]
            logits, found = self._evaluate(boards.observations[live], masks)
            own = trees[live]
            self.legal[own, node] = masks > 0
            self.logits[own, node] = np.where(masks > 0, logits, ILLEGAL)
            self.raw[own, node] = np.clip(found, -1, 1)
            values[live] = self.raw[own, node] * sign[live]
        self._results[trees, node] = values
        return values

    def _simulate(self, simulation: int) -> None:
        trees, nodes = self.trees, self.roots
        actions = self.at_root(simulation)
        paths: list[tuple[Numbers, Numbers, Numbers]] = []
        values = np.zeros(len(self.trees))
        new: list[tuple[Numbers, Numbers, Numbers]] = []
        while len(trees):
            paths.append((trees, nodes, actions))
            children = self._children[trees, nodes, actions]
            if (unknown := children < 0).any():
                new.append((trees[unknown], nodes[unknown], actions[unknown]))
            known = np.flatnonzero(~unknown)
            trees, nodes = trees[known], np.asarray(children[known], np.intp)
            over = self._over[trees, nodes]
            values[trees[over]] = self._results[trees[over], nodes[over]]
            trees, nodes = trees[~over], nodes[~over]
            actions = self.inside(trees, nodes) if len(trees) else trees
        if new:
            trees, nodes, actions = (np.concatenate(parts) for parts in zip(*new, strict=True))
            self._children[trees, nodes, actions] = simulation + 1
            boards = self._model.play(self._states[trees, nodes], actions)
            values[trees] = self._add(trees, simulation + 1, boards)
        for trees, nodes, actions in paths:
            self.visits[trees, nodes, actions] += 1
            self.totals[trees, nodes, actions] += values[trees] * self._sign[trees, nodes]


class GumbelSearch(TreeSearch):
    """Shares simulations at the root among the actions with the highest logits plus Gumbel noise, by sequential
    halving; inside the tree follows the improved policy."""

    def __init__(
        self, model: BoardModel, evaluate: Evaluate, *, simulations: int, considered: int, rng: np.random.Generator
    ) -> None:
        super().__init__(model, evaluate, simulations=simulations, rng=rng)
        self._considered = considered

    def begin(self) -> None:
        self._noise = self.rng.gumbel(size=self.logits[:, 0].shape)
        counts = np.minimum(self.legal[:, 0].sum(axis=1), self._considered)
        plans = [considered_visits(int(count), self._simulations) for count in counts]
        self._plan = np.array(plans)  # (N, simulations)

    def at_root(self, simulation: int) -> Numbers:
        return self._best(self._plan[:, simulation])

    def inside(self, trees: Numbers, nodes: Numbers) -> Numbers:
        visits = self.visits[trees, nodes]
        lack = self._improved(trees, nodes) - visits / (1 + visits.sum(axis=1, keepdims=True))
        return best(lack, self.legal[trees, nodes])

    def finish(self, turns: Numbers) -> Searched:
        visits = self.visits[:, 0]
        policy = self._improved(self.trees, self.roots).astype(np.float32)
        return Searched(self._best(visits.max(axis=1)), policy, self.root_values(), visits)

    def _best(self, considered: NDArray[np.int32]) -> Numbers:
        """The best action of those with so many visits."""
        scores = self._noise + self.logits[:, 0] + self._worth(self.trees, self.roots)
        scores = np.where(self.visits[:, 0] == considered[:, None], scores, -np.inf)
        return best(scores, self.legal[:, 0])

    def _improved(self, trees: Numbers, nodes: Numbers) -> Floats:
        """The policy of the logits and of what the actions are worth; appendix C of the paper."""
        return softmax(self.logits[trees, nodes] + self._worth(trees, nodes))

    def _worth(self, trees: Numbers, nodes: Numbers) -> Floats:
        """The values of actions on the scale of logits; those without a visit count as the node (appendix D)."""
        visits, legal = self.visits[trees, nodes], self.legal[trees, nodes]
        qualities, seen = self.qualities(trees, nodes), visits > 0
        shares = np.where(seen, softmax(self.logits[trees, nodes]), 0.0)
        mean = (shares * qualities).sum(axis=1) / np.maximum(shares.sum(axis=1), 1e-9)
        total = visits.sum(axis=1)
        mixed = (self.raw[trees, nodes] + total * mean) / (1 + total)
        complete = np.where(seen, qualities, mixed[:, None])
        low = np.where(legal, complete, np.inf).min(axis=1, keepdims=True)
        high = np.where(legal, complete, -np.inf).max(axis=1, keepdims=True)
        scale = VALUE_SCALE * (LEAST_VISITS + visits.max(axis=1, keepdims=True))
        return np.where(legal, scale * (complete - low) / np.maximum(high - low, 1e-8), 0.0)


class PuctSearch(TreeSearch):
    """Noise at the root; the visits are the policy to learn, and early moves are drawn by them."""

    def __init__(
        self, model: BoardModel, evaluate: Evaluate, *, simulations: int, rng: np.random.Generator, alpha: float,
        noise: float, temperature_moves: int,
    ) -> None:  # fmt: skip
        super().__init__(model, evaluate, simulations=simulations, rng=rng)
        self._alpha, self._share, self._drawn = alpha, noise, temperature_moves

    def begin(self) -> None:
        legal = self.legal[:, 0]
        noise = np.where(legal, self.rng.standard_gamma(self._alpha, legal.shape), 0.0)
        noise /= np.maximum(noise.sum(axis=1, keepdims=True), 1e-9)
        self._priors = (1 - self._share) * softmax(self.logits[:, 0]) + self._share * noise

    def at_root(self, simulation: int) -> Numbers:
        return self._choose(self.trees, self.roots, self._priors)

    def inside(self, trees: Numbers, nodes: Numbers) -> Numbers:
        return self._choose(trees, nodes, softmax(self.logits[trees, nodes]))

    def finish(self, turns: Numbers) -> Searched:
        visits = self.visits[:, 0]
        policy = visits / visits.sum(axis=1, keepdims=True)
        bounds = policy.cumsum(axis=1)
        drawn = (self.rng.random((len(bounds), 1)) * bounds[:, -1:] >= bounds).sum(axis=1)
        actions = np.where(turns < self._drawn, drawn, visits.argmax(axis=1))
        return Searched(actions, policy.astype(np.float32), self.root_values(), visits)

    def _choose(self, trees: Numbers, nodes: Numbers, priors: Floats) -> Numbers:
        visits = self.visits[trees, nodes]
        total = visits.sum(axis=1, keepdims=True)
        worth = np.where(visits > 0, self.qualities(trees, nodes), self.raw[trees, nodes][:, None])
        exploration = np.log((total + C_BASE + 1) / C_BASE) + C_INIT
        scores = worth + exploration * np.sqrt(total + 1) * priors / (1 + visits)
        return best(scores, self.legal[trees, nodes])


@cache
def considered_visits(actions: int, simulations: int) -> tuple[int, ...]:
    """For each simulation the visits that the action to look at has had: sequential halving among `actions`."""
    if actions <= 1:
        return tuple(range(simulations))
    halvings = math.ceil(math.log2(actions))
    plan: list[int] = []
    visits, left = [0] * actions, actions
    while len(plan) < simulations:
        for _ in range(max(1, simulations // (halvings * left))):
            plan += visits[:left]
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(2, left // 2)
    return tuple(plan[:simulations])


def best(scores: NDArray[Any], legal: NDArray[np.bool_]) -> Numbers:
    """The legal action with the highest score in each row."""
    return np.asarray(np.where(legal, scores, -np.inf).argmax(axis=1), np.intp)


def softmax(logits: NDArray[np.floating]) -> Floats:
    """Probabilities along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float64)
