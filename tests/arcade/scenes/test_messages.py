"""Messages on pages hide nothing that somebody may want to press."""

from __future__ import annotations

import pygame
import pytest

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


def test_a_message_leaves_the_words_of_the_heading_free(sit, monkeypatch) -> None:
    sitting = sit()
    engine = sitting.engine
    engine.push(routes.Settings())
    left_free: list[pygame.Rect] = []
    monkeypatch.setattr(engine.toasts, "draw_clear", lambda canvas, taken, **look: left_free.extend(taken))
    sitting.frame(3)
    at = engine.theme.px(40), engine.theme.px(40)
    assert any(rect.collidepoint(at) for rect in left_free), "where the heading is written"
