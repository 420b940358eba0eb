"""Markers: a word and an arrow over the figure of each person, at the start of a match and while the help is open."""

from __future__ import annotations

import pygame

from agents.seats.controller import AgentID
from arcade.engine.ui.theme import Colour, Theme
from arcade.games.figures import Place
from arcade.games.seat_colours import seat_colour
from arcade.language import N_, _
from arcade.match.play.match import Match

YOU = N_("YOU")
"""Over the figure of the only person; several people read their names."""

SHOWN = 4.0
"""Seconds that the markers are shown after the start, and after each pause."""

OFTEN = 10
"""Times a second that the places are read while no marker is shown, so that they are known when the help opens."""

KEPT = 0.5
"""Seconds of the game's own time that a figure keeps its place while the game does not draw it."""


class Markers:
    """Follows the figures of one match."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._until: float | None = None  # None: since `show`, whose first `update` sets it
        self._now = 0.0
        self._places: dict[AgentID, tuple[Place, int]] = {}  # of each figure, and the tick that showed it there

    def show(self) -> None:
        """Show the markers for a few seconds from now on."""
        self._until = None

    def update(self, now: float) -> None:
        """Take note of the newest tick; called once a frame, also while markers are hidden."""
        self._now, tick = now, self._match.tick
        self._until = now + SHOWN if self._until is None else self._until
        if tick is not None:
            self._places |= {agent: (place, tick.index) for agent, place in tick.figures.items()}
            every = 1 if self.is_shown else max(1, round(self._match.spec.fps / OFTEN))
            self._match.stage.locates = (tick.index + 1) % every == 0

    @property
    def is_shown(self) -> bool:
        """Whether a few seconds have not passed yet."""
        return self._until is None or self._now < self._until

    @property
    def places(self) -> dict[AgentID, Place]:
        """The places of the people's figures that are in the picture."""
        tick, spec = self._match.tick, self._match.spec
        if tick is None:
            return {}
        last = max(KEPT, 1 / OFTEN + 1 / spec.fps) * spec.fps
        near = {agent: place for agent, (place, index) in self._places.items() if abs(tick.index - index) <= last}
        return {agent: place for agent, place in near.items() if self._match.mapping[agent].is_human}

    def words(self, agent: AgentID) -> str:
        """Return the word over a figure: YOU, or the name where several people play."""
        labels = {one.label for one in self._match.mapping.values() if one.is_human}
        return _(YOU) if len(labels) == 1 else self._match.mapping[agent].label

    def draw(self, canvas: pygame.Surface, theme: Theme, picture: pygame.Rect) -> None:
        """Draw a marker at each place in the `picture` on the canvas."""
        for agent, (left, top, width, height) in self.places.items():
            figure = pygame.Rect(
                picture.left + left * picture.w, picture.top + top * picture.h, width * picture.w, height * picture.h
            )
            colour = seat_colour(self._match.spec, agent, theme.colours.teams)
            _draw_marker(canvas, theme, figure, self.words(agent), colour=colour, within=picture)


def _draw_marker(
    canvas: pygame.Surface, theme: Theme, figure: pygame.Rect, words: str, *, colour: Colour, within: pygame.Rect
) -> None:
    """Draw a plate with an arrow to the figure, above it or, without room there, below."""
    text = theme.fitted(words, width=theme.px(180), bold=True)
    arrow = theme.px(11)
    plate = text.get_rect().inflate(theme.px(16), theme.px(5))
    above = figure.top - arrow - plate.h >= within.top
    tip = (figure.centerx, figure.top - 2 if above else figure.bottom + 2)
    plate.midbottom = tip[0], tip[1] - arrow
    if not above:
        plate.midtop = tip[0], tip[1] + arrow
    plate.clamp_ip(within)
    foot = plate.bottom - 2 if above else plate.top + 1
    pygame.draw.polygon(canvas, colour, [tip, (tip[0] - arrow, foot), (tip[0] + arrow, foot)])
    theme.draw_panel(canvas, plate, edge=colour)
    canvas.blit(text, text.get_rect(center=plate.center))
