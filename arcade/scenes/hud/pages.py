"""Pages over a paused match: the controls of every player, and the pieces of the HUD."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from arcade.engine.input.events import InputEvent, MenuInput
from arcade.engine.input.function_keys import function_keys
from arcade.engine.input.key_bindings import DeviceBindings
from arcade.engine.input.sources import source_label
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.engine.window.scene import Host
from arcade.games.controls import ControlRow
from arcade.games.seat_colours import seat_colour
from arcade.scenes import routes
from arcade.scenes.hud.piece import beside
from arcade.scenes.hud.seat_cards import DIRECTIONS, Alternative, SeatCard, draw_presses, presses, seat_cards, whose
from arcade.scenes.pictograms import PARTS, icon, mouse_picture, pad_picture, part_of
from arcade.scenes.pictograms.controls import HEIGHT, WIDTH
from arcade.scenes.screen import Overlay
from arcade.session.services import Services

CAPS = (34, 28)  # heights of a drawn key; the smaller one where it leaves room for more alternatives
MOST_LINES = 9  # most lines of a card; with more, each group takes one line
LABEL = 112  # width in pixels of the labels beside the gamepad
Line = tuple[str, tuple[ControlRow, ...]]  # a line's text and controls


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

    WORDS, KEYS, PAD, WIDTH = 14, 210, 436, 560
    """Where the columns start, and the whole width."""

    def __init__(self, rect: pygame.Rect, line: Line, card: SeatCard) -> None:
        super().__init__(rect)
        self.label, self._rows = line
        self._card = card
        self.hint = "   ".join(self._describe(bindings) for bindings in (card.keyboard, card.pad))

    def _describe(self, bindings: DeviceBindings) -> str:
        ways = [
            " ".join(source_label(bindings.kind, source) for source in way) for way in presses(self._rows, bindings)
        ]
        return f"{bindings.kind.capitalize()}: {' or '.join(ways) or 'nothing'}"

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        words = theme.paragraph(self.label, width=self.KEYS - self.WORDS - 12, size=theme.SMALL, bold=True)
        canvas.blit(words, words.get_rect(midleft=(self.rect.left + self.WORDS, self.rect.centery)))
        self._draw_caps(canvas, self._card.keyboard, self.KEYS, self.PAD)
        self._draw_caps(canvas, self._card.pad, self.PAD, self.WIDTH)
        if focused:
            theme.draw_focus(canvas, self.rect)

    def _draw_caps(self, canvas: pygame.Surface, bindings: DeviceBindings, start: int, end: int) -> None:
        """Draw as many alternatives as fit."""
        ways, at = presses(self._rows, bindings), (self.rect.left + start, self.rect.centery)
        if not ways:
            theme.draw_text(canvas, "nothing", at, size=theme.SMALL, colour=theme.FAINT, anchor="midleft")
            return
        picture = widest(ways, bindings.kind, room=end - start - 14)
        canvas.blit(picture, picture.get_rect(midleft=at))


@theme.kept(256)
def widest(ways: tuple[Alternative, ...], kind: str, *, room: int) -> pygame.Surface:
    """Draw the caps of as many alternatives as fit into `room`, one at least."""
    tries = [(count, size) for count in range(len(ways), 0, -1) for size in CAPS]
    pictures = [draw_presses(kind, ways[:count], size=size) for count, size in tries]
    return next((picture for picture in pictures if picture.get_width() <= room), pictures[-1])


class PadPicture(Widget):
    """A gamepad with labels, each once a side."""

    def __init__(
        self, rect: pygame.Rect, lines: Sequence[Line], bindings: DeviceBindings, *, light: theme.Colour
    ) -> None:
        super().__init__(rect)
        self.label, self.hint, self._light = "Gamepad", "What its buttons and sticks do", light
        self.doing = pad_words(lines, bindings)

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        lit = frozenset(part for parts in self.doing.values() for part in parts)
        picture = pad_picture(lit, size=self.rect.h - 20, light=self._light)
        pad = canvas.blit(picture, picture.get_rect(center=self.rect.center))
        for is_left in (True, False):
            self._draw_labels(canvas, pad, is_left=is_left)
        if focused:
            theme.draw_focus(canvas, self.rect)

    def _draw_labels(self, canvas: pygame.Surface, pad: pygame.Rect, *, is_left: bool) -> None:
        """Draw each label level with its parts, or below the label before, and a line to each part."""
        bottom = self.rect.top
        for words, parts in sorted(self._on(is_left).items(), key=lambda label: [PARTS[part][1] for part in label[1]]):
            places = [PARTS[part] for part in parts]
            spots = [(pad.left + place[0] * pad.w / WIDTH, pad.top + place[1] * pad.h / HEIGHT) for place in places]
            picture = theme.paragraph(words, width=LABEL, size=16)
            rect = picture.get_rect(centery=round(sum(y for _, y in spots) / len(spots)))
            rect.top = max(rect.top, bottom + 4)
            rect.right = self.rect.left + LABEL if is_left else self.rect.right
            if not is_left:
                rect.left = self.rect.right - LABEL
            for spot in spots:
                start = (rect.right + 6 if is_left else rect.left - 6, rect.centery)
                pygame.draw.aaline(canvas, theme.INK, start, spot)
            canvas.blit(picture, rect)
            bottom = rect.bottom

    def _on(self, is_left: bool) -> dict[str, list[str]]:
        """Return the labels of one side, with their parts."""
        found = (
            (words, [p for p in parts if (PARTS[p][0] < WIDTH / 2) == is_left]) for words, parts in self.doing.items()
        )
        return {words: parts for words, parts in found if parts}


class MouseWords(Widget):
    """A mouse and its label."""

    def __init__(self, rect: pygame.Rect, doing: str, *, light: theme.Colour) -> None:
        super().__init__(rect)
        self.label, self.hint, self._light = "Mouse", doing, light

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        picture = mouse_picture(size=self.rect.h - 12, light=self._light)
        where = canvas.blit(picture, picture.get_rect(midleft=(self.rect.left + 60, self.rect.centery)))
        text = theme.paragraph(self.hint, width=self.rect.right - where.right - 40)
        canvas.blit(text, text.get_rect(midleft=(where.right + 24, self.rect.centery)))
        if focused:
            theme.draw_focus(canvas, self.rect)


def pad_words(lines: Sequence[Line], bindings: DeviceBindings) -> dict[str, list[str]]:
    """Return each label of a gamepad with its parts; the rows of a group share one label."""
    found: dict[str, list[str]] = {}
    for _, rows in lines:
        for row in rows:
            parts = found.setdefault(row.group or row.words, [])
            sources = [source for way in presses((row,), bindings) for source in way]
            parts += [part for part in map(part_of, sources) if part in PARTS and part not in parts]
    return found


BOX = pygame.Rect(50, 36, 1180, 622)
TABLE = pygame.Rect(BOX.left + 18, BOX.top + 148, ControlLine.WIDTH, BOX.h - 240)
PAD = pygame.Rect(TABLE.right + 12, BOX.top + 130, BOX.right - TABLE.right - 36, 250)
FUNCTION_KEYS = pygame.Rect(BOX.left + 32, TABLE.bottom + 6, BOX.w - 270, BOX.bottom - TABLE.bottom - 12)
MOUSE = pygame.Rect(PAD.left, PAD.bottom + 20, PAD.w, 110)


class ControlsScene(Overlay):
    """A card for each person, one at a time; closed by F1, Esc, B or its button."""

    read_first = True
    key = "f1"

    def __init__(self, services: Services, route: routes.Controls) -> None:
        super().__init__(services, route)
        self._spec, self._match = route.spec, route.match
        self._lineup = route.lineup
        self.page = 0

    def enter(self, engine: Host) -> None:
        """Show the first line where the page is enlarged."""
        self.cards = seat_cards(self._spec, self._lineup, engine.bindings, self._match)
        turning = "{l}, {r}, {pageup}, {tab}: another player    " if len(self.cards) > 1 else ""
        self.legend = turning + "{esc}, {b} or F1: resume"
        super().enter(engine)
        if engine.settings.ui_scale > 1:
            self.focus.focus(next(widget for widget in self.focus.widgets if isinstance(widget, ControlLine)))

    @property
    def card(self) -> SeatCard:
        """The card on the screen."""
        return self.cards[self.page]

    @property
    def _colour(self) -> theme.Colour:
        return seat_colour(self._spec, self.card.agents[0], theme.TEAMS)

    def widgets(self) -> list[Widget]:
        """Return the buttons, one of which has the focus, and the lines, which are focused to be read when enlarged."""
        card, lines = self.card, card_lines(self.card)
        step = min(58, TABLE.h // max(1, len(lines)))
        rects = [pygame.Rect(TABLE.left, TABLE.top + place * step, TABLE.w, step - 6) for place in range(len(lines))]
        pictures: list[Widget] = [PadPicture(PAD, lines, card.pad, light=self._colour)]
        if card.controls.mouse:
            pictures.append(MouseWords(MOUSE, card.controls.mouse, light=self._colour))
        rows = (ControlLine(rect, line, card) for rect, line in zip(rects, lines, strict=True))
        return [*self._buttons(), *rows, *pictures]

    def _buttons(self) -> list[Widget]:
        place = pygame.Rect(BOX.right - 218, BOX.bottom - 66, 194, 48)
        close = Button(place, "Resume", self.engine.pop, primary=True, hint="Back to the game")
        if len(self.cards) == 1:
            return [close]
        before, after = place.move(-424, 0), place.move(-212, 0)
        return [
            close,
            Button(before, "Previous player", lambda: self.turn(-1), hint="The controls of the previous player"),
            Button(after, "Next player", lambda: self.turn(1), hint="The controls of the next player"),
        ]

    def turn(self, by: int) -> None:
        """Show another player's card."""
        self.page = (self.page + by) % len(self.cards)
        focused = self.focus.focused
        self.rebuild(keep=self.focus.widgets.index(focused) if isinstance(focused, Button) else None)

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, MenuInput) and event.action in ("next", "previous"):
            self.turn(1 if event.action == "next" else -1)
            return None
        return super().handle(event)

    def draw(self, canvas: pygame.Surface) -> None:
        theme.dim(canvas)
        theme.draw_panel(canvas, BOX, edge=theme.EDGE)
        self._draw_heading(canvas)
        devices = ((ControlLine.KEYS, self.card.keyboard, "Keyboard"), (ControlLine.PAD, self.card.pad, "Gamepad"))
        for left, bindings, words in devices:
            own = bindings is self.card.own and self.card.choice.is_human
            ink, at = (self._colour if own else theme.FAINT), (TABLE.left + left, TABLE.top - 20)
            words += "  (yours)" if own else ""
            theme.draw_text(canvas, words, at, size=theme.SMALL, bold=own, colour=ink, anchor="midleft")
        self._draw_function_keys(canvas)
        self.focus.draw(canvas)

    def _draw_function_keys(self, canvas: pygame.Surface) -> None:
        """Draw the keys of the arcade at the foot of the box, beside the buttons."""
        room = FUNCTION_KEYS.w - (424 if len(self.cards) > 1 else 0)
        text = theme.paragraph(self.function_keys, width=room, size=theme.SMALL, colour=theme.MUTED)
        canvas.blit(text, text.get_rect(midleft=FUNCTION_KEYS.midleft))

    @property
    def function_keys(self) -> str:
        """The keys of the arcade itself, in a match of this game."""
        found = function_keys(turn_based=self._spec.turn_based)
        return "   ".join(f"{key}\N{NO-BREAK SPACE}{words}" for key, words in found)

    def _draw_heading(self, canvas: pygame.Surface) -> None:
        card, left, middle = self.card, TABLE.left + ControlLine.WORDS, BOX.top + 42
        device = icon(card.choice, size=28, colour=self._colour)
        canvas.blit(device, device.get_rect(midleft=(left, middle)))
        at = (left + device.get_width() + 14, middle)
        theme.draw_text(canvas, self._title(), at, size=theme.LARGE, bold=True, anchor="midleft", width=780)
        if len(self.cards) > 1:
            count, at = f"{self.page + 1} of {len(self.cards)}", (BOX.right - 32, middle)
            theme.draw_text(canvas, count, at, colour=theme.MUTED, anchor="midright")
        canvas.blit(self._notes(), (left, BOX.top + 74))

    def _notes(self) -> pygame.Surface:
        """Draw the notes on the player's seats, then the summary of the game where it fits too."""
        room, (_, note) = BOX.w - 64, whose(self._spec, self.card, most=4)
        if not note:
            return theme.fitted(self._spec.summary, width=room, size=theme.SMALL, colour=theme.MUTED)
        notes = theme.fitted(note, width=room, size=theme.SMALL, bold=True)
        summary = theme.text(self._spec.summary, size=theme.SMALL, colour=theme.MUTED)
        return beside([notes, summary], gap=20, room=room)

    def _title(self) -> str:
        """Return player and seats: ``Ann: Left 1, Left 2``."""
        card = self.card
        seats, _ = whose(self._spec, card, most=4)
        if self._match is None or not card.choice.is_human:
            return f"{self._spec.title}: {seats}"
        return f"{self._match.mapping[card.agents[0]].label}: {seats}"
