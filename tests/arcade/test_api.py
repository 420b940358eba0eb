"""The Python API: its examples, and what it takes beside the words of the command line."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from mpe2 import simple_tag_v3

import arcade
from agents import RandomController
from agents.errors import UserError
from arcade.arguments import ArgumentError
from arcade.games import GameError
from arcade.window import NoDisplayError


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "module", ["arcade.api", "arcade.frames", "arcade.games", "arcade.learning.api", "arcade.recordings"]
)
def test_the_examples_of_the_docstrings(module: str) -> None:
    finder = doctest.DocTestFinder()
    loaded = importlib.import_module(module)
    examples = [test for test in finder.find(loaded, module, loaded, extraglobs={}) if test.examples]
    own_class = type(loaded)
    if own_class.__module__ == module:  # a package that can be called: its example is that of the call
        examples += [test for test in finder.find(own_class, module, loaded) if test.examples]
    assert examples
    for example in examples:
        said: list[str] = []
        assert doctest.DocTestRunner().run(example, out=said.append).failed == 0, "".join(said)


def test_importing_it_loads_nothing_heavy() -> None:
    code = "import sys, arcade; print([n for n in ('numpy', 'pygame', 'pydantic', 'arcade.api') if n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_a_package_of_the_same_name_is_both() -> None:
    from arcade.games import find_game

    assert arcade.games()[0] == find_game("house/volley") == arcade.games.find_game("house/volley")
    with pytest.raises(AttributeError, match="expected one of evaluate, games"):
        arcade.nothing  # noqa: B018


@pytest.mark.parametrize("game", [simple_tag_v3.parallel_env(), simple_tag_v3.env, lambda: simple_tag_v3.env()])
def test_any_env_and_any_function_that_makes_one_is_a_game(game: object) -> None:
    [match] = arcade.play(game, {"*": "random", "agent_0": RandomController()}, max_ticks=10, seed=1).matches
    assert not match.error
    assert match.ticks == 10
    assert len(match.lineup) == 4


def test_a_recording_is_written_listed_and_verified() -> None:
    [path] = arcade.play("classic/tictactoe", {"*": "random"}, seed=2, record=True).replays
    [recording] = arcade.recordings(game="classic/tictactoe_v3")
    assert recording.path == path
    assert arcade.verify(recording).ok
    assert arcade.verify("latest").ticks == recording.card.ticks
    assert not arcade.recordings(person="Ann")


def test_results_count_on_the_ladder_only_when_asked() -> None:
    seats = {"left_0": "scripted", "right_0": "random"}
    arcade.play("house/volley", seats, seed=1, max_ticks=90)
    assert arcade.ladder("house/volley").matches == 0
    arcade.play("house/volley", seats, seed=1, ladder=True)
    assert {standing.name for standing in arcade.ladder("house/volley").table} == {"scripted", "random"}


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"game": "house/voley"}, GameError, "did you mean house/volley"),
        ({"game": 7}, GameError, "to return a PettingZoo"),
        ({"game": None}, ArgumentError, "expected a game"),
        ({"seats": {"left_0": 7}}, ArgumentError, "a seat word, a function or a Controller, got: 7"),
        ({"seats": {"left": "random"}}, UserError, "left_0, right_0"),
        ({"seats": {"*": RandomController()}}, ArgumentError, "a Controller for each seat"),
        ({"seed": -1}, ArgumentError, "0 <= seed < 2"),
        ({"speed": 0}, ArgumentError, "speed > 0"),
        ({"episodes": 0}, ArgumentError, "episodes >= 1"),
        ({"frame_skip": 99}, UserError, "frame_skip"),
        ({"window": True, "episodes": 2}, ArgumentError, "one match"),
        ({"window": True, "game": simple_tag_v3.parallel_env()}, GameError, "another process can make"),
        ({"window": True}, NoDisplayError, "expected a display"),
    ],
)
def test_wrong_arguments_are_named(
    monkeypatch: pytest.MonkeyPatch, wrong: dict[str, object], error: type[Exception], words: str
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(error, match=words):
        arcade.play(**{"game": "house/volley", "max_ticks": 10} | wrong)  # type: ignore[arg-type]
