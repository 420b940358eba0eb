"""The limits and rules page: AI limits, rules of a real-time game (sticky actions, frame skip), series length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pygame

from agents.seats.controller import AgentID
from agents.seats.kinds import find_kind
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import UNPLACED, Button, Choice, Widget, column
from arcade.games.seat_colours import seat_colour
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.scenes.setup.seat_list import series_row
from arcade.session.fair_play import LIMITS, RULES, TITLES, limit_of, limited, limits_text, value_text
from arcade.session.services import Services

ROWS = pygame.Rect(theme.MARGIN, 150, 700, 52)
SIDE = pygame.Rect(ROWS.right + 40, ROWS.top, 1240 - ROWS.right - 40, 420)
DONE = pygame.Rect(theme.MARGIN, 592, 700, 60)
ALL = "all"
SEATS_SHOWN = 4

OF_LIMITS = (
    "AI sees everything at once and never tires. Limits on its reactions and actions make the match fairer. "
    "Limited players have ratings of their own."
)
OF_RULES = "Rules apply to all players. Matches with changed rules are not rated."
OF_TURNS = "This game waits for each move, so reactions cannot be delayed: AI can only be made to slip."


class FairPlayScene(Screen):
    """Edits a Seating and the rules of the next match in place."""

    heading = "Limits and rules"
    legend = "Left, right or click: change    {esc} or {b}: done"

    def __init__(self, services: Services, route: routes.FairPlay) -> None:
        super().__init__(services, route)
        self.seating, self.spec = route.seating, route.seating.spec
        self._limited_seat: AgentID | None = None  # None: all

    @property
    def ai_seats(self) -> list[AgentID]:
        """The seats that can be limited."""
        return [agent for agent, choice in self.seating.lineup.items() if find_kind(choice.kind).takes_limits]

    def widgets(self) -> list[Widget]:
        rules = [] if self.spec.turn_based else [self._rule_row(name) for name in RULES]
        rows = [*self._seat_rows(), *rules, *self._series_rows()]
        done = Button(DONE, "Done", self.back, primary=True, hint="Back to the seats")
        return [*column(rows, ROWS), done]

    def _seat_rows(self) -> list[Choice]:
        seats = self.ai_seats
        if not seats:
            return []
        choices: list[AgentID | None] = [None, *seats] if len(seats) > 1 else list(seats)
        if self._limited_seat not in choices:
            self._limited_seat = choices[0]

        def choose(index: int) -> None:
            self._limited_seat = choices[index]
            self.refresh()

        names = [ALL if agent is None else self.spec.seat_title(agent) for agent in choices]
        index = choices.index(self._limited_seat)
        seat = Choice(UNPLACED, "AI player", names, index=index, change=choose, hint="The player to limit")
        return [seat, *(self._limit_row(name) for name in (("noise",) if self.spec.turn_based else LIMITS))]

    def _limit_row(self, name: str) -> Choice:
        seats = self.ai_seats if self._limited_seat is None else [self._limited_seat]

        def change(value: float) -> None:
            for agent in seats:
                self.seating.put(agent, limited(self.seating.lineup[agent], name, value, self.spec))

        return _row(name, LIMITS[name], limit_of(self.seating.lineup[seats[0]], name, self.spec), change)

    def _series_rows(self) -> list[Choice]:
        """The length of a series, in a game with a winner."""
        setup = self.services.setup
        row = series_row(UNPLACED, setup.best_of, partial(setattr, setup, "best_of"))
        return [row] if len(self.spec.teams) > 1 else []

    def _rule_row(self, name: str) -> Choice:
        setup = self.services.setup

        def change(value: float) -> None:
            changed: Any = {name: int(value) if name == "frame_skip" else value}
            setup.rules[self.spec.id] = replace(setup.rules_of(self.spec), **changed)

        return _row(name, RULES[name], float(getattr(setup.rules_of(self.spec), name)), change)

    def draw_page(self, canvas: pygame.Surface) -> None:
        at = (theme.MARGIN, 92)
        theme.draw_text(canvas, self.spec.title, at, size=theme.LARGE, colour=theme.MUTED, width=1200)
        theme.draw_panel(canvas, SIDE.inflate(20, 20))
        top = SIDE.top
        for text in (OF_TURNS,) if self.spec.turn_based else (OF_LIMITS, OF_RULES):
            picture = theme.paragraph(text, width=SIDE.w, size=theme.SMALL, colour=theme.MUTED)
            top = canvas.blit(picture, (SIDE.left, top)).bottom + theme.GAP
        self._draw_seats(canvas, top + theme.GAP)

    def _draw_seats(self, canvas: pygame.Surface, top: int) -> None:
        if not self.ai_seats:
            theme.draw_text(canvas, "No AI player in this match", (SIDE.left, top), width=SIDE.w)
        more = len(self.ai_seats) - SEATS_SHOWN
        if more > 0:
            at = (SIDE.left, top + SEATS_SHOWN * 46)
            theme.draw_text(canvas, f"and {more} more", at, size=theme.SMALL, colour=theme.MUTED)
        for place, agent in enumerate(self.ai_seats[:SEATS_SHOWN]):
            colour = seat_colour(self.spec, agent, theme.TEAMS)
            at = (SIDE.left, top + place * 46)
            title = self.spec.seat_title(agent)
            theme.draw_text(canvas, title, at, size=theme.SMALL, bold=True, colour=colour, width=SIDE.w)
            text = limits_text(self.seating.lineup[agent], self.spec)
            theme.draw_text(canvas, text, (at[0], at[1] + 20), size=theme.SMALL, width=SIDE.w)


def _row(name: str, offered: Sequence[float], present: float, change: Callable[[float], None]) -> Choice:
    """The row of one limit or rule; `change` gets the new value."""
    label, hint = TITLES[name]
    values = sorted({*offered, present})
    options = [value_text(name, value) for value in values]
    index = values.index(present)
    return Choice(UNPLACED, label, options, index=index, change=lambda index: change(values[index]), hint=hint)
