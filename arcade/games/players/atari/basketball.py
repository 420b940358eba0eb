"""A player of Basketball Pong: juggles the ball on its own half until a hit carries it into the other's basket.

Addresses, the ball's flight, and how paddles, walls and baskets turn it were read off 60,000 ticks of play.  A hit
throws the ball back by a tick of its way, so that a juggled ball rises from hit to hit, in the end above the rims.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import copysign

import numpy as np

from arcade.games.players.atari.paddles import BALL_X, BALL_Y
from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

_HEIGHT_FRACTION, _FALL, _FALL_FRACTION, _DRIFT = 0x37, 0x38, 0x39, 0x3A  # of the ball, beside BALL_X and BALL_Y
_X = (0x2E, 0x2D)  # Right and Left
_MIDDLE = 8  # columns from a player's place to the middle of its paddle
_PATHS = ((58, 123), (132, 195))  # columns to which Left and Right can bring their middle
_HALF = 128  # the column between the halves
_WALLS = (56, 201)
_PADDLES, _DEEP = (180, 181), 8  # lines from which Left and Right hit a falling ball, and for how many
_FLOOR = 206
_GRAVITY = 33 / 256  # lines a tick, each tick
_BASKETS = ((65, 80), (176, 192))  # columns, on the half of Left and of Right, in which a falling ball scores
_CLOSED = ((69, 80), (176, 188))  # and in which they turn back one that rises
_RIM, _BOTTOM = 94, 102  # lines
_SHOT = (111, 145)  # the columns from which Left and Right score with the lowest ball
_HITS = {0: 1.5, -1: -2.5, 1: 5.5, -2: -6.0, 2: 9.0}
"""The ball's drift after a hit to the columns from the paddle's middle at which it is met."""
_ENDS = (-7.5, -4.5, -0.5, 3.5, 7.5, 10.5)
"""The columns between which it is met for each drift, from -2 to 2."""

_FLIGHT = 220  # ticks that a flight is followed
_SERVE = 40  # ticks between two tries to serve
_GLIDE = 1.1  # times as far as in the last two ticks a paddle moves on
_NEAR = 9  # columns from its goal at which a paddle is moved by taps
_TAP, _REST = 2, 6  # ticks of one, and until the paddle rests again
_MARGIN = 0.4  # columns from either end of where a paddle is to rest
_UNDER = 12  # columns from its middle under which a paddle holds a ball that it has missed
_WRONG = 6.0  # columns by which a beginner is wrong
_ASIDE = 2.0  # columns of error at any level
_ERRORS = (-1.3, -0.5, 0.0, 0.5, 1.3)  # multiples of the error, each as likely
_ALIKE = 2.0  # worths of hits that are about as good, so that no two matches are alike
_LOST = -200.0  # worth of a ball that comes down on the other half

SKILLS: Mapping[str, Skill] = {
    "easy": Skill(300, 3, 0.7, 0.2),
    "normal": Skill(200, 1, 0.45, 0.07),
    "hard": Skill(120, 1, 0.3, 0.04),
    "expert": Skill(),
}
"""By level; keys that are held for longer miss the columns of a paddle that turn the ball another way."""


@dataclass(frozen=True, slots=True)
class Ball:
    """Columns and lines, and by how many it moves in a tick; lines are counted downwards."""

    x: float
    y: float
    drift: float
    fall: float

    def fly(self) -> tuple[Ball, int | None]:
        """The ball as a paddle can hit it, or as it falls into a basket: 0 Left's, 1 Right's, None for neither."""
        x, y, drift, fall = self.x, self.y, self.drift, self.fall
        for _ in range(_FLIGHT):
            if fall >= 0 and (side := _basket(x, y, _BASKETS)) is not None:
                return Ball(x, y, drift, fall), side
            if fall > 0 and 0 <= y - _PADDLES[x > _HALF] < _DEEP:
                break
            if fall > 0 and y >= _FLOOR:
                y, fall = y - fall - 1, -fall
            elif fall < 0 and _basket(x, y, _CLOSED) is not None:
                x, y, drift, fall = x - drift, y - fall + 1, -drift, -fall
            else:
                x, y = x + drift, y + fall
            if not _WALLS[0] < x < _WALLS[1] and (x > _HALF) == (drift > 0):
                x, drift = x - copysign(1, drift), -drift
            fall += _GRAVITY
        return Ball(x, y, drift, fall), None

    def hit(self, drift: float) -> Ball:
        """The ball a tick after a paddle has turned it."""
        return Ball(self.x + drift, self.y - self.fall, drift, _GRAVITY - self.fall)


class BasketballPlay(Play):
    """Waits where its hit will score, or else keep the ball."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._side = 1 - place  # 0 Left, 1 Right
        self._tick = 0
        self._at = (sum(_PATHS[self._side]) // 2,) * 2  # two ticks ago, and one
        self._key, self._tapped_at = "nothing", -100  # the tick of the last tap
        self._ball: Ball | None = None
        self._goal = (0.0, 0.0)  # the columns to be in, for this flight

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        at = now[_X[self.place]] + _MIDDLE
        rest = at + _GLIDE * (at - self._at[0])
        self._at = self._at[1], at
        if not seen[BALL_Y]:
            self._ball = None
            return "fire" if self._tick % _SERVE < 4 else "nothing"
        ball, before = ball_in(seen), self._ball
        self._ball = ball
        if before is None or ball.drift != before.drift or abs(ball.fall - before.fall) > 2 * _GRAVITY:
            self._goal = self._choose(ball.fly()[0])
        if ball.y > _PADDLES[self._side] + _DEEP and abs(ball.x - at) < _UNDER:  # let it out
            way = 1 if self._side == (ball.x < at) else -1
            return self._towards(ball.x + way * 2 * _UNDER, ball.x + way * 3 * _UNDER, rest)
        return self._towards(*self._goal, rest)

    def _towards(self, first: float, last: float, rest: float) -> str:
        """The key that brings the paddle there: near it, keys are tapped, and the paddle comes to rest in between."""
        since = self._tick - self._tapped_at
        if since >= _TAP + _REST:
            self._key = "right" if rest < first else "left" if rest > last else "nothing"
            if abs(rest - (first + last) / 2) < _NEAR:
                self._tapped_at = self._tick
        return "nothing" if _TAP <= since < _TAP + _REST else self._key

    def _choose(self, landing: Ball) -> tuple[float, float]:
        """The columns in which to wait with the paddle's middle."""
        first, last = _PATHS[self._side]
        if not self._is_own(landing):
            return (first + last) / 2 - 2, (first + last) / 2 + 2
        worth = {drift: self._worth(landing.hit(drift)) for drift in _HITS}
        can = [drift for drift, off in _HITS.items() if first - 2 < landing.x - off < last + 2]
        liked = {drift: self._expected(drift, worth) + float(self.rng.uniform(0, _ALIKE)) for drift in can}
        best = max(liked, key=liked.__getitem__, default=0)
        x = landing.x + self.misjudged(_WRONG * self.skill.error)
        return x - _ENDS[best + 3] + _MARGIN, x - _ENDS[best + 2] - _MARGIN

    def _expected(self, drift: int, worth: Mapping[int, float]) -> float:
        """The mean worth of hits that are meant to give a ball this drift, by one who knows its own errors."""
        found = 0.0
        for error in _ERRORS:
            place = bisect_left(_ENDS, _HITS[drift] + error * (_ASIDE + _WRONG * self.skill.error**2)) - 3
            found += worth.get(place, _LOST) / len(_ERRORS)
        return found

    def _worth(self, ball: Ball, ahead: int = 1) -> float:
        """What a ball in the air is worth: looks at the hit after this one too."""
        end, scores = ball.fly()
        if scores is not None:
            return -1000.0 if scores == self._side else 1000.0
        if not self._is_own(end):
            return _LOST
        if ahead:
            after = max(self._worth(end.hit(drift), ahead - 1) for drift in _HITS)
            return after * (0.9 - 0.9 * self.skill.error)
        return -abs(end.x - _SHOT[self._side])

    def _is_own(self, ball: Ball) -> bool:
        return (ball.x > _HALF) == bool(self._side)


def _basket(x: float, y: float, baskets: Sequence[tuple[int, int]]) -> int | None:
    """The one of the baskets in these columns that a place is in."""
    if _RIM <= y <= _BOTTOM:
        return next((side for side, (first, last) in enumerate(baskets) if first <= x <= last), None)
    return None


def ball_in(seen: Memory) -> Ball:
    """The ball in play, as the console has it."""
    y, fall = seen[BALL_Y] + seen[_HEIGHT_FRACTION] / 256, _signed(seen[_FALL]) + seen[_FALL_FRACTION] / 256
    return Ball(float(seen[BALL_X]), y, -float(_signed(seen[_DRIFT])), fall)


def _signed(byte: int) -> int:
    return (byte ^ 0x80) - 0x80
