"""What an env gave, written down as it was played, to compare episodes with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.policies.random import RandomController
from agents.seats.controller import Turn
from arcade.recordings.datasets.episodes import SeatEpisode


class Diary(RandomController):
    """Plays by chance, and keeps what it was told and what it answered."""

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[tuple[int, Any, Any]] = []
        self.answers: dict[int, Any] = {}
        self.paid: list[float] = []
        self.terminated = False

    def observe(self, turn: Turn) -> None:
        super().observe(turn)
        mask = None if turn.action_mask is None else np.array(turn.action_mask)
        self.turns.append((turn.tick, np.array(turn.observation), mask))
        self.paid.append(turn.reward)

    def act(self) -> Any:
        self.answers[self.turns[-1][0]] = answer = super().act()
        return answer

    def finish(self, reward: float, *, terminated: bool) -> None:
        self.paid.append(reward)
        self.terminated = terminated


def check(episode: SeatEpisode, diary: Diary) -> None:
    rows = len(episode)
    turns = diary.turns[:rows]
    assert rows == len(diary.answers)
    assert list(episode.ticks) == [tick for tick, _, _ in turns]
    assert len(episode.observations) == rows + 1
    for seen, (_, shown, _) in zip(episode.observations, turns, strict=False):
        np.testing.assert_array_equal(seen, shown)
        assert seen.dtype == shown.dtype
    assert list(episode.actions) == [diary.answers[tick] for tick, _, _ in turns]
    assert list(episode.rewards) == pytest.approx(diary.paid[1 : rows + 1])
    assert (episode.terminated, episode.truncated) == (diary.terminated, not diary.terminated)
    if episode.action_masks is None:
        assert all(mask is None for _, _, mask in turns)
    else:
        assert [list(mask) for mask in episode.action_masks[:-1]] == [list(mask) for _, _, mask in turns]
    assert not episode.human.any()
    assert (episode.times >= 0).all()
    assert set(episode.labels) == {"random"}
