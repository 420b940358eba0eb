"""SeatListScreen: base of screens that list seats, each with its player; rows for the length of a series."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pygame

from agents.engines.engine import present_seats
from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.input.events import DeviceAdded, DeviceRemoved, InputEvent, MenuInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Choice
from arcade.engine.window.scene import Route
from arcade.games.seat_colours import seat_colour
from arcade.games.spec import GameSpec
from arcade.scenes.screen import Screen
from arcade.session.match.outcome import LENGTHS
from arcade.session.seating import Seating
from arcade.session.services import Services

PITCH = 58  # from one row's top to the next
SHOWN = 7
"""Rows on the screen at once; larger games have pages."""


class SeatListScreen(Screen):
    """Edits a Seating, a row for each seat."""

    first_row: pygame.Rect

    def __init__(
        self, services: Services, route: Route, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice] | None
    ) -> None:
        super().__init__(services, route)
        self.spec = spec
        self.seating = Seating(
            spec,
            devices=services.devices.seats,
            snapshots=services.library.names(spec.id),
            endpoints=services.opening.endpoints,
            engines=present_seats(spec.id),
            lineup=lineup,
            training=services.trainer_status is not None and services.trainer_status.game == spec.id,
        )
        self._top = 0  # the number of the first seat on the page

    @property
    def visible(self) -> tuple[AgentID, ...]:
        """The seats on the page."""
        return self.spec.agents[self._top : self._top + SHOWN]

    def row_rect(self, place: int) -> pygame.Rect:
        """The area of the row at `place` on the page."""
        return self.first_row.move(0, place * PITCH)

    def page_buttons(self) -> list[Button]:
        """The buttons to the pages before and after this one; none where there is one page."""
        if len(self.spec.agents) <= SHOWN:
            return []
        rect, wide = self.row_rect(SHOWN), self.first_row.w // 2 - 6
        return [
            Button(
                (left, rect.top, wide, 48), label, partial(self.turn_page, by), enabled=self._has_page(by),
                hint="Tab or L, R turn the page too",
            )
            for by, label, left in ((-1, "Seats before", rect.left), (1, "More seats", rect.left + wide + 12))
        ]  # fmt: skip

    def turn_page(self, by: int) -> None:
        """Show the next page, or the previous one with ``by=-1``."""
        if self._has_page(by):
            self._top += by * SHOWN
            self.refresh()

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, DeviceAdded | DeviceRemoved):
            self.seating.set_devices(self.services.devices.seats)
            self.refresh()
        elif isinstance(event, MenuInput) and event.action in ("next", "previous"):
            self.turn_page(1 if event.action == "next" else -1)
        else:
            return super().handle(event)
        return None

    def draw_teams(self, canvas: pygame.Surface) -> None:
        """Draw the colour of its team beside each row."""
        for place, agent in enumerate(self.visible):
            row = self.row_rect(place)
            colour = seat_colour(self.spec, agent, theme.TEAMS)
            pygame.draw.rect(canvas, colour, (row.left - 14, row.top + 6, 7, row.h - 12))

    def _has_page(self, by: int) -> bool:
        return 0 <= self._top + by * SHOWN < len(self.spec.agents)


def series_row(rect: pygame.Rect, best_of: int, change: Callable[[int], None]) -> Choice:
    """The row that chooses the length of a series; `change` gets the new one."""
    return Choice(
        rect, "Series", ["one match" if length == 1 else f"best of {length}" for length in LENGTHS],
        index=LENGTHS.index(best_of), change=lambda index: change(LENGTHS[index]),
        hint="Matches that count together, also with sides swapped",
    )  # fmt: skip
