"""Searcher: a player that thinks ahead in its own copy of a board game, by a snapshot or by random play-outs.

It runs in the process of `agents.engines.thinking`, and knows what both sides see: the moves so far.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.policies.functions import Answer
from agents.policies.search import Evaluate, Position, SearchTree
from agents.seats.controller import ActionMask, Insight, split_start
from agents.snapshots.card import SnapshotCard
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.snapshot import Snapshot
from arcade.games.catalogue import find_game
from arcade.games.spec import GameSpec
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import StageError
from arcade.match.stage.tick import Tick

SEEDS = 8
"""Episodes that are compared to tell a game with chance."""

ROLLOUT_MOVES = 400
"""Of a play-out at random; one that is not over by then counts as a draw."""


class StageGame:
    """A board game that is played on from any position, by the saved states of a stage."""

    def __init__(self, spec: GameSpec) -> None:
        """Raises StageError for a game with chance, in which the moves so far do not make the position."""
        self._spec, self._stage = spec, LocalStage(spec, checked=False)
        starts = [self._start(seed) for seed in range(SEEDS)]
        if any(start != starts[0] for start in starts[1:]):
            raise StageError(spec.id, "expected a game without chance to search, got one whose seeds begin differently")

    @property
    def most_actions(self) -> int:
        """Actions of a seat, legal or not."""
        return max(int(action.n) for _, action in self._stage.spaces.values())

    def begin(self, moves: Sequence[int]) -> Position:
        """The position after these moves, which a start may precede; raises StageError for illegal ones."""
        self._stage.start, actions = split_start(moves)
        self._stage.reset(0)
        tick = self._stage.wait()
        for action in actions:
            tick = self._step(tick, action)
        return self._position(tick)

    def _start(self, seed: int) -> list[bytes]:
        """What the seats to move see as an episode begins, and may do."""
        self._stage.reset(seed)
        tick = self._stage.wait()
        seen = (part for agent in tick.acting for part in (tick.observations[agent], tick.action_masks.get(agent)))
        return [np.asarray(part).tobytes() for part in seen if part is not None]

    def play(self, position: Position, action: int) -> Position:
        self._stage.load(position.state, [{self._spec.agents[position.seen.seat]: action}])
        return self._position(self._stage.wait())

    def play_out(self, position: Position, rng: np.random.Generator) -> float:
        """The value for the side to move of a game from here with random moves."""
        legal, seat = position.actions, self._spec.agents[position.seen.seat]
        self._stage.load(position.state, [{seat: int(rng.choice(legal))}])
        tick = self._stage.wait()
        for _ in range(ROLLOUT_MOVES):
            if tick.over:
                result = self._result(tick)
                return result if position.side == 0 else -result
            tick = self._step(tick, int(rng.choice(self._legal(tick))))
        return 0.0

    def _step(self, tick: Tick, action: int) -> Tick:
        self._stage.step({tick.acting[0]: action})
        return self._stage.wait()

    def _position(self, tick: Tick) -> Position:
        if tick.over:
            return Position(0, np.zeros(0, np.intp), self._result(tick))
        agent = tick.acting[0]
        seen = Seen(self._spec.agents.index(agent), np.array(tick.observations[agent]), tick.action_masks.get(agent))
        return Position(self._spec.team_of(agent), self._legal(tick), seen=seen, state=self._stage.save(whole=False))

    def _legal(self, tick: Tick) -> NDArray[np.intp]:
        agent = tick.acting[0]
        mask = tick.action_masks.get(agent)
        return np.arange(self._stage.spaces[agent][1].n) if mask is None else np.flatnonzero(mask)

    def _result(self, tick: Tick) -> float:
        ours, theirs = (sum(tick.rewards.get(agent, 0.0) for agent in team) for team in self._spec.teams)
        return float(np.sign(ours - theirs))


class Seen:
    """What the side to move sees of a position."""

    __slots__ = ("mask", "observation", "seat")

    def __init__(self, seat: int, observation: NDArray[Any], mask: ActionMask | None) -> None:
        self.seat, self.observation = seat, observation
        self.mask = None if mask is None else np.array(mask, np.int8)


def by_policy(policy: OnnxPolicy) -> Evaluate:
    """Evaluate positions by a snapshot's probabilities and values, all of them in one inference."""

    def evaluate(positions: Sequence[Position]) -> list[tuple[NDArray[np.float32], float]]:
        observations = np.stack([position.seen.observation for position in positions])
        masks = None if positions[0].seen.mask is None else np.stack([position.seen.mask for position in positions])
        outputs, values = policy.evaluate(observations, masks)
        found = []
        for row, position in enumerate(positions):
            shares = outputs["action_probabilities"][row][position.actions - policy.card.action.start]
            value = 0.0 if values is None else float(np.clip(values[row], -1, 1))
            found.append((shares / max(float(shares.sum()), 1e-9), value))
        return found

    return evaluate


def by_play_outs(game: StageGame, rng: np.random.Generator) -> Evaluate:
    """Evaluate each position by one game at random, every action alike (Kocsis and Szepesvári 2006)."""

    def evaluate(positions: Sequence[Position]) -> list[tuple[NDArray[np.float32], float]]:
        return [
            (np.full(len(one.actions), 1 / len(one.actions), np.float32), game.play_out(one, rng)) for one in positions
        ]

    return evaluate


class Searcher:
    """Called as (moves so far int (n,), action_mask, rng) -> Answer.  The tree is kept from move to move.

    `simulations` positions are looked at for a move, fewer where `seconds` pass before; `snapshot` holds the card as
    JSON, the ONNX bytes and whether they are trusted, none for play-outs at random.
    """

    def __init__(
        self, *, game: str, simulations: int, seconds: float, snapshot: tuple[str, bytes, bool] | None = None
    ) -> None:
        self._game = StageGame(find_game(game))
        self._simulations, self._seconds = simulations, seconds
        self._policy: OnnxPolicy | None = None
        if snapshot is not None:
            card, onnx, trusted = snapshot
            self._policy = OnnxPolicy(Snapshot(SnapshotCard.model_validate_json(card), onnx, trusted))
        self._tree: SearchTree | None = None
        self._moves: list[int] = []  # before the root of the tree

    def __call__(self, observation: Any, mask: ActionMask | None, rng: np.random.Generator) -> Answer:
        end = time.monotonic() + self._seconds
        tree = self._at([int(move) for move in observation], rng)
        tree.search(self._simulations, is_time_left=lambda: time.monotonic() < end)
        root = tree.root
        shares = np.zeros(len(mask) if mask is not None else int(root.position.actions.max()) + 1)
        shares[root.position.actions] = root.visits / max(int(root.visits.sum()), 1)
        insight = Insight(
            shares=shares.tolist(), parts=(len(shares),), value=tree.value, visits=int(root.visits.sum()),
            line=tuple(tree.line),
        )  # fmt: skip
        return Answer(tree.pick(rng), insight)

    def _at(self, moves: list[int], rng: np.random.Generator) -> SearchTree:
        """The tree of the position after these moves, grown from the last one where it leads there."""
        known = len(self._moves)
        tree = self._tree
        if tree is None or moves[:known] != self._moves or not all(map(tree.moved, moves[known:])):
            evaluate = by_play_outs(self._game, rng) if self._policy is None else by_policy(self._policy)
            tree = SearchTree(self._game, evaluate, self._game.begin(moves), batch=8 if self._policy else 1)
        self._tree, self._moves = tree, moves
        return tree
