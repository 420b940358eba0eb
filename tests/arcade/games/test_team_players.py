"""The scripted players of particle games, Pursuit and Multiwalker: better than random moves in every role."""

from __future__ import annotations

import numpy as np
import pytest

from agents.policies.random import RandomController
from agents.seats.controller import Controller, SeatChoice
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.games.players.mpe.chase import WorldPlayer
from arcade.match.play.lineup import make_controller
from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import Stage

GAMES = (
    "mpe/collect_treasure_v1", "mpe/simple_crypto_v3", "mpe/simple_tag_v3", "mpe/simple_world_comm_v3",
    "sisl/multiwalker_v9", "sisl/pursuit_v5",
)  # fmt: skip


def seat(stage: Stage, agent: object, level: str) -> Controller:
    if level == "random":
        return RandomController()
    choice = SeatChoice("level", level)
    return make_controller(choice, stage.seat(agent), spec=stage.spec, store=SnapshotStore("unused"))


def team_return(stage: Stage, team: int, level: str, *, seeds: range, ticks: int) -> float:
    """The mean return of a team at that level, all others at random."""
    total = 0.0
    for seed in seeds:
        own = stage.spec.teams[team]
        mapping = {agent: seat(stage, agent, level if agent in own else "random") for agent in stage.spec.agents}
        result = Match(stage, mapping, seed=seed, max_ticks=ticks).run()
        assert not result.error
        total += sum(result.returns[str(agent)] for agent in own)
    return total / len(seeds)


@pytest.mark.parametrize("game", GAMES)
def test_experts_score_more_than_random_moves(game: str) -> None:
    seeds, ticks = (range(8), 60) if game.startswith("mpe") else (range(2), 150)
    with LocalStage(find_game(game)) as stage:
        for team in range(len(stage.spec.teams)):
            expert, random = (
                team_return(stage, team, level, seeds=seeds, ticks=ticks) for level in ("expert", "random")
            )
            assert expert > random, stage.spec.teams[team]


def test_walkers_carry_the_package_to_the_end_and_higher_levels_further() -> None:
    returns = {}
    with LocalStage(find_game("sisl/multiwalker_v9")) as stage:
        for level in ("easy", "hard"):
            returns[level] = team_return(stage, 0, level, seeds=range(1), ticks=500) / len(stage.spec.agents)
    assert 0 < returns["easy"] < returns["hard"]  # a fall costs a hundred


def test_the_leader_says_where_a_runner_hides_and_chasers_go_there() -> None:
    spec = find_game("mpe/simple_world_comm_v3")
    with LocalStage(spec) as stage:
        leader, chaser = (
            WorldPlayer(stage.seat(agent), np.random.default_rng(0)) for agent in ("leadadversary_0", "adversary_0")
        )
    seen = np.zeros(34, np.float32)
    seen[4:14] = (0, 3, 0, 3, 0, 3, 0.5, 0.5, -0.5, -0.5)  # rock, food, food, forests
    hidden = seen.copy()
    seen[20:22] = (0.6, 0.6)  # a runner, whom the leader sees
    assert leader(seen, None) // 5 == 3
    hidden[30 + 3] = 1
    assert chaser(hidden, None) in (2, 4)  # right or up, to the forest there
