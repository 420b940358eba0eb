"""Players of Video Olympics with one paddle in front of a line: Pong and Quadrapong.

Addresses were found by moving one seat at a time, how paddles move and turn the ball by 200 hits.  Paddles and ball are
counted on one grid.  The button of who hit the ball last doubles its drift along the line for as long as it is held.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

BALL_X, BALL_Y = 0x31, 0x36
_GLIDE = 2.5  # ticks of its speed that a paddle moves on after the stick is let go
_SERVE = 45  # ticks between two tries to serve
_SLACK = 3  # how far from its goal a paddle rests
_PUSH = 5.75  # what the stick adds to half of a paddle's speed, every other tick
_AHEAD = 20  # ticks before a hit in which it is chosen
_LATE = 9  # a hit is worth its risk where a paddle that follows the ball misses it by so much
_PLANS = 8  # lengths of time for which the button may be held, or let go first
_NEVER_COMES = 400.0  # ticks until a ball is here that flies away
_REPLANS = 4  # ticks from one look at the flight of the ball to the next


@dataclass(frozen=True, slots=True)
class Paddle:
    """Where one seat's paddle is."""

    own: int  # address of its position along its line
    is_upright: bool  # moves up and down, or left and right
    line: int  # the ball's position across, where it meets the paddle
    low: int  # the ball's range along the line, between the walls
    high: int
    middle: float  # of the ball's position when it meets the paddle's middle, less the paddle's own
    half: int  # from there to the paddle's end


@dataclass(frozen=True, slots=True)
class Hit:
    """Where the ball meets a paddle, counted from the middle, and its drift along the line a tick after that."""

    at: float
    drift: float


HITS = tuple(Hit(side * at, side * drift) for side in (-1, 1) for at, drift in ((4.0, 1.0), (7.0, 2.0)))


@dataclass(frozen=True, slots=True)
class Flight:
    """The ball on its way to the other paddle: its place and drift along the line, the latter without the button."""

    along: float
    drift: float
    ticks: int  # until it is there


@dataclass(frozen=True, slots=True)
class Plan:
    """When the button is held in a flight; ticks are counted from its start."""

    starts_held: bool  # held until the change, or from the change on
    change: int

    def holds(self, tick: int) -> bool:
        """Whether the button is held in that tick."""
        return (tick < self.change) == self.starts_held


_NEVER = Plan(True, 0)


class PaddlePlay(Play):
    """Moves to where the ball will meet the line, and hits it away from the paddle's middle for a steep angle.

    One without errors sees which hit, and which use of the button, brings the ball off a wall so late that the `facing`
    paddle misses it, if that follows it.
    """

    def __init__(
        self, paddle: Paddle, place: int, rng: np.random.Generator, skill: Skill, facing: Paddle | None = None
    ) -> None:
        super().__init__(place, rng, skill)
        self._paddle, self._facing = paddle, facing if skill.error == 0 else None
        self._facing_at = 0
        self._has_chosen = False  # in this approach
        self._drift, self._held, self._plan, self._plan_age = 1.0, False, _NEVER, 0  # in this flight
        self._keys = ("up", "down") if paddle.is_upright else ("left", "right")
        self._ball: tuple[int, int] | None = None  # across and along, as last seen
        self._moved = (0, 0)
        self._speed = (0.0, 0.0)
        self._position = 0
        self._aim = 0.0  # this approach's place on the paddle, and error
        self._wait = 0

    def decide(self, now: Memory, seen: Memory) -> str:
        paddle = self._paddle
        position = now[paddle.own]
        rest = position + _GLIDE * (position - self._position)
        self._position = position
        across, along = (seen[BALL_X], seen[BALL_Y]) if paddle.is_upright else (seen[BALL_Y], seen[BALL_X])
        if not seen[BALL_Y]:
            if self._ball is not None:
                self._begin()
            self._ball, self._speed = None, (0.0, 0.0)
            self._wait += 1
            return "fire" if self._wait % _SERVE < 3 else "nothing"
        self._watch(across, along)
        goal, ticks = self._goal(across, along)
        if self._facing is None:
            presses = ticks < 12 and self.skill.error < 1
        else:
            at, before = now[self._facing.own], self._facing_at
            self._facing_at = at
            if ticks < _AHEAD and not self._has_chosen:
                self._choose_hit(self._facing, at, 2.0 * (at - before), int(ticks))
            presses = self._held = ticks == _NEVER_COMES and self._steers(self._facing, at, 2.0 * (at - before))
        off = goal - paddle.middle + self._aim - rest
        key = "" if abs(off) < _SLACK else self._keys[off > 0]
        return " ".join(filter(None, (key, "fire" if presses else ""))) or "nothing"

    def _watch(self, across: int, along: int) -> None:
        """Follow the ball; an approach begins when it turns this way."""
        if self._ball is not None:
            moved = across - self._ball[0], along - self._ball[1]
            if max(map(abs, moved)) > 12:  # a new ball
                self._begin()
                moved = (0, 0)
            self._moved = moved
            speed = tuple(0.7 * old + 0.3 * new for old, new in zip(self._speed, moved, strict=True))
            if np.sign(moved[0]) and np.sign(moved[0]) != np.sign(self._speed[0]):
                self._begin()
                speed = (float(moved[0]), float(moved[1]))
            elif abs(moved[1] - self._speed[1]) > 2:  # off a wall
                speed = (speed[0], float(moved[1]))
            self._speed = speed[0], speed[1]
        self._ball = across, along

    def _begin(self) -> None:
        end = (0.3 if self._facing is not None else 0.7) * self._paddle.half * (1 - self.skill.error)
        self._aim = float(self.rng.uniform(-end, end)) + self.misjudged(1.2 * self._paddle.half)
        self._has_chosen, self._held, self._plan_age = False, False, 0

    def _choose_hit(self, facing: Paddle, at: float, speed: float, ticks: int) -> None:
        """Aim for the hit that a follower misses most, if it misses one."""
        assert self._ball is not None
        self._has_chosen = True
        flight = round(abs(self._paddle.line - facing.line) / max(1, round(abs(self._speed[0]))))
        where = reflected(self._ball[1] + self._speed[1] * ticks, self._paddle.low, self._paddle.high)
        coming = Flight(self._ball[1], self._speed[1], ticks)
        _, at, speed = followed(facing, at, speed, coming, _NEVER)
        missed = {hit: best_plan(facing, at, speed, Flight(where, hit.drift, flight))[1] for hit in HITS}
        best = max(missed, key=missed.__getitem__)
        if missed[best] > _LATE:
            self._aim = -best.at

    def _steers(self, facing: Paddle, at: float, speed: float) -> bool:
        """Whether to hold the button now, while the ball flies away."""
        if self._ball is None or not self._speed[0]:
            return False
        drift = abs(self._moved[1]) / (2 if self._held else 1)
        if drift in (1.0, 2.0):
            self._drift = drift
        ticks = round((facing.line - self._ball[0]) / self._speed[0])
        if self._plan_age % _REPLANS == 0 and 0 < ticks < 200:
            flight = Flight(self._ball[1], float(np.sign(self._moved[1])) * self._drift, ticks)
            self._plan, _ = best_plan(facing, at, speed, flight)
        self._plan_age += 1
        return self._plan.holds((self._plan_age - 1) % _REPLANS)

    def _goal(self, across: int, along: int) -> tuple[float, float]:
        """Where the ball will meet the line, and in how many ticks; the middle while it flies away."""
        paddle, (way, drift) = self._paddle, self._speed
        ticks = (paddle.line - across) / way if way else -1.0
        if ticks < 0 or ticks > _NEVER_COMES:
            return (paddle.low + paddle.high) / 2, _NEVER_COMES
        return reflected(along + drift * ticks, paddle.low, paddle.high), ticks - self.reaction


