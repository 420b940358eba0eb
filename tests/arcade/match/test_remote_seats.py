"""Matches with a seat far away whose server ends or stands still."""

from __future__ import annotations

from typing import Any

import pytest

from agents.policies.random import RandomController
from agents.seats.limits import LimitedController, Limits
from agents.wire.client import RemoteController
from agents.wire.served_policies import FunctionPolicies
from agents.wire.server import PolicyServer
from arcade.match.play.match import Match
from arcade.match.play.result import Recorder
from arcade.match.stage.local import LocalStage
from tests.support.counting_games import LENGTH, counting_spec
from tests.support.puppets import RATE, Clock, turn


def play_out(match: Match, clock: Clock, server: PolicyServer, *, served: int) -> None:
    """Play to the end; the server answers before the tick `served`."""
    match.start()
    while not match.over:
        is_served = match.tick is None or match.tick.index < served
        for _ in range(100 if is_served else 0):
            server.serve_once(timeout=0.001)
        turn(match, clock, 5)


@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("answers_to_the_end", [True, False])
def test_a_match_whose_remote_seat_did_not_answer_at_its_end_is_not_rated(answers_to_the_end, limited) -> None:
    clock = Clock()
    with (
        PolicyServer(FunctionPolicies(lambda observation: 0), endpoint="tcp://127.0.0.1:*") as server,
        LocalStage(counting_spec()) as stage,
    ):
        first, *others = stage.agents
        remote = RemoteController(server.endpoint, clock=clock)
        seated = LimitedController(remote, Limits(actions_per_second=20)) if limited else remote
        match = Match(
            stage, {first: seated, **{agent: RandomController() for agent in others}}, seed=1, rate=RATE / 5,
            clock=clock,
        )  # fmt: skip
        play_out(match, clock, server, served=LENGTH if answers_to_the_end else LENGTH // 8)
        remote.close()
    result = match.result
    assert (result.ended, result.ticks) == ("finished", LENGTH)
    assert (result.late[str(first)] > LENGTH / 2) == (not answers_to_the_end)
    assert result.rated == answers_to_the_end
    assert result.unrated == ("" if answers_to_the_end else f"{first} did not answer any more")


def test_a_remote_seat_is_asked_for_its_report_when_its_name_is_new_and_not_each_tick() -> None:
    clock = Clock()
    with (
        PolicyServer(FunctionPolicies(lambda observation: 0), endpoint="tcp://127.0.0.1:*") as server,
        LocalStage(counting_spec()) as stage,
    ):
        first, *others = stage.agents
        remote = Reporting(server.endpoint, clock=clock)
        mapping = {first: remote, **{agent: RandomController() for agent in others}}
        match = Match(stage, mapping, seed=1, rate=RATE / 5, clock=clock, recorders=[Recorder(), Recorder()])
        play_out(match, clock, server, served=LENGTH)
        remote.close()
    assert remote.counts.answered > LENGTH / 2
    assert remote.reports <= 5  # as it sits down, is named, and at the end


class Reporting(RemoteController):
    """Counts its reports."""

    reports = 0

    def report(self) -> dict[str, Any]:
        self.reports += 1
        return super().report()
