"""Whom a policy meets follows from the ladder: from what was played elsewhere, and before the run was broken off."""

import json

import numpy as np
import pytest

from agents.ladder.ladder import Ladder
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from trainer.config import ConfigError
from trainer.config.reading import make_config
from trainer.league.lineage import Lineage
from trainer.league.opponents import OpponentPools
from trainer.runs.checks import check_game
from trainer.sampling.episodes import EpisodeResult
from trainer.sampling.plan import make_plan
from trainer.sampling.runner import Report

VOLLEY, TAG = find_game("house/volley"), find_game("mpe/simple_tag_v3")
OTHERS = ("easy", "even", "nemesis", "unknown")


@pytest.fixture
def ladder(tmp_path):
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        yield ladder


class Run:
    """What of a run has to do with opponents; its first policy went on from "mine"."""

    def __init__(self, tmp_path, spec=VOLLEY, *, state=None, weighting="hard"):
        self.config = make_config(
            {"game": spec.id, "opponents": {
                "weighting": weighting, "newest_ratio": 0.0, "play_against_latest_model_ratio": 0.0}}
        )  # fmt: skip
        batch, store = make_vector_env(spec, 1), SnapshotStore(tmp_path / "snapshots")
        self.plan = make_plan(self.config.policies, batch)
        self.lineages = [
            Lineage(policy, self.config, spec, run_id="r", store=store, alone=True) for policy in self.plan.policies
        ]
        self.lineage = self.lineages[0]
        if state is not None:
            self.lineage.restore(json.loads(json.dumps(state)))
        self.opponent_pools = OpponentPools(
            self.config, spec, self.plan, batch, lineages=self.lineages, store=store, say=pytest.fail
        )
        if state is None:
            self.lineage.parent, self.lineage.names = "mine", ["mine"]
            self.opponent_pools.join(self.plan.policies[-1].id, [*OTHERS, "newest"])

    def shares(self, ladder):
        self.opponent_pools.rate(ladder)
        return self.opponent_pools.matchmaker.weights(self.lineage.policy.id, self.lineage.pool)

    def play(self, name, outcome, games):
        id = self.lineage.policy.id
        self.opponent_pools.count([Report(results=[EpisodeResult(id, name, outcome, 0.0, 10)] * games)])


def book(ladder, winner, loser, times=1, *, spec=VOLLEY, first=0):
    """`winner` on team `first`."""
    for _ in range(times):
        sides = {str(agent): team == first for team, members in enumerate(spec.teams) for agent in members}
        ladder.add(
            {
                "game": spec.id, "teams": [[str(agent) for agent in team] for team in spec.teams],
                "lineup": {agent: winner if won else loser for agent, won in sides.items()},
                "placements": {agent: 1 if won else 2 for agent, won in sides.items()},
            }
        )  # fmt: skip


def test_matches_from_elsewhere_say_who_is_hard_before_the_first_episode(tmp_path, ladder):
    run = Run(tmp_path)
    assert run.shares(ladder) == pytest.approx(dict.fromkeys(OTHERS, 0.25) | {"newest": 0.0})
    book(ladder, "mine", "easy", 12)
    book(ladder, "nemesis", "mine", 12)
    for _ in range(6):
        book(ladder, "mine", "even")
        book(ladder, "even", "mine")
    shares = run.shares(ladder)
    assert shares["nemesis"] > 1.5 * shares["unknown"] > 1.5 * shares["even"] > 3 * shares["easy"]
    assert sum(shares.values()) == pytest.approx(1)
    run.play("nemesis", 1.0, 300)  # the policy has learnt it since
    assert run.shares(ladder)["nemesis"] < shares["even"]


def test_who_beat_the_same_others_is_hard_before_the_two_have_met_but_less_so_than_who_beat_us(tmp_path, ladder):
    for _ in range(15):
        book(ladder, "even", "mine")
        book(ladder, "mine", "even")
        book(ladder, "unknown", "even")
    stranger = Run(tmp_path).shares(ladder)
    assert stranger["unknown"] > 1.3 * stranger["even"]
    book(ladder, "mine", "unknown", 30)  # a cycle: ratings alone would not say so
    assert Run(tmp_path).shares(ladder)["unknown"] < 0.5 * stranger["unknown"]


