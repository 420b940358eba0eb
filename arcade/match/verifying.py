"""Verifying: whether a replay comes out the same when it is played again."""

from __future__ import annotations

from dataclasses import dataclass

from arcade.match.digest import tick_digest
from arcade.match.local import LocalStage
from arcade.match.replay import Replay


@dataclass(frozen=True)
class Verdict:
    """What re-simulating a replay showed."""

    ticks: int  # compared, the reset not counted
    differs_at: int | None  # the first tick whose rewards or observations differ, None where all agree
    problem: str = ""  # why it could not be re-simulated to its end

    @property
    def ok(self) -> bool:
        return self.differs_at is None and not self.problem


def verify(replay: Replay) -> Verdict:
    """Re-simulate headless and compare the digest of every tick.

    Some games let their seats see the screen itself, whose colours are others where the env is made to be drawn: what
    differs from the start on is tried as a window plays it too.
    """
    verdict = _compare(replay, drawable=False)
    return _compare(replay, drawable=True) if verdict.differs_at == 0 else verdict


def _compare(replay: Replay, *, drawable: bool) -> Verdict:
    with LocalStage(replay.spec(), drawable=drawable) as stage:
        stage.reset(replay.seed)
        for index, digest in enumerate(replay.digests):
            if index:
                stage.step(replay.actions[index - 1])
            tick = stage.wait()
            if tick_digest(tick) != digest:
                return Verdict(index, index)
            if tick.over and index + 1 < len(replay.digests):
                return Verdict(index, index + 1, "the game ended earlier than in the recording")
    return Verdict(len(replay.digests) - 1, None, replay.damage)
