"""The page of a game, and F1, show how it is played."""

from __future__ import annotations

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.engine.ui import theme as themes
from arcade.engine.ui.scroll import Scroll
from arcade.games import find_game
from arcade.scenes import routes
from arcade.scenes.hud.rules_text import RulesLine


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


def test_the_rules_are_read_to_the_last_line_by_keys_in_a_small_window_with_large_text(sit, keyboard) -> None:
    sitting, spec = sit(), find_game("hanabi")
    engine, hand = sitting.engine, keyboard(sitting)
    sitting.until(lambda: sitting.services.ready, "the catalogue")
    engine.apply(engine.settings.changed(ui_scale=3, window_width=640, window_height=360), save=False)
    engine.push(
        routes.Match(spec, dict(zip(spec.agents, (SeatChoice("keyboard"), SeatChoice("scripted")), strict=True)))
    )
    sitting.until(lambda: engine.scene.match is not None and engine.scene.match.tick is not None, "the match")
    hand.key(pygame.K_F1)
    sitting.frame(3)
    lines = [widget for widget in engine.scene.tree.walk() if isinstance(widget, RulesLine)]
    [view] = [widget for widget in engine.scene.tree.walk() if isinstance(widget, Scroll)]
    assert any(line.rect.h > view.rect.h for line in lines), "a line that is higher than its view"
    read: dict[str, int] = {}  # how far down each line was seen
    for _ in range(80):
        for line in lines:
            if line.rect.top < view.rect.bottom and line.rect.top + read.get(line.label, 0) >= view.rect.top:
                read[line.label] = max(read.get(line.label, 0), view.rect.bottom - line.rect.top)
        hand.press("down")
    assert all(read.get(line.label, 0) >= line.rect.h for line in lines)
