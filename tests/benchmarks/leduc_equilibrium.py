"""An equilibrium of Leduc hold'em as the catalogue plays it, and how far any strategy is from one, both exactly.

``python -m tests.benchmarks.leduc_equilibrium [ITERATIONS]`` runs CFR+ (Tammelin 2014, Solving Large Imperfect
Information Games Using CFR+, https://arxiv.org/abs/1407.5042), writes the strategy of the expert level,
arcade/games/players/leduc.json, and prints its NashConv: what both players together could win against it by best
responses, in thousandths of a big blind a hand.  The rules are RLCard's, which has blinds and lets the player begin the
second round who did not end the first; OpenSpiel's Leduc has antes, so its solvers and tables are for another game.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arcade.games.players import leduc

Vector = NDArray[np.float64]
"""A number for each rank of a hand: jack, queen, king."""

RANKS = 3
PASS, RAISE, FOLD = range(3)
"""The actions of a strategy's row; to pass is to check or to call."""

BIG_BLIND = 2


@dataclass
class Node:
    """A state of the betting, for all hands; `wins` is set at an end, else `children`."""

    player: int  # to act: 0 the small blind, 1 the big blind
    keys: tuple[str, ...] = ()  # of the strategy's rows, by the rank of the hand
    children: dict[int, Node] = field(default_factory=dict)
    deals: tuple[Node, ...] = ()  # by the rank of the common card, where it is dealt
    wins: NDArray[np.float64] | None = None  # (3, 3) chips that the small blind wins by hands, weighed by their chance


def chances() -> NDArray[np.float64]:
    """(3, 3, 3) the chance of the small blind's hand, the big blind's and the common card, two of each rank."""
    table = np.zeros((RANKS, RANKS, RANKS))
    for deal in np.ndindex(table.shape):
        left, share = [2] * RANKS, 1.0
        for cards, rank in zip((6, 5, 4), deal, strict=True):
            share *= max(0, left[rank]) / cards
            left[rank] -= 1
        table[deal] = share
    return table


CHANCES = chances()


@dataclass(frozen=True)
class Betting:
    """A moment of the betting."""

    player: int
    chips: tuple[int, int]  # in the pot
    raises: int = 0  # of the round
    passes: int = 0  # since the newest raise
    common: int | None = None  # the rank of the common card
    seen: tuple[tuple[leduc.Seen, ...], tuple[leduc.Seen, ...]] = ((), ())  # by each player at its turns


def tree(at: Betting = Betting(0, (1, 2))) -> Node:
    """Return the whole game from a moment of the betting, by default from the blinds."""
    own, other = at.chips[at.player], at.chips[1 - at.player]
    seen = list(at.seen)
    seen[at.player] = (*seen[at.player], leduc.Seen(own, other, at.common))
    keys = tuple(leduc.key_of(rank, seen[at.player]) for rank in range(RANKS))
    node, next_player, turns = Node(at.player, keys), 1 - at.player, (seen[0], seen[1])
    node.children[FOLD] = _end(at.chips, at.common, folded=at.player)
    chips = (other, other)
    if at.passes:
        node.children[PASS] = _after_round(Betting(next_player, chips, common=at.common, seen=turns))
    else:
        node.children[PASS] = tree(Betting(next_player, chips, at.raises, 1, at.common, turns))
    if at.raises < 2:
        bet = other + (2 if at.common is None else 4)
        chips = (bet, other) if at.player == 0 else (other, bet)
        node.children[RAISE] = tree(Betting(next_player, chips, at.raises + 1, 1, at.common, turns))
    return node


def _after_round(at: Betting) -> Node:
    if at.common is not None:
        return _end(at.chips, at.common)
    deals = (tree(Betting(at.player, at.chips, common=rank, seen=at.seen)) for rank in range(RANKS))
    return Node(at.player, deals=tuple(deals))


def _end(chips: tuple[int, int], common: int | None, *, folded: int | None = None) -> Node:
    weights = CHANCES.sum(axis=2) if common is None else CHANCES[:, :, common]
    if folded is not None:
        return Node(0, wins=weights * (-chips[0] if folded == 0 else chips[1]))
    strength = np.arange(RANKS) + RANKS * (np.arange(RANKS) == common)
    return Node(0, wins=weights * chips[0] * np.sign(strength[:, None] - strength[None, :]))


Strategy = Mapping[str, Vector]
"""(3,) the chance to pass, raise and fold, by key; keys that are left out pass."""


