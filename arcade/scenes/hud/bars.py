"""TopBar and Foot: where the pieces of the HUD stand above and below the picture."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme
from arcade.games.spec import GameSpec
from arcade.scenes.hud.clock import ClockPiece, NetworkPiece, RatePiece, TurnPiece
from arcade.scenes.hud.facts import Facts
from arcade.scenes.hud.piece import HudPiece, Look, below
from arcade.scenes.hud.seats import LineupPiece, ScorePiece
from arcade.session.settings import Settings

CLOCK_WIDTH = 268
"""Pixels at the right, or in the middle, for the clock and what stands below it."""

STEP = 60
"""Pixels by which the room for names changes, so that not each new score has them painted again."""


class TopBar:
    """Two teams face each other with the clock between them; one or many stand in a row with the clock at its end."""

    def __init__(self, facts: Facts) -> None:
        self._teams = range(len(facts.spec.teams))
        self._is_duel = len(self._teams) == 2
        sides = ["left", "right"] if self._is_duel else ["left"] * len(self._teams)
        self.lineups = [LineupPiece(facts, team, side=sides[team]) for team in self._teams]
        self.scores = [ScorePiece(facts, team, large=self._is_duel) for team in self._teams]
        self.clock, self.turn, self.rate = ClockPiece(facts), TurnPiece(facts), RatePiece(facts)
        self.pieces: tuple[HudPiece, ...] = (*self.lineups, *self.scores, self.clock, self.turn, self.rate)

    def height(self, look: Look, settings: Settings) -> int:
        """Pixels that it takes; 0 where all of it is turned off."""
        is_on = any(getattr(settings, piece.setting) for piece in self.pieces)
        return look.px(48, most=2.4) + 24 if is_on else 0

    def draw(self, canvas: pygame.Surface, look: Look, settings: Settings) -> None:
        """Every piece that is turned on."""
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
            end = middle.left - theme.GAP if team == 0 else middle.right + theme.GAP
            score = _picture(self.scores[team], settings, look, 240)
            if score is not None:
                rect = score.get_rect(**{"midright" if team == 0 else "midleft": (end, bar.centery)})
                canvas.blit(score, rect)
                taken = -(-rect.w // STEP) * STEP + 2 * theme.GAP
                end += -taken if team == 0 else taken
            room = (end if team == 0 else bar.right - end) - theme.MARGIN - 22
            self._draw_side(canvas, bar, team, look, settings, room=room)

    def _draw_side(
        self, canvas: pygame.Surface, bar: pygame.Rect, team: int, look: Look, settings: Settings, *, room: int
    ) -> None:
        """A duel's team, at its edge of the window."""
        edge, side = (theme.MARGIN, "midleft") if team == 0 else (bar.right - theme.MARGIN, "midright")
        lineup = _picture(self.lineups[team], settings, look, room)
        if lineup is None:
            return
        _draw_plate(canvas, team, pygame.Rect(edge - 8 * team, 12, 8, bar.h - 24))
        canvas.blit(lineup, lineup.get_rect(**{side: (edge + (22 if team == 0 else -22), bar.centery)}))

    def _draw_row(self, canvas: pygame.Surface, bar: pygame.Rect, look: Look, settings: Settings) -> None:
        width = CLOCK_WIDTH if len(self._teams) < 3 else CLOCK_WIDTH * 2 // 3
        end = pygame.Rect(bar.right - width - theme.MARGIN // 2, 0, width, bar.h)
        self._draw_middle(canvas, end, look, settings)
        width = (end.left - theme.MARGIN) // len(self._teams)
        for team in self._teams:
            left = theme.MARGIN + team * width
            if settings.hud_scores or settings.hud_lineup:
                _draw_plate(canvas, team, pygame.Rect(left, 12, 8, bar.h - 24))
            left += 20
            score = _picture(self.scores[team], settings, look, width // 2)
            if score is not None:
                left = canvas.blit(score, score.get_rect(midleft=(left, bar.centery))).right + look.px(14)
            room = theme.MARGIN + (team + 1) * width - left - 12
            lineup = _picture(self.lineups[team], settings, look, max(40, room))
            if lineup is not None:
                canvas.blit(lineup, lineup.get_rect(midleft=(left, bar.centery)))

    def _draw_middle(self, canvas: pygame.Surface, area: pygame.Rect, look: Look, settings: Settings) -> None:
        """The clock, and below it whose turn it is or how slow the game is."""
        found = [_picture(piece, settings, look, area.w) for piece in (self.clock, self.turn, self.rate)]
        there = [picture for picture in found if picture is not None]
        if there:
            together = below(there, side="centerx") if len(there) > 1 else there[0]
            canvas.blit(together, together.get_rect(center=area.center))


class Foot:
    """The bottom line: the game, what is to be told of the match, and how to pause."""

    def __init__(self, spec: GameSpec) -> None:
        self._title = spec.title
        self._network: NetworkPiece | None = None
        self.words = ""  # told behind the title
        self.hint = ""  # how to pause
        self.pause_button = pygame.Rect(0, 0, 0, 0)

    def begin(self, facts: Facts) -> None:
        """The match has started."""
        self._network = NetworkPiece(facts)

    def height(self, look: Look) -> int:
        """Pixels that it takes."""
        return look.px(theme.SMALL + 4, most=2.4) + 18

    def draw(self, canvas: pygame.Surface, look: Look, settings: Settings) -> None:
        """All of it."""
        middle = canvas.get_height() - self.height(look) // 2
        hint = self._draw_pause(canvas, look)
        at = (theme.MARGIN, middle)
        room = hint.left - theme.MARGIN - 24
        title = theme.draw_text(canvas, self._title, at, size=look.small, bold=True, anchor="midleft", width=room)
        left = title.right + 24
        if self.words and hint.left - left > 80:
            words = theme.draw_text(
                canvas, self.words, (left, middle), size=look.small, colour=theme.MUTED, anchor="midleft",
                width=hint.left - left - 24,
            )  # fmt: skip
            left = words.right + 24
        room = hint.left - left - 24
        network = _picture(self._network, settings, look, room) if self._network is not None and room > 80 else None
        if network is not None:
            canvas.blit(network, network.get_rect(midleft=(left, middle)))

    def draw_alone(self, canvas: pygame.Surface, look: Look, *, shown: bool) -> None:
        """How to pause on a plate over the picture, or nothing that could be pressed."""
        if not shown:
            self.pause_button = pygame.Rect(0, 0, 0, 0)
            return
        theme.draw_panel(canvas, self._hint_rect(canvas, look).inflate(24, 16))
        self._draw_pause(canvas, look)

    def _draw_pause(self, canvas: pygame.Surface, look: Look) -> pygame.Rect:
        """How to pause, at the right; returns where it lies."""
        rect = self._hint_rect(canvas, look)
        canvas.blit(self._hint_words(look), rect)
        self.pause_button = rect.inflate(24, 16)
        return rect

    def _hint_words(self, look: Look) -> pygame.Surface:
        return theme.text(self.hint, size=look.small, colour=theme.MUTED)

    def _hint_rect(self, canvas: pygame.Surface, look: Look) -> pygame.Rect:
        at = (canvas.get_width() - theme.MARGIN, canvas.get_height() - self.height(look) // 2)
        return self._hint_words(look).get_rect(midright=at)


def _picture(piece: HudPiece, settings: Settings, look: Look, room: int) -> pygame.Surface | None:
    """What a piece shows, None where it is turned off."""
    return piece.picture(look, room) if getattr(settings, piece.setting) else None


def _draw_plate(canvas: pygame.Surface, team: int, rect: pygame.Rect) -> None:
    pygame.draw.rect(canvas, theme.team_colour(team), rect, border_radius=4)
