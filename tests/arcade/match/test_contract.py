"""Games that break PettingZoo's contract end their match with a message that names game, agent, tick and mistake."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from typer.testing import CliRunner

from agents.policies.random import RandomController
from agents.seats.controller import SeatChoice
from agents.snapshots.store import open_store
from arcade.commands.cli import app
from arcade.match.batch.in_process import Series, play_series
from arcade.match.play.match import Match
from arcade.match.play.result import MatchResult
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import Stage, StageError
from tests.support.broken_games import BREACHES, broken_env, broken_spec
from tests.support.counting_games import counting_spec

FIRST, LATE = 1, 9
"""A tick of which all is checked, and one that gets a quick look."""


def play(stage: Stage) -> MatchResult:
    return Match(stage, {agent: RandomController() for agent in stage.agents}, seed=0).run()


@pytest.mark.parametrize("at", [FIRST, LATE])
@pytest.mark.parametrize("breach", BREACHES)
def test_a_breach_ends_the_match_with_its_words(breach: str, at: int) -> None:
    with LocalStage(broken_spec(breach, at)) as stage:
        result = play(stage)
    assert result.ended == "failed"
    assert result.error.startswith("test/counting: ")
    assert BREACHES[breach].words in result.error
    assert f"at tick {at}" in result.error
    assert result.ticks == at - 1
    assert not result.rated
    json.loads(json.dumps(result.as_json()), parse_constant=refuse)


@pytest.mark.parametrize("breach", ["nan reward", "list as mask", "id twice", "exit", "interrupt"])
def test_a_breach_in_a_child_comes_out_the_same(breach: str) -> None:
    with HostedStage(broken_spec(breach, LATE), render=False) as stage:
        stage.wait_ready()
        result = play(stage)
    assert BREACHES[breach].words in result.error
    assert f"at tick {LATE}" in result.error


def test_a_game_that_lists_an_agent_twice_is_not_made() -> None:
    with pytest.raises(StageError, match="each agent once in possible_agents, got 'ann' twice"):
        LocalStage(replace(counting_spec(), entry="tests.support.broken_games:twin_env"))


def test_numbers_of_every_kind_are_rewards() -> None:
    for reward in ("1", "True", "np.int64(2)", "np.float32(0.5)", "np.bool_(True)", "np.array(3.0)"):
        spec = counting_spec(reward=reward)
        with LocalStage(replace(spec, entry="tests.support.broken_games:paying_env")) as stage:
            assert play(stage).ended == "finished", reward


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """SIGINT as in a terminal; a program started in the background may have inherited that it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_is_no_mistake_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    with LocalStage(counting_spec()) as stage:
        stage.reset(0)
        monkeypatch.setattr(stage._env, "step", lambda actions: os.kill(os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            stage.step({"ann": 0, "bob": 0})


def test_nothing_of_a_broken_match_counts() -> None:
    spec, random = broken_spec("nan reward", LATE), SeatChoice("random")
    played = play_series(spec, dict.fromkeys(spec.agents, random), Series(episodes=3), store=open_store())
    assert len(played.matches) == 1
    assert not played.matches[0].rated


@pytest.mark.parametrize("game", ["nan_env", "exit_env"])
def test_the_command_line_reports_valid_json_and_rates_nothing(game: str) -> None:
    word = f"tests.support.broken_games:{game}"
    seats = ["--seat", "ann=random", "--seat", "bob=random"]
    done = CliRunner().invoke(app, ["play", word, "--headless", *seats, "--json"])
    assert done.exit_code == 1, done.output
    data: Any = json.loads(done.stdout, parse_constant=refuse)
    assert data["matches"][0]["ended"] == "failed"
    rows = CliRunner().invoke(app, ["ladder", "show", "--json"])
    assert "broken_games" not in rows.stdout


def refuse(constant: str) -> None:
    pytest.fail(f"{constant} is no JSON")


def test_the_breaches_are_real() -> None:
    env = broken_env("id twice", 1)
    env.reset(0)
    env.step({"ann": 0, "bob": 0})
    assert env.agents == ["ann", "bob", "ann"]
