"""The page of the controls over a paused match: beside the picture, whose markers show who is who."""

from __future__ import annotations

from functools import lru_cache

import pygame

from arcade.engine.input.events import InputEvent, MenuInput
from arcade.engine.input.function_keys import function_keys, kinds_of
from arcade.engine.input.key_bindings import DeviceBindings
from arcade.engine.input.sources import source_label
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Grid, Panel, Row, Spacer
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.texts import Label, Paragraph, Picture, ReadLine
from arcade.engine.ui.theme import Colour, Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.games.controls import ControlRow
from arcade.games.seat_colours import seat_colour
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.foot import Foot
from arcade.scenes.hud.gamepad_picture import GamepadPicture, Line
from arcade.scenes.hud.insight_panel import keeps_secrets, thinks
from arcade.scenes.hud.rules_text import rules_lines
from arcade.scenes.hud.seat_cards import DIRECTIONS, Alternative, SeatCard, draw_presses, presses, seat_cards, whose
from arcade.scenes.pictograms import icon, mouse_picture
from arcade.scenes.screen import LOW, Overlay
from arcade.scenes.tables.table import make_table
from arcade.session.services import Services

CAPS = (30, 24)  # heights of a drawn key in units; the smaller one where it leaves room for more alternatives
MOST_LINES = 9  # most lines of a card; with more, each group takes one line
_THINKING = ("snapshot", "level", "pool")  # kinds of seats whose player may have AI insight
WIDE, SHARE = 560, 0.6
"""Units of the page's width, and its largest share of the window's: the rest shows the picture."""


def card_lines(card: SeatCard) -> list[Line]:
    """Return the lines of a card."""
    crowded = len(card.controls.rows) > MOST_LINES
    lines: list[Line] = []
    for words, rows in card.groups().items():
        if crowded or (len(rows) > 2 and all(map(_ends_with_direction, rows))):
            lines.append((words, rows))
        else:
            lines += [(row.words, (row,)) for row in rows]
    return lines[:MOST_LINES]


def _ends_with_direction(row: ControlRow) -> bool:
    """Return whether the words end with the direction, as in: walk left, on left."""
    control = row.controls[0] if row.controls else ""
    return control in DIRECTIONS and row.words.lower().endswith(control)


