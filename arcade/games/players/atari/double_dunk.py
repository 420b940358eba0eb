"""A player of Double Dunk: goes round the guard, jumps and lets go at the top; guards, jumps along, gets rebounds.

The console numbers the figures: the tall ones of both teams, then the short ones.  A seat moves the one that has the
ball, or guards it.  Lines count from the bottom, and the basket is at the top.  How well a shot goes is the sum of its
distance, of how far the shooter is from the top of the jump, and of a guard close above that is in the air too; the
rest is luck, which the player does not look up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arcade.games.players.atari.play import Memory, Play, towards
from arcade.games.players.atari.skill import Skill

_CHOOSING = 0x07, 0x80  # a byte and its bit
_FLIES, _IS_PASSED, _BOUNCES = (0x0B, 0x80), (0x0B, 0x40), (0x02, 0x10)  # of the ball; a pass flies too
_CAUGHT_IT = 0x0A, 0x40  # in the air, who cannot shoot before landing
_HAS_CHOSEN = (0x09, 0x40), (0x09, 0x80)  # by team, as below
_IN_AIR = (0x09, 0x80), (0x0A, 0x80)
_HELD = (0x07, 0x01), (0x07, 0x04)  # the button, after it was answered
_HOLDER, _GUARD = 0x01, 0x00  # of the ball: its number in the top two bits; of the guard the top bit is the upper one
_NOTICE, _CLEAR_THE_BALL = 0x0D, 0x50  # which the console shows, and that of a ball to be taken out before a shot
_X, _Y = 0x25, 0x21  # of the first figure
_BALL_X, _BALL_Y = 0x2F, 0x2E

_BEAT = 4  # ticks that the button is down, and up
_TAP = 24  # ticks from one grab at the ball to the next

_BASKET_X, _BASKET_Y = 66, 123
_RANGE, _CLOSE = 29, 14  # columns and half lines to the basket, from where a free shot is best, and one under guard
_SPOT_Y = 92  # line of the place to shoot from, below the basket
_TOP = 26  # ticks from the ground to the best moment of a jump
_OFF, _LATE = 20, 18  # how wide a beginner misjudges places, and that moment in ticks
_BESIDE = 10  # columns from the guard that make a shot free
_ABOVE, _BELOW = 24, 3  # lines between which a guard is in the way
_ROUND = 20  # columns and lines of a step round the guard
_LEFT, _RIGHT = 20, 112  # columns where there is no way round on the outside
_HIGHEST = 98  # line above which one is soon out of the court
_OUT_LEFT, _OUT_RIGHT, _OUT_LOW = 7, 121, 12  # where the ball is cleared
_CAUTION = 60  # steps that a beginner makes for safety

_BEFORE = 5  # lines from the ball's holder to the place of the guard
_REACH_X, _REACH_Y = 4, 7  # of a hand
_JUMP_X, _JUMP_Y = 6, -2  # of a jump that disturbs a shot
_ABOVE_HEAD, _UNDER_HANDS = 33, 49  # lines from the feet to a rebound that a jump gets
_UNDER_BASKET = 96


class _Figure(NamedTuple):
    x: int
    y: int


class DoubleDunkPlay(Play):
    """Attacks with the figure that has the ball, and guards with the one that guards it."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick = 0
        self._flown = 0  # ticks since the own figure left the ground
        self._top = _TOP
        self._error = (0.0, 0.0)

    def decide(self, now: Memory, seen: Memory) -> str:
        self._note(now)
        if _has(now, _CHOOSING):
            waits = _has(now, _HAS_CHOSEN[self.place]) or self._tick % (2 * _BEAT) < _BEAT
            return "nothing" if waits else "down fire"  # a press and a release; with no part but the shot
        holder = seen[_HOLDER] >> 6
        guard = (seen[_GUARD] >> 7) * 2 + 1 - holder % 2
        attacks = holder % 2 == self.place
        own, other = (holder, guard) if attacks else (guard, holder)
        return (self._attack if attacks else self._defend)(_figure(now, own), _figure(seen, other), now, seen)

    def _note(self, now: Memory) -> None:
        self._tick += 1
        if self._tick % 45 == 1:
            self._error = self.misjudged(_OFF), self.misjudged(_OFF)
        self._flown = self._flown + 1 if _has(now, _IN_AIR[self.place]) else 0
        if self._flown == 1:
            self._top = _TOP + round(self.misjudged(_LATE))

    def _attack(self, own: _Figure, guard: _Figure, now: Memory, seen: Memory) -> str:
        must_clear = seen[_NOTICE] == _CLEAR_THE_BALL
        if self._flown:
            shoots = self._flown >= self._top and not must_clear and not _has(now, _CAUGHT_IT)
            return "fire" if shoots and self._can_press(now) and not _has(seen, _FLIES) else "nothing"
        if _has(seen, _FLIES):
            return "nothing" if _has(seen, _IS_PASSED) else self._rebound(own, now, seen)
        if must_clear:
            return _walk(own, *self._way_out(own))
        far = abs(own.x + self._error[0] - _BASKET_X) + (_BASKET_Y - own.y - self._error[1]) / 2
        above, beside = guard.y - own.y, abs(guard.x - own.x)
        is_free = beside >= _BESIDE or not -_BELOW <= above <= _ABOVE
        if far < (_RANGE if is_free else _CLOSE):
            return "down fire" if self._can_press(now) else "nothing"
        if is_free:
            return _walk(own, _BASKET_X, _SPOT_Y)
        outwards = 1 if own.x >= guard.x else -1
        side = outwards if _LEFT <= own.x <= _RIGHT else 1 if own.x < _LEFT else -1
        return _walk(own, own.x + _ROUND * side, min(own.y + _ROUND, _HIGHEST))

    def _defend(self, own: _Figure, holder: _Figure, now: Memory, seen: Memory) -> str:
        if self._flown:
            return "nothing"
        if _has(seen, _FLIES):
            return self._rebound(own, now, seen)
        above, beside = own.y - holder.y, abs(own.x - holder.x)
        if _has(seen, _IN_AIR[1 - self.place]):
            counts = seen[_NOTICE] != _CLEAR_THE_BALL
            disturbs = counts and beside < _JUMP_X and above >= _JUMP_Y
            return "fire" if disturbs and self._can_press(now) else _walk(own, holder.x, holder.y + _BEFORE)
        if self._tick % _TAP < _BEAT and beside < _REACH_X and 0 <= above < _REACH_Y and self._can_press(now):
            return "fire"
        return _walk(own, holder.x + self._error[0], holder.y + _BEFORE + self._error[1])

    def _rebound(self, own: _Figure, now: Memory, seen: Memory) -> str:
        x, high = seen[_BALL_X], seen[_BALL_Y] - own.y
        in_reach = _has(seen, _BOUNCES) and abs(x - own.x) < _REACH_X and _ABOVE_HEAD < high < _UNDER_HANDS
        return "fire" if in_reach and self._can_press(now) else _walk(own, x, _UNDER_BASKET)

    def _way_out(self, own: _Figure) -> tuple[int, int]:
        """Where the ball is cleared soonest; at the sides it takes a sure hand not to leave the court."""
        left, right, down = own.x - _OUT_LEFT, _OUT_RIGHT - own.x, own.y - _OUT_LOW
        if down < min(left, right) + _CAUTION * self.skill.error:
            return own.x, _OUT_LOW
        return _OUT_LEFT if left < right else _OUT_RIGHT, own.y

    def _can_press(self, now: Memory) -> bool:
        return not _has(now, _HELD[self.place])


def _has(memory: Memory, flag: tuple[int, int]) -> bool:
    place, bit = flag
    return bool(memory[place] & bit)


def _figure(memory: Memory, number: int) -> _Figure:
    return _Figure(memory[_X + number], memory[_Y + number])


def _walk(own: _Figure, x: float, y: float) -> str:
    steps = towards(y - own.y, 2, "up", "down"), towards(x - own.x, 2, "right", "left")
    return " ".join(filter(None, steps)) or "nothing"
