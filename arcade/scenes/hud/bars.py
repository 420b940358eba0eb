"""TopBar and Foot: the lines above and below the picture, with the pieces of the HUD in their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import pygame

from arcade.engine.ui import theme
from arcade.games.seat_colours import team_colour
from arcade.games.spec import GameSpec
from arcade.scenes.hud.piece import Facts, HudPiece, Look, Place, below, beside
from arcade.scenes.hud.pieces import PIECES
from arcade.session.settings import Settings

CLOCK_WIDTH = 268  # pixels for the clock and the pieces below it
STEP = 60  # pixels by which the space for names changes, so that few new scores repaint them


def pieces_at(place: Place, facts: Facts, *owner: object) -> list[HudPiece]:
    """Make all pieces of a place that apply to the game; `owner` is the team or the seat, where each has its own."""
    return [piece(facts, *owner) for piece in PIECES if piece.place is place and piece.applies(facts.spec)]


class TopBar:
    """The top line: two teams with the clock between them; one or many in a row before the clock."""

    def __init__(self, facts: Facts) -> None:
        self._spec = facts.spec
        self._teams = range(len(facts.spec.teams))
        self._is_duel = len(self._teams) == 2
        self.lineups = [pieces_at(Place.TEAM_OUTER, facts, team) for team in self._teams]
        self.scores = [pieces_at(Place.TEAM_INNER, facts, team) for team in self._teams]
        self.middle = pieces_at(Place.MIDDLE, facts)
        self.pieces: list[HudPiece] = [*chain(*self.lineups, *self.scores), *self.middle]

    def height(self, look: Look, settings: Settings) -> int:
        """Return the height in pixels; 0 with every piece turned off."""
        return look.px(48, most=2.4) + 24 if any(piece.is_on(settings) for piece in self.pieces) else 0

    def draw(self, canvas: pygame.Surface, look: Look, settings: Settings) -> None:
        """Draw every piece that is turned on."""
        height = self.height(look, settings)
        if not height:
            return
        bar = pygame.Rect(0, 0, canvas.get_width(), height)
        (self._draw_duel if self._is_duel else self._draw_row)(canvas, bar, look, settings)

    def _draw_duel(self, canvas: pygame.Surface, bar: pygame.Rect, look: Look, settings: Settings) -> None:
        middle = pygame.Rect(0, 0, look.px(CLOCK_WIDTH, most=1.4), bar.h)
        middle.center = bar.center
        self._draw_middle(canvas, middle, look, settings)
        for team in (0, 1):
            is_left = self._spec.side_of(team) == 0
            end = middle.left - theme.GAP if is_left else middle.right + theme.GAP
            score = _picture(self.scores[team], settings, look, 240)
            if score is not None:
                rect = score.get_rect(**{"midright" if is_left else "midleft": (end, bar.centery)})
                canvas.blit(score, rect)
                taken = -(-rect.w // STEP) * STEP + 2 * theme.GAP
                end += -taken if is_left else taken
            room = (end if is_left else bar.right - end) - theme.MARGIN - 22
            lineup = _picture(self.lineups[team], settings, look, room)
            if lineup is not None:
                edge, side = (theme.MARGIN, "midleft") if is_left else (bar.right - theme.MARGIN, "midright")
                self._draw_plate(canvas, team, pygame.Rect(edge - (0 if is_left else 8), 12, 8, bar.h - 24))
                canvas.blit(lineup, lineup.get_rect(**{side: (edge + (22 if is_left else -22), bar.centery)}))

    def _draw_row(self, canvas: pygame.Surface, bar: pygame.Rect, look: Look, settings: Settings) -> None:
        width = CLOCK_WIDTH if len(self._teams) < 3 else CLOCK_WIDTH * 2 // 3
        end = pygame.Rect(bar.right - width - theme.MARGIN // 2, 0, width, bar.h)
        self._draw_middle(canvas, end, look, settings)
        width = (end.left - theme.MARGIN) // len(self._teams)
        for team in self._teams:
            left = theme.MARGIN + team * width
            if any(piece.is_on(settings) for piece in self.scores[team] + self.lineups[team]):
                self._draw_plate(canvas, team, pygame.Rect(left, 12, 8, bar.h - 24))
            left += 20
            score = _picture(self.scores[team], settings, look, width // 2)
            if score is not None:
                left = canvas.blit(score, score.get_rect(midleft=(left, bar.centery))).right + look.px(14)
            room = theme.MARGIN + (team + 1) * width - left - 12
            lineup = _picture(self.lineups[team], settings, look, max(40, room))
            if lineup is not None:
                canvas.blit(lineup, lineup.get_rect(midleft=(left, bar.centery)))

    def _draw_middle(self, canvas: pygame.Surface, area: pygame.Rect, look: Look, settings: Settings) -> None:
        shown = _pictures(self.middle, settings, look, area.w)
        if shown:
            together = below(shown, side="centerx") if len(shown) > 1 else shown[0]
            canvas.blit(together, together.get_rect(center=area.center))

    def _draw_plate(self, canvas: pygame.Surface, team: int, rect: pygame.Rect) -> None:
        pygame.draw.rect(canvas, team_colour(self._spec, team, theme.TEAMS), rect, border_radius=4)


class Foot:
    """The bottom line: the game, the words about the match, and how to pause."""

    def __init__(self, spec: GameSpec) -> None:
        self._title = spec.title
        self.pieces: list[HudPiece] = []
        self.words = ""  # behind the title
        self.hint = ""  # how to pause
        self.message = ""  # the newest messages; while there are some, they take the place of title and words
        self.pause_button = pygame.Rect(0, 0, 0, 0)

    def begin(self, facts: Facts) -> None:
        """Make the pieces of a match that has started."""
        self.pieces = pieces_at(Place.FOOT, facts)

    def height(self, look: Look) -> int:
        """Return the height in pixels."""
        return look.px(theme.SMALL + 4, most=2.4) + 18

    def draw(self, canvas: pygame.Surface, look: Look, settings: Settings) -> None:
        """Draw all of it."""
        middle = canvas.get_height() - self.height(look) // 2
        hint = self._draw_pause(canvas, look)
        at = (theme.MARGIN, middle)
        room = hint.left - theme.MARGIN - 24
        if self.message:
            self._draw_message(canvas, pygame.Rect(theme.MARGIN - 14, 0, room, self.height(look) - 6), look)
            return
        title = theme.draw_text(canvas, self._title, at, size=look.small, bold=True, anchor="midleft", width=room)
        left = title.right + 24
        room = hint.left - left - 24
        if self.words and room > 56:
            words = theme.fitted(self.words, width=room, size=look.small, colour=theme.MUTED)
            left = canvas.blit(words, words.get_rect(midleft=(left, middle))).right + 24
            room = hint.left - left - 24
        picture = _picture(self.pieces, settings, look, room) if room > 80 else None
        if picture is not None:
            canvas.blit(picture, picture.get_rect(midleft=(left, middle)))

    def fits(self, canvas: pygame.Surface, look: Look, message: str) -> bool:
        """Whether a message has room in the line."""
        room = self._hint_rect(canvas, look).left - theme.MARGIN - 24
        return theme.text(message, size=look.small, bold=True).get_width() + 28 <= room

    def _draw_message(self, canvas: pygame.Surface, plate: pygame.Rect, look: Look) -> None:
        words = theme.fitted(self.message, width=plate.w - 28, size=look.small, bold=True)
        plate.w, plate.centery = words.get_width() + 28, canvas.get_height() - self.height(look) // 2
        theme.draw_panel(canvas, plate, fill=theme.RAISED, edge=theme.EDGE)
        canvas.blit(words, words.get_rect(midleft=(plate.left + 14, plate.centery)))

    def draw_alone(self, canvas: pygame.Surface, look: Look, *, shown: bool) -> None:
        """Draw how to pause on a plate over the picture, or make it impossible to press."""
        if not shown:
            self.pause_button = pygame.Rect(0, 0, 0, 0)
            return
        theme.draw_panel(canvas, self._hint_rect(canvas, look).inflate(24, 16))
        self._draw_pause(canvas, look)

    def _draw_pause(self, canvas: pygame.Surface, look: Look) -> pygame.Rect:
        rect = self._hint_rect(canvas, look)
        theme.draw_text(canvas, self.hint, rect.topleft, size=look.small, colour=theme.MUTED)
        self.pause_button = rect.inflate(24, 16)
        return rect

    def _hint_rect(self, canvas: pygame.Surface, look: Look) -> pygame.Rect:
        at = (canvas.get_width() - theme.MARGIN, canvas.get_height() - self.height(look) // 2)
        return theme.text(self.hint, size=look.small, colour=theme.MUTED).get_rect(midright=at)


def _pictures(pieces: Iterable[HudPiece], settings: Settings, look: Look, room: int) -> list[pygame.Surface]:
    """The pictures of those pieces that are turned on and have something to show."""
    pictures = (piece.picture(look, room) for piece in pieces if piece.is_on(settings))
    return [picture for picture in pictures if picture is not None]


def _picture(pieces: Sequence[HudPiece], settings: Settings, look: Look, room: int) -> pygame.Surface | None:
    """All of the pieces in one row; None with nothing to show."""
    shown = _pictures(pieces, settings, look, room // max(1, len(pieces)))
    return beside(shown, gap=theme.GAP) if len(shown) > 1 else next(iter(shown), None)