class ControlLine(Widget):
    """One control: its words, keys and buttons.  It takes the focus to be read, not to be pressed."""

    focusable = True

    def __init__(self, line: Line, card: SeatCard) -> None:
        super().__init__()
        words, self._rows = line
        self.label, self._card = _(words), card
        self.hint = "   ".join(self._describe(bindings) for bindings in (card.keyboard, card.pad))

    def _describe(self, bindings: DeviceBindings) -> str:
        ways = [
            " ".join(source_label(bindings.kind, source) for source in way) for way in presses(self._rows, bindings)
        ]
        device = _("Gamepad") if bindings.kind == "gamepad" else _("Keyboard")
        words = _(" or ").join(ways) or _("nothing")
        return f"{device}: {words}"

    def natural(self, theme: Theme, width: int) -> Size:
        words = self._words(theme, width).get_height()
        caps = theme.px(CAPS[0]) * (2 if self._is_narrow(theme, width) else 1)
        return width, max(words, caps) + theme.px(8)

    def least(self, theme: Theme) -> int:
        return theme.px(200)

    def pressed(self) -> bool:
        return True

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        rect, words = self.rect, self._words(theme, self.rect.w)
        canvas.blit(words, words.get_rect(midleft=(rect.left + theme.px(6), rect.centery)))
        left = rect.left + rect.w * 32 // 100
        room = pygame.Rect(left, rect.top, rect.right - left, rect.h)
        if self._is_narrow(theme, rect.w):
            upper, lower = room.copy(), room.copy()
            upper.h = lower.h = room.h // 2
            lower.bottom = room.bottom
        else:
            upper, lower = room.copy(), room.copy()
            upper.w = lower.w = room.w // 2
            lower.right = room.right
        self._draw_caps(canvas, theme, self._card.keyboard, upper)
        self._draw_caps(canvas, theme, self._card.pad, lower)
        if self.focused:
            theme.draw_focus(canvas, rect)

    def _is_narrow(self, theme: Theme, width: int) -> bool:
        return width < theme.px(420)

    def _words(self, theme: Theme, width: int) -> pygame.Surface:
        return theme.paragraph(self.label, width=width * 30 // 100, size=themes.SMALL, bold=True)

    def _draw_caps(self, canvas: pygame.Surface, theme: Theme, bindings: DeviceBindings, room: pygame.Rect) -> None:
        """Draw as many alternatives as fit."""
        ways = presses(self._rows, bindings)
        if not ways:
            faint = theme.colours.faint
            theme.draw_text(canvas, _("nothing"), room.midleft, size=themes.SMALL, colour=faint, anchor="midleft")
            return
        picture = widest(theme, ways, bindings.kind, room=room.w - theme.px(8))
        canvas.blit(picture, picture.get_rect(midleft=room.midleft))


class FunctionKeyLine(ReadLine, Label):
    """One of the arcade's own keys."""

    def __init__(self, key: str, words: str) -> None:
        super().__init__(f"{key}\N{NO-BREAK SPACE}  {words}", size=themes.SMALL, colour="muted")


@lru_cache(256)
def widest(theme: Theme, ways: tuple[Alternative, ...], kind: str, *, room: int) -> pygame.Surface:
    """Draw the caps of as many alternatives as fit into `room` pixels, one at least."""
    tries = [(count, theme.px(size)) for count in range(len(ways), 0, -1) for size in CAPS]
    pictures = [draw_presses(theme, kind, ways[:count], size=size) for count, size in tries]
    return next((picture for picture in pictures if picture.get_width() <= room), pictures[-1])


class ControlsScene(Overlay):
    """A card for each person, one at a time; closed by F1, Esc, B or its button."""

    key = "f1"
    has_back = False

    def __init__(self, services: Services, route: routes.Controls) -> None:
        super().__init__(services, route)
        self._spec, self._match = route.spec, route.match
        self._lineup, self._online = route.lineup, route.online
        self._width = 0  # pixels of the page
        self.page = 0

    def enter(self, engine: Host) -> None:
        self.cards = seat_cards(self._spec, self._lineup, engine.bindings, self._match)
        turning = (("next", N_("Next player")),) if len(self.cards) > 1 else ()
        self.legend = (*turning, ("back", N_("Resume") if self._match is not None else N_("Back")))
        super().enter(engine)

    @property
    def covered(self) -> tuple[int, int]:  # type: ignore[override]
        foot = self.engine.canvas.get_height() - self._foot.rect.top
        return self._width, foot

    @property
    def card(self) -> SeatCard:
        """The card on the screen."""
        return self.cards[self.page]

    def build(self) -> Widget:
        theme = self.engine.theme
        self._width = min(theme.px(WIDE), round(theme.window[0] * SHARE))
        self._foot = Foot(self.engine, self.legend, lambda: self.focus.hint)
        page = Panel(self.body(), padding=16, edge="edge", width=self._width / theme.unit)
        return Column([Row([Spacer(), page], align="stretch", stacks=False, gap=0, grow=1), self._foot], gap=0)

    def body(self) -> Widget:
        resume = _("Resume") if self._match is not None else _("Back")
        close = Button(resume, self.engine.pop, primary=True, hint=_("Back to the game"), grow=1)
        buttons = Row([close, *self._turners()], stacks=False)
        if self.engine.theme.page[1] < LOW:  # the focus begins at the first line, to be read
            self._first = page = Scroll(Column([self._heading(), self._lines(), buttons]))
            return page
        self._first = close
        return Column([self._heading(), Scroll(self._lines()), buttons], grow=1)

    def _heading(self) -> Widget:
        card = self.card
        colour = self._colour(self.engine.theme)
        _names, note = whose(self._spec, card, most=4)

        def draw_device(canvas: pygame.Surface, theme: Theme, rect: pygame.Rect) -> None:
            picture = icon(theme, card.choice, size=theme.px(24), colour=self._colour(theme))
            canvas.blit(picture, picture.get_rect(midleft=rect.midleft))

        shown = icon(self.engine.theme, card.choice, size=self.engine.theme.px(24), colour=colour)
        device = Picture(draw_device, width=shown.get_width() / self.engine.theme.unit, height=26, least=24)
        count = Label(f"{self.page + 1} / {len(self.cards)}", colour="muted") if len(self.cards) > 1 else None
        title = Row([device, Label(self._names(), bold=True, grow=1), count], stacks=False)
        return Column([
            title,
            Paragraph(note, size=themes.SMALL, bold=True) if note else None,
            Paragraph(_(self._spec.summary), size=themes.SMALL, colour="muted"),
        ], gap=4)  # fmt: skip

    def _lines(self) -> Widget:
        card, lines, rules = self.card, card_lines(self.card), rules_lines(self._spec)
        colour = self._colour(self.engine.theme)
        spec, table = self._spec, make_table(self._spec)
        flips = table is not None and table.can_flip
        kinds = kinds_of(
            turn_based=spec.turn_based, board=spec.is_board_game, flips=flips, insight=self._can_show_insight
        )  # fmt: skip
        keys = [FunctionKeyLine(key, words) for key, words in function_keys(*kinds, online=self._online)]
        return Column([
            *(ControlLine(line, card) for line in lines),
            _mouse(card.controls.mouse, colour) if card.controls.mouse else None,
            GamepadPicture(lines, card.pad, light=colour) if self._has_pad else None,
            *((Label(_("How to play"), size=themes.SMALL, bold=True), *rules) if rules else ()),
            Label(_("During the match"), size=themes.SMALL, bold=True),
            Grid(keys, cell=230, most=2, gap=4),
        ], gap=4)  # fmt: skip

    @property
    def _can_show_insight(self) -> bool:
        """Whether a seat has AI insight that the people here may see; before a match: whether one may have it."""
        match = self._match
        if match is None:
            return any(choice.kind in _THINKING for choice in self._lineup.values())
        return thinks(match.mapping.values()) and not keeps_secrets(match)

    @property
    def _has_pad(self) -> bool:
        """Whether a gamepad is here, or plays these seats."""
        return bool(self.engine.devices.pads) or self.card.choice.kind == "gamepad"

    def _turners(self) -> list[Widget]:
        if len(self.cards) == 1:
            return []
        before = Button("◀", lambda: self.turn(-1), hint=_("The controls of the previous player"), key="before")
        after = Button("▶", lambda: self.turn(1), hint=_("The controls of the next player"), key="after")
        return [before, after]

    def turn(self, by: int) -> None:
        """Show another player's card."""
        focused = self.focus.focused
        self.page = (self.page + by) % len(self.cards)
        self.rebuild()
        if isinstance(focused, Button):
            self.focus.focus_like(focused)

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, MenuInput) and event.action in ("next", "previous"):
            self.turn(1 if event.action == "next" else -1)
            return None
        return super().handle(event)

    def draw_behind(self, canvas: pygame.Surface) -> None:
        """The picture beside the page stays as it is."""

    def _colour(self, theme: Theme) -> Colour:
        return seat_colour(self._spec, self.card.agents[0], theme.colours.teams)

    def _names(self) -> str:
        """Return player and seats: ``Ann: Left 1, Left 2``."""
        card = self.card
        seats, _notes = whose(self._spec, card, most=4)
        if self._match is None or not card.choice.is_human:
            return f"{_(self._spec.title)}: {seats}"
        return f"{self._match.mapping[card.agents[0]].label}: {seats}"


def _mouse(doing: str, light: Colour) -> Widget:
    """A mouse and its use."""

    def paint(canvas: pygame.Surface, theme: Theme, rect: pygame.Rect) -> None:
        picture = mouse_picture(theme, size=rect.h, light=light)
        canvas.blit(picture, picture.get_rect(center=rect.center))

    return Row([Picture(paint, width=50, height=54), Paragraph(_(doing), size=themes.SMALL, grow=1)], stacks=False)
