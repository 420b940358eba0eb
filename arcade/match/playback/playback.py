"""Playback: shows a recorded match at any speed and from any tick; Moments is its cache.  It knows no window.

A window drives it::

    playback = Playback(stage, replay, rate=spec.fps)
    playback.play()
    while playback.playing:
        playback.advance(time.monotonic())        # never blocks
        draw(playback.frame, playback.tick)
"""

from __future__ import annotations

import pickle
import time
from collections import OrderedDict
from collections.abc import Callable, Set
from dataclasses import replace

import zstandard

from agents.seats.controller import AgentID, SeatSpec
from arcade.match.playback.keyframes import Keyframes
from arcade.match.playback.replay import Replay
from arcade.match.stage.stage import Stage, StageError
from arcade.match.stage.tick import Frame, Tick

CHUNK = 0.025
"""Seconds of simulation of one request on a long way, so that a new goal is soon followed; and between keyframes."""

LEAST_CHUNK, MOST_CHUNK = 32, 8192
"""Ticks of one request: first the least, then doubled or halved towards that time."""

MOST_OWED = 0.1
"""Most seconds of play to catch up with after the stage was slow; the rest is dropped."""


class Playback:
    """Shows tick `goal` of a replay as soon as it is available, and the nearest known one until then.

    The stage must be ready; it plays the recorded actions again, and each of its ticks is compared with the recording.
    `differs_at` is the first known tick that differs, None while all agree; `problem` says why nothing after `length`
    can be shown.
    """

    def __init__(
        self, stage: Stage, replay: Replay, *, rate: float, moments: Moments | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """`rate`: ticks a second at speed 1."""
        self.replay = replay
        self.length = len(replay.actions)
        self.goal = 0
        self.tick: Tick | None = None  # on show; None until there is one
        self.playing = False
        self.speed = 1.0  # times the game's own rate
        self.lead = 0  # ticks before a goal that are taken one by one, for observers that need them
        self.differs_at: int | None = None
        self.problem = ""
        self._stage, self._rate, self._clock = stage, rate, clock
        self._moments = moments or Moments()
        self._owed = 0.0  # ticks of play that time has passed for
        self._turned_at: float | None = None  # the time of the newest `advance`
        self._at: int | None = None  # the tick that the stage is at
        self._asked: tuple[int, float, int] | None = None  # the tick it works towards, since when, over how many
        self._chunk = LEAST_CHUNK
        self._keyframes = Keyframes(stage)
        self.passed = 0  # the last tick up to which there are keyframes
        self._by_rewards = False  # observations look otherwise here, so rewards alone are compared
        stage.reset(replay.seed)
        self._asked = (0, clock(), 1)

    @property
    def frame(self) -> Frame | None:
        """The picture of the tick on show."""
        return self.tick.frame if self.tick is not None else None

    @property
    def index(self) -> int:
        """The tick on show."""
        return self.tick.index if self.tick is not None else 0

    @property
    def settled(self) -> bool:
        """Whether the goal is on show."""
        return self.tick is not None and self.tick.index == self.goal

    @property
    def share(self) -> float:
        """Share of the way to the goal, 0 … 1."""
        return 1.0 if self.settled else min(1.0, (self._at or 0) / max(1, self.goal))

    @property
    def at_end(self) -> bool:
        """Whether the goal is the last tick."""
        return self.goal >= self.length

    def play(self) -> None:
        """Continue; from the start where the end was reached."""
        if self.at_end:
            self.seek(0)
        self.playing, self._owed, self._turned_at = True, 0.0, None

    def pause(self) -> None:
        """Stop at the tick on show."""
        self.playing = False

    def seek(self, tick: int) -> None:
        """Go to that tick, or to the nearest valid one; playing continues from there."""
        self.goal = min(max(tick, 0), self.length)
        self._owed = 0.0
        self._look_up()
        near = None if self.settled else self._moments.near(self.goal)
        if near is not None and (self.tick is None or _closer(near, self.tick, self.goal)):
            self.tick = near  # until the stage has come there

    def step(self, by: int) -> None:
        """Pause, `by` ticks further or back."""
        self.pause()
        self.seek(self.goal + by)

    def advance(self, now: float) -> None:
        """Do what can be done by `now`, without waiting for the stage.  Raises StageError where it fails at once."""
        self.listen()
        if self.playing:
            self._play_on(now)
        self._turned_at = now
        self._drive()

    def listen(self) -> None:
        """Take the requested tick from the stage, if it is there."""
        if self._asked is None or self.problem:
            return
        try:
            if (tick := self._stage.poll()) is not None:
                self._receive(tick)
        except StageError as error:
            self._failed(error)

    def seat(self, agent: AgentID) -> SeatSpec:
        """The spec of that seat."""
        return self._stage.seat(agent)

    def show_types(self, types: Set[str]) -> None:
        """Let ticks have these observations too, from the next one that is simulated."""
        if types - self._stage.obs_types:
            self._stage.obs_types = self._stage.obs_types | types
            self._moments = Moments()  # those of before lack them

    def before(self, index: int, count: int) -> list[Tick]:
        """The remembered ticks right before `index`, without a gap, at most `count`, the oldest first."""
        found: list[Tick] = []
        while len(found) < count and (tick := self._moments.at(index - 1 - len(found))) is not None:
            found.append(tick)
        return found[::-1]

    # Inside

    def _play_on(self, now: float) -> None:
        """Move the goal with the time, once the goal is on show."""
        passed = now - self._turned_at if self._turned_at is not None else 0.0
        wanted = self._rate * self.speed
        self._owed = min(self._owed + passed * wanted, max(1.0, MOST_OWED * wanted))
        ticks = int(self._owed + 1e-9)
        if not self.settled or not ticks:
            return
        self._owed -= ticks
        self.goal = min(self.goal + ticks, self.length)
        self._look_up()
        if self.at_end:
            self.pause()

    def _look_up(self) -> None:
        """Show the goal from memory, where it is there."""
        self.tick = self._moments.at(self.goal) or self.tick

    def _drive(self) -> None:
        """Ask the stage for the next stretch towards the tick that it must reach."""
        target = self._unseen() or self._needed()
        if self._asked is not None or target is None or self.problem:
            return
        state = self._keyframes.before(max(0, target - self.lead))
        anew = self._at is None or self._at > target or (state is not None and self._lacks_lead(target))
        if state is not None and (anew or state.index > (self._at or 0)):
            start, anew = state.index, False
        else:
            start, state = (0 if anew or self._at is None else self._at), None
        end = min(target, start + self._chunk)
        if self.lead and end > target - self.lead:
            end = max(start + min(1, target - start), target - self.lead)
        self._asked = (end, self._clock(), max(1, end - start))
        try:
            if state is not None:
                self._stage.load(state, self.replay.actions[start:end])
            else:
                if anew:
                    self._keyframes.clear()
                    self.passed = 0
                self._stage.replay(self.replay.actions[start:end], anew=anew)
        except StageError as error:
            self._failed(error)

    def _lacks_lead(self, target: int) -> bool:
        """Whether the stage is past the ticks before the goal that observers need, and they are not remembered."""
        first = max(0, target - self.lead)
        return self._at is not None and first < self._at and self._moments.run_end(first) <= self._at

    def _unseen(self) -> int | None:
        """The end, while the stage has nothing else to do than to pass what has no keyframes yet; None otherwise."""
        has_time = self._stage.saves and self.settled and not self.playing
        return self.length if has_time and self.passed < self.length else None

    def _needed(self) -> int | None:
        """The tick that the stage must reach for play to continue; None where it may stay."""
        if not self.settled:
            return self.goal if self._at != self.goal else None
        last = max(self.goal, self._moments.run_end(self.goal) - 1)  # up to there all is remembered
        return None if self._at is not None and self.goal <= self._at <= last else last

    def _receive(self, tick: Tick) -> None:
        assert self._asked is not None
        (expected, since, ticks), self._asked = self._asked, None
        if ticks == self._chunk:
            took = self._clock() - since
            self._chunk = ticks * 2 if took < CHUNK / 2 else ticks // 2 if took > CHUNK * 2 else ticks
            self._chunk = min(max(self._chunk, LEAST_CHUNK), MOST_CHUNK)
        self._at = tick.index
        self.passed = max(self.passed, tick.index)
        self._compare(tick)
        self._moments.keep(tick)
        if not tick.over:
            self._keyframes.pass_by(tick.index, self._chunk)
        if tick.index < expected or (tick.over and tick.index < self.length):
            self._cut(tick.index, "the game ended earlier than in the recording")
        if self.tick is None or tick.index == self.goal or _closer(tick, self.tick, self.goal):
            self.tick = replace(tick, frame=None if tick.frame is None else tick.frame.copy())  # it is drawn over

    def _compare(self, tick: Tick) -> None:
        if tick.index == 0:
            self._by_rewards = not self.replay.is_same(tick)  # some games look different when they are drawn
        elif not self.replay.is_same(tick, by_rewards=self._by_rewards):
            self.differs_at = min(tick.index, self.differs_at or tick.index)

    def _failed(self, error: StageError) -> None:
        """Cut the replay here: a game that differs from the recording may refuse the recorded actions."""
        self._asked = None
        if self.tick is None:
            raise error
        self._cut(self._at or 0, error.message)

    def _cut(self, length: int, problem: str) -> None:
        self.length, self.problem = length, problem
        self.differs_at = length + 1 if self.differs_at is None else self.differs_at
        self.pause()
        self.seek(min(self.goal, length))


def _closer(one: Tick, other: Tick, goal: int) -> bool:
    return abs(one.index - goal) < abs(other.index - goal)


BUDGET = 160 << 20
"""Bytes, packed."""

OVERHEAD = 512
"""Rough bytes of a tick beside its packed ones."""

Packed = tuple[bytes, ...]
"""A pickled tick, then each of its arrays."""


class Moments:
    """Half of the memory holds all of the newest ticks, half a sample of the whole match.

    >>> moments = Moments()
    >>> moments.keep(Tick(3, ()))
    >>> moments.at(3).index, moments.at(4), moments.near(9).index, moments.run_end(3)
    (3, None, 3, 4)
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self._share = budget // 2
        self._newest: OrderedDict[int, Packed] = OrderedDict()
        self._spread: dict[int, Packed] = {}
        self._newest_bytes = self._spread_bytes = 0
        self._run = 0, 0  # the newest answer of `run_end`, and the tick that it was asked about
        self._every = 1  # ticks from one of `_spread` to the next
        self._compress = zstandard.ZstdCompressor(level=-3).compress  # a screen of a game in well under a millisecond
        self._decompress = zstandard.ZstdDecompressor().decompress

    @property
    def bytes(self) -> int:
        """Rough size in memory."""
        return self._newest_bytes + self._spread_bytes

    def keep(self, tick: Tick) -> None:
        """Remember a copy of a tick."""
        if tick.index in self._newest:
            self._newest.move_to_end(tick.index)
            return
        packed = self._packed(tick)
        self._newest[tick.index] = packed
        self._newest_bytes += _size(packed)
        while self._newest_bytes > self._share and len(self._newest) > 1:
            self._newest_bytes -= _size(self._newest.popitem(last=False)[1])
        if tick.index % self._every == 0 and tick.index not in self._spread:
            self._spread[tick.index] = packed
            self._spread_bytes += _size(packed)
            self._thin()

    def at(self, index: int) -> Tick | None:
        """That tick, None where it is not remembered."""
        if not (found := self._newest.get(index) or self._spread.get(index)):
            return None
        head, *arrays = map(self._decompress, found)
        tick: Tick = pickle.loads(head, buffers=arrays)  # noqa: S301  (our own memory)
        return tick

    def near(self, index: int) -> Tick | None:
        """The tick closest to that one, None where nothing is remembered."""
        known = self._newest.keys() | self._spread.keys()
        return self.at(min(known, key=lambda one: (abs(one - index), one))) if known else None

    def run_end(self, index: int) -> int:
        """The first tick from `index` on that is not remembered."""
        is_known = index in self._newest or index in self._spread
        start, end = self._run if is_known and self._run[0] <= index < self._run[1] else (index, index)
        while end in self._newest or end in self._spread:
            end += 1
        self._run = start, end
        return end

    def _thin(self) -> None:
        while self._spread_bytes > self._share and len(self._spread) > 1:
            self._every *= 2
            for index in [index for index in self._spread if index % self._every]:
                self._spread_bytes -= _size(self._spread.pop(index))

    def _packed(self, tick: Tick) -> Packed:
        arrays: list[pickle.PickleBuffer] = []
        head = pickle.dumps(tick, pickle.HIGHEST_PROTOCOL, buffer_callback=arrays.append)
        parts: list[bytes | memoryview] = [head, *(array.raw() for array in arrays)]
        # Copied: the result lies in a block as large as the worst case, whose rest the heap can hardly use again.
        return tuple(bytes(memoryview(self._compress(part))) for part in parts)


def _size(packed: Packed) -> int:
    return OVERHEAD + sum(map(len, packed))
