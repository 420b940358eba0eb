"""AlphaZero: its models of games, its searches, and that it learns to play from searched self-play."""

from __future__ import annotations

import numpy as np
import pytest

import arcade
import trainer
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from tests.support.runs import make_run
from trainer.config import ConfigError
from trainer.config.reading import make_config
from trainer.runs.checks import check_game
from trainer.sampling.board_models import EngineModel, RunningGames, StageModel
from trainer.sampling.tree_search import GumbelSearch, PuctSearch, considered_visits

FOUR = find_game("classic/connect_four_v3")
# The side to move wins in column 3 (first player); it loses at once unless it plays there (second player).
THREATS = {"wins": [3, 0, 3, 0, 3, 1], "defends": [3, 0, 3, 0, 3]}
SEARCHES = {
    "gumbel": lambda model, evaluate, rng: GumbelSearch(model, evaluate, simulations=300, considered=7, rng=rng),
    "puct": lambda model, evaluate, rng: PuctSearch(
        model, evaluate, simulations=128, rng=rng, alpha=0.5, noise=0.25, temperature_moves=0
    ),
}


def know_nothing(observations, masks):
    return np.zeros(masks.shape, np.float32), np.zeros(len(masks), np.float32)


def positions_after(lines):
    """Running games of connect four, in each of which these moves were played."""
    games = RunningGames(FOUR, len(lines))
    for turn in range(max(map(len, lines))):
        envs = np.array([env for env, line in enumerate(lines) if turn < len(line)])
        games.follow(envs, np.array([lines[env][turn] for env in envs]))
    return games


def test_the_vectorised_model_plays_as_the_env_does():
    rng = np.random.default_rng(0)
    models = [EngineModel(FOUR), StageModel(FOUR)]
    boards = [model.start() for model in models]
    ends = 0
    for _ in range(120):
        for field in ("side", "observations", "masks", "over", "results"):
            one, other = (getattr(board, field) for board in boards)
            if field in ("side", "observations", "masks"):
                one, other = one[~boards[0].over], other[~boards[0].over]
            np.testing.assert_array_equal(one, other, err_msg=field)
        if boards[0].over[0]:
            ends += 1
            boards = [model.start() for model in models]
        action = np.array([rng.choice(np.flatnonzero(boards[0].masks[0]))])
        boards = [model.play(board.states, action) for model, board in zip(models, boards, strict=True)]
    assert ends >= 3


@pytest.mark.parametrize("kind", SEARCHES)
def test_a_search_takes_what_wins_and_stops_what_loses(kind):
    games = positions_after(list(THREATS.values()))
    search = SEARCHES[kind](games.model, know_nothing, np.random.default_rng(0))
    found = search.search(games.boards.take(np.arange(2)), games.turns)
    assert found.actions.tolist() == [3, 3]
    assert found.values[0] > 0.3
    assert found.policy.sum(axis=1) == pytest.approx(1.0)
    assert found.policy.argmax(axis=1).tolist() == [3, 3]


def test_many_trees_grow_as_each_would_alone():
    """Without noise at the root a tree does not depend on those beside it."""
    games = positions_after([[3, 3], [0], [3, 0, 3, 0, 3, 1], [6, 5, 4]])

    def biased(observations, masks):
        weight = np.linspace(-1, 1, observations[0].size)
        values = np.tanh(observations.reshape(len(observations), -1) @ weight)
        return np.arange(7)[None] * values[:, None], values

    def visits(envs):
        search = PuctSearch(
            games.model, biased, simulations=50, rng=np.random.default_rng(0), alpha=1.0, noise=0.0, temperature_moves=0
        )
        return search.search(games.boards.take(envs), games.turns[envs]).visits

    together = visits(np.arange(4))
    assert (together.sum(axis=1) == 50).all()
    for env in range(4):
        np.testing.assert_array_equal(visits(np.array([env]))[0], together[env])


def test_simulations_are_shared_by_sequential_halving():
    assert considered_visits(4, 8) == (0, 0, 0, 0, 1, 1, 2, 2)
    assert considered_visits(1, 3) == (0, 1, 2)
    assert considered_visits(2, 6) == (0, 0, 1, 1, 2, 2)
    assert len(considered_visits(16, 32)) == 32


