"""Who is met how often: by win rates that are only known from some games, and few at a time."""

import json
from collections import Counter

import numpy as np
import pytest

from agents.matchmaking.pool import Member, Pool
from agents.matchmaking.shares import expected_weight, pfsp
from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from trainer.config import ConfigError
from trainer.config.reading import make_config
from trainer.league.matchmaker import Matchmaker, change_matchmaking
from trainer.league.opponent_shares import Odds, Rotation
from trainer.sampling.episodes import EpisodeResult
from trainer.sampling.plan import make_plan

VOLLEY, TAG = "house/volley", "mpe/simple_tag_v3"


def pool_of(*records, policy="main"):
    """A pool of snapshots s0, s1, … with so many (won, lost) each."""
    pool = Pool()
    for number, (won, lost) in enumerate(records):
        pool.add(Member(f"s{number}", "snapshot", policy))
        outcomes = [1.0] * won + [0.0] * lost
        pool.count(EpisodeResult("main", f"s{number}", outcome, 0.0, 10) for outcome in outcomes)
    return pool


def make_matchmaker(game=VOLLEY, *, seats=None, policies=None, **opponents):
    run = make_config({"game": game, "opponents": opponents, "policies": policies or {}})
    spec = find_game(game)
    plan = make_plan(run.policies, make_vector_env(spec, 1), league=run.opponents.league)
    return Matchmaker(run, spec, plan, seats or {})


def shares(pool, **opponents):
    """Name to share of the episodes against snapshots."""
    return make_matchmaker(play_against_latest_model_ratio=0.0, **opponents).weights("main", pool)


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (7.5, 2.0), (60.0, 5.0)])
def test_an_uncertain_win_rate_counts_by_all_that_it_may_be(a, b):
    rates = np.random.default_rng(0).beta(a, b, 400_000)
    for weighting, f in (("variance", rates * (1 - rates)), ("hard", (1 - rates) ** 2), ("uniform", rates**0)):
        (weight,) = expected_weight(weighting, np.array([a]), np.array([b]))
        assert weight == pytest.approx(f.mean(), rel=0.02)


def test_prioritised_fictitious_self_play_prefers_the_hard_or_the_even_and_tries_newcomers():
    pool = pool_of((90, 10), (50, 50), (10, 90), (0, 0))
    places = pool.places(kind="snapshot")
    easy, even, hard, new = pfsp(pool, places, "hard")
    assert hard > 2.5 * even > 20 * easy
    assert even < new < hard  # nobody knows yet
    easy, even, hard, new = pfsp(pool, places, "variance")
    assert even > new > easy
    assert even > 2 * hard
    assert pfsp(pool, places, "uniform") == pytest.approx(0.25)


def test_the_newest_has_its_own_share_and_the_window_shuts_out_the_old():
    pool = pool_of(*[(0, 0)] * 5)
    assert shares(pool, newest_ratio=0.4) == pytest.approx({f"s{i}": 0.15 for i in range(4)} | {"s4": 0.4})
    assert shares(pool, newest_ratio=0.4, window=3) == pytest.approx(
        {"s0": 0, "s1": 0, "s2": 0.3, "s3": 0.3, "s4": 0.4}
    )
    assert shares(pool_of((0, 0)), newest_ratio=0.4) == {"s0": 1.0}  # nobody else is there


def test_shares_of_latest_fixed_and_snapshots_add_up():
    pool = pool_of((0, 0), (0, 0))
    for word in ("scripted", "random"):
        pool.add(Member(word, "fixed"))
    agents = find_game(VOLLEY).agents
    matchmaker = make_matchmaker(
        seats={"scripted": agents, "random": agents}, fixed=["scripted", "random"], play_against_latest_model_ratio=0.3,
        fixed_ratio=0.2, newest_ratio=0.5,
    )  # fmt: skip
    expected = {"s0": 0.25, "s1": 0.25, "scripted": 0.1, "random": 0.1}
    assert matchmaker.weights("main", pool) == pytest.approx(expected)
    mix = matchmaker.mix("main", pool, (), step=0)
    assert mix.live == 0.3
    assert mix.seats["main"] == pytest.approx(expected)
    empty = Pool()
    empty.add(Member("scripted", "fixed"))
    mix = matchmaker.mix("main", empty, (), step=0)
    assert mix.seats["main"] == pytest.approx({"scripted": 0.2, "": 0.5})  # what no snapshot takes is live