def test_a_resumed_run_knows_what_it_knew(tmp_path, ladder):
    run = Run(tmp_path)
    book(ladder, "nemesis", "mine", 12)
    run.play("easy", 1.0, 50)
    before = run.shares(ladder)
    again = Run(tmp_path, state=run.lineage.as_data())
    assert again.shares(ladder) == pytest.approx(before)
    assert again.shares(None) == pytest.approx(before)  # nothing new


def test_where_seats_are_roles_a_name_counts_in_the_role_that_is_met(tmp_path, ladder):
    run = Run(tmp_path, TAG)
    assert run.lineage.policy.id == "adversary"
    book(ladder, "nemesis", "mine", 12, spec=TAG, first=1)  # nemesis is the agent that runs away
    book(ladder, "easy", "mine", 12, spec=TAG, first=0)  # hunts: another side than the one that is met
    shares = run.shares(ladder)
    assert shares["nemesis"] > 1.5 * shares["easy"] == pytest.approx(1.5 * shares["unknown"])


@pytest.mark.parametrize("weighting", ["nash", "alpha_rank"])
def test_those_who_beat_each_other_in_a_circle_are_met_alike_and_who_is_dominated_is_not(weighting, tmp_path, ladder):
    run = Run(tmp_path, weighting=weighting)
    assert run.shares(ladder) == pytest.approx(dict.fromkeys(OTHERS, 0.25) | {"newest": 0.0})  # no match yet
    for winner, loser in (("easy", "even"), ("even", "nemesis"), ("nemesis", "easy")) * 20:
        book(ladder, winner, loser)
        book(ladder, winner, "unknown")
    run.play("easy", 1.0, 300)  # own results change nothing
    shares = run.shares(ladder)
    assert [shares[name] for name in ("easy", "even", "nemesis")] == pytest.approx([1 / 3] * 3, abs=0.1)
    assert shares["unknown"] < 0.02


def test_an_equilibrium_is_solved_again_only_after_new_matches(tmp_path, ladder, monkeypatch):
    solved = []
    monkeypatch.setattr(
        "trainer.league.opponents.mixture", lambda kind, rates, _: solved.append(kind) or np.full(len(rates), 0.2)
    )
    run = Run(tmp_path, weighting="nash")
    book(ladder, "easy", "even")
    run.shares(ladder)
    run.shares(ladder)
    assert solved == ["nash"]
    book(ladder, "easy", "even")
    run.shares(ladder)
    assert solved == ["nash", "nash"]


@pytest.mark.parametrize("weighting", ["nash", "alpha_rank"])
def test_an_equilibrium_of_roles_has_a_mixture_for_each(weighting, tmp_path, ladder):
    run = Run(tmp_path, TAG, weighting=weighting)
    before = run.shares(ladder)
    assert before == pytest.approx(dict.fromkeys(OTHERS, 0.25) | {"newest": 0.0})  # none of the hunters' yet
    run.opponent_pools.join("adversary", ["wide", "narrow", "latest"])
    for hunter, caught, escaped in (("wide", "easy", "even"), ("narrow", "even", "easy")) * 40:
        for loser in (caught, "unknown", "nemesis"):
            book(ladder, hunter, loser, spec=TAG)
        book(ladder, escaped, hunter, spec=TAG, first=1)
    shares = run.shares(ladder)
    assert [shares["easy"], shares["even"]] == pytest.approx([0.5, 0.5], abs=0.1)
    assert shares["unknown"] + shares["nemesis"] < 0.02
    met_by_agent = run.opponent_pools.matchmaker.weights("agent", run.lineages[1].pool)
    assert [met_by_agent["wide"], met_by_agent["narrow"]] == pytest.approx([0.5, 0.5], abs=0.1)


def test_a_mixture_of_more_policies_than_it_takes_is_refused_before_the_run(tmp_path):
    settings = {"game": "mpe/simple_world_comm_v3", "policies": {"kind": "independent"}}
    nash, alpha_rank = (make_config(settings | {"opponents": {"weighting": one}}) for one in ("nash", "alpha_rank"))
    check_game(nash, find_game(nash.game), SnapshotStore(tmp_path))
    with pytest.raises(ConfigError, match=r"opponents\.weighting: expected nash for more than 4 policies"):
        check_game(alpha_rank, find_game(nash.game), SnapshotStore(tmp_path))


def test_a_policy_that_began_again_knows_nothing(tmp_path, ladder):
    run = Run(tmp_path)
    book(ladder, "nemesis", "mine", 12)
    run.shares(ladder)
    run.lineage.reset()
    assert run.shares(ladder)["nemesis"] == pytest.approx(0.25)
