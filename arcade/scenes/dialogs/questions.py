"""Questions: yes or no, one of a list, and a line of text; and the message of an error."""

from __future__ import annotations

from typing import Any

import pygame

from agents.errors import UserError
from arcade.engine.input.events import InputEvent, KeyInput, TextInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import BUTTON_HIGH, Button
from arcade.engine.ui.layout import Column, Grid, Panel, Row
from arcade.engine.ui.lists import ListView
from arcade.engine.ui.texts import Label, Paragraph, Picture
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.widget import Widget
from arcade.engine.window.clipboard import is_control_held, pasted_text
from arcade.engine.window.scene import Host
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.dialogs.quitting import quit_arcade
from arcade.scenes.screen import Dialog, Screen
from arcade.session.services import Services

MOST = 9
"""Rows shown at once."""
SHORT = 600
"""Height of a page in units below which the keys of text are lower."""
ONE_ROW = 760
"""Width of a page in units from which all buttons below the keys have one row."""
ROWS = ("1234567890", "qwertyuiop", "asdfghjkl-", "zxcvbnm._/")
SYMBOLS = "@:,=+*[]{}"


class ConfirmScene(Dialog):
    """Calls `then` on `yes`; the focus begins on the other answer."""

    def __init__(self, services: Services, route: routes.Confirm) -> None:
        super().__init__(services, route)
        self.heading, self.detail, self._yes, self._then = route.question, route.detail, route.yes, route.then
        self._danger, self._no, self._otherwise = route.danger, route.no or _("No"), route.otherwise
        self._has_back = route.has_back

    def body(self) -> Widget:
        return Paragraph(self.detail, colour="muted")

    def answers(self) -> list[Widget]:
        yes = Button(self._yes, self._agree, primary=not self._danger, danger=self._danger, hint=self.detail, grow=1)
        if self._has_back:
            no = Button(self._no, self._decline, grow=1)
            return [Row([Button(_("Back"), self.back, hint=_("Change nothing"), key="back"), no, yes])]
        return [Row([Button(self._no, self.back, hint=_("Change nothing"), grow=1), yes])]

    def back(self) -> None:
        super().back()
        if not self._has_back:
            self._otherwise()

    def _decline(self) -> None:
        self.engine.pop()
        self._otherwise()

    def _agree(self) -> None:
        self.engine.pop()
        self._then()


class PickScene(Dialog):
    """`done` gets the index of the option picked; Esc, B and a click beside the list cancel."""

    width = 520

    def __init__(self, services: Services, route: routes.Pick) -> None:
        super().__init__(services, route)
        self.heading, self._options, self._index, self._done = route.title, route.options, route.index, route.done

    def body(self) -> Widget:
        options = self._options() if callable(self._options) else self._options
        return ListView(options, press=self._pick, index=self._index, hint=_("Choose it"), rows=MOST)

    def _pick(self, index: int) -> None:
        self.engine.pop()
        self._done(index)


