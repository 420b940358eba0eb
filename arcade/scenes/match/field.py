"""Field: the game in a match: its picture, the list of moves, and the curtain over hidden information."""

from __future__ import annotations

import pygame

from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme
from arcade.games.spec import GameSpec
from arcade.match.play.match import Match
from arcade.scenes.match.curtain import CurtainCard
from arcade.scenes.match.moves import MovesPanel
from arcade.scenes.match.picture import GamePicture
from arcade.session.match.viewer import people_at, viewer_of


class Field:
    """Draws the game and passes it the mouse, from `begin` on."""

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        self._match: Match | None = None
        self.picture = GamePicture(spec)
        self.moves: MovesPanel | None = None  # in turn-based games
        self.curtain: CurtainCard | None = None  # in games with hidden information

    def begin(self, match: Match, hub: DeviceHub) -> None:
        """The match has started."""
        self._match = match
        self.moves = MovesPanel(match) if self._spec.turn_based else None
        self.curtain = CurtainCard(hub, match) if self._spec.secret else None

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

    def draw(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        """Draw the picture within `area`, for the player who looks."""
        assert self._match is not None
        pygame.draw.rect(canvas, theme.WELL, area)
        viewer = viewer_of(self._match)
        if self.picture.table is not None:
            looking = [viewer] if self._spec.secret and viewer is not None else people_at(self._match)
            self.picture.table.people = looking
        chooser = self.moves.chooser if self.moves is not None else None
        self.picture.draw(canvas, area, self._match, viewer, chooser)
        if self.curtain is not None:
            self.curtain.draw(canvas, area)

    def draw_moves(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        """Draw the list of moves, where there is one, at the right of `area`."""
        if self.moves is not None and self.lists_moves:
            self.moves.draw(canvas, area)
