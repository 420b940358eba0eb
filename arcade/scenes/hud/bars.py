"""TopBar and Foot: the lines above and below the picture, with the pieces of the HUD in their places."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.layout import Column, Panel, Row, Spacer
from arcade.engine.ui.texts import Label
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.games.seat_colours import team_colour
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.scenes.hud.piece import Facts, HudPiece, Place, is_low
from arcade.scenes.hud.pieces import PIECES
from arcade.session.settings import Settings

TOP, LOW_TOP, FOOT = 72, 40, 40  # heights in units
MIDDLE, LOW_MIDDLE = 268, 110  # units for the clock and the pieces below it
LEAST_NAMES = 48  # units of the room for names below which none is drawn
LEAST_SLOT = 12  # units of the room for another piece below which it is left out
STEP, LOW_STEP = 60, 8  # units by which the space for names changes, so that few new scores repaint them


def pieces_at(place: Place, facts: Facts, *owner: object) -> list[HudPiece]:
    """Make all pieces of a place that apply to the game; `owner` is the team or the seat, where each has its own."""
    return [piece(facts, *owner) for piece in PIECES if piece.place is place and piece.applies(facts.spec)]


class PieceSlot(Widget):
    """The picture of a piece, at the `side` of its room; `grow`: it gets the spare room, and may have none."""

    def __init__(self, piece: HudPiece, *, side: str = "midleft", grow: float = 0.0) -> None:
        super().__init__(grow=grow)
        self._piece, self._side, self._room = piece, side, 0

    def natural(self, theme: Theme, width: int) -> Size:
        if self.grow:
            return 0, theme.px(LOW_TOP)
        self._room = width
        if width < theme.px(LEAST_SLOT):
            return 0, 0
        picture = self._piece.picture(theme, width)
        return picture.get_size() if picture is not None else (0, 0)

    def least(self, theme: Theme) -> int:
        return 0

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        step = theme.px(LOW_STEP if is_low(theme) else STEP)
        room = self.rect.w // step * step if self.grow else self._room
        if self.grow and room < theme.px(LEAST_NAMES):
            return
        picture = self._piece.picture(theme, room)
        if picture is not None:
            canvas.blit(picture, picture.get_rect(**{self._side: getattr(self.rect, self._side)}))


class _Plate(Widget):
    """A stripe in the colour of a team."""

    def __init__(self, spec: GameSpec, team: int) -> None:
        super().__init__()
        self._spec, self._team = spec, team

    def natural(self, theme: Theme, width: int) -> Size:
        return theme.px(8), theme.px(LOW_TOP - 12 if is_low(theme) else TOP - 24)

    def least(self, theme: Theme) -> int:
        return theme.px(8)

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        colour = team_colour(self._spec, self._team, theme.colours.teams)
        pygame.draw.rect(canvas, colour, self.rect, border_radius=theme.px(4))


class TopBar(Widget):
    """The top line: two teams with the clock between them; one or many in a row before the clock."""

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self._spec = facts.spec
        self._teams = range(len(facts.spec.teams))
        self.lineups = [pieces_at(Place.TEAM_OUTER, facts, team) for team in self._teams]
        self.scores = [pieces_at(Place.TEAM_INNER, facts, team) for team in self._teams]
        self.middle = pieces_at(Place.MIDDLE, facts)
        self.pieces: list[HudPiece] = [*chain(*self.lineups, *self.scores), *self.middle]
        self._row: Widget = Spacer()
        self._shown: tuple[Hashable, ...] = ()

    def height(self, theme: Theme, settings: Settings) -> int:
        """Return the height in pixels; 0 with every piece turned off."""
        if not any(piece.is_on(settings) for piece in self.pieces):
            return 0
        return theme.px(LOW_TOP if is_low(theme) else TOP)

    def show(self, canvas: pygame.Surface, theme: Theme, settings: Settings, area: pygame.Rect) -> None:
        """Draw every piece that is turned on, in `area`; arranged again where one has changed."""
        on = [piece for piece in self.pieces if piece.is_on(settings)]
        shown = (theme, tuple(area), tuple(on), tuple(piece.content() for piece in on))
        if shown != self._shown:
            self._shown, self._row = shown, self._arranged(theme, settings)
            self._row.arrange(theme, area.inflate(-2 * theme.px(12 if is_low(theme) else themes.MARGIN), 0))
        self._row.draw(canvas, theme)

    def _arranged(self, theme: Theme, settings: Settings) -> Widget:
        middle = self._middle(theme, settings)
        teams = [self._team(team, settings) for team in self._teams]
        if len(teams) != 2:
            return Row([*teams, middle], stacks=False, align="stretch")
        left, right = (teams[team] for team in sorted(self._teams, key=self._spec.side_of))
        return Row([left, middle, right], stacks=False, align="stretch")

    def _team(self, team: int, settings: Settings) -> Widget:
        """A team from the edge of the window inwards, or from left to right where there are not two."""
        is_right = len(self._teams) == 2 and self._spec.side_of(team) == 1
        names = _slots(self.lineups[team], settings, side="midright" if is_right else "midleft", grow=1)
        scores = _slots(self.scores[team], settings)
        plate = _Plate(self._spec, team) if names or scores else None
        parts = [plate, *names, *scores] if len(self._teams) == 2 else [plate, *scores, *names]
        if not names:
            parts.insert(len(parts) if len(self._teams) != 2 else 1, Spacer())
        return Row(parts[::-1] if is_right else parts, stacks=False, grow=1, gap=14)

    def _middle(self, theme: Theme, settings: Settings) -> Widget:
        slots = [(piece, slot) for piece in self.middle for slot in _slots([piece], settings, side="center")]
        if is_low(theme):  # one of them, the most urgent
            slots = [(piece, slot) for piece, slot in slots if piece.content() is not None][-1:]
        width = LOW_MIDDLE if is_low(theme) else MIDDLE if len(self._teams) < 3 else MIDDLE * 2 / 3
        column = Column([slot for _piece, slot in slots], gap=0, align="centre")
        return Panel(column, padding=0, fill="", align="centre", width=width if slots else 0)


def _slots(pieces: Sequence[HudPiece], settings: Settings, *, side: str = "center", grow: float = 0.0) -> list[Widget]:
    return [PieceSlot(piece, side=side, grow=grow) for piece in pieces if piece.is_on(settings)]


class Foot:
    """The bottom line: the game, the words about the match, and how to pause; a low window has none."""

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        self.pieces: list[HudPiece] = []
        self.words = ""  # behind the title
        self.hint = ""  # how to pause
        self.message = ""  # the newest messages; while there are some, they take the place of title and words
        self.pause_button = pygame.Rect(0, 0, 0, 0)
        self._row: Widget = Spacer()
        self._shown: tuple[Hashable, ...] = ()

    def begin(self, facts: Facts) -> None:
        """Make the pieces of a match that has started."""
        self.pieces = pieces_at(Place.FOOT, facts)

    def height(self, theme: Theme) -> int:
        """Return the height in pixels."""
        return 0 if is_low(theme) else theme.px(FOOT)

    def draw(self, canvas: pygame.Surface, theme: Theme, settings: Settings, area: pygame.Rect) -> None:
        """Draw all of it in `area`."""
        texts = _(self._spec.title), self.hint, self.message, self.words
        shown = (theme, tuple(area), *texts, *(piece.content() for piece in self.pieces))
        if shown != self._shown:
            self._shown, self._row = shown, self._arranged(settings)
            self._row.arrange(theme, area.inflate(-2 * theme.margin, 0))
        self._row.draw(canvas, theme)
        self._place_button(theme, area)

    def room(self, theme: Theme, area: pygame.Rect) -> int:
        """Return the pixels before the hint."""
        return self._hint_rect(theme, area).left - area.left - theme.margin - theme.px(24)

    def fits(self, theme: Theme, area: pygame.Rect, message: str) -> bool:
        """Whether a message has room in the line."""
        wide, _high = theme.font(themes.SMALL, bold=True).size(message)
        return area.h > 0 and wide + theme.px(28) <= self.room(theme, area)

    def draw_hint(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect) -> None:
        """Draw how to pause alone, at its place in `area`."""
        self._place_button(theme, area)
        at, muted = self._hint_rect(theme, area), theme.colours.muted
        canvas.blit(theme.text(self.hint, size=themes.SMALL, colour=muted), at)

    def draw_alone(self, canvas: pygame.Surface, theme: Theme, *, shown: bool) -> None:
        """Draw how to pause on a plate over the picture, or make it impossible to press."""
        if not shown:
            self.pause_button = pygame.Rect(0, 0, 0, 0)
            return
        area = canvas.get_rect()
        area.h, area.bottom = theme.px(FOOT), canvas.get_height()
        self._place_button(theme, area)
        theme.draw_panel(canvas, self.pause_button)
        muted = theme.colours.muted
        theme.draw_text(canvas, self.hint, self.pause_button.center, size=themes.SMALL, colour=muted, anchor="center")

    def _arranged(self, settings: Settings) -> Widget:
        hint = Label(self.hint, size=themes.SMALL, colour="muted", least=999)
        if self.message:
            words = Label(self.message, size=themes.SMALL, bold=True)
            return Row([Panel(words, padding=5, fill="raised", edge="edge"), Spacer(), hint], stacks=False)
        title = Label(_(self._spec.title), size=themes.SMALL, bold=True)
        words = Label(self.words, size=themes.SMALL, colour="muted", grow=1)
        return Row([title, words, *_slots(self.pieces, settings), hint], stacks=False, gap=24)

    def _place_button(self, theme: Theme, area: pygame.Rect) -> None:
        self.pause_button = self._hint_rect(theme, area).inflate(theme.px(24), theme.px(16))

    def _hint_rect(self, theme: Theme, area: pygame.Rect) -> pygame.Rect:
        at = (area.right - theme.margin, area.centery)
        return theme.text(self.hint, size=themes.SMALL, colour=theme.colours.muted).get_rect(midright=at)
