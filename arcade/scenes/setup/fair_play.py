"""Limits and rules: what machines are held to, seat by seat, and by which rules a real-time game is played."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from agents.seats.controller import AgentID
from agents.seats.kinds import find_kind
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Choice, Widget
from arcade.scenes import routes
from arcade.scenes.match.series_row import series_row
from arcade.scenes.screen import Screen
from arcade.session.fair_play import (
    LIMITS,
    RULES,
    TITLES,
    held_words,
    limit_of,
    limited,
    limits_for,
    offered,
    ruled,
    words_of,
)
from arcade.session.services import Services

ROWS = pygame.Rect(theme.MARGIN, 150, 700, 52)
PITCH = 60
SIDE = pygame.Rect(ROWS.right + 40, ROWS.top, 1240 - ROWS.right - 40, 420)
DONE = pygame.Rect(theme.MARGIN, 592, 700, 60)
EVERYBODY = "all of them"
SEATS_SHOWN = 4
Change = Callable[[int], None]

OF_LIMITS = (
    "A machine sees everything at once and never tires. Held to a person's reaction and hands it is a fairer match. "
    "Limited players are rated under names of their own."
)
OF_RULES = "The rules hold for everybody. Such matches stay off the ladder; a replay keeps what was really done."
OF_TURNS = "This game waits for each move, so that there is no reaction to delay: a machine can only be made to slip."


class FairPlayScene(Screen):
    """Edits a Seating and the services's rules in place; every row changes what it says at once."""

    heading = "Limits and rules"
    legend = "Left, right or click: change    {esc} or {b}: done"

    def __init__(self, services: Services, route: routes.FairPlay) -> None:
        super().__init__(services, route)
        self.seating, self.spec = route.seating, route.seating.spec
        self._whose: AgentID | None = None  # None: all of them

    @property
    def machines(self) -> list[AgentID]:
        """The seats that can be limited."""
        return [agent for agent, choice in self.seating.lineup.items() if find_kind(choice.kind).takes_limits]

    def widgets(self) -> list[Widget]:
        rows = [*self._seat_rows(), *([] if self.spec.turn_based else self._rule_rows()), *self._series_rows()]
        for place, row in enumerate(rows):
            row.rect = ROWS.move(0, place * PITCH)
        done = Button(DONE, "Done", self.back, primary=True, hint="Back to the seats")
        return [*rows, done]

    def _seat_rows(self) -> list[Choice]:
        machines = self.machines
        if not machines:
            return []
        whose: list[AgentID | None] = [None, *machines] if len(machines) > 1 else list(machines)
        if self._whose not in whose:
            self._whose = whose[0]

        def choose(index: int) -> None:
            self._whose = whose[index]
            self.rebuild_here()

        names = [EVERYBODY if agent is None else str(agent) for agent in whose]
        seat = Choice(
            ROWS,
            "Machine",
            names,
            index=whose.index(self._whose),
            change=choose,
            hint="Whose limits the rows below are",
        )
        return [seat, *(self._limit_row(name) for name in limits_for(self.spec))]

    def _limit_row(self, name: str) -> Choice:
        held = self.machines if self._whose is None else [self._whose]
        present = limit_of(self.seating.lineup[held[0]], name, self.spec)
        values = offered(LIMITS[name], present)

        def change(index: int) -> None:
            for agent in held:
                choice = self.seating.lineup[agent]
                self.seating.put(agent, limited(choice, name, values[index], self.spec))

        return self._row(name, values, present, change)

    def _rule_rows(self) -> list[Choice]:
        return [self._rule_row(name) for name in RULES]

    def _series_rows(self) -> list[Choice]:
        """A game of one team has nobody to win a series."""
        if len(self.spec.teams) < 2:
            return []

        def change(best_of: int) -> None:
            self.services.setup.best_of = best_of

        return [series_row(ROWS, self.services.setup.best_of, change)]

    def _rule_row(self, name: str) -> Choice:
        present = float(getattr(self.services.setup.rules_of(self.spec), name))
        values = offered(RULES[name], present)

        def change(index: int) -> None:
            rules = self.services.setup.rules_of(self.spec)
            self.services.setup.rules[self.spec.id] = ruled(rules, name, values[index])

        return self._row(name, values, present, change)

    def _row(self, name: str, values: list[float], present: float, change: Change) -> Choice:
        words, hint = TITLES[name]
        options = [words_of(name, value) for value in values]
        return Choice(ROWS, words, options, index=values.index(present), change=change, hint=hint)

    def draw_page(self, canvas: pygame.Surface) -> None:
        at = (theme.MARGIN, 92)
        theme.draw_text(canvas, self.spec.title, at, size=theme.LARGE, colour=theme.MUTED, width=1200)
        theme.draw_panel(canvas, SIDE.inflate(20, 20))
        top = SIDE.top
        for words in (OF_TURNS if self.spec.turn_based else OF_LIMITS, "" if self.spec.turn_based else OF_RULES):
            if words:
                picture = theme.paragraph(words, width=SIDE.w, size=theme.SMALL, colour=theme.MUTED)
                top = canvas.blit(picture, (SIDE.left, top)).bottom + theme.GAP
        self._draw_seats(canvas, top + theme.GAP)

    def _draw_seats(self, canvas: pygame.Surface, top: int) -> None:
        if not self.machines:
            theme.draw_text(canvas, "No machine sits here now.", (SIDE.left, top), width=SIDE.w)
        more = len(self.machines) - SEATS_SHOWN
        if more > 0:
            at = (SIDE.left, top + SEATS_SHOWN * 46)
            theme.draw_text(canvas, f"and {more} more", at, size=theme.SMALL, colour=theme.MUTED)
        for place, agent in enumerate(self.machines[:SEATS_SHOWN]):
            colour = theme.team_colour(self.spec.team_of(agent))
            at = (SIDE.left, top + place * 46)
            theme.draw_text(canvas, str(agent), at, size=theme.SMALL, bold=True, colour=colour, width=SIDE.w)
            words = held_words(self.seating.lineup[agent], self.spec)
            theme.draw_text(canvas, words, (at[0], at[1] + 20), size=theme.SMALL, width=SIDE.w)