def test_partners_are_the_pool_and_the_named_ones_evenly_and_fixed_ones_in_games_of_one_team():
    spread, agents = "mpe/simple_spread_v3", find_game("mpe/simple_spread_v3").agents
    pool = pool_of((0, 0), (0, 0))
    for word in ("scripted", "random"):
        pool.add(Member(word, "fixed"))
    words = {"scripted": agents, "random": agents}
    assert make_matchmaker(spread, seats=words).mix("main", pool, (), step=0).partners == {}
    partners = make_matchmaker(spread, seats=words, partner_ratio=0.6, partners=["pool", "random"])
    expected = {"s0": 0.15, "s1": 0.15, "random": 0.3}
    assert partners.mix("main", pool, (), step=0).partners["main"] == pytest.approx(expected)
    assert partners.weights("main", pool) == pytest.approx(expected)
    assert partners.may_meet("main", "main")
    fixed = {"fixed": ["scripted"], "fixed_ratio": 0.25, "play_against_latest_model_ratio": 0.5}
    both = make_matchmaker(spread, seats=words, partner_ratio=0.4, partners=["scripted"], **fixed)
    assert both.mix("main", pool, (), step=0).partners["main"] == pytest.approx({"scripted": 0.65})
    assert not both.may_meet("main", "main")  # its past is no partner then
    tag = make_matchmaker(TAG, partner_ratio=0.4)
    assert tag.may_meet("adversary", "adversary")
    assert not tag.may_meet("agent", "agent")  # alone in its team
    assert list(tag.mix("adversary", pool_of((0, 0), policy="adversary"), (), step=0).partners) == ["adversary"]


def test_each_role_meets_the_other_roles_pool():
    matchmaker = make_matchmaker(TAG, play_against_latest_model_ratio=0.0)
    assert matchmaker.meets == {"adversary": ("agent",), "agent": ("adversary",)}
    pool = pool_of((0, 0), policy="agent")
    pool.add(Member("own", "snapshot", "adversary"))
    assert matchmaker.weights("adversary", pool) == {"s0": 1.0}


def test_few_are_in_play_and_each_gets_its_share_in_the_long_run():
    rng, few, count = np.random.default_rng(1), 6, 40
    wanted = rng.dirichlet(np.full(count, 0.7)) * 0.8
    odds = Odds(0.2, shares=dict(enumerate(wanted.tolist())), steady=frozenset({count - 1}))
    rotation, episodes, met, most = Rotation(few, 0), [], Counter(), 0
    for step in range(20_000):
        alive = {place for place, _ in episodes}
        chosen = rotation.choose(odds, alive, step=step, rng=rng)
        assert sum(chosen.values()) == pytest.approx(0.8)
        most = max(most, len((alive | set(chosen)) - {count - 1}))
        for place in rng.choice(list(chosen), 3, p=np.array(list(chosen.values())) / 0.8).tolist():
            met[place] += 1
            episodes.append((place, step + int(rng.integers(1, 9))))
        episodes = [(place, end) for place, end in episodes if end > step]
    assert most < few  # the newest is one of them
    found = np.array([met[place] for place in range(count)]) / sum(met.values())
    assert found == pytest.approx(wanted / 0.8, abs=0.02)


def test_a_resumed_run_goes_on_with_those_in_play():
    pool = pool_of(*[(5, 5)] * 12)
    settings = {"names_a_fragment": 3, "swap_steps": 10_000, "play_against_latest_model_ratio": 0.0}
    before, after, fresh = (make_matchmaker(**settings) for _ in range(3))
    in_play = before.mix("main", pool, [], step=0).seats
    after.restore(json.loads(json.dumps(before.as_data())))
    assert after.mix("main", pool, [], step=500).seats == in_play == before.mix("main", pool, [], step=500).seats
    fresh._rng.random(7)
    assert fresh.mix("main", pool, [], step=500).seats != in_play


def test_those_in_play_change_after_swap_steps_only():
    odds = Odds(0.0, shares=dict.fromkeys(range(200), 1 / 200))
    rotation, rng = Rotation(8, 1000), np.random.default_rng(0)
    seen = [frozenset(rotation.choose(odds, (), step=step, rng=rng)) for step in range(0, 4000, 100)]
    assert len(set(seen)) == 4
    assert seen[0] == seen[9] != seen[10]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"window": 3}, "matchmaking: expected some of play_against.*'window'"),
        ({"newest_ratio": 1.5}, r"opponents\.newest_ratio.*1\.5"),
        ({"fixed_ratio": 0.4}, r"opponents\.fixed: .* needs some"),
        ({"weighting": "easy"}, r"opponents\.weighting"),
    ],
)
def test_changes_are_held_against_the_same_rules_as_settings(changes, message):
    run = make_config({"game": VOLLEY})
    with pytest.raises(ConfigError, match=message):
        change_matchmaking(run, changes)
    assert change_matchmaking(run, {"weighting": "hard"}).opponents.weighting == "hard"
