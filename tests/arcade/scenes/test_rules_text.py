"""The page of a game, and F1, show how it is played."""

from __future__ import annotations

import pytest

from agents.seats.controller import SeatChoice
from arcade.engine.ui import theme as themes
from arcade.games import find_game
from arcade.scenes import routes


@pytest.mark.parametrize("name", ["hanabi", "leduc_holdem"])
def test_one_press_on_the_page_of_a_game_shows_how_it_is_played(name: str, sit, keyboard) -> None:
    sitting, spec = sit(), find_game(name)
    hand = keyboard(sitting)
    sitting.until(lambda: sitting.services.ready, "the catalogue")
    sitting.engine.push(routes.Game(spec))
    themes.clipped_texts.clear()
    hand.choose("How to play")
    sitting.until(lambda: sitting.on == "ControlsScene", "the rules")
    page = sitting.engine.canvas.get_rect()
    shown = {getattr(widget, "label", ""): widget.rect for widget in sitting.engine.scene.tree.walk()}
    assert all(page.contains(shown[line]) for line in spec.rules.lines())
    assert not themes.clipped_texts


def test_f1_shows_how_the_game_is_played(sit) -> None:
    sitting, spec = sit(), find_game("hanabi")
    sitting.until(lambda: sitting.services.ready, "the catalogue")
    person, other = spec.agents
    lineup = {person: SeatChoice("keyboard"), other: SeatChoice("scripted")}
    sitting.engine.push(routes.Controls(spec, lineup))
    shown = {getattr(widget, "label", "") for widget in sitting.engine.scene.tree.walk()}
    assert set(spec.rules.lines()) <= shown
