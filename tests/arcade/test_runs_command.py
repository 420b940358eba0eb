"""``arcade runs``: which runs there are, and orders to those under way, over the real wire."""

import json
import os

import pytest
from typer.testing import CliRunner

from arcade.commands.cli import app
from tests.support.fake_trainer import FakeTrainer


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setitem(os.environ, "ARCADE_HOME", str(tmp_path))
    (tmp_path / "runs" / "old").mkdir(parents=True)
    (tmp_path / "runs" / "old" / "config.toml").write_text('game = "house/volley"\n')
    (tmp_path / "runs" / "old" / "metrics.jsonl").write_text('{"step": 512}\n')
    return tmp_path


@pytest.fixture
def trainer(home):
    trainer = FakeTrainer(home / "runs" / "live", step=1234)
    (home / "runs" / "live" / "config.toml").write_text('game = "house/volley"\n')
    yield trainer
    trainer.close()


def arcade(*words):
    return CliRunner().invoke(app, ["runs", *words])


def test_runs_are_listed_with_those_under_way_first(home, trainer):
    rows = json.loads(arcade("list", "--json").stdout)
    assert [row["run"] for row in rows] == ["live", "old"]
    assert [row["control"] for row in rows] == [trainer.control, ""]
    assert rows[1]["step"] == 512
    assert "512" in arcade("list").stdout


@pytest.mark.parametrize("name", ["pause", "resume", "freeze", "stop"])
def test_an_order_reaches_the_only_trainer_a_named_one_and_an_address(trainer, name):
    for whom in ([], ["live"], [trainer.control]):
        result = arcade(name, *whom)
        assert result.exit_code == 0, result.output
        assert result.stdout.startswith("live: ")
    assert [order for order, _ in trainer.orders] == [name] * 3


def test_status_tells_how_it_matches(trainer):
    assert "newest_ratio = 0.5" in arcade("status").stdout
    assert json.loads(arcade("status", "--json").stdout)["step"] == 1234


def test_changes_of_the_matchmaking_are_sent_as_numbers_and_words(trainer):
    assert arcade("match", "newest_ratio=0.2", "weighting=hard", "--run", "live").exit_code == 0
    assert trainer.named("matchmaking") == [{"newest_ratio": 0.2, "weighting": "hard"}]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("pause", "nobody"), "being trained (live) or an address"),
        (("pause", "old"), "being trained (live)"),
        (("match", "newest_ratio"), "KEY=VALUE"),
    ],
)
def test_an_order_that_reaches_nobody_says_who_there_is(trainer, words, message):
    result = arcade(*words)
    assert result.exit_code in (2, 3)
    assert message in result.stderr


def test_what_a_trainer_refuses_is_told(trainer):
    trainer.refuse = {"matchmaking": "newest_ratio: expected at most 1"}
    result = arcade("match", "newest_ratio=3")
    assert result.exit_code == 2
    assert "expected at most 1" in result.stderr
