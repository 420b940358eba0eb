"""The league's three roles: whom they meet, when exploiters are frozen, and how they begin again."""

import numpy as np
import pytest

from agents.matchmaking.pool import Member, Pool
from agents.wire.control import ControlClient, ControlError
from tests.support.event_log import EventLog
from tests.support.runs import VOLLEY, close, finish, make_run
from trainer.config.sections import FreezeSettings
from trainer.league.lineage import exploiter_due
from trainer.league.opponent_shares import league_odds
from trainer.runs.first_weights import load_first_weights
from trainer.sampling.episodes import EpisodeResult
from trainer.sampling.plan import LEAGUE_EXPLOITER, MAIN, MAIN_EXPLOITER

ROLES = (MAIN, MAIN_EXPLOITER, LEAGUE_EXPLOITER)


def make_pool(records, *, live_main=None):
    """{(policy, number): (won, lost)} of snapshots, and of games with main as it stands."""
    pool = Pool()
    for (policy, number), (won, lost) in records.items():
        name = f"{policy}-{number}"
        pool.add(Member(name, "snapshot", policy))
        pool.count(EpisodeResult("x", name, outcome, 0.0, 1) for outcome in [1.0] * won + [0.0] * lost)
    if live_main:
        outcomes = [1.0] * live_main[0] + [0.0] * live_main[1]
        pool.count(EpisodeResult("x", f"live:{MAIN}", outcome, 0.0, 1) for outcome in outcomes)
    return pool


def shares(role, pool):
    odds = league_odds(role, pool)
    assert odds.live + sum(odds.shares.values()) == pytest.approx(1.0)
    return odds.live, odds.shares


def test_without_a_past_main_meets_itself_and_exploiters_meet_main():
    for role in ROLES:
        odds = league_odds(role, Pool())
        assert (odds.live, odds.live_policy, len(odds.shares)) == (1.0, MAIN, 0)


def test_main_meets_itself_everyone_and_whom_it_forgot():
    unforgotten = {(MAIN, 0): (90, 10), (MAIN, 1): (50, 50), (MAIN_EXPLOITER, 0): (80, 20)}
    live, met = shares(MAIN, make_pool(unforgotten))
    assert live == pytest.approx(0.5)  # 35% and the 15% that nobody needs
    assert sum(met.values()) == pytest.approx(0.5)
    assert met["main-1"] > met["main_exploiter-0"] > met["main-0"]
    forgotten = {(MAIN, 0): (30, 70), (MAIN, 1): (90, 10), (MAIN, 2): (50, 50)}
    live, met = shares(MAIN, make_pool(forgotten))
    assert live == pytest.approx(0.35)
    assert met["main-0"] > met["main-2"]
    exploited = {(MAIN, 0): (90, 10), (MAIN, 1): (50, 50), (MAIN_EXPLOITER, 0): (10, 90)}
    live, met = shares(MAIN, make_pool(exploited))
    assert live == pytest.approx(0.35)
    assert met["main_exploiter-0"] > 0.15 + 0.25


def test_a_main_exploiter_meets_main_and_its_past_where_main_is_too_strong():
    past = {(MAIN, 0): (50, 50), (MAIN, 1): (2, 98), (LEAGUE_EXPLOITER, 0): (50, 50)}
    assert shares(MAIN_EXPLOITER, make_pool(past, live_main=(20, 80)))[0] == 1.0
    live, met = shares(MAIN_EXPLOITER, make_pool(past, live_main=(1, 99)))
    assert live == pytest.approx(0.1)
    assert set(met) == {"main-0", "main-1"}
    assert met["main-0"] > 5 * met["main-1"]  # an even match teaches


def test_a_league_exploiter_meets_everyones_past():
    live, met = shares(LEAGUE_EXPLOITER, make_pool({(role, 0): (50, 50) for role in ROLES}))
    assert live == 0.0
    assert met == pytest.approx({f"{role}-0": 1 / 3 for role in ROLES})


def test_exploiters_are_due_when_their_targets_are_beaten_or_time_is_out():
    rules = FreezeSettings(save_steps=1000, win_rate=0.7, min_steps=100, min_games=20)
    beaten = make_pool({(MAIN, 0): (90, 10), (MAIN, 1): (30, 10)}, live_main=(90, 10))
    assert exploiter_due(MAIN_EXPLOITER, rules, beaten, steps=200) == "targets beaten"
    assert exploiter_due(LEAGUE_EXPLOITER, rules, beaten, steps=200) == "targets beaten"
    assert not exploiter_due(MAIN_EXPLOITER, rules, beaten, steps=99)
    one_left = make_pool({(MAIN, 0): (90, 10), (MAIN, 1): (0, 1)}, live_main=(50, 50))
    for role in (MAIN_EXPLOITER, LEAGUE_EXPLOITER):
        assert not exploiter_due(role, rules, one_left, steps=999)
        assert exploiter_due(role, rules, one_left, steps=1000) == "time out"


