"""A setting and a HUD piece are one object each: toys are added through the public tables, and work."""

from __future__ import annotations

from dataclasses import dataclass

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.scenes import routes
from arcade.scenes.hud.piece import Place
from arcade.scenes.hud.pieces import PIECES, HudPiece
from arcade.session.settings import Page, Settings, load_settings, number, save_settings, toggle


@dataclass(frozen=True, kw_only=True)
class ToySettings(Settings):
    """With a toggle and a number that no page knows of."""

    confetti: bool = toggle(False, page=Page.DISPLAY, label="Confetti", help="Falls after a win.")
    confetti_seconds: float = number(2.0, 0, 10, page=Page.DISPLAY, label="For so long", span=(0, 10, 1))


class TickPiece(HudPiece):
    """The number of ticks, in the bottom line."""

    name, label, help = "ticks", "Ticks", "Since the match began."
    place = Place.FOOT

    def content(self):
        tick = self.facts.match.tick
        return None if tick is None else tick.index

    def paint(self, content, theme, room):
        return theme.text(f"tick {content}", size=18)


def test_a_new_setting_has_its_row_its_limits_and_its_key(sit, keyboard, tmp_path) -> None:
    sitting = sit(engine={"settings": ToySettings()})
    hand = keyboard(sitting)
    for words in ("Settings", "Display", "Confetti"):
        hand.choose(words)
    assert sitting.engine.settings.confetti
    path = tmp_path / "toy.toml"
    save_settings(sitting.engine.settings, path)
    assert "confetti = true" in path.read_text()
    assert load_settings(path, kind=ToySettings) == (sitting.engine.settings, "")
    path.write_text("confetti_seconds = 11.0\n")
    assert "expected confetti_seconds = float in 0 … 10" in load_settings(path, kind=ToySettings)[1]


@pytest.fixture
def ticks_shown():
    """A HUD with one more piece."""
    PIECES.append(TickPiece)
    yield
    PIECES.remove(TickPiece)


def test_a_new_hud_piece_is_drawn_and_can_be_turned_off(sit, keyboard, ticks_shown) -> None:
    sitting = sit()
    spec = sitting.library.featured
    sitting.engine.push(routes.Match(spec, dict.fromkeys(spec.agents, SeatChoice("random"))))
    scene = sitting.engine.scene
    sitting.until(lambda: scene.match is not None and scene.match.tick and scene.match.tick.index > 3, "a match")
    [piece] = [one for one in scene.hud.pieces if isinstance(one, TickPiece)]
    assert piece.paints > 0
    keyboard(sitting).key(pygame.K_F4)
    keyboard(sitting).choose("Ticks")
    assert not TickPiece.is_on(sitting.engine.settings)
    keyboard(sitting).choose("Resume")
    painted, seen = piece.paints, piece.content()
    sitting.until(lambda: piece.content() > seen, "the match to go on")
    assert piece.paints == painted
