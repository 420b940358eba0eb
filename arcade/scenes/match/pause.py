"""The pause menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pygame

from agents.seats.controller import AgentID, SeatChoice
from agents.seats.kinds import parse_seat
from arcade.engine.input.events import DeviceAdded, InputEvent, MenuInput, QuitAsked
from arcade.engine.input.press_gate import PressGate
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Choice, Widget
from arcade.engine.window.scene import Host
from arcade.match.play.lineup import swapped_lineup
from arcade.scenes import routes
from arcade.scenes.screen import Overlay
from arcade.session.match.outcome import LENGTHS, Series
from arcade.session.match.pace import SPEEDS, speed_text
from arcade.session.seating import KEYBOARD
from arcade.session.services import Services

BOX = pygame.Rect(220, 56, 840, 600)
ROW = pygame.Rect(0, 0, 380, 48)
PITCH = 54

Make = Callable[[pygame.Rect], Widget]
Question = tuple[str, str]  # and the button that says yes

RESTART, SWAP = ("Restart the match?", "Restart"), ("Swap sides and begin again?", "Swap sides")
SEATS, LEAVE = ("Leave the match and change the seats?", "Change the seats"), ("Leave the match?", "Leave")
ENDS = "This ends the match that is running."


class PauseScene(Overlay):
    """Where the gamepad of a seat is disconnected, its return resumes the match, and so does another gamepad.

    Keys that other players still press for the game choose nothing; those that only pause and resume count at once.
    """

    gate: PressGate

    def __init__(self, services: Services, route: routes.Pause) -> None:
        super().__init__(services, route)
        self._session = route.session
        self.why, self._missing = route.why, route.missing

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
            self.why = self._missing = ""
        self.refresh()

    # The menu

    def widgets(self) -> list[Widget]:
        first = [_button("Resume", self.engine.pop, "Continue the match", primary=True)]
        if self._missing:
            hint = "In the seat of the disconnected gamepad"
            seats = self._session.seats
            keyboard = partial(self._give, lambda agent: seats.seat(agent, KEYBOARD))
            first.append(_button("Play on the keyboard", keyboard, hint))
            first.append(_button("Let the AI take over", partial(self._give, seats.hand_over), hint))
        wide = (BOX.w - 60 - 20 * (len(first) - 1)) // len(first)
        row = pygame.Rect(BOX.left + 30, BOX.top + 134, wide, 54)
        return [
            *(make(row.move(place * (wide + 20), 0)) for place, make in enumerate(first)),
            *(
                make(ROW.move(BOX.left + 30 + column * (ROW.w + 20), BOX.top + 202 + place * PITCH))
                for column, entries in enumerate((self._match_entries(), self._other_entries()))
                for place, make in enumerate(entries)
            ),
        ]

    def _match_entries(self) -> list[Make]:
        session = self._session
        back = "One move each back" if session.spec.turn_based else "Ten seconds back"
        can_swap = swapped_lineup(session.spec, session.lineup) is not None
        entries = [
            _button(back, self._back, "F8: continue from there; the match is no longer rated"),
            self._speed,
            _button("Tick by tick", self._step, "F7: one tick at a time; the match is no longer rated"),
            _button("Restart", self._ask(RESTART, self._restart), "Begin again with the same seats"),
            _button(
                "Swap sides",
                self._ask(SWAP, self._swap),
                "Begin again, each player in the next team's seats",
                enabled=can_swap,
            ),
        ]
        return [*entries, self._series] if len(session.spec.teams) > 1 else entries

    def _other_entries(self) -> list[Make]:
        session, push = self._session, self.engine.push
        controls = routes.Controls(session.spec, session.lineup, session.match)
        return [
            _button("Players", lambda: push(routes.Players(session)), "Join, leave, take a seat over, give it back"),
            _button("Controls", lambda: push(controls), "F1: the keys and buttons of each player"),
            _button("HUD", lambda: push(routes.HudPieces()), "F4: choose what is shown around the picture"),
            _button("Save a clip", self.engine.save_clip, "F10: the last half minute as a video"),
            _button("Settings", lambda: push(routes.Settings()), "Colours and sizes, keys and buttons, sound"),
            _button("Seats", self._ask(SEATS, self._seats), "End this match and choose the players of the next"),
            _button("Leave the game", self._ask(LEAVE, self._pop_both), "End this match, back to where you came from"),
        ]

    def _speed(self, rect: pygame.Rect) -> Widget:
        pace = self._session.pace
        speeds = sorted({*SPEEDS, pace.speed})
        return Choice(
            rect, "Speed", list(map(speed_text, speeds)), index=speeds.index(pace.speed),
            change=lambda index: pace.set_speed(speeds[index], self.engine.clock()),
            hint="F5 and F6 too; at another speed the match is not rated",
        )  # fmt: skip

    def _series(self, rect: pygame.Rect) -> Widget:
        session = self._session
        names = ["one match" if length == 1 else f"best of {length}" for length in LENGTHS]
        return Choice(
            rect, "Series", names, index=LENGTHS.index(session.series.best_of),
            change=lambda index: session.change_series(LENGTHS[index]),
            hint="Matches that count together, also with sides swapped",
        )  # fmt: skip

    # Input

    def handle(self, event: InputEvent) -> bool | None:
        if self._missing and isinstance(event, DeviceAdded | MenuInput) and self._replaces_pad(event):
            self.engine.say(f"{event.device.name or 'A gamepad'} continues")
            self.engine.pop()
        elif isinstance(event, QuitAsked):
            self._session.quit()
        elif not self.listens and isinstance(event, MenuInput) and _only_pauses(event):
            self.back()
        else:
            return super().handle(event)
        return None

    def back(self) -> None:
        self.engine.pop()

    def draw(self, canvas: pygame.Surface) -> None:
        theme.dim(canvas)
        theme.draw_panel(canvas, BOX, edge=theme.EDGE)
        middle = BOX.centerx
        theme.draw_text(canvas, "Paused", (middle, BOX.top + 40), size=theme.TITLE, bold=True, anchor="center")
        colour = theme.WARNING if self._missing else theme.MUTED
        more = "Reconnect it, press A on another one, or choose" if self._missing else self._session.series.text
        for place, words in enumerate(filter(None, (self.why, more))):
            at = (middle, BOX.top + 82 + place * 28)
            theme.draw_text(canvas, words, at, colour=colour, anchor="center", width=BOX.w - 40)
        self.focus.draw(canvas)

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
        words, yes = question
        return lambda: self.engine.push(routes.Confirm(words, ENDS, yes, then))

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


def _button(words: str, press: Callable[[], None], hint: str, *, enabled: bool = True, primary: bool = False) -> Make:
    return lambda rect: Button(rect, words, press, hint=hint, enabled=enabled, primary=primary)
