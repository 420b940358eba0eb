"""Which games come out the same again, measured by playing them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete
from pettingzoo import ParallelEnv
from typer.testing import CliRunner

from arcade.commands.cli import app
from arcade.games import GameSpec, catalogue, find_game, game_row
from arcade.games.exact import SHIPPED, Exactness, own_table, read_table, table_text
from arcade.match.stage.repeatability import measure


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))


class DiceEnv(ParallelEnv):
    """Two throw dice, which may be of no seed, or loaded while it is drawn."""

    metadata = {"name": "dice_v0", "render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012

    def __init__(self, *, seeded: bool, loaded: bool = False, render_mode: str | None = None) -> None:
        self.possible_agents = ["a", "b"]
        self._seeded, self._load = seeded, loaded and render_mode is not None

    def observation_space(self, agent):
        return Box(0, 7, (1,), np.float32)

    def action_space(self, agent):
        return Discrete(3)

    def reset(self, seed=None, options=None):
        self._rng = np.random.default_rng(seed if self._seeded else None)
        self.agents = list(self.possible_agents)
        return self._throw(), {agent: {} for agent in self.agents}

    def step(self, actions):
        rewards = {agent: float(actions[agent]) for agent in self.agents}
        over = dict.fromkeys(self.agents, False)
        return self._throw(), rewards, over, over, {agent: {} for agent in self.agents}

    def render(self):
        return np.zeros((4, 4, 3), np.uint8)

    def _throw(self):
        return {agent: np.float32([self._rng.integers(1, 7) + self._load]) for agent in self.agents}


def fair(**kwargs):
    return DiceEnv(seeded=True, **kwargs)


def unseeded(**kwargs):
    return DiceEnv(seeded=False, **kwargs)


def loaded(**kwargs):
    return DiceEnv(seeded=True, loaded=True, **kwargs)


def dice(function: str) -> GameSpec:
    return GameSpec(
        id=f"tests:{function}", title="Dice", entry=f"tests.arcade.match.test_measuring:{function}",
        agents=("a", "b"), teams=(("a",), ("b",)), turn_based=False, fps=10,
    )  # fmt: skip


def test_a_game_of_true_chance_is_not_and_it_is_told_what_differs_first() -> None:
    found = measure(dice("unseeded"), ticks=40)
    assert not found.exact
    assert found.differs.startswith("at tick ")
    assert "the observation of " in found.differs


def test_a_game_that_looks_another_way_when_it_is_drawn_is_exact_either_way() -> None:
    found = measure(dice("loaded"), ticks=8)
    assert (found.exact, found.alike) == (True, False)
    assert "other observations when rendered" in found.text


@pytest.mark.parametrize("game", ["house/volley", "classic/hanabi_v5"])
def test_the_table_that_ships_says_what_is_measured_here(game: str) -> None:
    shipped = read_table(SHIPPED)[game]
    found = measure(find_game(game), ticks=120)
    assert (found.exact, found.alike, found.saves) == (shipped.exact, shipped.alike, shipped.saves)


def test_every_game_of_the_catalogue_was_measured() -> None:
    assert set(read_table(SHIPPED)) == {spec.id for spec in catalogue.built_in_games()}
    assert find_game("house/volley").exact


def test_an_unknown_game_is_not_taken_for_exact_until_it_is_measured_here() -> None:
    spec = dice("fair")
    assert not spec.exact
    assert game_row(spec)["exactness"] == ""
    own_table().write_text(table_text({spec.id: Exactness(ticks=8)}))
    assert spec.exact
    assert game_row(spec)["exactness"] == "the same over 8 ticks"


@pytest.mark.parametrize(
    "text",
    [
        '{"format": 9}',
        "[" * 100_000,
        '{"format": 1, "games": []}',
        '{"format": 1, "games": {"house/volley": {"ticks": 5, "versions": 5}}}',
    ],
)
def test_a_table_that_cannot_be_read_takes_nothing_from_the_listing(text: str) -> None:
    own_table().write_text(text)
    assert game_row(find_game("house/volley"))["exact"]


def test_the_command_measures_and_keeps_what_it_found(tmp_path: Path) -> None:
    out = tmp_path / "table.json"
    said = CliRunner().invoke(app, ["games", "tictactoe", "--measure", "--ticks", "12", "--out", str(out), "--json"])
    assert said.exit_code == 0
    assert json.loads(said.stdout)["games"]["classic/tictactoe_v3"]["exact"] is True
    assert read_table(out)["classic/tictactoe_v3"].exact


def test_the_command_adds_nothing_to_a_file_that_is_no_table(tmp_path: Path) -> None:
    out = tmp_path / "table.json"
    out.write_text("[]")
    said = CliRunner().invoke(app, ["games", "tictactoe", "--measure", "--ticks", "2", "--out", str(out)])
    assert said.exit_code == 2
    assert "expected a table of format 1" in said.stderr
    assert out.read_text() == "[]"
