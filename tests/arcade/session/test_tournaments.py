"""A tournament from the window: in a process of its own, with progress and standings while it lasts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.ladder.ladder import open_ladder
from arcade.games import find_game
from arcade.session.tournaments import TournamentJob

DEADLINE = 300.0
SHORT = {"games": 2, "seed": 3, "max_ticks": 200, "workers": 1}


@pytest.fixture(autouse=True)
def _own_home(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))


def test_a_tournament_is_played_and_its_matches_are_on_the_ladder() -> None:
    job = TournamentJob(find_game("house/volley"), ["scripted", "random"], settings=SHORT)
    assert job.title == "Tournament in Volley"
    assert job.wait(DEADLINE)
    assert job.result is not None, job.text
    assert (job.played, job.matches, job.progress) == (4, 4, 1.0)
    assert [place.label for place in job.table] == ["scripted", "random"]
    assert job.text == "The tournament ended level. First place: scripted, random."
    job.table = (replace(job.table[0], elo=1600.0), job.table[1])
    assert job.text == "scripted won the tournament."
    with open_ladder(reading=True) as ladder:
        assert len(list(ladder.results("house/volley"))) == 4


def test_a_tournament_that_cannot_be_played_says_why() -> None:
    job = TournamentJob(find_game("house/volley"), ["snapshot:nosuch*"], settings=SHORT)
    assert job.wait(DEADLINE)
    assert job.result is None
    assert "nosuch" in job.text


def test_a_cancelled_tournament_ends_soon_and_can_be_resumed() -> None:
    many = SHORT | {"games": 100_000}
    job = TournamentJob(find_game("house/volley"), ["scripted", "random"], settings=many)
    while not (job.played and "left" in job.text) and not job.done:
        job.wait(0.05)
    assert job.text.endswith(" left"), "the time left is told"
    job.cancel()
    assert job.wait(DEADLINE)
    assert job.text == "Cancelled. The matches played so far are on the ladder."
    again = TournamentJob(find_game("house/volley"), resume=job.id)
    while not again.matches and not again.done:
        again.wait(0.05)
    assert again.played >= job.played > 0
    again.cancel()
    assert again.wait(DEADLINE)