class TextEntryScene(Dialog):
    """`done` gets the text, and may refuse it by an error; Esc, B and Cancel drop it."""

    legend = (("accept", N_("Choose a key")), ("back", N_("Cancel")))
    width = 960

    def __init__(self, services: Services, route: routes.EnterText) -> None:
        super().__init__(services, route)
        self.heading, self.value, self.hint = route.title, route.value, route.hint
        self._is_selected = bool(route.value) and not route.adds  # the whole text, until the first change
        self._done, self._limit, self._capitals, self._pastes = route.done, route.limit, False, route.pastes
        self._symbols = route.symbols

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        engine.text_entry = True

    def leave(self) -> None:
        self.engine.text_entry = False

    def build(self) -> Widget:
        self.padding, self.gap = (16, 8) if self._is_short else (Dialog.padding, Dialog.gap)
        return super().build()

    @property
    def foot_hint(self) -> str:
        """The hint where the page is too low to have it above the text."""
        return self.hint if self._is_short else super().foot_hint

    def body(self) -> Widget:
        letters = [*ROWS, SYMBOLS] if self._symbols else ROWS
        keys = [Row([self._key(letter) for letter in row], gap=6, stacks=False) for row in letters]
        return Column([
            Paragraph(self.hint, size=themes.SMALL, colour="muted") if self.hint and not self._is_short else None,
            Picture(self._draw_field, width=900, height=40 if self._is_short else 56, least=200),
            Column(keys, gap=4 if self._is_short else 6),
        ], gap=6 if self._is_short else themes.GAP)  # fmt: skip

    @property
    def _is_short(self) -> bool:
        """Whether the page has little height, so that the keys are lower and all of them are seen."""
        return self.theme.page[1] < SHORT

    def answers(self) -> list[Widget]:
        presses = {
            _("Done"): self._accept, _("Cancel"): self.back, _("Delete"): self._delete, _("Clear"): self._clear,
            _("Space"): lambda: self._add(" "), "abc" if self._capitals else "ABC": self._change_case,
            **({_("Paste"): self._paste} if self._pastes else {}),
        }  # fmt: skip
        buttons = [
            Button(label, press, primary=not place, grow=1, key=f"answer {place}")
            for place, (label, press) in enumerate(presses.items())
        ]
        self._first = buttons[0]
        is_wide = self.theme.page[0] >= ONE_ROW
        return [Row(buttons, gap=8, stacks=False) if is_wide else Grid(buttons, cell=110, gap=8)]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, TextInput):
            self._add(event.text)
            self.focus.focus(self._first)  # typed text ends with Enter
        elif isinstance(event, KeyInput) and event.pressed and event.name == "backspace":
            self._delete()
        elif isinstance(event, KeyInput) and event.pressed and event.name == "v" and is_control_held():
            self._paste()
        else:
            return super().handle(event)
        return None

    def _draw_field(self, canvas: pygame.Surface, theme: Theme, field: pygame.Rect) -> None:
        pygame.draw.rect(canvas, theme.colours.ground, field, border_radius=theme.px(8))
        ink = theme.colours.ground if self._is_selected else theme.colours.ink
        picture = theme.text(self.value, bold=True, colour=ink)
        room = field.inflate(-theme.px(32), 0)
        if self._is_selected:
            lit = picture.get_rect(midleft=room.midleft).inflate(theme.px(8), 0).clip(field)
            pygame.draw.rect(canvas, theme.colours.focus, lit)
        shown = pygame.Rect(max(0, picture.get_width() - room.w), 0, room.w, picture.get_height())  # its end
        canvas.blit(picture, (room.left, field.centery - picture.get_height() // 2), shown)
        end, inset = room.left + min(picture.get_width(), room.w) + theme.px(3), theme.px(12)
        pygame.draw.line(canvas, theme.colours.ink, (end, field.top + inset), (end, field.bottom - inset), theme.px(2))

    def _key(self, letter: str) -> Button:
        letter = letter.upper() if self._capitals else letter
        return Button(letter, lambda: self._add(letter), grow=1, height=28 if self._is_short else BUTTON_HIGH)

    def _add(self, text: str) -> None:
        kept, self._is_selected = "" if self._is_selected else self.value, False
        self.value = (kept + "".join(c for c in text if c.isprintable()))[: self._limit]

    def _paste(self) -> None:
        if text := pasted_text():
            self._is_selected = self._is_selected or self._pastes  # what is pasted is the whole text
            self._add(text.strip())
            self.focus.focus(self._first)
        else:
            self.engine.say(_("The clipboard has no text"))

    def _delete(self) -> None:
        self.value = "" if self._is_selected else self.value[:-1]
        self._is_selected = False

    def _clear(self) -> None:
        self.value, self._is_selected = "", False

    def _change_case(self) -> None:
        self._capitals = not self._capitals
        self.refresh()

    def _accept(self) -> None:
        self.engine.pop()
        try:
            self._done(self.value.strip())
        except (UserError, ValueError) as error:
            self.engine.say(str(error))
            self.engine.sound.play("warning")
            self.engine.push(self)  # to correct the text


KEPT = N_("The match ended here. What was played so far is among the recordings.")
LOST = N_("The match ended here. It was not recorded.")
LINES = 14
"""Lines shown of the traceback, the last ones."""


class ErrorScene(Screen):
    """Shown where a scene raises; a StageError has the game's name and the traceback of its process."""

    has_back = False
    grace = 0.5

    def __init__(self, services: Services, route: routes.Failed) -> None:
        super().__init__(services, route)
        self.error = error = route.error
        game, playing = getattr(error, "game", ""), services.setup.playing
        self._match = match = playing if playing is not None and playing.spec.id == game else None
        spec = match.spec if match is not None else services.library.find(game)
        title = _(spec.title) if spec is not None else game
        is_of_seat = hasattr(error, "label")
        if is_of_seat:  # the game itself works
            self.heading = N_("Match ended early")
        else:
            self.heading = _("{game} stopped unexpectedly").format(game=title) if game else N_("Something went wrong")
        self.message = str(getattr(error, "message", "") or error) or type(error).__name__
        failure: Any = error  # perhaps a SeatFailure, whose module takes longer to import than the title may
        if spec is not None and is_of_seat and failure.label:
            self.message = services.library.player_names(spec).of_failure(failure)
        details = getattr(error, "details", "") if game else ("" if isinstance(error, UserError) else route.details)
        self.lines = str(details).rstrip().splitlines()[-LINES:]
        if getattr(error, "cause", ""):  # which the message tells in the player's language
            self.lines.insert(0, failure.reason)
        self.advice = ""
        if match is not None and match.is_begun:
            self.advice = _(KEPT) if match.is_recorded else _(LOST)
            if not is_of_seat:  # the game's own failure, in its programmer's words
                self.lines.insert(0, self.message)
                self.message = ""
        self._has_details = False

    def body(self) -> Widget:
        lines = [Label(line, size=themes.SMALL, colour="muted") for line in self.lines]
        label = _("Hide details") if self._has_details else _("Details")
        buttons = (
            self._again(),
            Button(_("Home screen"), self.back, primary=self._match is None, hint=_("To the home screen")),
            Button(_("All games"), self._games, enabled=self.services.ready, hint=_("Choose another game")),
            Button(_("Quit"), lambda: quit_arcade(self.engine, self.services), hint=_("Close the arcade")),
            Button(label, self._turn_details, key="details", hint=_("What the program reported")) if lines else None,
        )
        details = Panel(Column(lines, gap=2)) if lines and self._has_details else None
        message = Paragraph(self.message, colour="warning") if self.message else None
        advice = Paragraph(self.advice) if self.advice else None
        return Column([message, advice, Row(buttons), details], gap=20)

    def _turn_details(self) -> None:
        self._has_details = not self._has_details
        self.refresh()

    def _again(self) -> Widget | None:
        """The button that begins the match anew, with the players of the one that failed."""
        match = self._match
        if match is None:
            return None

        def play() -> None:
            self.back()
            self.engine.push(routes.Match(match.spec, dict(match.lineup), series=match.series.next()))

        return Button(_("Play again"), play, primary=True, hint=_("The same players once more, in the same series"))

    def back(self) -> None:
        self.engine.reset_to(routes.Title())

    def _games(self) -> None:
        self.back()
        self.engine.push(routes.Games())
