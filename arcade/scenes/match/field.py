"""Field: the area of the game's picture in a match, with the panel of moves and the curtain over hidden cards."""

from __future__ import annotations

import pygame

from agents.seats.controller import AgentID
from arcade.controls.cursor_controller import CursorController, people_asked
from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.layout import Column, Panel
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.theme import Colour, Theme
from arcade.games.seat_colours import seat_colour
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.play.match import Match
from arcade.scenes.match.markers import Markers
from arcade.scenes.match.moves_panel import MovesPanel, panel_width
from arcade.scenes.match.picture import GamePicture
from arcade.session.people import people_at, viewer_of
from arcade.session.player_names import PlayerNames

_LAST_SIGHT, _SHOWDOWN = 0.8, 2.5
"""Seconds that the last point is shown, and the hidden information of a game that is revealed at the end."""

_WIDE = 620
"""Units of the card's width."""


class CurtainCard:
    """Covers the table until the player whose turn it is presses a key, or the card is clicked."""

    def __init__(self, hub: DeviceHub, match: Match) -> None:
        self._hub, self._match = hub, match
        self.rect = pygame.Rect(0, 0, 0, 0)  # where it was drawn last; empty while it is lifted

    @property
    def called(self) -> CursorController | None:
        """The player who is asked to look; None while a player looks, or no person here has the turn."""
        return next((person for person in people_asked(self._match) if person.called), None)

    def pointer(self, event: PointerInput) -> bool:
        """Lift the curtain by a click on the card; True while it is down, so that nothing behind it is clicked."""
        called = self.called
        if called is not None and event.kind == "press" and event.button == 1 and self.rect.collidepoint(event.pos):
            called.lift()
        return called is not None

    def draw(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect) -> None:
        """Draw the card at the foot of `area` while a player is asked to look."""
        self.rect = pygame.Rect(0, 0, 0, 0)
        if self.called is None:
            return
        lines = Column([Paragraph(words, size=size, colour=colour, bold=not place, align="centre")
                        for place, (words, size, colour) in enumerate(self.lines(theme))], gap=8)  # fmt: skip
        card = Panel(lines, padding=16, edge="focus")
        width = min(theme.px(_WIDE), area.w - 2 * theme.gap)
        self.rect = pygame.Rect(0, 0, width, min(card.measure(theme, width)[1], area.h - 2 * theme.gap))
        self.rect.midbottom = (area.centerx, area.bottom - theme.gap)  # public information stays visible above it
        card.arrange(theme, self.rect)
        card.draw(canvas, theme)

    def lines(self, theme: Theme) -> list[tuple[str, int, Colour]]:
        """The lines of the card, each with its size and colour; [] while no player is asked."""
        called, colours = self.called, theme.colours
        if called is None:
            return []
        if called.unseen:
            mapping = self._match.mapping
            people = [agent for agent in self._match.spec.agents if isinstance(mapping[agent], CursorController)]
            return [
                (_("Choose at once, unseen"), themes.LARGE, colours.ink),
                *((self._unseen_words(agent), themes.BODY, self._colour(agent, theme)) for agent in people),
            ]
        seat, key = self._match.spec.seat_title(called.seat), self._press_word(called, "a")
        when = _("Press {key}, or click here, when only you can see.").format(key=key)
        return [
            (f"{called.label}  ·  {_(seat)}", themes.LARGE, self._colour(called.seat, theme)),
            (_("It is your turn. The others may not look."), themes.BODY, colours.ink),
            (when, themes.BODY, colours.muted),
        ]

    def _unseen_words(self, agent: AgentID) -> str:
        """The keys of one player in a simultaneous choice, or that the choice is made."""
        chooser = self._match.mapping[agent]
        if not isinstance(chooser, CursorController) or not chooser.unseen:
            return _("{player} has chosen").format(player=chooser.label)
        choices = (f"{self._press_word(chooser, way)} {option.label}" for way, option in chooser.unseen.items())
        return f"{chooser.label}:  {'  ·  '.join(choices)}"

    def _colour(self, agent: AgentID, theme: Theme) -> Colour:
        return seat_colour(self._match.spec, agent, theme.colours.teams)

    def _press_word(self, chooser: CursorController, control: str) -> str:
        bindings = self._hub.bindings_of(chooser)
        return next(iter(bindings.labels(control)), control.upper())


class Field:
    """Draws the game and passes it the mouse, from `begin` on."""

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        self._match: Match | None = None
        self._names = PlayerNames(spec)
        self.picture = GamePicture(spec)
        self.moves: MovesPanel | None = None  # in turn-based games
        self.curtain: CurtainCard | None = None  # in games with hidden information
        self.markers: Markers | None = None  # in games with figures

    def begin(self, match: Match, hub: DeviceHub, names: PlayerNames) -> None:
        """The match has started."""
        self._match, self._names = match, names
        self.moves = MovesPanel(match, self.picture.table) if self._spec.turn_based else None
        self.curtain = CurtainCard(hub, match) if self._spec.secret else None
        self.markers = Markers(match) if self._spec.figures else None

    def update(self, now: float) -> None:
        """Follow the figures; called once a frame."""
        if self.markers is not None:
            self.markers.update(now)

    def show_markers(self) -> None:
        """Show for a few seconds who is who."""
        if self.markers is not None:
            self.markers.show()

    @property
    def last_sight(self) -> float:
        """Seconds between the end of the match and its results."""
        return _SHOWDOWN if self._spec.secret else _LAST_SIGHT

    @property
    def lists_moves(self) -> bool:
        """Whether the legal moves are listed beside the picture."""
        table = self.picture.table
        return self.moves is not None and not (table is not None and table.offers)

    def take_refused(self) -> str:
        """Return why the newest press was refused, once; "" if it was not."""
        return self.moves.take_refused(self.picture.table) if self.moves is not None else ""

    def pointer(self, event: PointerInput) -> None:
        """Pass the event to the curtain, else to the picture, else to the list of moves."""
        if self.curtain is not None and self.curtain.pointer(event):
            return
        if self.moves is not None and not self.picture.pointer(event, self.moves.chooser):
            self.moves.pointer(event)

    def draw(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, *, marked: bool = False) -> None:
        """Draw the picture within `area`, for the player who looks; `marked`: with all markers, also later on."""
        assert self._match is not None
        pygame.draw.rect(canvas, theme.colours.well, area)
        viewer = viewer_of(self._match)
        if self.picture.table is not None:
            people = people_at(self._match)
            self.picture.table.people = [viewer] if self._spec.secret and viewer is not None else people
            seated = self._match.mapping.items()
            players = {agent: self._names.of_label(player.label, player.kind) for agent, player in seated}
            self.picture.table.names = self._names.of_table(players)
        chooser = self.moves.chooser if self.moves is not None else None
        newest = self._match.tick, self._match.frame
        where = self.picture.draw(canvas, theme, area, *newest, viewer=viewer, chooser=chooser)
        if self.markers is not None and (marked or self.markers.is_shown):
            self.markers.draw(canvas, theme, where)
        if self.curtain is not None:
            self.curtain.draw(canvas, theme, area)

    def moves_width(self, theme: Theme) -> int:
        """Return the pixels at the right of the picture for the panel of moves; 0 without one."""
        return panel_width(theme) + 2 * theme.gap if self.lists_moves else 0

    def draw_moves(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect) -> None:
        """Draw the list of moves, where there is one, at the right of `area`."""
        if self.moves is not None and self.lists_moves:
            self.moves.draw(canvas, theme, area)
