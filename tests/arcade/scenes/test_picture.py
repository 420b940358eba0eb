"""A game is shown whichever way it shows itself: words as words, and what is observed where it draws nothing."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from pathlib import Path

import numpy as np
import pygame
import pytest

from agents.seats.controller import Turn
from arcade.controls.cursor_controller import CursorController
from arcade.engine.input.events import PointerInput
from arcade.engine.ui.game_views import as_pixels, parts_of, read_cells
from arcade.engine.ui.theme import Theme
from arcade.games import find_game, open_game
from arcade.match.stage.local import LocalStage
from arcade.match.stage.tick import Tick
from arcade.scenes.match.picture import GamePicture
from arcade.session.settings import TV, Settings

OWN_GAMES = """
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import ParallelEnv


class Base(ParallelEnv):
    metadata = {"name": "own_v0", "render_modes": []}
    possible_agents = ["a", "b"]

    def __init__(self, render_mode=None):
        assert render_mode is None or render_mode in self.metadata["render_modes"], render_mode
        self.render_mode = render_mode

    def observation_space(self, agent):
        return Dict({"grid": Box(0, 1, (9, 9)), "speed": Box(-1, 1, (2,))})

    def action_space(self, agent):
        return Discrete(2)

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]
        self.ticks = 0
        return self.see(), {a: {} for a in self.agents}

    def see(self):
        return {a: {"grid": np.eye(9, dtype=np.float32), "speed": np.full(2, self.ticks / 8, np.float32)} for a in "ab"}

    def step(self, actions):
        self.ticks += 1
        flags = {a: False for a in self.agents}
        return self.see(), {a: 0.0 for a in self.agents}, flags, dict(flags), {a: {} for a in self.agents}


class Words(Base):
    metadata = {"render_modes": ["ansi"]}

    def render(self):
        return f"+---+\\\\n|\\x1b[41mA\\x1b[0m {self.ticks}|\\\\n+---+"


class Printed(Base):
    metadata = {"render_modes": ["human"]}

    def render(self):
        print(f"tick {self.ticks}")


class Nothing(Base):
    metadata = {}

    def __init__(self):
        pass
"""


@pytest.fixture
def own_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_games.py").write_text(OWN_GAMES.replace("\\\\n", "\\n"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    monkeypatch.syspath_prepend(str(tmp_path))


def show(word: str, *, steps: int = 1) -> tuple[GamePicture, Tick]:
    """The picture of the game after some ticks, and the newest of them."""
    spec = open_game(word)
    with LocalStage(spec, render=True) as stage:
        stage.reset(1)
        tick = stage.wait()
        for _ in range(steps):
            stage.step(dict.fromkeys(tick.acting, 0))
            tick = stage.wait()
    return GamePicture(spec), tick


def draw(picture: GamePicture, tick: Tick | None, viewer: str | None = None) -> tuple[pygame.Rect, bytes]:
    canvas = pygame.Surface((800, 600))
    where = picture.draw(canvas, Theme(), canvas.get_rect(), tick, viewer=viewer)
    return where, pygame.image.tobytes(canvas, "RGB")


def test_words_are_shown_as_they_come_whether_returned_or_printed(own_games) -> None:
    for word, text in (("own_games:Words", "+---+\n|\x1b[41mA\x1b[0m 1|\n+---+"), ("own_games:Printed", "tick 1")):
        picture, tick = show(word)
        assert tick.text == text
        where, pixels = draw(picture, tick)
        assert where.w > 60
        assert len(set(pixels)) > 4, "nothing was written"
        assert draw(picture, None)[1] == pixels, "the last words are gone"
        assert draw(picture, Tick(2, (), text="other"))[1] != pixels


def test_a_game_that_draws_nothing_shows_what_each_seat_observes(own_games) -> None:
    picture, tick = show("own_games:Nothing", steps=2)
    assert (tick.frame, tick.text) == (None, "")
    both, own = draw(picture, tick)[1], draw(picture, tick, "a")[1]
    assert both != own, "a person is shown the own observation alone"
    later = Tick(3, ("a",), observations={"a": {"grid": np.zeros((9, 9)), "speed": np.ones(2)}})
    assert draw(picture, later, "a")[1] != own


def test_a_terminals_colours_and_columns_are_read() -> None:
    rows = read_cells("ab\x1b[31mc\x1b[0m\n\x1b[2J\u2502\td\n")
    assert [[sign for sign, _, _ in row] for row in rows] == [["a", "b", "c"], ["|", " ", " ", " ", "d"]]
    assert rows[0][0][1] == rows[0][1][1] != rows[0][2][1]


@pytest.mark.parametrize(
    ("array", "shape"),
    [
        (np.zeros((3,)), None),
        (np.zeros((4, 4)), None),
        (np.zeros((12, 10)), (12, 10, 3)),
        (np.zeros((3, 12, 10)), (12, 10, 3)),
        (np.zeros((8, 8, 111), bool), (8, 8, 3)),
        (np.full((9, 9), np.nan), (9, 9, 3)),
    ],
)
def test_arrays_that_look_like_pictures_are_pictures(array, shape) -> None:
    pixels = as_pixels(array)
    assert (None if pixels is None else pixels.shape) == shape


def test_parts_of_an_observation_have_names() -> None:
    parts = [name for name, _ in parts_of({"grid": np.eye(2), "rest": (1, [2.0])})]
    assert parts == ["grid", "rest 0", "rest 1 0"]


class NoHub:
    """Devices that send nothing."""

    def subscribe(self, listener: object) -> None: ...

    def unsubscribe(self, listener: object) -> None: ...


def test_a_table_in_little_room_is_played_with_the_mouse_all_the_same() -> None:
    spec = find_game("classic/leduc_holdem_v4")
    stage = LocalStage(spec, render=True)
    stage.reset(1)
    tick = stage.wait()
    seat = tick.acting[0]
    chooser = CursorController(NoHub(), "keyboard", label="Ann", names=spec.names_of(seat))
    chooser.reset(stage.seat(seat), seed=1)
    chooser.observe(Turn(seat, 0, tick.observations[seat], tick.action_masks[seat]))
    picture, canvas, area = GamePicture(spec), pygame.Surface((640, 480)), pygame.Rect(140, 90, 480, 380)
    assert picture.draw(canvas, Theme(), area, tick, viewer=seat, chooser=chooser) == area
    rect, index = picture.table.hits[-1]
    assert area.contains(rect)
    assert picture.pointer(PointerInput("press", rect.center, button=1), chooser)
    assert chooser.act() == np.flatnonzero(tick.action_masks[seat])[index]


@pytest.mark.parametrize(("shape", "wide"), [(TV, 4 / 3), ("square", 160 / 210)])
def test_a_game_of_a_television_has_its_shape_unless_pixels_are_to_be_square(shape, wide) -> None:
    picture = GamePicture(find_game("atari/pong_v3"))
    picture.follow(Settings(picture_shape=shape, whole_pixels=False))
    canvas = pygame.Surface((1280, 720))
    frame = np.zeros((210, 160, 3), np.uint8)
    where = picture.frames.draw(canvas, frame, canvas.get_rect())
    assert where.h == 720
    assert where.w / where.h == pytest.approx(wide, abs=0.01)
