"""Controllers and a clock that a test turns by hand."""

from __future__ import annotations

from agents.seats.controller import Action, Controller, Turn
from arcade.match.play.match import Match

RATE = 50.0


class Puppet(Controller):
    """Answers what the test puts into `answer`, `late` into `stale`."""

    label = "puppet"

    def __init__(self, answer: Action | None = None) -> None:
        self.answer = answer
        self.late: Action | None = None
        self.turns: list[Turn] = []
        self.finished: list[tuple[float, bool]] = []

    def observe(self, turn: Turn) -> None:
        self.turns.append(turn)

    def act(self) -> Action | None:
        return self.answer

    def stale(self) -> Action | None:
        return self.late

    def finish(self, reward: float, *, terminated: bool) -> None:
        self.finished.append((reward, terminated))


class Clock:
    """Seconds, turned by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def turn(match: Match, clock: Clock, ticks: float) -> None:
    """Let the clock run on by `ticks` tick lengths, looked at four times a tick as a window would."""
    for _ in range(round(ticks * 4)):
        clock.now += 0.25 / RATE
        match.advance(clock.now)
