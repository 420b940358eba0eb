"""Games of other packages that are known by name: played where they are installed, and else the way to install them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from pettingzoo.test import parallel_api_test

import arcade
from agents.errors import EXIT_CODES
from arcade.games import GameError, find_game, games, listed_games, missing
from arcade.games.retro import action_names, buttons_of
from arcade.games.third_party.listed import PACKAGES, installed_listed_games

IDS = [spec.id for spec in listed_games()]
RETRO = "retro/Airstriker-Genesis-v0"  # whose ROM comes with Stable-Retro


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))


def command(*words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    return subprocess.run(
        [sys.executable, "-m", "arcade", *words], env=env, capture_output=True, text=True, timeout=300, check=False
    )


def test_there_is_a_dozen_of_pettingzoos_list_and_the_family_that_it_gave_away() -> None:
    assert len(PACKAGES) == 13
    assert len([one for one in IDS if "_v" not in one]) == 14
    assert len(IDS) == len(set(IDS)) == 18


@pytest.mark.parametrize("game", IDS)
def test_a_match_is_played_and_repeats_or_the_command_that_installs_it_is_shown(game: str) -> None:
    spec = find_game(game)
    assert find_game(game.removeprefix("third-party/")) == spec
    if missing(spec):
        done = command("play", game, "--headless", "--json")
        assert done.returncode == EXIT_CODES["not_installed"], done.stderr
        assert json.loads(done.stdout)["error"]["hint"] == f"install it with: pip install {spec.pip}"
        return

    def played() -> Any:
        [match] = arcade.play(game, {"*": "random"}, seed=1, max_ticks=40).matches
        assert not match.error
        return match.actions, match.returns

    assert played() == played()


def test_the_catalogue_lists_those_that_are_installed() -> None:
    here = [spec.id for spec in installed_listed_games()]
    assert [spec.id for spec in games() if spec.family == "third-party" and ":" not in spec.id] == here
    assert all(not missing(find_game(one)) for one in here)
    rows = json.loads(command("games", "list", "--optional", "--json").stdout)
    assert [row["id"] for row in rows] == IDS
    assert all(row["available"] == (row["id"] in here) for row in rows)
    assert all(row["pip"].startswith("pip install ") for row in rows if not row["available"])


def test_consoles_have_two_seats_with_names_for_presses(tmp_path: Path) -> None:
    assert buttons_of(["B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A"]) == ("B", "A")
    assert action_names(("B", "A"))[:4] == ("nothing", "b", "a", "up")
    if find_spec("stable_retro") is None:
        with pytest.raises(GameError, match="pip install stable-retro"):
            find_game(RETRO)
        return
    spec = find_game(RETRO)
    assert (spec.seats, spec.title, len(spec.names_of("player_1"))) == (2, "Airstriker", 63)
    parallel_api_test(spec.make(), num_cycles=40)
    [match] = arcade.play(RETRO, {"*": "random"}, seed=1, max_ticks=120).matches
    assert not match.error
    with pytest.raises(GameError, match="did you mean retro/Airstriker-Genesis-v0"):
        find_game("retro/Airstriker-Genesis")
    with pytest.raises(GameError, match="import yours: python -m stable_retro"):
        find_game("retro/MortalKombatII-Genesis-v0")


def test_substrates_say_how_to_install_them() -> None:
    done = command("play", "meltingpot/clean_up", "--headless", "--json")
    assert done.returncode == EXIT_CODES["not_installed"]
    assert json.loads(done.stdout)["error"]["hint"] == "install it with: pip install dm-meltingpot"
