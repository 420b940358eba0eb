"""Games from outside: a file of one's own, and what installed packages bring."""

from __future__ import annotations

import time
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from arcade.games import GameError, GameSpec, find_game, game_row, games, missing, open_game
from arcade.games.third_party import installed

OWN_GAME = """
from gymnasium.spaces import Box, Discrete
from pettingzoo import AECEnv, ParallelEnv
import numpy as np

print("a game that talks while it is imported")


class Duel(ParallelEnv):
    metadata = {"name": "my_duel_v0", "render_fps": 24}

    def __init__(self, agents):
        self.possible_agents = list(agents)

    def observation_space(self, agent):
        return Box(0, 1, (1,), np.float32)

    def action_space(self, agent):
        return Discrete(2)

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]
        return {a: np.zeros(1, np.float32) for a in self.agents}, {a: {} for a in self.agents}

    def step(self, actions):
        raise NotImplementedError

    def get_action_meanings(self):
        return ["NOOP", "JUMP"]


class Turns(AECEnv):
    metadata = {"render_fps": None, "is_parallelizable": False}
    possible_agents = ["a", "b"]

    def observation_space(self, agent):
        return Discrete(1)

    def action_space(self, agent):
        return Discrete(2)

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]

    def observe(self, agent):
        return 0


def duel():  # takes no render_mode
    return Duel([0, 7])

def twins():
    return Duel(["a", "a"])

def turns(render_mode=None):
    return Turns()

def crash(render_mode=None):
    raise RuntimeError("no board in the box")

def die(**kwargs):
    import os; os._exit(3)

def nothing():
    return 42

NOT_A_FUNCTION = 3

from arcade.games import GameSpec
TEAMS = ((0,), (7,))
SPEC = GameSpec(
    id="mine/duel", title="My duel", entry="ID:duel", agents=(0, 7), teams=TEAMS, turn_based=False, fps=24
)
SPECS = [SPEC]
"""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of one's own in the current directory; the name of its module."""
    name = f"own_game_{time.monotonic_ns()}"
    (tmp_path / f"{name}.py").write_text(OWN_GAME.replace("ID:", f"{name}:"))
    monkeypatch.chdir(tmp_path)
    return name


def test_a_file_in_the_current_directory_is_a_game(module: str) -> None:
    spec = open_game(f"{module}:duel")
    assert spec.agents == (0, 7)
    assert (spec.fps, spec.turn_based, spec.title) == (24, False, "My Duel")
    assert spec.family == "third-party"
    assert spec.names_of(7) == ("NOOP", "JUMP")
    assert [(row.words, row.controls) for row in spec.controls_of(7).rows] == [("Jump", ("up",))]
    assert game_row(spec)["devices"] == ["keyboard", "gamepad"]
    env = spec.make(render_mode="rgb_array")
    assert env.reset(seed=1)[0].keys() == {0, 7}


def test_an_aec_game_that_cannot_be_parallel_is_turn_based_and_gets_a_rate(module: str) -> None:
    spec = open_game(f"{module}:turns")
    assert spec.turn_based
    assert spec.fps == 30
    assert spec.controls_of("a").style == "choose"
    assert game_row(spec)["devices"] == ["keyboard", "gamepad", "mouse"]


def test_a_word_may_name_a_spec(module: str) -> None:
    assert open_game(f"{module}:SPEC").id == "mine/duel"


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("crash", "no board in the box"),
        ("die", "exit code 3"),
        ("nothing", "AECEnv or ParallelEnv, got: 42"),
        ("NOT_A_FUNCTION", "got: 3"),
        ("twins", "each agent id once, got: \\['a', 'a'\\]"),
        ("no_such", "to have a function 'no_such'"),
    ],
)
def test_what_is_no_game_is_told_apart_by_its_reason(module: str, function: str, reason: str) -> None:
    with pytest.raises(GameError, match=reason):
        open_game(f"{module}:{function}")


def test_a_missing_module_tells_where_it_was_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GameError, match=str(tmp_path)):
        open_game("no_such_module_anywhere:env")


def test_what_a_file_names_is_a_game_once_somebody_here_has_opened_it(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for word in (f"{module}:duel", f"{module}:SPEC", "os:abort"):
        with pytest.raises(GameError, match=f"open it once: arcade play {word}"):
            find_game(word)
    open_game(f"{module}:duel")
    assert find_game(f"{module}:duel").agents == (0, 7)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / f"{module}.py").write_text(OWN_GAME)  # another file of that name
    monkeypatch.syspath_prepend(elsewhere)
    with pytest.raises(GameError, match=f"got: {elsewhere}.*arcade play {module}:duel"):
        find_game(f"{module}:duel")


def test_an_opened_game_with_an_id_of_its_own_is_known_by_that_too(module: str) -> None:
    open_game(f"{module}:SPEC")
    assert find_game("mine/duel").title == "My duel"


def test_a_word_that_holds_a_command_is_not_offered_to_be_typed() -> None:
    with pytest.raises(GameError) as refused:
        find_game("os:abort; reboot")
    assert "arcade play" not in str(refused.value)


def test_a_list_of_opened_games_that_cannot_be_read_opens_nothing_and_is_named(module: str, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    for text in ("[1]", "{", '{"os:abort": 1}', "[" * 100_000):
        (tmp_path / "home" / "trusted.json").write_text(text)
        for look in (find_game, open_game):
            with pytest.raises(GameError, match=r"trusted\.json"):
                look(f"{module}:duel")


def _install(monkeypatch: pytest.MonkeyPatch, **points: str) -> None:
    found = tuple(EntryPoint(name, value, installed.GROUP) for name, value in points.items())
    monkeypatch.setattr(installed, "entry_points", lambda group: found if group == installed.GROUP else ())
    monkeypatch.setattr(installed, "_points", installed._points.__wrapped__)  # the cache has those that are installed


def test_installed_packages_bring_specs_lists_and_functions(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(".")
    _install(monkeypatch, duel=f"{module}:duel", listed=f"{module}:SPECS")
    assert find_game("mine/duel").title == "My duel"
    brought = {spec.id: spec for spec in games()[-2:]}
    assert brought.keys() == {"mine/duel", f"{module}:duel"}
    assert brought[f"{module}:duel"].agents == (0, 7)


def test_a_broken_package_is_listed_with_its_reason_and_harms_no_other(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(".")
    _install(monkeypatch, good=f"{module}:SPEC", bad="not_there_at_all:env", wrong=f"{module}:NOT_A_FUNCTION")
    rows = {row["id"]: row for row in map(game_row, games())}
    assert rows["mine/duel"]["available"]
    assert "not_there_at_all" in rows["not_there_at_all:env"]["reason"]
    assert "got: 3" in rows[f"{module}:NOT_A_FUNCTION"]["reason"]
    assert not rows["not_there_at_all:env"]["available"]
    with pytest.raises(GameError, match="not_there_at_all"):
        find_game("not_there_at_all:env").make()


def test_a_package_cannot_take_the_place_of_another_game(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(".")
    pong = GameSpec(id="atari/pong_v3", title="Fake", entry="x:y", agents=(0,), teams=((0,),), turn_based=False, fps=1)
    monkeypatch.setattr(EntryPoint, "load", lambda self: pong)
    _install(monkeypatch, fake="fake:SPEC")
    fake = games()[-1]
    assert find_game("atari/pong_v3").title == "Pong"
    assert "an id that no other game has, got: atari/pong_v3" in missing(fake)
