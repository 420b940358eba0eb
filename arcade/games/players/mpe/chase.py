"""Players of Simple Tag and Simple World Comm: chasers cut off the way, runners keep away from all of them.

The leader of Simple World Comm sees into the forests and says in which quarter of the picture a runner is (A lower
left, B lower right, C upper left, D upper right); chasers who see none go to the forest nearest to that quarter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import SeatSpec
from arcade.games.players.mpe.motion import (
    FORESIGHT,
    TICK,
    Body,
    Foresight,
    Vector,
    best_action,
    distances,
    inside,
    moved,
    outside,
)
from arcade.games.players.reactions import Reactions

CHASER, RUNNER = Body(0.3, 1.0), Body(0.4, 1.3)
_ROCK = 0.3  # from a rock's middle, where a particle touches it
_TOUCH = 0.15  # from a chaser to a runner, a little more than when they touch
_WIDE = {"easy": 0.5, "normal": 0.15, "hard": 0.05, "expert": 0.0}  # how far off a level sees the others
_WIDER = {"easy": 0.5, "normal": 0.35, "hard": 0.2, "expert": 0.0}  # the same in Simple Tag, which is simpler
_GO_ROUND = ("hard", "expert")  # levels that come from several sides
_NEARSIGHTED = {**FORESIGHT, "easy": Foresight(1, 1), "normal": Foresight(1, 3)}
"""That of runners in Simple World Comm, whose lower levels are alike otherwise."""
_EDGE = 1.2  # how much earlier than it costs a runner turns back from the edge
_MOVES = 5


@dataclass(frozen=True, slots=True)
class Scene:
    """What a particle sees, in places of the picture; hidden ones are left out."""

    place: Vector
    velocity: Vector
    rocks: list[Vector]
    chasers: list[Vector]
    runners: list[tuple[Vector, Vector]]  # place and velocity
    food: list[Vector]
    forests: list[Vector]
    message: int = -1  # of the leader; -1 for none


class _Player:
    """Plays one particle."""

    _read: Callable[[NDArray[np.float64], bool], Scene]
    _has_messages = False
    _widths: Mapping[str, float] = _WIDE
    _runners_foresight: Mapping[str, Foresight] = FORESIGHT

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert") -> None:
        self._agent = str(seat.agent)
        self._runs, self._leads = self._agent.startswith("agent"), self._agent.startswith("lead")
        self._foresight = (self._runners_foresight if self._runs else FORESIGHT)[level]
        self._wide, self._rng = self._widths[level], rng
        self._goes_round = level in _GO_ROUND
        self._ticks = self._foresight.actions * self._foresight.ticks

        def slip() -> int:
            return int(rng.integers(_MOVES))

        self._react = Reactions(seat, rng, level, idle=0, slip=slip)

    def __call__(self, observation: Any, action_mask: Any) -> int:
        scene = type(self)._read(np.asarray(observation, float), self._runs)
        move = self._react(self._flee(scene) if self._runs else self._hunt(scene))
        return move + _MOVES * self._word(scene) if self._leads else move

    def _flee(self, scene: Scene) -> int:
        chasers = [chaser + self._misjudged() for chaser in scene.chasers]

        def cost(ways: NDArray[np.float64]) -> NDArray[np.float64]:
            total = 2 * outside(_EDGE * ways).sum(axis=1)
            for rock in scene.rocks:
                total += 3 * inside(ways, rock, _ROCK).sum(axis=1)
            for chaser in chasers:
                total += _fear(ways, chaser)
            if scene.food:
                total += 0.2 * distances(ways, _nearest(scene.place, scene.food)).sum(axis=1)
            return np.asarray(total)

        return best_action(scene.place, scene.velocity, RUNNER, self._foresight, cost)

    def _hunt(self, scene: Scene) -> int:
        goal = self._goal(scene)

        def cost(ways: NDArray[np.float64]) -> NDArray[np.float64]:
            total = distances(ways, goal).sum(axis=1)
            for rock in scene.rocks:
                total += 3 * inside(ways, rock, _ROCK).sum(axis=1)
            return np.asarray(total)

        return best_action(scene.place, scene.velocity, CHASER, self._foresight, cost)

    def _goal(self, scene: Scene) -> NDArray[np.float64]:
        """Where to go, at each tick: (ticks, 2)."""
        if not scene.runners:
            quarter = _middle(scene.message) if scene.message >= 0 else scene.place
            still = _nearest(quarter, scene.forests) if scene.forests else quarter
            return np.tile(still, (self._ticks, 1))
        at, velocity = min(scene.runners, key=lambda one: float(np.linalg.norm(one[0] - scene.place)))
        away = at - scene.place
        lead = min(5.0, float(np.linalg.norm(away)) / (CHASER.speed * TICK))
        expected = np.clip(moved(at + self._misjudged(), velocity, self._ticks) + velocity * TICK * lead / 2, -1.1, 1.1)
        return expected + self._side(scene, at)

    def _side(self, scene: Scene, at: Vector) -> Vector:
        """A chaser behind another one goes round, so that they come from several sides."""
        own = float(np.linalg.norm(at - scene.place))
        if own < 0.4 or not self._goes_round:
            return np.zeros(2)
        ahead = [other for other in scene.chasers if np.linalg.norm(at - other) < own]
        if not ahead:
            return np.zeros(2)
        beyond = at - np.mean(ahead, axis=0)
        return np.asarray(0.3 * beyond / max(1e-6, float(np.linalg.norm(beyond))))

    def _word(self, scene: Scene) -> int:
        if not scene.runners:
            return 0
        at = min((runner for runner, _ in scene.runners), key=lambda one: float(np.linalg.norm(one - scene.place)))
        return int(at[0] > 0) + 2 * int(at[1] > 0)

    def _misjudged(self) -> Vector:
        return self._rng.normal(0, self._wide, 2) if self._wide else np.zeros(2)


class TagPlayer(_Player):
    """Plays Simple Tag: own velocity and place, both rocks, the others, and the velocity of the runner."""

    _widths = _WIDER

    @staticmethod
    def _read(seen: NDArray[np.float64], runs: bool) -> Scene:
        place, pairs = seen[2:4], seen[4:].reshape(-1, 2)
        others = [place + pair for pair in pairs[2:5]]
        return Scene(
            place=place, velocity=seen[:2], rocks=[place + pair for pair in pairs[:2]],
            chasers=others if runs else others[:2],
            runners=[] if runs else [(others[2], pairs[5])],
            food=[], forests=[],
        )  # fmt: skip


class WorldPlayer(_Player):
    """Plays Simple World Comm: rock, food, forests and all others, those that are hidden at nought."""

    _runners_foresight = _NEARSIGHTED

    @staticmethod
    def _read(seen: NDArray[np.float64], runs: bool) -> Scene:
        place, pairs = seen[2:4], seen[4:24].reshape(-1, 2)
        rock, *marks = [place + pair for pair in pairs[:5]]
        chasers = [place + pair for pair in pairs[5 : 9 if runs else 8] if pair.any()]
        runners = []
        if not runs:
            speeds = seen[24:28].reshape(2, 2)
            runners = [(place + pair, speed) for pair, speed in zip(pairs[8:10], speeds, strict=True) if pair.any()]
        words = seen[30:34]
        return Scene(
            place=place, velocity=seen[:2], rocks=[rock], chasers=chasers, runners=runners, food=marks[:2],
            forests=marks[2:], message=int(words.argmax()) if not runs and words.any() else -1,
        )  # fmt: skip


def _fear(ways: NDArray[np.float64], chaser: Vector) -> NDArray[np.float64]:
    """The price of a chaser that comes straight on: (ways,)."""
    at = np.tile(chaser, (len(ways), 1))
    total = np.zeros(len(ways))
    for tick in range(ways.shape[1]):
        off = ways[:, tick] - at
        size = np.linalg.norm(off, axis=1, keepdims=True)
        at = at + off * np.minimum(1.0, CHASER.speed * TICK / np.maximum(size, 1e-9))
        left = np.linalg.norm(ways[:, tick] - at, axis=1)
        total += 10 * (left < _TOUCH) + 4 * np.exp(-left / 0.3)
    return total


def _nearest(place: Vector, places: list[Vector]) -> Vector:
    return min(places, key=lambda one: float(np.linalg.norm(one - place)))


def _middle(message: int) -> Vector:
    return np.array([0.5 if message % 2 else -0.5, 0.5 if message // 2 else -0.5])
