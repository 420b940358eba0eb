"""Sticky actions and frame skip: what is really done, on every stage, in the result and in the recording."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.policies.random import IdleController, RandomController
from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.rules import RulesError, StageRules
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import tick_digest
from tests.support.counting_games import LENGTH, MaskedEnv, counting_spec

STICKY = StageRules(sticky_actions=0.25)
SKIP = StageRules(frame_skip=4)
BOTH = StageRules(sticky_actions=0.25, frame_skip=4)


def played(stage: Stage, seed: int) -> list[tuple[int, int, dict[Any, Any], int]]:
    """Ann sends 1, 2, 3, 1, … : what was sent, what the game got, what the tick told of it, and its digest."""
    stage.reset(seed)
    stage.wait()
    rows, tick = [], None
    while tick is None or not tick.over:
        sent = 1 + len(rows) % 3
        stage.step({"ann": sent, "bob": 0})
        tick = stage.wait()
        rows.append((sent, int(tick.observations["ann"][1]), dict(tick.executed), tick_digest(tick)))
    return rows


def test_a_sticky_seat_does_again_what_it_did_last_and_says_so() -> None:
    share = []
    with LocalStage(counting_spec(), rules=STICKY) as stage:
        for seed in range(40):
            rows = played(stage, seed)
            assert rows == played(stage, seed)
            assert rows[0][:3] == (1, 1, {})  # there is nothing to do again yet
            for (_, before, *_), (sent, done, told, _) in pairwise(rows):
                assert done in (sent, before)
                assert told == ({"ann": done} if done != sent else {})
                share.append(done != sent)
    assert np.mean(share) == pytest.approx(0.25, abs=0.04)


def test_with_frame_skip_each_decision_is_held() -> None:
    with LocalStage(counting_spec(), rules=SKIP) as stage:
        done = [row[1] for row in played(stage, 1)]
    assert done == [1 + tick // 4 * 4 % 3 for tick in range(LENGTH)]


def test_rules_may_change_between_episodes_and_end_with_them() -> None:
    with LocalStage(counting_spec()) as stage:
        plain = played(stage, 3)
        stage.rules = BOTH
        ruled = played(stage, 3)
        stage.rules = StageRules()
        assert ruled != plain == played(stage, 3)


def test_a_stage_in_a_child_plays_by_the_same_rules() -> None:
    with LocalStage(counting_spec()) as local, HostedStage(counting_spec(), render=False, rules=BOTH) as hosted:
        local.rules = BOTH
        hosted.wait_ready()
        assert played(local, 5) == played(hosted, 5)


def test_going_back_comes_to_the_same_dice() -> None:
    with LocalStage(counting_spec(), render=True, rules=BOTH) as stage:
        rows = played(stage, 9)
        stage.replay([{"ann": row[0], "bob": 0} for row in rows[:20]], anew=True)
        assert tick_digest(stage.wait()) == rows[19][3]
        stage.step({"ann": rows[20][0], "bob": 0})
        assert tick_digest(stage.wait()) == rows[20][3]


class Asked(RandomController):
    """Counts what it is asked."""

    ticks: list[int]

    def observe(self, turn: Any) -> None:
        self.ticks.append(turn.tick)
        self.rewards.append(turn.reward)
        super().observe(turn)

    def reset(self, seat: Any, *, seed: int) -> None:
        self.ticks, self.rewards = [], []
        super().reset(seat, seed=seed)


def test_a_match_with_frame_skip_asks_at_decisions_only_and_sums_what_they_earned() -> None:
    with LocalStage(counting_spec(), rules=SKIP) as stage:
        ann = Asked()
        result = Match(stage, {"ann": ann, "bob": IdleController()}, seed=1).run()
    assert ann.ticks == list(range(0, LENGTH, 4))
    assert [reward % 4 for reward in ann.rewards] == [0] * (LENGTH // 4)
    assert sum(ann.rewards) > 0
    assert not any(result.late.values())


@pytest.mark.parametrize("game", ["house/volley", "atari/pong_v3"])
def test_a_replay_holds_what_was_done_and_what_was_sent_and_verifies(tmp_path: Path, game: str) -> None:
    with LocalStage(find_game(game), rules=BOTH) as stage:
        writer = ReplayWriter(tmp_path / "a.replay")
        mapping = {agent: RandomController() for agent in stage.agents}
        result = Match(stage, dict(mapping), seed=2, max_ticks=80, recorders=[writer]).run()
        writer.close()
    assert result.settings["rules"] == {"sticky_actions": 0.25, "frame_skip": 4}
    assert not result.rated
    replay = read_replay(writer.path)
    assert replay.head["settings"]["rules"] == result.settings["rules"]
    assert verify(replay).ok
    assert replay.sent
    for index, sent in replay.sent.items():
        assert all(replay.actions[index - 1][agent] != action for agent, action in sent.items())
    held = [replay.actions[at] == replay.actions[at - 1] for at in range(1, 80) if at % 4]
    assert all(held)


class NarrowEnv(MaskedEnv):
    """At each tick another action is the only legal one."""

    def _masks(self) -> dict[str, Any]:
        return {agent: {"action_mask": np.eye(4, dtype=np.int8)[self._tick % 4]} for agent in ("ann", "bob")}


def narrow_env(**kwargs: Any) -> NarrowEnv:
    return NarrowEnv(**kwargs)


def test_an_action_that_has_become_illegal_is_not_done_again() -> None:
    spec = replace(counting_spec(), entry="tests.arcade.match.test_rules:narrow_env")
    with LocalStage(spec, rules=StageRules(sticky_actions=0.9, frame_skip=2)) as stage:
        result = Match(stage, {"ann": RandomController(), "bob": IdleController()}, seed=1).run()
    assert result.returns["ann"] == sum(1 + tick % 4 for tick in range(LENGTH))


def test_a_game_of_turns_takes_no_such_rules() -> None:
    spec = find_game("classic/tictactoe_v3")
    with LocalStage(spec, rules=STICKY) as stage, pytest.raises(RulesError, match=r"sticky actions 0\.25.*waits"):
        Match(stage, dict.fromkeys(stage.agents, IdleController()), seed=1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong", [{"sticky_actions": 1.0}, {"sticky_actions": -0.1}, {"frame_skip": 0}, {"frame_skip": 17}]
)
def test_rules_that_are_none_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match="expected"):
        StageRules(**wrong)
