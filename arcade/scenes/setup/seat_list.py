"""SeatListScreen: base of screens that list seats, each with its player; the row for the length of a series."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pygame

from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.input.events import DeviceAdded, DeviceRemoved, InputEvent
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button, Choice, FormRow
from arcade.engine.ui.layout import Row
from arcade.engine.ui.theme import Colour, Theme
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Route
from arcade.games.seat_colours import seat_colour
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.play.side_clocks import TIME_CONTROLS
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.match.series import LENGTHS
from arcade.session.seating import open_seating
from arcade.session.services import Services


class SeatRow(FormRow):
    """A seat with its colour, its title and its player; accept or a click lets another player be chosen."""

    value_width = 260

    def __init__(
        self, title: str, value: str, press: Callable[[], object], *, colour: Colour, hint: str = "", note: str = "",
        grow: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(title, hint=hint, note=note, grow=grow)
        self.value, self._press, self._colour = value, press, colour

    @property
    def value_text(self) -> str:
        return self.value

    def pressed(self) -> bool:
        self._press()
        return True

    def is_tall(self, theme: Theme, width: int) -> bool:
        return self._words_width(theme) + self._value_width(theme) > width

    def value_side(self, theme: Theme) -> pygame.Rect:
        if self.is_tall(theme, self.rect.w):
            return super().value_side(theme)
        wide = max(min(self.rect.w // 2, self.rect.w - self._words_width(theme)), self._value_width(theme))
        return pygame.Rect(self.rect.right - wide, self.rect.top, wide, self.rect.h)

    def _words_width(self, theme: Theme) -> int:
        """The width of title and note."""
        note = theme.font(themes.SMALL).size(self.note)[0] + theme.px(12) if self.note else 0
        return theme.font().size(self.label)[0] + note + theme.px(52)

    def _value_width(self, theme: Theme) -> int:
        return theme.font(bold=True).size(self.value)[0] + theme.px(60)

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        super().draw(canvas, theme)
        bar = pygame.Rect(self.rect.left, self.rect.top, theme.px(7), self.rect.h)
        pygame.draw.rect(canvas, self._colour, bar, border_radius=theme.px(3))

    def draw_value(self, canvas: pygame.Surface, theme: Theme, side: pygame.Rect) -> None:
        x, y, half = side.right - theme.px(22), side.centery, theme.px(7)
        corners = [(x - half, y - half // 2), (x + half, y - half // 2), (x, y + half)]
        pygame.draw.polygon(canvas, theme.colours.muted, corners)
        at, room = (side.left + theme.px(12), y), side.w - theme.px(56)
        theme.draw_text(canvas, self.value, at, anchor="midleft", bold=True, width=room, height=side.h)


class SeatListScreen(Screen):
    """Edits a Seating, a row for each seat."""

    def __init__(
        self, services: Services, route: Route, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice] | None
    ) -> None:
        super().__init__(services, route)
        self.spec, self.seating = spec, open_seating(services, spec, lineup)

    def seat_rows(self) -> list[Widget]:
        """Make the row of every seat."""
        return [self.seat_row(agent) for agent in self.spec.agents]

    def seat_row(self, agent: AgentID) -> Widget:
        """Make the row of one seat."""
        title, names = self.spec.seat_title(agent), self.services.library.player_names(self.spec)
        row = SeatRow(
            title, names.of_seat(agent, self.seating.lineup), partial(self.pick, agent),
            colour=seat_colour(self.spec, agent, self.theme.colours.teams), note=_(self.spec.seat_notes.get(agent, "")),
            hint=_("Choose who plays {seat}").format(seat=title),
        )  # fmt: skip
        return self.with_person(row, self.seating.lineup[agent])

    def pick(self, agent: AgentID) -> None:
        """Let the player of a seat be chosen."""
        self.engine.push(routes.PickPlayer(self.seating, agent, partial(self.put, agent)))

    def with_person(self, row: SeatRow, present: SeatChoice) -> Widget:
        """Put beside the row of a person's seat a button that names the person, and lets another one be chosen."""
        if not present.is_human:
            return row
        row.grow = 1
        name = self.services.people.seated(self.seating.lineup)[present].name
        hint = _("Choose the name of this player, or add one")
        return Row([row, Button(name, lambda: self._ask_person(present), hint=hint)], gap=8, align="stretch")

    def name(self, device: SeatChoice, name: str) -> None:
        """Give `device` to the person of that name, "" for the default player."""
        self.services.people.give(device, name)
        self.rebuild()

    def _ask_person(self, device: SeatChoice) -> None:
        holder, lineup = self.services.people.holder(device), self.seating.lineup
        seat = next(agent for agent, choice in lineup.items() if choice == device)
        words = self.services.library.player_names(self.spec).of_seat(seat, lineup)
        question = _("Who plays with this device: {device}?").format(device=words)
        self.engine.push(routes.People(question, holder.name if holder is not None else "", partial(self.name, device)))

    def put(self, agent: AgentID, choice: SeatChoice) -> None:
        """Give the seat to `choice`."""
        self.seating.put(agent, choice)
        self.refresh()

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, DeviceAdded | DeviceRemoved):
            self.seating.set_devices(self.services.devices.seats)
            self.refresh()
            return None
        return super().handle(event)


def clock_choice(present: str, change: Callable[[str], None]) -> Choice:
    """Make the row that chooses the clocks of a board game, as in "3+2", "" for none; `change` gets the new one."""
    clocks = list(dict.fromkeys(("", *(control.text for control in TIME_CONTROLS), present)))
    return Choice(
        _("Clock"), [clock or _("No clock") for clock in clocks], index=clocks.index(present),
        change=lambda index: change(clocks[index]),
        hint=_("Minutes of each side, and seconds that each of its moves adds"),
    )  # fmt: skip


def series_choice(best_of: int, change: Callable[[int], None]) -> Choice:
    """Make the row that chooses the length of a series; `change` gets the new one."""
    names = [_("one match") if length == 1 else _("best of {count}").format(count=length) for length in LENGTHS]
    return Choice(
        _("Series"), names, index=LENGTHS.index(best_of), change=lambda index: change(LENGTHS[index]),
        hint=_("Matches that count together, also with sides swapped"),
    )  # fmt: skip
