"""Processes that play many matches: signals in the midst of their start."""

from __future__ import annotations

import pytest

from agents.seats.controller import SeatChoice
from arcade.match.batch import processes
from arcade.match.batch.plan import Fixture, MatchPlan
from arcade.match.batch.processes import Processes
from tests.support.counting_games import counting_spec


def test_a_signal_amid_the_start_of_a_child_ends_the_work_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def signalled(start: object) -> None:
        raise SystemExit(143)

    monkeypatch.setattr(processes, "on_lasting_thread", signalled)
    plan = MatchPlan(spec=counting_spec(), players=(SeatChoice("random"), SeatChoice("random")))
    with pytest.raises(SystemExit, match="143"), Processes(plan, 2) as executor:
        list(executor.play([Fixture(number=0, seed=0, players=(0, 1))]))
