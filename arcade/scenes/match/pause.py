"""Pause: the clock stands, the picture stays, and one chooses how to go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pygame

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.engine.input.events import DeviceAdded, InputEvent, MenuInput, QuitAsked
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Choice, Widget
from arcade.match.play.sides import swapped_lineup
from arcade.scenes import routes
from arcade.scenes.match.missing_pads import MissingPad
from arcade.scenes.match.series_row import series_row
from arcade.scenes.screen import Screen
from arcade.session.match.pace import SPEEDS, speed_words
from arcade.session.match.series import Series
from arcade.session.services import Services

BOX = pygame.Rect(220, 56, 840, 600)
ROW = pygame.Rect(0, 0, 380, 48)
PITCH = 54

Make = Callable[[pygame.Rect], Widget]


class PauseScene(Screen):
    """Lies over the match.  Where a pad went away, its return resumes, or another that comes; so does anyone."""

    transparent = True

    def __init__(self, services: Services, route: routes.Pause) -> None:
        super().__init__(services, route)
        self._session = route.session
        self.why = route.why
        self._missing = MissingPad(route.session, route.missing) if route.missing else None

    def resume(self) -> None:
        """Seats may have changed hands meanwhile, and the pad may be back."""
        if self._missing is not None and self._missing.is_settled:
            self.why, self._missing = "", None
        self.rebuild_here()

    # What can be chosen

    def widgets(self) -> list[Widget]:
        resume = _button("Resume", self.engine.pop, "Go on where the match stands", primary=True)
        first = [resume] if self._missing is None else [resume, *self._instead_of_the_pad()]
        wide = (BOX.w - 60 - 20 * (len(first) - 1)) // len(first)
        rects = [
            pygame.Rect(BOX.left + 30 + place * (wide + 20), BOX.top + 134, wide, 54) for place in range(len(first))
        ]
        return [
            *(make(rect) for make, rect in zip(first, rects, strict=True)),
            *self._column(0, self._of_the_match()),
            *self._column(1, self._around_it()),
        ]

    def _column(self, column: int, entries: list[Make]) -> list[Widget]:
        left, top = BOX.left + 30 + column * (ROW.w + 20), BOX.top + 202
        return [entry(ROW.move(left, top + place * PITCH)) for place, entry in enumerate(entries)]

    def _instead_of_the_pad(self) -> list[Make]:
        return [
            _button("Keyboard plays on", self._keyboard, "It takes the seat of the pad that is gone"),
            _button("Machine plays on", self._machine, "It takes the seat of the pad that is gone"),
        ]

    def _of_the_match(self) -> list[Make]:
        back = "A move of everybody back" if self._session.spec.turn_based else "Ten seconds back"
        swap = swapped_lineup(self._session.spec, self._session.lineup) is not None
        entries = [
            _button(back, self._back, "F8: play goes on from there; the match is no longer rated"),
            self._speed,
            _button("Tick by tick", self._step, "F7: one tick at a time; the match is no longer rated"),
            _button("Restart", self._restart, "The same seats from the beginning"),
            _button("Swap sides", self._swap, "From the beginning, everybody in the next team's seats", enabled=swap),
        ]
        return [*entries, self._series] if len(self._session.spec.teams) > 1 else entries

    def _around_it(self) -> list[Make]:
        return [
            _button("Who plays", self._players, "Join, leave, take a seat over from a machine, give it back"),
            _button("Controls", self._controls, "F1: what everybody's keys and buttons do"),
            _button("What is shown", self._pieces, "F4: bars, mind of the machine, each piece on its own"),
            _button("Save a clip", self._clip, "F10: the last half minute as a video"),
            _button("Settings", self._settings, "Colours and sizes, keys and buttons, sound"),
            _button("Seats", self._seats, "End this match and choose who sits where"),
            _button("Leave the game", self._quit, "End this match, back to where you came from"),
        ]

    def _speed(self, rect: pygame.Rect) -> Widget:
        pace = self._session.pace
        speeds = sorted({*SPEEDS, pace.speed})

        def change(index: int) -> None:
            pace.set_speed(speeds[index], self.engine.clock())

        hint = "F5 and F6 too; at another speed the match is not rated"
        return Choice(
            rect, "Speed", list(map(speed_words, speeds)), index=speeds.index(pace.speed), change=change, hint=hint
        )

    def _series(self, rect: pygame.Rect) -> Widget:
        return series_row(rect, self._session.series.best_of, self._session.change_series)

    # What happens

    def handle(self, event: InputEvent) -> bool | None:
        if (
            self._missing is not None
            and isinstance(event, DeviceAdded | MenuInput)
            and self._missing.answers(event, self.engine.devices)
        ):
            self.engine.say(f"{event.device.name or 'A gamepad'} plays on")
            self.engine.pop()
            return None
        if isinstance(event, QuitAsked):
            self._session.quit()
            return None
        return super().handle(event)

    def back(self) -> None:
        self.engine.pop()

    def start(self, event: MenuInput) -> None:
        self.engine.pop()

    def draw(self, canvas: pygame.Surface) -> None:
        theme.dim(canvas)
        theme.draw_panel(canvas, BOX, edge=theme.EDGE)
        middle = BOX.centerx
        theme.draw_text(canvas, "Paused", (middle, BOX.top + 40), size=theme.TITLE, bold=True, anchor="center")
        lines = [self.why, self._session.series.words]
        if self._missing is not None:
            lines = [self.why, "Plug it in again, press A on another one, or choose"]
        for place, words in enumerate(line for line in lines if line):
            colour = theme.WARNING if self._missing else theme.MUTED
            at = (middle, BOX.top + 82 + place * 28)
            theme.draw_text(canvas, words, at, colour=colour, anchor="center", width=BOX.w - 40)
        self.focus.draw(canvas)

    def _controls(self) -> None:
        self.engine.push(routes.Controls(self._session.spec, self._session.lineup, self._session.match))

    def _pieces(self) -> None:
        self.engine.push(routes.HudPieces())

    def _clip(self) -> None:
        self.engine.save_clip()

    def _back(self) -> None:
        if self._session.pace.back():
            self.engine.pop()

    def _step(self) -> None:
        self.engine.pop()
        self._session.pause()
        self.engine.push(routes.Pace(self._session))

    def _keyboard(self) -> None:
        assert self._missing is not None
        self._missing.keyboard()
        self.engine.pop()

    def _machine(self) -> None:
        assert self._missing is not None
        self._missing.policy()
        self.engine.pop()

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

    def _players(self) -> None:
        self.engine.push(routes.Players(self._session))

    def _seats(self) -> None:
        self._pop_both()
        self.engine.return_to(routes.Seats(self._session.spec))

    def _settings(self) -> None:
        self.engine.push(routes.Settings())

    def _quit(self) -> None:
        self._pop_both()

    def _pop_both(self) -> None:
        """Take the pause and the match below it off, without resuming the match in between."""
        self._session.quit()
        self.engine.pop()
        self.engine.pop()


def _button(words: str, press: Callable[[], None], hint: str, *, enabled: bool = True, primary: bool = False) -> Make:
    return lambda rect: Button(rect, words, press, hint=hint, enabled=enabled, primary=primary)
