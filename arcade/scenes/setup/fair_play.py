"""The limits and rules page: AI limits, rules of a real-time game (sticky actions, frame skip), series length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from agents.seats.controller import AgentID
from agents.seats.kinds import find_kind
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button, Choice
from arcade.engine.ui.layout import Column, Panel, Row
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.games.seat_colours import seat_colour
from arcade.language import N_, _, ngettext
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.scenes.setup.seat_list import series_choice
from arcade.session.fair_play import LIMITS, RULES, TITLES, limit_of, limited, limits_text, value_text
from arcade.session.services import Services

SEATS_SHOWN = 4

OF_LIMITS = N_(
    "AI sees everything at once and never tires. Limits on its reactions and actions make the match fairer. "
    "Limited players have ratings of their own."
)
OF_RULES = N_("Rules apply to all players. Matches with changed rules are not rated.")
OF_TURNS = N_("This game waits for each move, so reactions cannot be delayed: AI can only be made to slip.")


class FairPlayScene(Screen):
    """Edits a Seating and the rules of the next match in place."""

    heading = N_("Limits and rules")
    legend = (("accept", N_("Change")), ("back", N_("Done")))
    has_back = False

    def __init__(self, services: Services, route: routes.FairPlay) -> None:
        super().__init__(services, route)
        self.seating, self.spec = route.seating, route.seating.spec
        self._limited_seat: AgentID | None = None  # None: all

    @property
    def ai_seats(self) -> list[AgentID]:
        """The seats that can be limited."""
        return [agent for agent, choice in self.seating.lineup.items() if find_kind(choice.kind).takes_limits]

    def actions(self) -> list[Widget]:
        return [Label(_(self.spec.title), size=themes.LARGE, colour="muted")]

    def body(self) -> Widget:
        rules = [] if self.spec.turn_based else [self._rule_row(name) for name in RULES]
        rows = Column([*self._seat_rows(), *rules, *self._series_rows()], gap=8)
        done = Button(_("Done"), self.back, primary=True, hint=_("Back to the seats"))
        top = Row([Column([rows], grow=3), Column([Panel(self._notes())], grow=2)], gap=24, align="start")
        return Column([Scroll(top), done], grow=1)

    def _notes(self) -> Widget:
        texts = (OF_TURNS,) if self.spec.turn_based else (OF_LIMITS, OF_RULES)
        about = [Paragraph(_(text), size=themes.SMALL, colour="muted") for text in texts]
        return Column([*about, *self._seat_notes()])

    def _seat_notes(self) -> list[Widget]:
        """What limits each AI player has."""
        if not self.ai_seats:
            return [Paragraph(_("No AI player in this match"))]
        notes: list[Widget] = []
        for agent in self.ai_seats[:SEATS_SHOWN]:
            colour = seat_colour(self.spec, agent, self.theme.colours.teams)
            title = Label(self.spec.seat_title(agent), size=themes.SMALL, bold=True, colour=colour)
            text = partial(self._limits_text, agent)
            notes.append(Column([title, Paragraph(text, size=themes.SMALL)], gap=0))
        if (more := len(self.ai_seats) - SEATS_SHOWN) > 0:
            words = ngettext("and {count} more", "and {count} more", more).format(count=more)
            notes.append(Label(words, size=themes.SMALL, colour="muted"))
        return notes

    def _limits_text(self, agent: AgentID) -> str:
        return limits_text(self.seating.lineup[agent], self.spec)

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

        names = [_("all") if agent is None else self.spec.seat_title(agent) for agent in choices]
        index = choices.index(self._limited_seat)
        seat = Choice(_("AI player"), names, index=index, change=choose, hint=_("The player to limit"))
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
        return [series_choice(setup.best_of, partial(setattr, setup, "best_of"))] if len(self.spec.teams) > 1 else []

    def _rule_row(self, name: str) -> Choice:
        setup = self.services.setup

        def change(value: float) -> None:
            changed: Any = {name: int(value) if name == "frame_skip" else value}
            setup.rules[self.spec.id] = replace(setup.rules_of(self.spec), **changed)

        return _row(name, RULES[name], float(getattr(setup.rules_of(self.spec), name)), change)


def _row(name: str, offered: Sequence[float], present: float, change: Callable[[float], None]) -> Choice:
    """The row of one limit or rule; `change` gets the new value."""
    label, hint = TITLES[name]
    values = sorted({*offered, present})
    options, index = [value_text(name, value) for value in values], values.index(present)
    return Choice(_(label), options, index=index, change=lambda index: change(values[index]), hint=_(hint))
