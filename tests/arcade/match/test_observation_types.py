"""Players that decide from other observations than the env's own, in envs that are stepped together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest

from agents.seats.kinds import parse_seat
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.batch.in_process import LocalMatches
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.opponents import Opponents
from arcade.match.batch.plan import Fixture, MatchPlan
from arcade.match.batch.vectorised import VectorisedMatches
from arcade.match.stage.rules import StageRules
from tests.support.counting_games import counting_spec

reads: list[str] = []


def read_clock(env: Any) -> Mapping[Any, Any]:
    """The tick, which the env's own observation of this test never says."""
    reads.append("clock")
    return {agent: (agent, env.unwrapped._tick) for agent in ("ann", "bob")}


class Follower:
    """Plays by the clock of its own seat."""

    obs_type: ClassVar[str] = "clock"

    def __init__(self, seat: Any, rng: np.random.Generator) -> None:
        self._agent = seat.agent

    def __call__(self, observation: Any, mask: Any) -> int:
        agent, tick = observation
        assert agent == self._agent
        return int(tick) // 3 % 4


def clock_spec() -> GameSpec:
    return replace(
        counting_spec(), scripted=f"{__name__}:Follower", obs_types={"clock": f"{__name__}:read_clock"},
        scripted_obs_type="clock",
    )  # fmt: skip


def plan_of(spec: GameSpec, *words: str, **more: Any) -> MatchPlan:
    return MatchPlan(spec=spec, players=tuple(map(parse_seat, words)), vectorise=True, **more)


def fixtures(*lineups: tuple[int, ...]) -> list[Fixture]:
    return [Fixture(number=n, seed=5 + n, players=players) for n, players in enumerate(lineups)]


@pytest.mark.parametrize(
    ("game", "ticks"), [("test/counting", None), ("openspiel/kuhn_poker", None), ("atari/pong_v3", 80)]
)
def test_they_play_the_same_matches_together_as_one_by_one(game: str, ticks: int | None) -> None:
    spec = clock_spec() if game == "test/counting" else find_game(game)
    assert spec.scripted_obs_type
    plan = plan_of(spec, "scripted", "random", max_ticks=ticks)
    lineups = fixtures((0, 1), (1, 0), (0, 0))
    together = VectorisedMatches(plan, lineups)
    results = {one.fixture.number: one.result for more in together.play() for one in more}
    assert (together.left, together.error) == ([], None)
    with LocalMatches(plan) as alone:
        for fixture in lineups:
            one, other = results[fixture.number], alone.play(fixture).result
            assert one is not None
            assert other is not None
            assert (one.actions, one.returns, one.ticks) == (other.actions, other.returns, other.ticks)


def test_nothing_is_read_for_players_by_the_envs_own_observations() -> None:
    for players, count in (((1, 1), 0), ((0, 1), 40)):
        reads.clear()
        matches = VectorisedMatches(plan_of(clock_spec(), "scripted", "random"), fixtures(players))
        assert sum(map(len, matches.play())) == 1
        assert len(reads) == count


@pytest.mark.parametrize("word", ["scripted", "scripted?noise=0.0000001"])
def test_they_are_opponents_in_training(word: str) -> None:
    spec, seats = clock_spec(), np.arange(4)
    with make_vector_env(spec, 2, rules=StageRules(frame_skip=2)) as env:
        opponents = Opponents(spec, env.places, games=2, show=env.shown)
        opponents.begin(seats, seats)
        env.reset(np.arange(2), np.arange(2))
        (group,), numbers = env.groups, np.full(4, opponents.number(word))
        played = []
        for _ in range(6):
            actions = opponents.act(numbers, seats, group.observations.reshape(4, -1), None)
            played.append(actions.tolist())
            env.step([actions.reshape(2, 2)])
        assert opponents.dropped == {}
        assert played == [[tick // 3 % 4] * 4 for tick in range(0, 12, 2)]
        blind = Opponents(spec, env.places, games=2)
        blind.act(np.full(4, blind.number(word)), seats, group.observations.reshape(4, -1), None)
        assert "'clock'" in blind.dropped[word]
