"""Each game's declared score is its own: what its picture, its rules or its world say."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from agents.seats.controller import Action, AgentID
from arcade import language
from arcade.games import GameSpec, find_game, games
from arcade.games.catalogue import missing
from arcade.games.scores.score import RETURNS
from arcade.match.play.result import placements
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.tick import Tick

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

KNOWN = [spec for spec in games() if not missing(spec)]
MADE = [*KNOWN, *(spec.for_people() for spec in KNOWN if spec.for_people() is not spec)]
"""As in training, and as people play."""


class RandomHands:
    """Holds each action for a few ticks, as people do."""

    def __init__(self, stage: LocalStage, seed: int) -> None:
        self._stage, self._rng = stage, np.random.default_rng(seed)
        self._held: dict[AgentID, Action] = {}

    def act(self, tick: Tick) -> dict[AgentID, Action]:
        return {agent: self._choose(agent, tick.action_masks.get(agent)) for agent in tick.acting}

    def _choose(self, agent: AgentID, mask: Any) -> Action:
        if mask is not None:
            return int(self._rng.choice(np.flatnonzero(mask)))
        if agent not in self._held or self._rng.random() < 0.15:
            space = self._stage.spaces[agent][1]
            whole = hasattr(space, "n")
            self._held[agent] = int(self._rng.integers(space.n)) if whole else self._uniform(space)
        return self._held[agent]

    def _uniform(self, space: Any) -> Any:
        return self._rng.uniform(space.low, space.high).astype(space.dtype)


def play(spec: GameSpec, ticks: int, *, seed: int = 1, each: Callable[[Tick, Any], None] | None = None) -> list[Tick]:
    """Play at random; `each` sees every tick with the env."""
    with LocalStage(spec) as stage:
        hands, played = RandomHands(stage, seed), []
        stage.reset(seed)
        while True:
            played.append(stage.wait())
            if each is not None:
                each(played[-1], stage._env.unwrapped)
            if played[-1].over or len(played) > ticks:
                return played
            stage.step(hands.act(played[-1]))


@pytest.mark.parametrize("spec", MADE, ids=lambda spec: "-".join([spec.id, *spec.kwargs]))
def test_every_game_says_what_it_counts_and_reads_it_at_every_tick(spec: GameSpec) -> None:
    ticks = play(spec, 40)
    if spec.score.source is None:
        assert not spec.score.counts, "returns are for games that are not known"
        assert all(tick.score == () for tick in ticks)
        return
    assert "{}" in spec.score.one
    assert "{}" in spec.score.many
    for tick in ticks:
        assert len(tick.score) == len(spec.teams)
        assert all(value is None or np.isfinite(value) for value in tick.score)


DUELS = {
    "pong": (480, "first_0"), "basketball_pong": (1000, "first_0"), "foozpong": (1000, "first_0"),
    "quadrapong": (1000, "first_0"), "volleyball_pong": (1000, "first_0"), "boxing": (1500, "first_0"),
    "combat_plane": (1500, "first_0"), "combat_tank": (1900, "first_0"), "ice_hockey": (2300, "first_0"),
    "space_war": (1000, "first_0"), "surround": (1000, "first_0"), "entombed_competitive": (1000, "first_0"),
}  # fmt: skip
"""Atari games whose emulator pays the difference of the two scores, and ticks within which one scores."""


@pytest.mark.parametrize("name", DUELS)
def test_what_an_atari_game_shows_is_what_the_emulator_counts(name: str) -> None:
    spec, (ticks, first) = find_game(f"atari/{name}"), DUELS[name]
    played = play(spec, ticks)
    start, end = played[0].score, played[-1].score
    assert end != start, "one side scored"
    paid = sum(tick.rewards.get(first, 0) for tick in played)
    assert paid == (end[0] - end[1]) - (start[0] - start[1])


@pytest.mark.parametrize("name", ["joust", "space_invaders", "wizard_of_wor"])
def test_each_player_of_an_atari_game_has_points_of_their_own(name: str) -> None:
    spec = find_game(f"atari/{name}")
    played = play(spec, 2400)
    paid = {agent: sum(tick.rewards.get(agent, 0) for tick in played) for agent in spec.agents}
    assert played[-1].score == tuple(paid.values())
    assert sum(played[-1].score) > 0


def test_stalling_at_pong_costs_reward_but_no_points() -> None:
    """The first side wins a point and then serves no ball, which the emulator punishes every other second."""
    spec = find_game("atari/pong")
    with LocalStage(spec) as stage:
        stage.reset(1)
        tick, paid = stage.wait(), dict.fromkeys(spec.agents, 0.0)
        for _ in range(600):
            stage.step(dict.fromkeys(tick.acting, 0))
            tick = stage.wait()
            paid = {agent: before + tick.rewards.get(agent, 0) for agent, before in paid.items()}
    assert tick.score == (1, 0)
    assert paid["first_0"] < paid["second_0"]
    assert placements(spec, paid, tick.score) == {"first_0": 1, "second_0": 2}


def test_flag_capture_counts_the_first_players_flags_as_its_picture_does() -> None:
    """Multi-Agent-ALE pays the first player for another byte, which is 5 where the picture shows 0."""
    digits: dict[float, set[bytes]] = {}
    with LocalStage(find_game("atari/flag_capture"), drawable=True) as stage:
        for seed in range(4):
            hands = RandomHands(stage, seed)
            stage.reset(seed)
            tick = stage.wait()
            while tick.index < 6000:
                stage.step(hands.act(tick))
                tick = stage.wait()
                if tick.index % 100 == 0:
                    digits.setdefault(tick.score[0], set()).add(stage.look().frame[4:18, 28:48].tobytes())
    assert len(digits) > 1, "a flag was found"
    assert not set.intersection(*digits.values())


def test_volley_counts_the_points_of_the_court() -> None:
    seen: list[tuple[int, ...]] = []
    played = play(find_game("volley"), 900, each=lambda tick, env: seen.append(tuple(env._batch.scores[:, 0].tolist())))
    assert sum(played[-1].score) > 1
    assert [tick.score for tick in played] == seen


def test_catches_begin_with_a_touch_and_are_not_counted_again_while_it_lasts() -> None:
    """The runner stands still, and all three chase it: they are paid at every tick, and the count stays."""
    spec = find_game("simple_tag").for_people()
    touches: list[bool] = []
    with LocalStage(spec) as stage:
        stage.reset(3)
        tick = stage.wait()
        while not tick.over:
            stage.step({agent: chase(stage._env.unwrapped.world, agent) for agent in tick.acting})
            tick = stage.wait()
            touches.append(tick.rewards["adversary_0"] > 0)
    begun = sum(now and not before for before, now in pairwise([False, *touches]))
    assert tick.score == (begun, None)
    assert 1 <= begun < sum(touches)


def chase(world: Any, agent: str) -> int:
    """Walk towards the runner: the moves of MPE are nothing, left, right, down, up."""
    own, runner = next(one for one in world.agents if one.name == agent), world.agents[-1]
    if own is runner:
        return 0
    x, y = runner.state.p_pos - own.state.p_pos
    return (2 if x > 0 else 1) if abs(x) > abs(y) else (4 if y > 0 else 3)


def test_pursuit_counts_the_evaders_that_are_gone() -> None:
    def compare(tick: Tick, env: Any) -> None:
        assert tick.score == (30 - env.env.evader_layer.n_agents(),)

    played = play(find_game("pursuit"), 300, each=compare)
    assert played[-1].score[0] > 0


def test_cooperative_pong_counts_the_hits_of_the_ball() -> None:
    """The ball changes its way left or right only at a paddle."""
    spec = find_game("cooperative_pong").for_people()
    with LocalStage(spec) as stage:
        stage.reset(2)
        tick = stage.wait()
        ways: list[bool] = []
        while not tick.over and tick.index < 300:
            env = stage._env.unwrapped.env
            ways.append(env.ball._speed[0] > 0)
            stage.step({agent: follow(env, agent) for agent in tick.acting})
            tick = stage.wait()
    turns = sum(one != two for one, two in pairwise(ways))
    assert turns > 0
    assert tick.score[0] - turns in (0, 1)


def follow(env: Any, agent: str) -> int:
    paddle = env.p0 if agent == "paddle_0" else env.p1
    return 1 if env.ball._rect.centery < paddle.rects[0].centery else 2


def test_zombies_that_fall_are_counted_once() -> None:
    spec, fire = find_game("knights_archers_zombies"), 4
    with LocalStage(spec) as stage:
        for seed in range(9):
            stage.reset(seed)
            tick, counts, paid = stage.wait(), [0.0], 0.0
            while not tick.over:
                stage.step(dict.fromkeys(tick.acting, fire))
                tick = stage.wait()
                counts.append(tick.score[0])
                paid += sum(tick.rewards.values())
            assert counts == sorted(counts)
            assert paid <= counts[-1] <= paid + len(spec.agents), "kills of the last round are not paid"
            if paid > 1:
                return
    pytest.fail("no zombies fell")


def test_a_hosted_game_has_the_same_score_and_a_rewound_one_its_earlier_score() -> None:
    spec = find_game("volley")
    with LocalStage(spec) as local, HostedStage(spec, render=False) as hosted:
        hands, moves, scores = RandomHands(local, 1), [], []
        hosted.wait_ready()
        for stage in (local, hosted):
            stage.reset(1)
        tick = local.wait()
        assert hosted.wait().score == tick.score
        while sum(tick.score) < 2:
            scores.append(tick.score)
            moves.append(hands.act(tick))
            for stage in (local, hosted):
                stage.step(moves[-1])
            tick = local.wait()
            assert hosted.wait().score == tick.score
        back = next(index for index, score in enumerate(scores) if sum(score) == 1)
        hosted.replay(moves[:back], anew=True)
        assert hosted.wait().score == scores[back]


def test_scores_are_read_anew_in_each_episode() -> None:
    spec = find_game("rps")
    with LocalStage(spec) as stage:
        for seed in (1, 2):
            hands = RandomHands(stage, seed)
            stage.reset(seed)
            tick = stage.wait()
            assert tick.score == (0, 0)
            while not tick.over:
                stage.step(hands.act(tick))
                tick = stage.wait()
            assert sum(tick.score) > 0


@pytest.mark.parametrize(("name", "half"), [("en", "−2.5"), ("de", "−2,5")])
def test_a_score_has_a_minus_sign_and_no_empty_decimals_in_each_language(name: str, half: str) -> None:
    language.use(name)
    try:
        assert [RETURNS.number(value) for value in (-2.5, -4.0, 0.0, 1234.0)] == [half, "−4", "0", "1234"]
    finally:
        language.use("en")
