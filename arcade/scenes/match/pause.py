"""The pause menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pygame

from agents.seats.controller import AgentID, SeatChoice
from agents.seats.kinds import parse_seat
from arcade.engine.input.events import DeviceAdded, InputEvent, MenuInput, QuitAsked
from arcade.engine.input.function_keys import slots_key
from arcade.engine.input.press_gate import PressGate
from arcade.engine.input.sources import source_label
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import ROW_HIGH, Button, Choice
from arcade.engine.ui.layout import Centred, Column, Grid, Panel, Row
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.texts import Label, Paragraph, text_of
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import N_, _
from arcade.match.play.lineup import swapped_lineup
from arcade.scenes import routes
from arcade.scenes.dialogs.quitting import quit_arcade
from arcade.scenes.foot import Foot
from arcade.scenes.match.command import Command
from arcade.scenes.screen import LOW, Overlay
from arcade.session.match.pace import SPEEDS, speed_text
from arcade.session.match.series import LENGTHS, Series
from arcade.session.seating import KEYBOARD
from arcade.session.services import Services

Question = tuple[str, str]  # and the button that says yes

RESTART, SWAP = (N_("Restart the match?"), N_("Restart")), (N_("Swap sides and begin again?"), N_("Swap sides"))
SEATS = N_("Leave the match and change the seats?"), N_("Change the seats")
LEAVE = N_("Leave the match?"), N_("Leave")
ENDS = N_("This ends the match that is running.")

row_button = partial(Button, height=ROW_HIGH)
"""A button as high as the choices beside it."""


class PauseScene(Overlay):
    """Where the gamepad of a seat is disconnected, its return resumes the match, and so does another gamepad.

    Keys that other players still press for the game choose nothing; those that only pause and resume count at once.
    """

    gate: PressGate

    def __init__(self, services: Services, route: routes.Pause) -> None:
        super().__init__(services, route)
        self._session = route.session
        self._why, self._missing, self._commands, self._slots = route.why, route.missing, route.commands, route.slots

    @property
    def why(self) -> str:
        """Why the match is paused, "" where the player asked for it."""
        return text_of(self._why)

    def enter(self, engine: Host) -> None:
        self.gate = PressGate(engine.devices, engine.clock)
        super().enter(engine)

    def update(self, now: float) -> None:
        self.gate.update()

    @property
    def listens(self) -> bool:
        return self.gate.is_open

    def resume(self) -> None:
        """The screen above may have changed seats, and the gamepad may be back."""
        if self._missing and self._session.pads.is_settled(self._missing):
            self._why = self._missing = ""
        self.refresh()

    # The menu

    def build(self) -> Widget:
        low = self.engine.theme.page[1] < LOW
        self._first = resume = Row(self._ways_on())
        board: list[Widget | None] = [self._board_entry(command) for command in self._commands]
        entries: list[Sequence[Widget | None]] = [
            *([board] if board else []),
            self._match_entries(),
            self._other_entries(),
        ]
        columns = Grid([Column(column, gap=6) for column in entries], cell=280, most=len(entries))
        self._head = head = Column(
            [Label(_("Paused"), size=themes.TITLE, bold=True, align="centre"), *self._reasons()], gap=4
        )
        inside = Column([None if low else head, resume, *(self._reasons() if low else ()), columns], gap=14)
        box = Panel(Scroll(inside), padding=12 if low else 24, edge="edge")
        page = Panel(Centred(box, width=860 if len(entries) == 2 else 1060), padding=4 if low else 12, fill="", grow=1)
        return Column([page, Foot(self.engine, self.legend, lambda: self.focus.hint)], gap=0)

    def announce(self) -> None:
        reasons = (reason.label for reason in self._reasons())
        self.read_focus(". ".join([_("Paused"), *reasons]))

    def _heading_rects(self) -> list[pygame.Rect]:
        return [] if self.theme.page[1] < LOW else [self._head.rect]

    def _reasons(self) -> list[Widget]:
        """Why the match is paused, and what to do; the state of the series."""
        colour = "warning" if self._missing else "muted"
        more = _("Reconnect it, press A on another one, or choose") if self._missing else self._session.series.text
        return [Paragraph(words, colour=colour, align="centre") for words in (self.why, more) if words]

    def _ways_on(self) -> list[Widget]:
        first = [Button(_("Resume"), self.engine.pop, hint=_("Continue the match"), primary=True, grow=1)]
        if self._missing:
            hint, seats = _("In the seat of the disconnected gamepad"), self._session.seats
            keyboard = partial(self._give, lambda agent: seats.seat(agent, KEYBOARD))
            first.append(Button(_("Play on the keyboard"), keyboard, hint=hint, grow=1))
            take_over = partial(self._give, seats.hand_over)
            first.append(Button(_("Let the AI take over"), take_over, hint=hint, grow=1))
        return list(first)

    def _match_entries(self) -> list[Widget | None]:
        session = self._session
        back = _("Take back one move each") if session.spec.turn_based else _("Ten seconds back")
        can_swap = swapped_lineup(session.spec, session.lineup) is not None
        unrated = _("F8: continue from there; the match is no longer rated")
        return [
            self._again() if session.begins_at is not None else None,
            row_button(back, self._back, hint=unrated),
            self._save_and_load(),
            self._speed(),
            self._tick_by_tick() if not session.spec.turn_based else None,
            self._series() if len(session.spec.teams) > 1 else None,
            row_button(_("Restart"), self._ask(RESTART, self._restart), hint=_("Begin again with the same seats"),
                       danger=True),
            row_button(_("Swap sides"), self._ask(SWAP, self._swap), enabled=can_swap, danger=True,
                       hint=_("Begin again, each player in the next team's seats")),
        ]  # fmt: skip

    def _board_entry(self, command: Command) -> Button:
        """Return the button of a board's command, which is given in the running match."""

        def press() -> None:
            self.engine.pop()
            command.press()

        hint = _("{key} during the match").format(key=command.key.upper())
        return row_button(_(command.label), press, danger=command.danger, hint=hint)

    def _other_entries(self) -> list[Widget]:
        session, push, replace = self._session, self.engine.push, self.engine.replace
        controls = routes.Controls(session.spec, session.lineup, session.match)
        entries: tuple[tuple[str, Callable[[], object], str], ...] = (
            (
                _("Players of this match"),
                lambda: push(routes.Players(session)),
                _("Name them, join, leave, take a seat over, give it back; the match continues"),
            ),
            (_("Controls"), lambda: replace(controls), _("F1: the keys and buttons of each player")),
            (_("View"), lambda: push(routes.HudPieces()), _("F4: choose what is shown around the picture")),
            (_("Save a clip"), self.engine.save_clip, _("F10: the last half minute as a video")),
            (_("Settings"), lambda: push(routes.Settings()), _("Colours and sizes, keys and buttons, sound")),
        )
        leaving = (
            (
                _("New match, other players"),
                self._ask(SEATS, self._seats),
                _("End this match and choose the players of the next"),
            ),
            (_("Leave the game"), self._ask(LEAVE, self._pop_both), _("End this match, back to where you came from")),
        )
        return [
            *(row_button(words, press, hint=hint) for words, press, hint in entries),
            *(row_button(words, press, hint=hint, danger=True) for words, press, hint in leaving),
        ]

    def _save_and_load(self) -> Widget | None:
        slots = self._slots
        if slots is None:
            return None
        key = source_label("keyboard", slots_key(board=self._session.spec.is_board_game))
        hint = _("{key}: save this moment, or continue from a saved one").format(key=key)
        return row_button(_("Save and load"), lambda: self.engine.replace(slots), hint=hint)

    def _again(self) -> Widget:
        """The moment that the match began at, to be played once more."""

        def press() -> None:
            if self._session.begin_again():
                self.engine.pop()

        return row_button(_("This moment again"), press, hint=_("Back to where this match began, at once"))

    def _tick_by_tick(self) -> Widget:
        hint = _("F7: one step at a time; the match is no longer rated")
        return row_button(_("Step by step"), self._step, hint=hint)

    def _speed(self) -> Widget:
        pace, keys = self._session.pace, _("F5 and F6 too; at another speed the match is not rated")
        speeds = sorted({*SPEEDS, pace.speed})
        return Choice(
            _("Speed"), list(map(speed_text, speeds)), index=speeds.index(pace.speed),
            change=lambda index: pace.set_speed(speeds[index], self.engine.clock()),
            hint=_("At another speed the match is not rated") if self._session.spec.turn_based else keys,
        )  # fmt: skip

    def _series(self) -> Widget:
        session = self._session
        labels = [_("one match") if length == 1 else _("best of {count}").format(count=length) for length in LENGTHS]
        return Choice(
            _("Series"), labels, index=LENGTHS.index(session.series.best_of),
            change=lambda index: session.change_series(LENGTHS[index]),
            hint=_("Matches that count together, also with sides swapped"),
        )  # fmt: skip

    # Input

    def handle(self, event: InputEvent) -> bool | None:
        if self._missing and isinstance(event, DeviceAdded | MenuInput) and self._replaces_pad(event):
            self.engine.say(_("{device} continues").format(device=event.device.name or _("A gamepad")))
            self.engine.pop()
        elif isinstance(event, QuitAsked):
            return quit_arcade(self.engine, self.services, self._session.quit)
        elif not self.listens and isinstance(event, MenuInput) and _only_pauses(event):
            self.back()
        else:
            return super().handle(event)
        return None

    def back(self) -> None:
        self.engine.pop()

    def _back(self) -> None:
        if self._session.pace.back():
            self.engine.pop()

    def _step(self) -> None:
        self.engine.pop()
        self._session.pause()
        self.engine.push(routes.Pace(self._session))

    # The seats of a disconnected gamepad

    def _replaces_pad(self, event: DeviceAdded | MenuInput) -> bool:
        """Whether the event resumes the match: the gamepad is back, or another one without a seat takes its seats."""
        device = event.device
        if isinstance(event, MenuInput) and (event.action not in ("accept", "start") or event.repeated):
            return False
        if isinstance(event, DeviceAdded) and device.word == self._missing:
            return True
        if device.kind != "gamepad" or self.engine.devices.listeners(device):
            return False
        for agent in self._session.pads.seats_of(self._missing):
            self._session.seats.put(agent, parse_seat(device.word), "takeover")
        return True

    def _give(self, to: Callable[[AgentID], None]) -> None:
        for agent in self._session.pads.seats_of(self._missing):
            to(agent)
        self.engine.pop()

    # Leaving the match

    def _ask(self, question: Question, then: Callable[[], None]) -> Callable[[], None]:
        """Return a press that ends the match after a question."""
        words, yes = map(_, question)
        return lambda: self.engine.push(routes.Confirm(words, _(ENDS), yes, then))

    def _restart(self) -> None:
        self._begin(self._session.lineup, self._session.series)

    def _swap(self) -> None:
        lineup = swapped_lineup(self._session.spec, self._session.lineup)
        if lineup is not None:
            self._begin(lineup, self._session.series.swapped())

    def _begin(self, lineup: Mapping[AgentID, SeatChoice], series: Series) -> None:
        stage = self._session.release_stage()
        self._pop_both()
        self.engine.push(routes.Match(self._session.spec, lineup, stage, series))

    def _seats(self) -> None:
        self._pop_both()
        self.engine.return_to(routes.Seats(self._session.spec))

    def _pop_both(self) -> None:
        """Leave the pause and the match below it, without resuming the match in between."""
        self._session.quit()
        self.engine.pop()
        self.engine.pop()


def _only_pauses(event: MenuInput) -> bool:
    """Whether no game has a use for the press: Esc and P, or a gamepad's Start, but not its B."""
    return not event.repeated and (event.action == "start" or (event.action, event.device.kind) == ("back", "keyboard"))
