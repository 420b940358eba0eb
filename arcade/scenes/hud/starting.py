"""What is shown before a match runs: the loading screen, and the card with the players under the countdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pygame

from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.ui import theme as themes
from arcade.engine.ui.layout import Column, Panel, Spacer
from arcade.engine.ui.texts import Label, Paragraph, Picture
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.games.seat_colours import seat_colour
from arcade.language import _, ngettext
from arcade.scenes.hud.controls_lines import ControlsStrip
from arcade.scenes.hud.piece import below, beside, is_low
from arcade.scenes.pictograms import icon
from arcade.scenes.recordings.thumbnails import SIZE
from arcade.session.people import People
from arcade.session.player_names import PlayerNames

MOST_SEATS = 8  # that are listed
DIMMED = 215  # strength of the veil over a picture behind texts
COUNT_SIZE = 96  # units of the countdown's number
LONGEST_NAME = 420  # units

PictureOf = Callable[[Size], pygame.Surface | None]
"""Returns a thumbnail scaled to a size; None until it is read, or without one."""


def draw_backdrop(canvas: pygame.Surface, theme: Theme, picture_of: PictureOf) -> None:
    """Fill the canvas with a thumbnail, dimmed so that texts can be read on it; nothing until it is read."""
    scale = max(canvas.get_width() / SIZE[0], canvas.get_height() / SIZE[1])
    picture = picture_of((round(SIZE[0] * scale), round(SIZE[1] * scale)))
    if picture is not None:
        canvas.blit(picture, picture.get_rect(center=canvas.get_rect().center))
        theme.dim(canvas, DIMMED)


class StartingCard:
    """Draws who plays whom; `lineup` is read each frame."""

    def __init__(self, names: PlayerNames, lineup: Mapping[AgentID, SeatChoice], people: People) -> None:
        self._names, self._lineup, self._people = names, lineup, people
        self._kept: tuple[object, ...] = ()
        self._rows: list[pygame.Surface] = []
        self._progress = ""

    def draw_loading(self, canvas: pygame.Surface, theme: Theme, strip: ControlsStrip, progress: str) -> None:
        """Draw the loading screen: the game, the players and their keys, the progress of the launch."""
        spec, self._progress = self._names.spec, progress
        room = canvas.get_width() - 2 * theme.margin
        rows = self.rows(theme, room)
        keys, small = canvas.get_rect(), themes.SMALLEST if is_low(theme) else themes.BODY
        keys.h = strip.height(theme, canvas.get_width())
        title = Label(_(spec.title), size=themes.LARGE if is_low(theme) else themes.HERO, bold=True, align="centre")
        page = Column([
            Spacer(),
            title,
            Paragraph(_(spec.summary), size=small, colour="muted", align="centre", lines=3),
            Spacer(8, grow=0),
            *(_pictures(row, theme) for row in rows),
            Spacer(),
            None if is_low(theme) else _strip(strip, theme, keys.h),
            Label(progress, size=themes.LARGE, colour="muted", align="centre"),
        ], gap=4 if is_low(theme) else 8)  # fmt: skip
        tree = Panel(page, padding=12 if is_low(theme) else themes.MARGIN, fill="")
        tree.arrange(theme, canvas.get_rect())
        tree.draw(canvas, theme)

    def draw_countdown(
        self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, number: int, *, names: bool, keys: int = 0
    ) -> None:
        """Draw the number in the middle of the picture and, with `names`, who plays whom below it.

        Scores, which games draw at an edge of their picture, stay free, and so do `keys` pixels at its foot.
        """
        across = theme.px(COUNT_SIZE) * 3 // 2
        if area.centery + across // 2 > area.bottom - keys:
            area = pygame.Rect(area.topleft, (area.w, max(1, area.h - keys)))
        across = min(across, area.h * 3 // 5)
        disc = pygame.Rect(0, 0, across, across)
        disc.center = area.center
        if names:
            card = below(self.rows(theme, area.w - theme.px(72)), gap=theme.px(6), side="centerx")
            plate = card.get_rect().inflate(theme.px(48), theme.px(20))
            disc.centery -= plate.h // 2
            plate.midtop = area.centerx, disc.bottom + theme.gap
            theme.draw_panel(canvas, plate, edge=theme.colours.edge)
            canvas.blit(card, card.get_rect(center=plate.center))
        shade = pygame.Surface(disc.size, pygame.SRCALPHA)
        pygame.draw.circle(shade, (*theme.colours.ground, 170), shade.get_rect().center, disc.w // 2)
        canvas.blit(shade, disc)
        size = max(themes.SMALLEST, across / theme.unit * 2 / 3)
        theme.draw_text(canvas, str(number), disc.center, size=size, bold=True, anchor="center")

    def rows(self, theme: Theme, room: int) -> list[pygame.Surface]:
        """Draw one seat a row, or two where there are many."""
        key = (theme, room, tuple(self._lineup.items()))
        if key != self._kept:
            self._kept, self._rows = key, self._drawn(theme, room)
        return self._rows

    def _drawn(self, theme: Theme, room: int) -> list[pygame.Surface]:
        lineup = self._lineup
        each = 1 if len(lineup) <= 4 and not (is_low(theme) and len(lineup) > 2) else 2
        seats = [self._seat(agent, theme, room if each == 1 else 0) for agent in list(lineup)[:MOST_SEATS]]
        if (rest := len(lineup) - MOST_SEATS) > 0:
            words = ngettext("and {count} more", "and {count} more", rest).format(count=rest)
            seats.append(theme.text(words, colour=theme.colours.muted))
        gap = theme.px(24 if is_low(theme) else 60)
        return [beside(seats[start : start + each], gap=gap, room=room) for start in range(0, len(seats), each)]

    def _seat(self, agent: AgentID, theme: Theme, room: int) -> pygame.Surface:
        """Draw the player of a seat, then the note on the seat where `room` is wide enough."""
        spec, choice = self._names.spec, self._lineup[agent]
        colour = seat_colour(spec, agent, theme.colours.teams)
        player = self._people.names(self._lineup).get(agent) or self._names.of_choice(choice)
        name = f"{_(spec.seat_title(agent))}   {player}"
        width = min(theme.px(LONGEST_NAME), room or theme.window[0] // 2 - theme.px(60))
        words = theme.fitted(name, width=width, colour=colour)
        parts = [beside([icon(theme, choice, size=theme.px(24), colour=colour), words], gap=theme.px(10))]
        if agent in spec.seat_notes:
            note = theme.text(_(spec.seat_notes[agent]), size=themes.SMALL, colour=theme.colours.muted)
            parts.append(note)
        return beside(parts, gap=theme.px(16), room=room)


def _pictures(row: pygame.Surface, theme: Theme) -> Widget:
    """A finished picture as a widget, in the middle of its line."""

    def paint(canvas: pygame.Surface, _theme: Theme, rect: pygame.Rect) -> None:
        canvas.blit(row, row.get_rect(center=rect.center))

    return Picture(paint, width=row.get_width() / theme.unit, height=row.get_height() / theme.unit)


def _strip(strip: ControlsStrip, theme: Theme, height: int) -> Widget:
    def paint(canvas: pygame.Surface, theme: Theme, rect: pygame.Rect) -> None:
        strip.draw(canvas, theme, rect)

    return Picture(paint, width=9999, height=height / theme.unit)
