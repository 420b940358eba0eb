"""A game slower than its own rate slows down evenly, and makes up for nothing after a stall."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage
from arcade.match.stage.tick import Tick
from arcade.session.match.pace import Running
from tests.support.counting_games import counting_spec
from tests.support.puppets import Clock, Puppet

FRAME = 1 / 60


class SlowStage(LocalStage):
    """A game whose ticks take their time, as one in a child may."""

    draws = True
    takes = 0.0
    clock: Clock
    _begun = 0.0

    def step(self, actions) -> None:
        self._begun = self.clock.now
        super().step(actions)

    def poll(self, timeout: float = 0.0) -> Tick | None:
        return super().poll(timeout) if self.clock.now >= self._begun + self.takes else None


def test_ticks_of_a_slow_game_come_at_even_distances_also_after_a_stall() -> None:
    clock = Clock()
    with SlowStage(replace(counting_spec(), fps=60)) as stage:
        stage.clock, stage.takes = clock, 0.025
        match = Match(stage, {"ann": Puppet(1), "bob": Puppet(1)}, seed=5, rate=60, clock=clock)
        match.start()
        running = Running(match, stage, clock=clock)
        ticks: list[int] = []
        for frame in range(40):
            if frame == 20:
                clock.now += 3.0  # the machine was busy
            running.frame(clock.now)
            ticks.append(match.tick.index if match.tick is not None else 0)
            for _ in range(4):
                clock.now += FRAME / 4
                running.rest(clock.now)
    steps = [after - before for before, after in pairwise(ticks[4:])]
    assert set(steps) <= {0, 1}, "never two ticks in one frame"
    pairs = [first + second for first, second in pairwise(steps)]
    assert set(pairs) <= {1}, "a tick every other frame, the whole time"
