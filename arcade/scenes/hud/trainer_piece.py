"""TrainerPiece: the strip beside a match that shows the trainer of its game at work."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.charts import Sparkline
from arcade.engine.ui.theme import Theme
from arcade.language import N_, _
from arcade.scenes.hud.piece import HudPiece, Place, beside

ARRIVED = N_("A better opponent has arrived")
ARRIVED_SHOWN = 10.0  # seconds
WIDTH, OTHERS = 600, 520  # units of the strip, at most, and of the page's width that it leaves
CURVE = 72, 32  # units of the sparkline


class TrainerPiece(HudPiece):
    """The win rate, or the score, of a training of the match's game, its steps, and its news."""

    name, label = "trainer", N_("Training")
    help = N_("How a training of this game goes: win rate or score, steps, and when a better opponent has arrived.")
    place = Place.FOOT

    def __init__(self, facts: Any, owner: Any = None) -> None:
        super().__init__(facts, owner)
        self._arrivals: int | None = None  # as counted last
        self._now, self._arrived_at = 0.0, -ARRIVED_SHOWN

    def update(self, now: float) -> None:
        self._now, strip = now, self.facts.trainer
        arrivals = strip.arrivals if strip is not None else None
        if arrivals and self._arrivals is not None and arrivals > self._arrivals:
            self._arrived_at = now
        self._arrivals = arrivals

    def content(self) -> Hashable:
        strip = self.facts.trainer
        if strip is None or strip.game != self.facts.spec.id:
            return None
        has_news = self._now - self._arrived_at < ARRIVED_SHOWN
        return (_(ARRIVED),) if has_news else strip.words, has_news, strip.points, strip.is_rate

    def paint(self, content: Any, theme: Theme, room: int) -> pygame.Surface:
        tries, has_news, points, is_rate = content
        room = min(room, theme.px(WIDTH), theme.window[0] - theme.px(OTHERS))
        low, high = (0, 1) if is_rate else (None, None)
        curve = Sparkline(points, low=low, high=high, width=CURVE[0], height=CURVE[1])
        curve.arrange(theme, pygame.Rect(0, 0, theme.px(CURVE[0]), theme.px(CURVE[1])))
        picture = pygame.Surface(curve.rect.size, pygame.SRCALPHA)
        curve.draw(picture, theme)
        gap, colours = theme.px(6), theme.colours
        room -= picture.get_width() + gap
        face = theme.font(themes.SMALL, bold=has_news)
        words = next((one for one in tries if face.size(one)[0] <= room), tries[-1])
        text = theme.fitted(
            words, width=room, size=themes.SMALL, bold=has_news,
            colour=colours.green if has_news else colours.muted,
        )  # fmt: skip
        return beside([picture, text], gap=gap)
