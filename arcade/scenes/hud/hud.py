"""Hud: scores, players, time and messages around the picture of a match, in pieces that can be turned off."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

import pygame

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.controls.device_controllers import DeviceController
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.toasts import Toasts
from arcade.engine.window.scene import Host
from arcade.games.spec import GameSpec
from arcade.match.play.match import Match
from arcade.scenes.hud.bars import Foot, TopBar, pieces_at
from arcade.scenes.hud.facts import Facts
from arcade.scenes.hud.piece import HudPiece, Look, Place
from arcade.scenes.hud.pieces.insight import InsightPanel
from arcade.scenes.hud.starting import draw_starting
from arcade.scenes.hud.strip import ControlsStrip
from arcade.scenes.match.moves import panel_width
from arcade.session.match.launch import Launched
from arcade.session.match.monitor import Absences
from arcade.session.match.viewer import people_at

CONTROLS_SHOWN = 6.0  # seconds that the keys are shown at the start
POINTER_SHOWN = 3.0  # seconds after a move of the mouse that the pause button stays, with the bars off


class Hud:
    """Draws the pieces that the settings turn on; `say` shows a line for a few seconds."""

    def __init__(self, engine: Host, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice]) -> None:
        """`lineup` is read each frame: it changes as players take seats."""
        self._engine, self._spec, self._lineup = engine, spec, lineup
        self._toasts = Toasts()
        self._began_at = self._now = 0.0
        self._moved_at = -POINTER_SHOWN  # when the mouse last did
        self._absences: Absences | None = None  # turn-based games wait, so no seat is late in them
        self._facts: Facts | None = None
        self._top: TopBar | None = None
        self.over_picture: list[list[HudPiece]] = []  # of each seat
        self._foot = Foot(spec)
        self._strip = ControlsStrip(engine, spec, lineup)
        self.trainer_words = self.series_words = self.pace_words = ""  # from outside
        self.correcting: Mapping[AgentID, str] = {}  # seats that a person corrects, and their AI players
        self._held: dict[AgentID, str] = {}  # settings that stay between presses, such as a message, in words

    def begin(self, launched: Launched, now: float) -> None:
        """Make the pieces of a match that has started."""
        self._began_at = now
        self._facts = facts = Facts(self._spec, self._lineup, launched)
        self._top = TopBar(facts)
        self.over_picture = [pieces_at(Place.PICTURE, facts, agent) for agent in self._spec.agents]
        self._foot.begin(facts)
        self._strip.match = launched.match
        self._absences = None if self._spec.turn_based else Absences(launched.match)

    def say(self, words: str, *, about: str = "") -> None:
        """Show a message for a few seconds, in place of an earlier one `about` the same."""
        self._toasts.say(words, about=about)

    @property
    def said(self) -> tuple[str, ...]:
        """The messages that are shown now."""
        return self._toasts.words

    @property
    def notes(self) -> str:
        """The round-trip times of remote seats, and late ticks."""
        return self._facts.network() if self._facts is not None else ""

    @property
    def pause_button(self) -> pygame.Rect:
        """The area where a click pauses."""
        return self._foot.pause_button

    def toggle_insight(self) -> None:
        """Turn AI insight on or off; kept as a setting."""
        settings = self._engine.settings
        on = not InsightPanel.is_on(settings)
        self._engine.apply(InsightPanel.turned(settings, on).changed(show_hud=settings.show_hud or on))
        if on and self._keeps_secrets:
            self.say("AI insight is hidden while a person plays: it would reveal cards")
        elif on and not any(panel.tells() for panel in self.insight_panels):
            self.say("No seat here has AI insight: snapshots do")

    @property
    def pieces(self) -> list[HudPiece]:
        """All pieces, shown or not; none before the match has started."""
        return [*(self._top.pieces if self._top is not None else ()), *self._foot.pieces, *chain(*self.over_picture)]

    @property
    def insight_panels(self) -> list[InsightPanel]:
        """The AI insight of each seat."""
        return [piece for piece in self.pieces if isinstance(piece, InsightPanel)]

    @property
    def _keeps_secrets(self) -> bool:
        """Whether AI insight would reveal cards to an opponent at this screen."""
        match = self._facts.match if self._facts is not None else None
        return self._spec.secret and match is not None and not match.over and bool(people_at(match))

    def pointer(self, event: PointerInput) -> None:
        """Show the pause button where the mouse moves."""
        if event.kind == "move":
            self._moved_at = self._now

    def update(self, now: float) -> None:
        """Notice seats that went silent or came back, and update the pieces."""
        self._now = now
        self._toasts.update(now)
        if self._top is None or self._facts is None:
            return
        self._facts.pace_words = self.pace_words
        rules, held = self._facts.match.stage.rules.words, self._held_words(self._facts.match)
        parts = (held, self.series_words, rules, self.trainer_words)
        self._foot.words = "   ·   ".join(part for part in parts if part)
        self._foot.hint = self._hint()
        for piece in self.pieces:
            piece.update(now)
        if self._absences is None or self._facts.match.over:
            return
        went, back = self._absences.update(now)
        for agent in went:
            self.say(f"{self._facts.label(agent)} does not answer; {agent} plays on without it")
        for agent in back:
            self.say(f"{self._facts.label(agent)} is back and plays {agent}")

    def _held_words(self, match: Match) -> str:
        """Return the settings that stay between presses; a message follows each change."""
        devices = {agent: seat for agent, seat in match.mapping.items() if isinstance(seat, DeviceController)}
        held = {agent: device.words for agent, device in devices.items() if device.words}
        for agent, words in held.items():
            if self._held.get(agent, words) != words:
                self.say(f"{agent}: {words}", about=f"hands of {agent}")
        self._held = held
        return ", ".join(f"{agent}: {words}" for agent, words in held.items())

    def _hint(self) -> str:
        """Return how to pause with the devices in use, and the other keys."""
        on_pads = {choice.kind for choice in self._lineup.values() if choice.is_human} == {"gamepad"}
        kind, action = ("gamepad", "start") if on_pads else ("keyboard", "back")
        pause = self._engine.bindings.menu(kind).words(action)[0]
        return f"{pause} pause   F1 controls   F4 show"

    def picture_area(self, canvas: pygame.Surface, *, panel: bool) -> pygame.Rect:
        """Return the area of the game's picture: between the bars, beside the moves with a `panel`."""
        settings, look = self._engine.settings, Look.now(self._engine.settings)
        top = self._top.height(look, settings) if self._top is not None and settings.show_hud else 0
        foot = self._foot.height(look) if settings.show_hud else 0
        width = canvas.get_width() - (panel_width() + 2 * theme.GAP if panel else 0)
        return pygame.Rect(0, top, width, canvas.get_height() - top - foot)

    def draw(self, canvas: pygame.Surface) -> None:
        """Draw the bars above and below."""
        settings, look = self._engine.settings, Look.now(self._engine.settings)
        if not settings.show_hud:
            return
        if self._top is not None:
            self._top.draw(canvas, look, settings)
        self._foot.draw(canvas, look, settings)

    def draw_messages(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        """Draw over the picture: its pieces, the keys at the start, the messages."""
        settings, look = self._engine.settings, Look.now(self._engine.settings)
        if settings.show_hud:
            self._draw_over_picture(canvas, area, look)
        if self._now - self._began_at < CONTROLS_SHOWN and not self._spec.turn_based:
            free = area.copy()
            free.h -= look.px(50) * len(self.said)  # messages are drawn there too
            self._strip.draw(canvas, free, look)
        if self.correcting:
            self._draw_correcting(canvas, area, look)
        if not settings.show_hud:
            self._foot.draw_alone(canvas, look, shown=self._now - self._moved_at < POINTER_SHOWN)
        self._toasts.draw(canvas, above=area.bottom if settings.show_hud else None)

    def draw_starting(self, canvas: pygame.Surface, words: str) -> None:
        """Draw the loading screen: the players and their keys."""
        draw_starting(canvas, self._spec, self._lineup, self._strip, Look.now(self._engine.settings), words=words)

    def _draw_correcting(self, canvas: pygame.Surface, area: pygame.Rect, look: Look) -> None:
        """Draw whose moves are being corrected, at the top of the picture."""
        seats = ", ".join(f"{agent}, {label}" for agent, label in self.correcting.items())
        width = area.w - 8 * theme.GAP
        words = theme.fitted(f"Correcting {seats}", width=width, size=look.small, bold=True, colour=theme.FOCUS)
        plate = words.get_rect().inflate(look.px(24), look.px(10))
        plate.midtop = area.centerx, area.top + 2
        theme.draw_panel(canvas, plate, edge=theme.FOCUS)
        canvas.blit(words, words.get_rect(center=plate.center))

    def _draw_over_picture(self, canvas: pygame.Surface, area: pygame.Rect, look: Look) -> None:
        """Draw the pieces of each team's seats on its own side, as many as there is room for."""
        inner, settings = area.inflate(-2 * theme.GAP, -2 * theme.GAP), self._engine.settings
        free, keeps_secrets = dict.fromkeys((0, 1), inner.top), self._keeps_secrets
        for agent, pieces in zip(self._spec.agents, self.over_picture, strict=False):
            for piece in pieces:
                is_hidden = not piece.is_on(settings) or (piece.tells_secrets and keeps_secrets)
                picture = None if is_hidden else piece.picture(look, inner.w // 2 - theme.GAP)
                if picture is None:
                    continue
                has_own_side = len(self._spec.teams) > 1
                side = min(self._spec.team_of(agent), 1) if has_own_side else min(free, key=free.__getitem__)
                if free[side] + picture.get_height() <= inner.bottom:
                    left = inner.left if side == 0 else inner.right - picture.get_width()
                    canvas.blit(picture, (left, free[side]))
                    free[side] += picture.get_height() + theme.GAP