def value(
    node: Node, strategy: Strategy, reach: tuple[Vector, Vector], best: int | None = None
) -> tuple[Vector, Vector]:
    """Return what each player wins with each hand from here on, times the chance of the other's hands and cards.

    `best`: the player who plays a best response instead of the strategy.
    """
    if node.wins is not None:
        return node.wins @ reach[1], -(reach[0] @ node.wins)
    if node.deals:
        parts = [value(deal, strategy, reach, best) for deal in node.deals]
        return sum(part[0] for part in parts), sum(part[1] for part in parts)  # type: ignore[return-value]
    player, found = node.player, {}
    rows = np.array([row_of(strategy, key, node) for key in node.keys])
    for action, child in node.children.items():
        after = list(reach)
        if player != best:
            after[player] = reach[player] * rows[:, action]
        found[action] = value(child, strategy, (after[0], after[1]), best)
    own = [found[action][player] for action in node.children]
    if player == best:
        mine = np.max(own, axis=0)
    else:
        mine = sum(rows[:, action] * one for action, one in zip(node.children, own, strict=True))  # type: ignore[assignment]
    other: Vector = sum(found[action][1 - player] for action in node.children)  # type: ignore[assignment]
    return (mine, other) if player == 0 else (other, mine)


def row_of(strategy: Strategy, key: str, node: Node) -> Vector:
    """Return the chances of the actions at a key, by default a pass."""
    row = strategy.get(key)
    return np.eye(3)[PASS] if row is None else np.asarray(row, float)


def nash_conv(strategy: Strategy, root: Node) -> float:
    """Return what best responses win against the strategy, of both players, in thousandths of a big blind a hand."""
    sure = np.ones(RANKS)
    best = [value(root, strategy, (sure, sure), player)[player].sum() for player in (0, 1)]
    return float(1000 * sum(best) / BIG_BLIND)


def expected(one: Strategy, two: Strategy, root: Node) -> float:
    """Return what `one` wins from `two`, each as often in either blind, in thousandths of a big blind a hand."""
    nodes = list(decisions(root))
    total = 0.0
    for own in (0, 1):
        mixed = {key: row_of(one if node.player == own else two, key, node) for node in nodes for key in node.keys}
        total += value(root, mixed, (np.ones(RANKS), np.ones(RANKS)))[own].sum() / 2
    return float(1000 * total / BIG_BLIND)


def decisions(node: Node) -> Iterator[Node]:
    """Yield the nodes where a player acts."""
    if node.keys:
        yield node
    for child in (*node.children.values(), *node.deals):
        yield from decisions(child)


class Solver:
    """CFR+: regrets never below zero, players in turn, strategies averaged with linear weights."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.regrets = {id(node): np.zeros((RANKS, 3)) for node in decisions(root)}
        self.sums = {id(node): np.zeros((RANKS, 3)) for node in decisions(root)}
        self.rounds = 0

    def run(self, rounds: int) -> None:
        for _ in range(rounds):
            self.rounds += 1
            for player in (0, 1):
                self._learn(self.root, player, np.ones(RANKS), np.ones(RANKS))

    def _learn(self, node: Node, player: int, own: Vector, other: Vector) -> Vector:
        """What the player wins with each hand, times the chance of the other's; `own`, `other`: chances to get here."""
        if node.wins is not None:
            return node.wins @ other if player == 0 else -(other @ node.wins)
        if node.deals:
            return sum(self._learn(deal, player, own, other) for deal in node.deals)  # type: ignore[return-value]
        rows = self._rows(node)
        if node.player != player:
            return sum(  # type: ignore[return-value]
                self._learn(child, player, own, other * rows[:, action]) for action, child in node.children.items()
            )
        worth = np.zeros((RANKS, 3))
        for action, child in node.children.items():
            worth[:, action] = self._learn(child, player, own * rows[:, action], other)
        mine: Vector = (rows * worth).sum(axis=1)
        legal = np.isin(np.arange(3), list(node.children))
        regrets = self.regrets[id(node)]
        self.regrets[id(node)] = np.maximum(0, regrets + np.where(legal, worth - mine[:, None], 0))
        self.sums[id(node)] += self.rounds * own[:, None] * rows
        return mine

    def _rows(self, node: Node) -> NDArray[np.float64]:
        regrets, legal = self.regrets[id(node)], np.isin(np.arange(3), list(node.children))
        total = regrets.sum(axis=1, keepdims=True)
        return np.where(total > 0, regrets / np.maximum(total, 1e-300), legal / legal.sum())

    def strategy(self) -> dict[str, Vector]:
        """Return the average strategy, in ten thousandths."""
        found = {}
        for node in decisions(self.root):
            for key, row in zip(node.keys, self.sums[id(node)], strict=True):
                if row.sum() > 0:
                    found[key] = np.round(row / row.sum(), 4)
        return {key: row / row.sum() for key, row in found.items()}


def main(words: list[str]) -> None:
    solver = Solver(tree())
    solver.run(int(words[0]) if words else 4000)
    strategy = {key: [round(float(share), 4) for share in row] for key, row in solver.strategy().items()}
    reached = {key: np.array(row) for key, row in strategy.items()}
    figures = {"nash_conv_mbb": nash_conv(reached, solver.root), "iterations": solver.rounds, "rows": len(strategy)}
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(row)}" for key, row in sorted(strategy.items()))
    Path(leduc.__file__).with_suffix(".json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    print(json.dumps(figures))


if __name__ == "__main__":
    main(sys.argv[1:])
