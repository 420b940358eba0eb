"""Training by other observations than a game's own: the console's memory in Atari."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from agents.snapshots.store import SnapshotStore
from arcade.commands.cli import app
from arcade.games import find_game
from arcade.recordings.query import DatasetQuery
from tests.support.runs import close, make_run
from trainer.command import main
from trainer.config import ConfigError
from trainer.imitation.cloning import make_clone
from trainer.imitation.order import ImitationSettings, Order, Selection

BOXING = "atari/boxing_v2"
SMALL = {
    "resources": {"games": 2}, "training": {"batch": 64, "minibatch": 32, "epochs": 1}, "network": {"hidden": [8]},
    "steps": 128, "freeze": {"save_steps": 64, "at_end": True, "placement_games": 0},
}  # fmt: skip


def test_a_run_by_the_memory_freezes_what_plays_beside_the_screen(tmp_path, ray_cluster, monkeypatch, capsys) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    settings = SMALL | {
        "wrappers": {"observe": "ram", "frame_skip": 4, "max_ticks": 40},
        "opponents": {
            "fixed": ["scripted"], "fixed_ratio": 0.5, "play_against_latest_model_ratio": 0.0,
        },
        "evaluation": {"steps": 0},
    }  # fmt: skip
    run = make_run(BOXING, settings, tmp_path)
    try:
        assert run.runner.batch.groups[0].observations.shape[2:] == (128,)
        run.run()
        assert run.runner.opponents.dropped == {}
        assert set(run.runner.opponents.names) >= {"scripted", "test-0000"}
    finally:
        close(run)
    cards = SnapshotStore(tmp_path / "snapshots").list(BOXING)
    assert [card.obs_type for card in cards] == ["ram"] * len(cards)
    assert (cards[-1].observation.shape, cards[-1].frame_skip) == ((128,), 4)
    words = ["--seat", f"first_0=snapshot:{cards[-1].name}", "--seat", "second_0=scripted?level=easy"]
    done = CliRunner().invoke(
        app, ["play", BOXING, "--headless", *words, "--max-ticks", "40", "--record", "--json"], catch_exceptions=False
    )
    data = json.loads(done.stdout)
    assert [match["error"] for match in data["matches"]] == [""]
    seen = CliRunner().invoke(app, ["replay", data["replays"][0], "--verify"], catch_exceptions=False)
    assert "came out the same" in seen.stdout
    capsys.readouterr()
    assert main([BOXING, "--dry-run", "--json", "--set", f"start_from={cards[-1].name}"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["config"]["wrappers"]["observe"] == "ram"
    assert "(128,)" in shown["policies"]["main"]["observation_space"]


def test_the_yardstick_shows_the_memory_to_the_learner(tmp_path, ray_cluster, monkeypatch) -> None:
    """Against a snapshot by the screen, which another run has made, and the scripted player."""
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    monkeypatch.setattr("arcade.match.batch.sides.MOST_TICKS", 12)
    screen = make_run(BOXING, SMALL | {"steps": 1, "evaluation": {"steps": 0}, "wrappers": {"max_ticks": 8}}, tmp_path)
    try:
        screen._freeze(screen.lineages[0], "start")
    finally:
        close(screen)
    (card,) = SnapshotStore(tmp_path / "snapshots").list(BOXING)
    assert (card.obs_type, card.observation.shape) == ("", (210, 160, 3))
    settings = SMALL | {
        "wrappers": {"observe": "ram"}, "evaluation": {"steps": 64, "games": 2, "against": [f"snapshot:{card.name}"]},
        "opponents": {"fixed": [f"snapshot:{card.name}"], "fixed_ratio": 1.0, "play_against_latest_model_ratio": 0.0},
    }  # fmt: skip
    run = make_run(BOXING, settings, tmp_path, name="second")
    try:
        figures = {}
        run.yardstick.begin(run.runner.network)
        while run.yardstick.measurement is not None:
            figures |= run.yardstick.work(1.0)
        assert np.isfinite(figures[f"win_rate_snapshot:{card.name}"])
        run._iterate()
        assert f"snapshot:{card.name}" in run.runner.opponents.names
        assert run.runner.opponents.dropped == {}
    finally:
        close(run)


@pytest.mark.parametrize("how", ["--dry-run", "--steps=1"])
@pytest.mark.parametrize(
    ("game", "words", "message"),
    [
        ("house/volley", ["wrappers.observe=ram"], "wrappers.observe: expected a game whose seats can observe ram"),
        (BOXING, ["wrappers.observe=sound"], "wrappers.observe: "),
        (BOXING, ["wrappers.observe=ram", "game_kwargs.obs_type=ram"], "wrappers.observe: expected it alone"),
        (BOXING, ["wrappers.observe=grayscale_image", "wrappers.normalise=yes"], "wrappers.normalise: expected no"),
    ],
)
def test_a_dry_run_says_what_a_game_does_not_show(how, game, words, message, arcade_home, capsys) -> None:
    assert main([game, how, *(part for word in words for part in ("--set", word))]) == 2
    assert message in capsys.readouterr().err
    assert not list(arcade_home.glob("runs/*"))


def test_a_dry_run_shows_the_space_of_the_memory(arcade_home, capsys) -> None:
    assert main([BOXING, "--dry-run", "--json", "--set", "wrappers.observe=ram"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert "(128,)" in shown["policies"]["main"]["observation_space"]


def test_a_clone_sees_what_the_recorded_seats_saw(arcade_home, tmp_path: Path) -> None:
    order = Order(
        spec=find_game(BOXING), selection=Selection(query=DatasetQuery()), settings=ImitationSettings(),
        layers={"wrappers": {"observe": "ram"}},
    )  # fmt: skip
    with pytest.raises(ConfigError, match=r"wrappers\.observe: expected what recorded seats saw"):
        make_clone(order, [], SnapshotStore(tmp_path))
