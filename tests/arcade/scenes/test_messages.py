"""Messages on pages hide nothing that somebody may want to press."""

from __future__ import annotations

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.scenes import routes
from arcade.scenes.setup.seats import SeatsScene


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_message_hides_no_button_of_the_page(sit, scale) -> None:
    sitting = sit()
    engine = sitting.engine
    engine.apply(engine.settings.changed(ui_scale=scale))
    engine.push(SeatsScene(sitting.services, routes.Seats(sitting.library.featured)))
    start = engine.clock()
    for now in (0, 10):  # the view comes to rest
        engine.frame(start + now)

    def looks() -> list[bytes]:
        seen = [w.rect.clip(engine.canvas.get_rect()) for w in engine.scene.focus.widgets]
        return [engine.canvas.subsurface(rect).copy().get_buffer().raw for rect in seen if rect]

    before, page = looks(), engine.canvas.copy()
    sitting.engine.toasts.say("Picture saved: /home/somebody/" + "folder/" * 12 + "picture.png")
    engine.frame(start + 10.1)
    assert looks() == before
    assert engine.canvas.get_buffer().raw != page.get_buffer().raw, "expected the message somewhere"


def test_a_message_leaves_the_words_of_the_pause_free(sit) -> None:
    """As after a take-over, which says who replaces whom."""
    sitting = sit()
    engine, spec = sitting.engine, sitting.library.featured
    engine.push(routes.Match(spec, dict.fromkeys(spec.agents, SeatChoice("random"))))
    match = engine.scene
    sitting.until(lambda: match.match is not None, "the match")
    match.pause("Your match continues from 0:07")
    sitting.until(lambda: sitting.on == "PauseScene" and engine.scene.listens, "the pause")
    sitting.frame(3)
    words = [w.rect for w in engine.scene.tree.walk() if w.label in ("Paused", "Your match continues from 0:07")]
    drawn: list[pygame.Rect] = []
    draw = engine.toasts.draw_clear
    engine.toasts.draw_clear = lambda *a, **look: drawn.extend(draw(*a, **look)) or []
    engine.toasts.say("Volley AI, easy plays instead of somebody who is not here")
    sitting.frame(2)
    assert len(words) == 2
    assert drawn, "expected the message somewhere"
    assert not any(plate.colliderect(rect) for plate in drawn for rect in words)


def test_a_message_leaves_the_words_of_the_heading_free(sit, monkeypatch) -> None:
    sitting = sit()
    engine = sitting.engine
    engine.push(routes.Settings())
    left_free: list[pygame.Rect] = []
    engine.toasts.say("Saved")
    monkeypatch.setattr(engine.toasts, "draw_clear", lambda canvas, taken, **look: left_free.extend(taken))
    sitting.frame(3)
    at = engine.theme.px(40), engine.theme.px(40)
    assert any(rect.collidepoint(at) for rect in left_free), "where the heading is written"