PONG = (Paddle(0x33, True, 188, 43, 205, 6.5, 10), Paddle(0x32, True, 68, 43, 205, 6.5, 10))
QUADRAPONG = (
    Paddle(0x2E, False, 189, 57, 200, 6, 8), Paddle(0x2D, False, 57, 57, 200, 6, 8),
    Paddle(0x35, True, 187, 45, 206, 6, 9), Paddle(0x34, True, 68, 45, 206, 6, 9),
)  # fmt: skip
"""By seat; where the ball met a paddle, or missed it, was read off matches."""


def pong(place: int, rng: np.random.Generator, skill: Skill) -> Play:
    """A player of Pong."""
    return PaddlePlay(PONG[place], place, rng, skill, facing=PONG[1 - place])


def quadrapong(place: int, rng: np.random.Generator, skill: Skill) -> Play:
    """A player of Quadrapong."""
    return PaddlePlay(QUADRAPONG[place], place, rng, skill)


def best_plan(paddle: Paddle, at: float, speed: float, flight: Flight) -> tuple[Plan, float]:
    """The use of the button by which a paddle that follows the ball misses it most, and by how much.

    at, speed: of the paddle; speed in two ticks.
    """
    times = sorted({round(flight.ticks * part / _PLANS) for part in range(_PLANS + 1)})
    plans = [Plan(first, ticks) for ticks in times for first in (True, False)]
    missed = [missed_by(paddle, at, speed, flight, plan) for plan in plans]
    best = max(range(len(plans)), key=missed.__getitem__)
    return plans[best], missed[best]


def missed_by(paddle: Paddle, at: float, speed: float, flight: Flight, plan: Plan) -> float:
    """How far a paddle that follows the ball is from it when it is there."""
    along, end, _ = followed(paddle, at, speed, flight, plan)
    return abs(along - paddle.middle - end)


def followed(paddle: Paddle, at: float, speed: float, flight: Flight, plan: Plan) -> tuple[float, float, float]:
    """Where the ball is after a flight, a paddle that follows it, and the speed of the paddle in two ticks."""
    along, way, middle, low, high = flight.along, flight.drift, paddle.middle, paddle.low, paddle.high
    for tick in range(flight.ticks):
        along += 2 * way if plan.holds(tick) else way
        if not low <= along <= high:
            along, way = reflected(along, low, high), -way
        if tick % 2 == 0:
            off = along - middle - at
            speed = speed / 2 + (math.copysign(_PUSH, off) if abs(off) >= _SLACK else 0.0)
            at += speed
    return along, at, speed


def reflected(place: float, low: float, high: float) -> float:
    """Where a ball comes that bounces between two walls."""
    width = high - low
    way = (place - low) % (2 * width)
    return low + (way if way <= width else 2 * width - way)