@pytest.mark.parametrize("seed", range(5))
def test_the_gumbel_policy_is_no_worse_than_the_one_searched_with(seed):
    """Where the values are true, by all of them: the promise of the paper, for any number of simulations."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 2, 7).astype(np.float32)
    games = positions_after([THREATS["wins"]])

    def evaluate(observations, masks):
        return np.repeat(logits[None], len(masks), 0), np.zeros(len(masks), np.float32)

    search = GumbelSearch(games.model, evaluate, simulations=8, considered=7, rng=rng)
    found = search.search(games.boards.take(np.arange(1)), games.turns)
    before = np.exp(logits - logits.max())
    assert found.policy[0, 3] >= before[3] / before.sum() - 1e-6  # column 3 alone wins


def test_the_searched_positions_follow_the_games_of_the_runner(tmp_path, ray_cluster):
    settings = {
        "algorithm": "AlphaZero", "training": {"batch": 64, "minibatch": 32, "simulations": 2, "updates": 1},
        "resources": {"games": 4}, "network": {"hidden": [8]}, "evaluation": {"steps": 0},
        "opponents": {"play_against_latest_model_ratio": 0.0, "fixed": ["random"], "fixed_ratio": 1.0},
        "freeze": {"placement_games": 0},
    }  # fmt: skip
    runner = make_run(FOUR.id, settings, tmp_path).runner
    runner._begin_once()
    for tick in range(60):
        runner._advance()
        if tick % 10 == 0:
            runner.seats[0].pop_rows()
        env, seat = np.nonzero(runner.batch.acting)
        assert len(env) == 4
        seen = runner.batch.groups[0].observations[env, seat]
        np.testing.assert_array_equal(runner.searched.boards.observations[env], seen)
        np.testing.assert_array_equal(runner.searched.boards.masks[env], runner.batch.groups[0].masks[env, seat])


@pytest.mark.parametrize(
    ("game", "settings", "message"),
    [
        ("house/volley", {}, "algorithm: expected for AlphaZero a board game"),
        ("classic/leduc_holdem_v4", {}, "algorithm: expected for AlphaZero a board game"),
        (FOUR.id, {"policies": {"kind": "independent"}}, "policies.kind: expected one policy for every seat"),
        (FOUR.id, {"wrappers": {"reward_scale": 2}}, "wrappers.reward_scale: expected 1 for AlphaZero, got: 2"),
        (FOUR.id, {"wrappers": {"stack": 2}}, "wrappers.stack: expected 1 for AlphaZero, got: 2"),
        (FOUR.id, {"network": {"lstm": 8}}, "network.lstm: expected 0 with AlphaZero, got: 8"),
    ],
)
def test_what_cannot_be_searched_is_refused_before_it_starts(game, settings, message, tmp_path):
    run = make_config({"game": game, "algorithm": "AlphaZero"} | settings)
    with pytest.raises(ConfigError) as caught:
        check_game(run, find_game(game), SnapshotStore(tmp_path))
    assert message in str(caught.value)


def test_a_residual_network_needs_a_board(ray_cluster, tmp_path):
    with pytest.raises(ConfigError, match=r"network\.residual_blocks: expected observations that are boards"):
        make_run("mpe/simple_spread_v3", {"network": {"residual_blocks": 1}}, tmp_path)


def test_self_play_with_search_learns_to_play(arcade_home):
    """Some thousand moves of connect four make a policy that beats random moves, and search makes it better."""
    run = trainer.train(
        make_config({
            "game": FOUR.id, "algorithm": "AlphaZero", "seed": 3, "steps": 16_000,
            "training": {"batch": 1024, "minibatch": 128, "simulations": 16, "updates": 32, "lr": 2e-3},
            "network": {"hidden": [64], "residual_blocks": 1, "filters": 16, "activation": "relu"},
            "resources": {"games": 64}, "evaluation": {"steps": 0},
            "freeze": {"placement_games": 0, "at_end": True, "at_start": False},
        })
    )  # fmt: skip
    assert run.metrics["policy_loss"] < 1.85  # from log 7 = 1.95
    store = SnapshotStore(arcade_home / "snapshots")
    card = store.list(FOUR.id)[-1]
    assert card.algorithm == "AlphaZero"
    assert win_rate(f"snapshot:{card.name}", "random", episodes=200) > 0.65
    assert win_rate(f"snapshot:{card.name}?search=30", f"snapshot:{card.name}", episodes=12) > 0.6


def win_rate(player, opponent, *, episodes):
    seats = {"player_0": player, "player_1": opponent}
    return arcade.evaluate(FOUR.id, seats, episodes=episodes, seed=1)["seats"][0]["outcomes"]["win"]["rate"]
