"""Hud: scores, players, time and messages around the picture of a match, in pieces that can be turned off."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

import pygame

from agents.seats.controller import AgentID, Controller, SeatChoice
from arcade.controls.device_controllers import DeviceController
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.toasts import Toasts
from arcade.engine.window.scene import Host
from arcade.games.seat_colours import seat_colour
from arcade.games.spec import GameSpec
from arcade.match.play.match import Match
from arcade.scenes.hud.bars import Foot, TopBar, pieces_at
from arcade.scenes.hud.controls_lines import ControlsStrip
from arcade.scenes.hud.piece import Facts, HudPiece, Look, Place, below, beside, draw_at_sides
from arcade.scenes.hud.pieces import InsightPanel
from arcade.scenes.match.moves_panel import panel_width
from arcade.scenes.pictograms import icon
from arcade.session.match.launch import Launched
from arcade.session.match.monitor import Absences
from arcade.session.match.seat_changes import Audience
from arcade.session.people import people_at
from arcade.session.player_names import PlayerNames

CONTROLS_SHOWN, FADE = 4.0, 1.0  # seconds of play that the keys stay, and the last of them in which they fade
INSIGHT_SOON = "AI insight appears with the AI's next decision"
INSIGHT_NONE = "AI insight shows how a trained AI decides; no trained AI plays here"
MOST_SEATS = 8  # on the loading screen
COUNT_SIZE = 96  # of the countdown's number
POINTER_SHOWN = 3.0  # seconds after a move of the mouse that the pause button stays, with the bars off


class Hud(Audience):
    """Draws the pieces that the settings turn on; the Audience of its match."""

    def __init__(
        self, engine: Host, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], names: PlayerNames | None = None
    ) -> None:
        """`lineup` is read each frame: it changes as players take seats."""
        self._names = names or PlayerNames(spec)
        self._engine, self._spec, self._lineup = engine, spec, lineup
        self.toasts = Toasts()
        self._began_at = self._now = 0.0
        self._moved_at = -POINTER_SHOWN  # when the mouse last did
        self._absences: Absences | None = None  # turn-based games wait, so no seat is late in them
        self.facts: Facts | None = None
        self._top: TopBar | None = None
        self.over_picture: list[list[HudPiece]] = []  # of each seat
        self.foot = Foot(spec)
        self._strip = ControlsStrip(spec, engine.bindings, lineup)
        self.counting = False  # the match waits for its countdown
        self._around = pygame.Rect(0, 0, 0, 0)  # the picture with the room beside it
        self._insight_sides: set[int] = set()  # 0 left, 1 right: where AI insight has been shown in this match
        self.trainer_words = self.series_words = self.pace_words = ""  # from outside
        self.correcting: Mapping[AgentID, str] = {}  # seats that a person corrects, and their AI players
        self._held: dict[AgentID, str] = {}  # settings that stay between presses, such as a message, in words

    def begin(self, launched: Launched, now: float) -> None:
        """Make the pieces of a match that has started."""
        self._began_at = now
        self.facts = facts = Facts(self._spec, self._lineup, launched, self._names)
        self._top = TopBar(facts)
        self.over_picture = [pieces_at(Place.PICTURE, facts, agent) for agent in self._spec.agents]
        self.foot.begin(facts)
        self._strip.match = launched.match
        self._absences = None if self._spec.turn_based else Absences(launched.match)

    def say(self, text: str, *, about: str = "") -> None:
        self.toasts.say(text, about=about)

    def sound(self, name: Any) -> None:
        self._engine.sound.play(name)

    def key(self, kind: str, action: Any) -> str:
        return next(iter(self._engine.bindings.menu(kind).labels(action)))

    def toggle_insight(self) -> None:
        """Turn AI insight on or off; kept as a setting."""
        settings = self._engine.settings
        on = not InsightPanel.is_on(settings)
        self._engine.apply(InsightPanel.turned(settings, on).changed(show_hud=settings.show_hud or on))
        if on and self._keeps_secrets:
            self.say("AI insight is hidden while a person plays: it would reveal cards")
        elif on and not any(panel.content() for panel in self.insight_panels):
            self.say(INSIGHT_SOON if self._has_insight else INSIGHT_NONE)

    @property
    def pieces(self) -> list[HudPiece]:
        """All pieces, shown or not; none before the match has started."""
        return [*(self._top.pieces if self._top is not None else ()), *self.foot.pieces, *chain(*self.over_picture)]

    @property
    def insight_panels(self) -> list[InsightPanel]:
        """The AI insight of each seat."""
        return [piece for piece in self.pieces if isinstance(piece, InsightPanel)]

    @property
    def _has_insight(self) -> bool:
        """Whether a seat has a player with AI insight, which comes with its first decision."""
        seated = self.facts.match.mapping.values() if self.facts is not None else ()
        players = (getattr(controller, "inner", controller) for controller in seated)
        return any(type(player).insight is not Controller.insight for player in players)

    @property
    def _keeps_secrets(self) -> bool:
        """Whether AI insight would reveal cards to an opponent at this screen."""
        match = self.facts.match if self.facts is not None else None
        return self._spec.secret and match is not None and not match.over and bool(people_at(match))

    def pointer(self, event: PointerInput) -> None:
        """Show the pause button where the mouse moves."""
        if event.kind == "move":
            self._moved_at = self._now

    def _over_picture(self) -> list[tuple[AgentID, HudPiece]]:
        """Return the pieces to draw over the picture, with their seats."""
        settings, keeps_secrets = self._engine.settings, self._keeps_secrets
        return [
            (agent, piece)
            for agent, pieces in zip(self._spec.agents, self.over_picture, strict=False)
            for piece in pieces
            if piece.is_on(settings) and not (piece.is_secret and keeps_secrets)
        ]

    def update(self, now: float) -> None:
        """Notice seats that went silent or came back, and update the pieces."""
        self._now = now
        if self.counting:
            self._began_at = now
        self.toasts.update(now)
        if self._top is None or self.facts is None:
            return
        self.facts.pace_words = self.pace_words
        rules, held = self.facts.match.stage.rules.text, self._held_words(self.facts.match)
        parts = (held, self.series_words, rules, self.trainer_words)
        self.foot.words = "   ·   ".join(part for part in parts if part)
        self.foot.hint = self._hint()
        for piece in self.pieces:
            piece.update(now)
        if self._absences is None or self.facts.match.over:
            return
        went, back, title = *self._absences.update(now), self._spec.seat_title
        for agent in went:
            self.say(f"{self.facts.label(agent)} does not answer; {title(agent)} plays on without it")
        for agent in back:
            self.say(f"{self.facts.label(agent)} is back and plays {title(agent)}")

    def _held_words(self, match: Match) -> str:
        """Return the settings that stay between presses; a message follows each change."""
        devices = {agent: seat for agent, seat in match.mapping.items() if isinstance(seat, DeviceController)}
        held = {agent: device.setting for agent, device in devices.items() if device.setting}
        for agent, words in held.items():
            if self._held.get(agent, words) != words:
                self.say(f"{self._spec.seat_title(agent)}: {words}", about=f"hands of {agent}")
        self._held = held
        return ", ".join(f"{self._spec.seat_title(agent)}: {words}" for agent, words in held.items())

    def _hint(self) -> str:
        """Return how to pause with the devices in use, and the other keys."""
        on_pads = {choice.kind for choice in self._lineup.values() if choice.is_human} == {"gamepad"}
        kind, action = ("gamepad", "start") if on_pads else ("keyboard", "back")
        pause = self._engine.bindings.menu(kind).labels(action)[0]
        return f"{pause} pause   F1 controls   F4 show"

    def picture_area(self, canvas: pygame.Surface, *, panel: bool) -> pygame.Rect:
        """Return the area of the game's picture: between the bars, beside the moves with a `panel`."""
        settings, look = self._engine.settings, Look.now(self._engine.settings)
        top = self._top.height(look, settings) if self._top is not None and settings.show_hud else 0
        foot = self.foot.height(look) if settings.show_hud else 0
        width = canvas.get_width() - (panel_width(theme.page_theme()) + 2 * theme.GAP if panel else 0)
        area = self._around = pygame.Rect(0, top, width, canvas.get_height() - top - foot)
        room = InsightPanel.width(look) + theme.GAP
        sides = self._sides_of_insight() if settings.show_hud and area.w > 4 * room else set()
        return pygame.Rect(area.left + room * (0 in sides), top, area.w - room * len(sides), area.h)

    def _sides_of_insight(self) -> set[int]:
        """Return the sides of the picture that AI insight takes, 0 left, 1 right; the picture leaves them free."""
        shown = [agent for agent, piece in self._over_picture() if piece.content() is not None]
        if len(self._spec.teams) > 1:
            self._insight_sides |= {min(self._spec.team_of(agent), 1) for agent in shown}
        else:
            self._insight_sides |= set(range(min(len(shown), 2)))
        return self._insight_sides if InsightPanel.is_on(self._engine.settings) else set()

    def draw(self, canvas: pygame.Surface) -> None:
        """Draw the bars above and below."""
        settings, look = self._engine.settings, Look.now(self._engine.settings)
        if not settings.show_hud:
            return
        if self._top is not None:
            self._top.draw(canvas, look, settings)
        self.foot.message = self._message_for_foot(canvas, look)
        self.foot.draw(canvas, look, settings)

    def draw_messages(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        """Draw over the picture: its pieces, the keys at the start, the messages."""
        settings, look = self._engine.settings, Look.now(self._engine.settings)
        if settings.show_hud:
            draw_at_sides(canvas, self._around, self._spec, self._over_picture(), look)
        if self.controls_shown > 0:
            self._strip.draw(canvas, area, look, share=self.controls_shown)
        if self.correcting:
            self._draw_correcting(canvas, area, look)
        if not settings.show_hud:
            self.foot.draw_alone(canvas, look, shown=self._now - self._moved_at < POINTER_SHOWN)
        if not (self.foot.message and settings.show_hud):
            self.toasts.draw(canvas, above=area.bottom if settings.show_hud else None, look=self._engine.theme)

    @property
    def controls_shown(self) -> float:
        """How visible the keys are over the picture, 0 … 1: they fade by themselves."""
        if self._spec.turn_based:
            return 0.0
        if self._engine.settings.keep_controls:
            return 1.0
        return min(1.0, max(0.0, (CONTROLS_SHOWN - (self._now - self._began_at)) / FADE))

    def _message_for_foot(self, canvas: pygame.Surface, look: Look) -> str:
        """Return the newest messages, where the foot has room for them: there they hide nothing of the game."""
        newest = [*reversed(self.toasts.messages), *reversed(self._engine.toasts.messages)]
        joined = ("   ·   ".join(newest[:count]) for count in range(len(newest), 0, -1))
        return next((text for text in joined if self.foot.fits(canvas, look, text)), "")

    def draw_countdown(self, canvas: pygame.Surface, area: pygame.Rect, number: int) -> None:
        """Draw who plays whom at the top of the picture, and the number in its middle."""
        look = Look.now(self._engine.settings)
        rows = self._seat_rows(look, area.w - 8 * theme.GAP)
        card = below(rows, gap=look.px(6), side="centerx")
        plate = card.get_rect().inflate(look.px(48), look.px(20))
        plate.midtop = area.centerx, area.top + theme.GAP
        theme.draw_panel(canvas, plate, edge=theme.EDGE)
        canvas.blit(card, card.get_rect(center=plate.center))
        size = look.px(COUNT_SIZE, most=1.6)
        disc = pygame.Rect(0, 0, size * 3 // 2, size * 3 // 2)
        disc.midtop = area.centerx, max(plate.bottom + theme.GAP, area.centery - disc.h // 2)
        shade = pygame.Surface(disc.size, pygame.SRCALPHA)
        pygame.draw.circle(shade, (*theme.GROUND, 170), shade.get_rect().center, disc.w // 2)
        canvas.blit(shade, disc)
        theme.draw_text(canvas, str(number), disc.center, size=size, bold=True, anchor="center")

    def draw_starting(self, canvas: pygame.Surface, progress: str) -> None:
        """Draw the loading screen: the game, the players and their keys, the progress of the launch."""
        spec, look = self._spec, Look.now(self._engine.settings)
        middle, room = canvas.get_rect().centerx, canvas.get_width() - 2 * theme.MARGIN
        theme.draw_text(canvas, spec.title, (middle, 96), size=theme.HERO, bold=True, anchor="center", width=room)
        summary = theme.paragraph(spec.summary, width=room, size=look.body, colour=theme.MUTED)
        top = canvas.blit(summary, summary.get_rect(midtop=(middle, 146))).bottom
        area = pygame.Rect(0, 0, canvas.get_width(), canvas.get_height() - 100)
        end, top = self._strip.draw(canvas, area, look, above=top + 6), top + 30
        for row in self._seat_rows(look, room):
            if top + row.get_height() < end:
                canvas.blit(row, row.get_rect(midtop=(middle, top)))
                top += row.get_height() + 8
        at = (middle, canvas.get_height() - 44)
        theme.draw_text(canvas, progress, at, size=look.large, colour=theme.MUTED, anchor="center")

    def _seat_rows(self, look: Look, room: int) -> list[pygame.Surface]:
        """Draw one seat a row, or two where there are many."""
        lineup = self._lineup
        notes_room = room if len(lineup) <= 4 else 0  # none with two in a row
        seats = [_seat(self._names, agent, lineup[agent], look, notes_room) for agent in list(lineup)[:MOST_SEATS]]
        if len(lineup) > MOST_SEATS:
            seats.append(theme.text(f"and {len(lineup) - MOST_SEATS} more", size=look.body, colour=theme.MUTED))
        each = 1 if len(seats) <= 4 else 2
        return [beside(seats[start : start + each], gap=look.px(60), room=room) for start in range(0, len(seats), each)]

    def _draw_correcting(self, canvas: pygame.Surface, area: pygame.Rect, look: Look) -> None:
        """Draw whose moves are being corrected, at the top of the picture."""
        seats = ", ".join(
            f"{self._spec.seat_title(agent)}, {self._names.of_label(label)}" for agent, label in self.correcting.items()
        )
        width = area.w - 8 * theme.GAP
        words = theme.fitted(f"Correcting {seats}", width=width, size=look.small, bold=True, colour=theme.FOCUS)
        plate = words.get_rect().inflate(look.px(24), look.px(10))
        plate.midtop = area.centerx, area.top + 2
        theme.draw_panel(canvas, plate, edge=theme.FOCUS)
        canvas.blit(words, words.get_rect(center=plate.center))


def _seat(names: PlayerNames, agent: AgentID, choice: SeatChoice, look: Look, room: int) -> pygame.Surface:
    """Draw the player of a seat, then the note on the seat where `room` is wide enough."""
    spec = names.spec
    colour = seat_colour(spec, agent, theme.TEAMS)
    name = f"{spec.seat_title(agent)}   {names.of_choice(choice)}"
    words = theme.fitted(name, width=look.px(420), size=look.body, colour=colour)
    parts = [beside([icon(choice, size=look.px(24), colour=colour), words], gap=look.px(10))]
    if agent in spec.seat_notes:
        parts.append(theme.text(spec.seat_notes[agent], size=look.small, colour=theme.MUTED))
    return beside(parts, gap=look.px(16), room=room)
