"""AI insight: the action probabilities and the value of a policy."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pygame

from agents.seats.controller import AgentID, Insight
from arcade.engine.ui import theme
from arcade.scenes.hud.piece import HudPiece, Look, Place

if TYPE_CHECKING:
    from arcade.scenes.hud.action_words import ActionWords
    from arcade.scenes.hud.facts import Facts
    from arcade.session.recordings.insights import Insights

ROWS = 6  # most actions that are shown, the likeliest of them

WIDTH = 236


Row = tuple[str, int]  # an action's name and its probability in per cent


class InsightPanel(HudPiece):
    """The panel of one seat; nothing for a seat without AI insight."""

    name, label, help = "mind", "AI insight", "F9: the action probabilities and the value of each snapshot."
    place = Place.PICTURE
    default = False
    is_secret = True

    facts: Facts | Insights

    def __init__(self, facts: Facts | Insights, agent: AgentID) -> None:
        super().__init__(facts)
        self.agent = agent
        self._words: ActionWords | None = None  # made at the first insight: a stage that is not ready has no spaces

    def content(self) -> Hashable:
        insight = self.facts.insight(self.agent)
        if insight is None:
            return None
        if self._words is None:
            from arcade.scenes.hud.action_words import ActionWords  # on demand: numpy comes with it

            self._words = ActionWords(self.facts.spec, self.agent, self.facts.action_space(self.agent))
        value = None if insight.value is None else round(float(insight.value), 2)
        return self.facts.label(self.agent), value, insight_rows(insight, self._words.named)

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        label, value, rows = content
        look = replace(look, scale=min(look.scale, 1.8))  # it lies on the game
        line, width = look.px(24), min(room, look.px(WIDTH))
        lines = len(rows) + (value is not None)
        panel = theme.plate((width, look.px(44) + line * lines))
        colour = theme.team_colour(self.facts.spec.team_of(self.agent))
        left, inner = look.px(14), width - look.px(28)
        words = label if self.facts.spec.seats == 2 else f"{self.agent}: {label}"  # two stand on their own sides
        theme.draw_text(panel, words, (left, look.px(8)), size=look.small, bold=True, colour=colour, width=inner)
        top = look.px(36)
        for name, share in rows:
            _paint_row(panel, pygame.Rect(left, top, inner, line), name, share, look=look, colour=colour)
            top += line
        if value is not None:
            at = (left, top + line // 2)
            theme.draw_text(panel, f"expects {value:+.2f}", at, size=look.px(16), anchor="midleft", width=inner)
        return panel


def insight_rows(insight: Insight, name: Callable[[int], str]) -> tuple[Row, ...]:
    """Return the rows of an insight: few actions in their own order, of many the likeliest first."""
    shares = [round(100 * float(share)) for share in insight.shares]
    if len(insight.parts) == 1:
        every = range(len(shares))
        shown = every if len(every) <= ROWS else heapq.nlargest(ROWS, every, shares.__getitem__)
        return tuple((name(index), shares[index]) for index in shown)
    rows, start = [], 0
    for place, length in enumerate(insight.parts[:ROWS], 1):
        part = shares[start : start + length]
        best = max(range(length), key=part.__getitem__)
        rows.append((f"part {place}" if length == 1 else f"part {place}: {best}", part[best]))
        start += length
    return tuple(rows)


def _paint_row(
    panel: pygame.Surface, area: pygame.Rect, name: str, share: int, *, look: Look, colour: theme.Colour
) -> None:
    size, middle = look.px(16), area.centery
    theme.draw_text(panel, name, (area.left, middle), size=size, anchor="midleft", width=area.w * 44 // 100)
    bar = pygame.Rect(area.left + area.w * 46 // 100, middle - area.h // 4, area.w * 34 // 100, area.h // 2)
    pygame.draw.rect(panel, theme.RAISED, bar, border_radius=3)
    full = bar.copy()
    full.w = max(2, bar.w * share // 100)
    pygame.draw.rect(panel, colour, full, border_radius=3)
    theme.draw_text(panel, f"{share}%", (area.right, middle), size=size, colour=theme.MUTED, anchor="midright")
