"""A preset says how long it takes, how many steps that is on this machine, and how strong it may become."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.snapshots.store import open_store
from arcade.games import find_game, games
from arcade.session.training.presets import (
    OVERNIGHT,
    PRESETS,
    QUICK,
    STRONG,
    duration_text,
    estimate,
    preset_settings,
    rounded_text,
)
from arcade.session.training.speed import Source, Speed, find_speed
from trainer.config.reading import make_config, with_sizes


def write_run(runs: Path, game: str, *, speed: float, name: str = "run-1") -> None:
    folder = runs / name
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps({"game": game}))
    lines = [{"step": int(second * speed), "time": 1000.0 + second} for second in range(60)]
    (folder / "metrics.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path / "snapshots")


def test_the_speed_of_past_runs_counts_first_then_that_of_other_games(tmp_path) -> None:
    simple, volley, runs = find_game("simple_v3"), find_game("house/volley"), tmp_path / "runs"
    guess = find_speed(simple, runs, games()).steps_per_second
    write_run(runs, volley.id, speed=find_speed(volley, runs).steps_per_second / 10, name="run-2")
    other = find_speed(simple, runs, games())
    assert other == Speed(pytest.approx(guess / 10), Source.OTHERS), "a slow machine is slow with all games"
    write_run(runs, simple.id, speed=300.0)
    assert find_speed(simple, runs, games()) == Speed(pytest.approx(300.0), Source.RUNS)


def test_a_machine_that_has_trained_nothing_yet_promises_no_number_of_steps(tmp_path, store) -> None:
    volley = find_game("house/volley")
    text = estimate(volley, 2, find_speed(volley, tmp_path, games()), store.list(volley.id)).text
    assert text.startswith("2 min of training. ")
    assert "steps" not in text


def test_a_game_nobody_trained_is_guessed_by_its_kind(tmp_path) -> None:
    names = ("house/volley", "chess_v6", "atari/pong")
    speeds = [find_speed(find_game(name), tmp_path) for name in names]
    assert {speed.source for speed in speeds} == {Source.GUESS}
    assert speeds[0].steps_per_second > speeds[1].steps_per_second > speeds[2].steps_per_second


def test_more_time_is_estimated_to_give_a_stronger_opponent(store) -> None:
    volley = find_game("house/volley")
    speed, cards = Speed(8000.0, Source.RUNS), store.list(volley.id)
    sentences = [estimate(volley, preset.minutes, speed, cards).strength for preset in PRESETS.values()]
    assert sentences == [
        "At least as many steps as the easy AI was trained for; the strength may differ.",
        "At least as many steps as the expert AI was trained for; the strength may differ.",
        "At least as many steps as the expert AI was trained for; the strength may differ.",
    ]  # fmt: skip
    quick = estimate(volley, QUICK.minutes, speed, cards).text
    assert quick.startswith("5 min: about 2.4 million steps, judging by your past runs of this game.")
    slow = Speed(10.0, Source.GUESS)
    assert estimate(volley, 1, slow, cards).strength == "Fewer steps than the easy AI was trained for."
    pong = find_game("atari/pong")
    assert [estimate(pong, minutes, Speed(250.0, Source.GUESS), ()).strength for minutes in (5, 60, 2880)] == [
        "It may learn the basics.", "It may become a fair opponent.", "It may become hard to beat.",
    ]  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_the_trainer_takes_the_settings_of_every_preset_for_every_game(preset) -> None:
    speed = Speed(1000.0, Source.GUESS)
    for spec in games():
        config = make_config(with_sizes(preset_settings(preset, spec, speed) | {"game": spec.id}, spec))
        assert config.minutes == preset.minutes
        assert config.freeze.minutes * 8 >= min(config.minutes, 4)
        assert "random" in config.evaluation.against


def test_longer_presets_have_larger_networks() -> None:
    spec, speed = find_game("house/volley"), Speed(1000.0, Source.GUESS)
    widths = [preset_settings(preset, spec, speed).get("network", {}).get("hidden", [64])[0] for preset in
              (QUICK, STRONG, OVERNIGHT)]  # fmt: skip
    assert widths == [64, 128, 256]


def test_times_and_numbers_are_short() -> None:
    assert [duration_text(s) for s in (0, 20, 60, 290, 3600, 4800)] == [
        "less than a minute", "less than a minute", "1 min", "5 min", "1 h", "1 h 20 min",
    ]  # fmt: skip
    assert [rounded_text(n) for n in (640, 618_496, 1_542_144, 43_000_000)] == [
        "640", "620,000", "1.5 million", "43 million",
    ]  # fmt: skip
