"""Games with secrets deal from seeds of 63 bits, so that no guest finds a deal by trying all seeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.policies.random import RandomController
from agents.seats.controller import SeatChoice, Turn
from agents.snapshots.store import open_store
from arcade.games import find_game, games
from arcade.match.batch.in_process import Series, play_series
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.match.stage.local import LocalStage
from arcade.match.stage.tick import tick_digest
from arcade.together.terms import draw_seed

SEED = 2**62 + 5
CARDS = [spec.id for spec in games() if spec.secret and spec.long_seeds and spec.id != "classic/rps_v2"]
CARDS += ["openspiel/hearts", "openspiel/leduc_poker"]


def digests(game: str, seed: int) -> list[int]:
    """The ticks of a match between players of fixed chance, up to the fortieth."""
    with LocalStage(find_game(game).for_matches()) as stage:
        players = {agent: RandomController() for agent in stage.agents}
        for agent, player in players.items():
            player.reset(stage.seat(agent), seed=1)
        stage.reset(seed)
        found = [tick_digest(tick := stage.wait())]
        while not tick.over and tick.index < 40:
            for agent in tick.acting:
                turn = Turn(agent, tick.index, tick.observations.get(agent), tick.action_masks.get(agent))
                players[agent].observe(turn)
            stage.step({agent: players[agent].act() for agent in tick.acting})
            found.append(tick_digest(tick := stage.wait()))
    return found


def test_all_games_with_secrets_of_the_catalogue_take_long_seeds() -> None:
    assert [spec.id for spec in games() if spec.secret and not spec.long_seeds] in ([], ["third-party/skyjo"])
    assert len(CARDS) == 6


@pytest.mark.parametrize("game", CARDS)
def test_each_bit_of_a_seed_changes_the_cards(game: str) -> None:
    seeds = [5, *(5 + 2**bit for bit in (3, 31, 32, 40, 62))]
    dealt = [digests(game, seed) for seed in seeds]
    assert len(set(map(tuple, dealt))) == len(seeds)
    assert digests(game, seeds[-1]) == dealt[-1]


@pytest.mark.parametrize("seed", [5, SEED])
def test_each_hand_of_a_session_has_a_seed_as_long_as_that_of_the_match(seed: int) -> None:
    env = find_game("classic/leduc_holdem_v4").for_matches().make()
    table, seeds = env.unwrapped, []
    deal = table.hand.reset
    table.hand.reset = lambda seed=None: deal(seed=seed) if seed is None else (seeds.append(seed), deal(seed=seed))
    env.reset(seed=seed)
    while not table.over:
        env.step(int(env.last()[0]["action_mask"].argmax()))
    assert len(seeds) == table.number > 5
    assert (max(seeds) >= 2**50) == (seed == SEED)


@pytest.mark.parametrize("game", CARDS)
def test_a_host_draws_a_seed_of_which_no_bit_is_known(game: str) -> None:
    drawn = [draw_seed(find_game(game)) for _ in range(64)]
    assert all(0 <= seed < 2**63 for seed in drawn)
    assert all(len({seed >> bit & 1 for seed in drawn}) == 2 for bit in range(63))


@pytest.mark.parametrize("game", CARDS)
def test_a_match_of_a_long_seed_is_recorded_and_repeats(game: str, tmp_path: Path) -> None:
    spec = find_game(game).for_matches()
    lineup = dict.fromkeys(spec.agents, SeatChoice("random"))
    played = play_series(spec, lineup, Series(seed=SEED, record=tmp_path, max_ticks=60), store=open_store())
    replay = read_replay(played.replays[0])
    assert (played.matches[0].seed, replay.seed) == (SEED, SEED)
    assert verify(replay).ok, verify(replay)
