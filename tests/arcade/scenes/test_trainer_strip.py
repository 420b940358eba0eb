"""The strip beside a match that shows a training of its game."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from arcade.engine.ui.theme import Theme
from arcade.games import find_game
from arcade.scenes.hud.pieces import PIECES
from arcade.scenes.hud.trainer_piece import ARRIVED, ARRIVED_SHOWN, TrainerPiece
from arcade.session.training.words import TrainerStrip

STRIP = TrainerStrip(
    game="house/volley", words=("Beats a random bot  ·  1,000 steps", "Beats a random bot", "60%"),
    arrivals=1, points=((0, 0.1), (1000, 0.6)), is_rate=True,
)  # fmt: skip


@pytest.fixture
def piece() -> TrainerPiece:
    assert TrainerPiece in PIECES
    return TrainerPiece(SimpleNamespace(spec=find_game("house/volley"), trainer=STRIP))


def words(piece: TrainerPiece, now: float) -> str:
    piece.update(now)
    return piece.content()[0][0]


def test_it_tells_how_strong_the_training_is_and_that_a_better_opponent_has_arrived(piece) -> None:
    assert words(piece, 0.0) == STRIP.words[0], "an opponent of before the match is told as new"
    piece.facts.trainer = replace(STRIP, arrivals=2)
    assert words(piece, 1.0) == ARRIVED
    assert words(piece, ARRIVED_SHOWN) == ARRIVED
    assert words(piece, 2 + ARRIVED_SHOWN) == STRIP.words[0]


def test_a_training_of_another_game_and_no_training_show_nothing(piece) -> None:
    for trainer in (None, replace(STRIP, game="atari/pong_v3")):
        piece.facts.trainer = trainer
        piece.update(0.0)
        assert piece.content() is None


@pytest.mark.parametrize(("window", "scale"), [((1280, 720), 1.0), ((1920, 1080), 1.5), ((1280, 720), 1.7)])
def test_it_leaves_room_for_the_rest_of_the_line(piece, window, scale) -> None:
    theme = Theme("night", window=window, scale=scale)
    piece.update(0.0)
    assert piece.picture(theme, window[0]).get_width() <= window[0] - theme.px(520)


def test_the_match_shows_it_while_a_trainer_of_its_game_runs(sit, monkeypatch) -> None:
    from agents.seats.controller import SeatChoice
    from arcade.scenes import routes
    from arcade.session.services import Services

    monkeypatch.setattr(Services, "trainer_strip", STRIP)
    sitting = sit()
    spec = sitting.library.featured
    sitting.engine.push(routes.Match(spec, dict.fromkeys(spec.agents, SeatChoice("idle"))))
    scene = sitting.engine.scene
    sitting.until(lambda: scene.match is not None and scene.match.tick, "a match")
    sitting.frame(2)
    shown = next(one for one in scene.hud.pieces if isinstance(one, TrainerPiece))
    assert shown.content()[0][0] == STRIP.words[0]
    assert shown.paints, "it is not drawn"