def test_a_league_trains_three_policies_and_its_exploiters_begin_again(tmp_path, ray_cluster):
    settings = VOLLEY | {
        "steps": 1536, "evaluation": {"steps": 0}, "opponents": {"league": True}, "freeze": {"save_steps": 1024},
        "wrappers": {"max_ticks": 20},
    }  # fmt: skip
    run = make_run("house/volley", settings, tmp_path)
    first = {role: _weights(run, role) for role in ROLES}
    run._freeze(run.lineages[0], "start")
    run._iterate()
    moments = _moments(run, MAIN_EXPLOITER)
    assert moments
    assert _differs(_weights(run, MAIN_EXPLOITER), first[MAIN_EXPLOITER])
    run._freeze(run.lineages[1], "time out")
    assert not _differs(_weights(run, MAIN_EXPLOITER), first[MAIN_EXPLOITER])  # the runner's and the learner's
    assert not _moments(run, MAIN_EXPLOITER)
    assert _differs(_weights(run, MAIN), first[MAIN])
    assert run.lineages[1].parent == ""
    finish(run)
    assert {m.policy for m in run.lineages[0].pool.members if m.kind == "snapshot"} == set(ROLES)
    exploiter = run.lineages[1].pool.rows()
    assert [row["games"] > 0 for row in exploiter if row["kind"] == "live"] == [True]
    again = make_run("house/volley", settings | {"steps": 2048}, tmp_path, resume=True)
    assert [lineage.names for lineage in again.lineages] == [lineage.names for lineage in run.lineages]
    assert not _differs(load_first_weights(again.folder.path, MAIN_EXPLOITER), first[MAIN_EXPLOITER])
    finish(again)


def test_matchmaking_changes_over_the_wire_and_survives_a_resume(tmp_path, ray_cluster):
    settings = VOLLEY | {"steps": 512, "evaluation": {"steps": 0}, "wrappers": {"max_ticks": 20}}
    run = make_run("house/volley", settings, tmp_path)
    with (
        ControlClient(run.server.endpoints["control"]) as control,
        EventLog.of(run.server._publisher, run.server.endpoints["events"]) as log,
    ):
        with pytest.raises(ControlError, match=r"opponents\.newest_ratio.*2"):
            control.call("matchmaking", {"newest_ratio": 2})
        control.call("matchmaking", {"play_against_latest_model_ratio": 0.0, "weighting": "hard"})
        run._freeze(run.lineages[0], "start")
        run._handle_requests()
        status = control.call("status")["matchmaking"]
        assert (status["play_against_latest_model_ratio"], status["weighting"]) == (0.0, "hard")
        for _ in range(3):
            run._iterate()
        run.publisher._published = 0.0
        run._iterate()

        def played():
            rows = [row for table in log.named("pool") for row in table["policies"]["main"]]
            return next((row for row in rows if row["games"] > 0), None)

        row = log.until(played, "the pool with games against test-0000")
        assert (row["name"], row["kind"], row["weight"], row["frozen_at"]) == ("test-0000", "snapshot", 1.0, 0)
        assert row["low"] < row["win_rate"] < row["high"] or row["win_rate"] in (0.0, 1.0)
    run.save_checkpoint()
    randomness = run.opponent_pools.matchmaker.as_data()
    close(run)
    again = make_run("house/volley", settings, tmp_path, resume=True)
    assert again.opponent_pools.matchmaker.as_data() == randomness
    assert again.opponent_pools.matchmaker.status()["weighting"] == "hard"
    assert again.lineages[0].pool.rows() == run.lineages[0].pool.rows()
    close(again)


def _weights(run, role):
    """As runner and learner have them, which are the same."""
    own = run.runner.module[role].get_state()
    learnt = run.algorithm.learner_group._learner.module[role].get_state()
    assert not _differs(own, {name: np.asarray(learnt[name]) for name in own})
    return {name: np.array(weight) for name, weight in own.items()}


def _differs(one, other):
    return any(np.abs(np.asarray(weight) - np.asarray(other[name])).max() > 0 for name, weight in one.items())


def _moments(run, role):
    """What the optimizer of a policy remembers."""
    ((_, optimizer),) = run.algorithm.learner_group._learner.get_optimizers_for_module(role)
    return len(optimizer.state)
