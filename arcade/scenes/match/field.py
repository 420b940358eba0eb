"""Field: the area of the game's picture in a match, with the panel of moves and the curtain over hidden cards."""

from __future__ import annotations

import pygame

from agents.seats.controller import AgentID
from arcade.controls.cursor_controller import CursorController, people_asked
from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme
from arcade.games.seat_colours import seat_colour
from arcade.games.spec import GameSpec
from arcade.match.play.match import Match
from arcade.scenes.match.markers import Markers
from arcade.scenes.match.moves_panel import MovesPanel
from arcade.scenes.match.picture import GamePicture
from arcade.session.people import people_at, viewer_of

_SIZE = 620, 184
_LINES = 44, 96, 140  # of the lines, from the top


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

    def draw(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        """Draw the card at the foot of `area` while a player is asked to look."""
        self.rect = pygame.Rect(0, 0, 0, 0)
        if self.called is None:
            return
        larger = max(1.0, min(theme.scale(), area.w / (_SIZE[0] + 20), area.h / (_SIZE[1] + 40)))
        self.rect = pygame.Rect(0, 0, round(min(_SIZE[0] * larger, area.w - 20)), round(_SIZE[1] * larger))
        self.rect.midbottom = (area.centerx, area.bottom - 20)  # public information stays visible above it
        theme.draw_panel(canvas, self.rect, edge=theme.FOCUS)
        for (words, size, colour), y in zip(self.lines, _LINES, strict=False):
            at = (self.rect.centerx, self.rect.top + round(y * larger))
            theme.draw_text(
                canvas, words, at, anchor="center", width=self.rect.w - 40, size=round(size * larger), colour=colour,
                bold=y == _LINES[0],
            )  # fmt: skip

    @property
    def lines(self) -> list[tuple[str, int, theme.Colour]]:
        """The lines of the card, each with its size and colour; [] while no player is asked."""
        called = self.called
        if called is None:
            return []
        if called.unseen:
            mapping = self._match.mapping
            people = [agent for agent in self._match.spec.agents if isinstance(mapping[agent], CursorController)]
            return [
                ("Choose at once, unseen", theme.LARGE, theme.INK),
                *((self._unseen_words(agent), theme.BODY, self._colour(agent)) for agent in people),
            ]
        return [
            (f"{called.label}  ·  {self._match.spec.seat_title(called.seat)}", theme.LARGE, self._colour(called.seat)),
            ("It is your turn. The others may not look.", theme.BODY, theme.INK),
            (f"Press {self._press_word(called, 'a')}, or click here, when only you can see.", theme.BODY, theme.MUTED),
        ]

    def _unseen_words(self, agent: AgentID) -> str:
        """The keys of one player in a simultaneous choice, or that the choice is made."""
        chooser = self._match.mapping[agent]
        if not isinstance(chooser, CursorController) or not chooser.unseen:
            return f"{chooser.label} has chosen"
        choices = (f"{self._press_word(chooser, way)} {option.label}" for way, option in chooser.unseen.items())
        return f"{chooser.label}:  {'  ·  '.join(choices)}"

    def _colour(self, agent: AgentID) -> theme.Colour:
        return seat_colour(self._match.spec, agent, theme.TEAMS)

    def _press_word(self, chooser: CursorController, control: str) -> str:
        bindings = self._hub.bindings_of(chooser)
        return next(iter(bindings.labels(control)), control.upper())


class Field:
    """Draws the game and passes it the mouse, from `begin` on."""

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        self._match: Match | None = None
        self.picture = GamePicture(spec)
        self.moves: MovesPanel | None = None  # in turn-based games
        self.curtain: CurtainCard | None = None  # in games with hidden information
        self.markers: Markers | None = None  # in games with figures

    def begin(self, match: Match, hub: DeviceHub) -> None:
        """The match has started."""
        self._match = match
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

    def draw(self, canvas: pygame.Surface, area: pygame.Rect, *, marked: bool = False) -> None:
        """Draw the picture within `area`, for the player who looks; `marked`: with all markers, also later on."""
        assert self._match is not None
        pygame.draw.rect(canvas, theme.WELL, area)
        viewer = viewer_of(self._match)
        if self.picture.table is not None:
            looking = [viewer] if self._spec.secret and viewer is not None else people_at(self._match)
            self.picture.table.people = looking
        chooser = self.moves.chooser if self.moves is not None else None
        where = self.picture.draw(canvas, area, self._match.tick, self._match.frame, viewer=viewer, chooser=chooser)
        if self.markers is not None and (marked or self.markers.is_shown):
            self.markers.draw(canvas, where)
        if self.curtain is not None:
            self.curtain.draw(canvas, area)

    def draw_moves(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        """Draw the list of moves, where there is one, at the right of `area`."""
        if self.moves is not None and self.lists_moves:
            self.moves.draw(canvas, theme.page_theme(), area)
