"""Hud: scores, players, time and messages around the picture of a match, in pieces that can be turned off."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import pygame

from agents.seats.controller import AgentID, SeatChoice
from arcade.controls.device_controllers import DeviceController
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.toasts import Toasts
from arcade.engine.window.scene import Host
from arcade.games.spec import GameSpec
from arcade.language import N_, _
from arcade.match.play.match import Match
from arcade.match.stage.tick import View
from arcade.scenes.hud.arrangement import Arrangement, arrange
from arcade.scenes.hud.bars import Foot, TopBar, pieces_at
from arcade.scenes.hud.controls_lines import ControlsStrip
from arcade.scenes.hud.insight_panel import InsightPanel, keeps_secrets, thinks
from arcade.scenes.hud.piece import Facts, HudPiece, Place, draw_at_sides
from arcade.scenes.hud.pieces import LineupPiece
from arcade.scenes.hud.reminder import Reminder
from arcade.scenes.hud.starting import PictureOf, StartingCard, draw_backdrop
from arcade.session.match.monitor import Absences, Monitored
from arcade.session.match.seat_changes import Audience
from arcade.session.people import People
from arcade.session.player_names import PlayerNames

if TYPE_CHECKING:
    from arcade.session.training.words import TrainerStrip

CONTROLS_SHOWN, FADE = 4.0, 1.0  # seconds of play that the keys stay, and the last of them in which they fade
INSIGHT_SOON = N_("AI insight appears with the AI's next decision")
INSIGHT_NONE = N_("AI insight shows how a trained AI decides; no trained AI plays here")
INSIGHT_HIDDEN = N_("AI insight is hidden while a person plays: it would reveal cards")
POINTER_SHOWN = 3.0  # seconds after a move of the mouse that the pause button stays, with the bars off


class Hud(Audience):
    """Draws the pieces that the settings turn on; the Audience of its match."""

    def __init__(
        self, engine: Host, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], names: PlayerNames | None = None,
        people: People | None = None,
    ) -> None:  # fmt: skip
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
        self._reminder = Reminder(spec, lineup, engine.bindings)
        self.counting = False  # the match waits for its countdown
        self.pauses = True  # False: the match continues under its menu
        self.hears_keys = True  # False: another scene, which lies over the match, has the keys
        nothing = pygame.Rect(0, 0, 0, 0)
        self._areas = Arrangement(*[nothing] * 6)
        self._card = StartingCard(self._names, lineup, people or People(settings=lambda: engine.settings))
        self._counted = False  # a countdown has shown the keys over the picture
        self._in_foot = False  # the keys are in the foot
        self._insight_sides: set[int] = set()  # 0 left, 1 right: where AI insight has been shown in this match
        self.series_words = self.pace_words = self.online_words = ""  # from outside
        self.shown: View | None = None  # from outside: what the table draws, where that is not the newest
        self.trainer: TrainerStrip | None = None  # from outside
        self.correcting: Mapping[AgentID, str] = {}  # seats that a person corrects, and their AI players
        self._held: dict[AgentID, str] = {}  # settings that stay between presses, such as a message, in words

    def begin(self, launched: Monitored, now: float) -> None:
        """Make the pieces of a match that has started."""
        self._began_at = now
        self.facts = facts = Facts(self._spec, self._lineup, launched, self._names)
        self._top = TopBar(facts)
        self.over_picture = [pieces_at(Place.PICTURE, facts, agent) for agent in self._spec.agents]
        self.foot.begin(facts)
        self._strip.match = launched.match
        self._reminder.restart(now)
        self._absences = None if self._spec.turn_based else Absences(launched.match)

    def say(self, text: str, *, about: str = "") -> None:
        self.toasts.say(text, about=about)
        self._engine.narrator.say(text, interrupt=False)

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
            self.say(_(INSIGHT_HIDDEN))
        elif on and not any(panel.content() for panel in self.insight_panels):
            has_insight = self.facts is not None and thinks(self.facts.match.mapping.values())
            self.say(_(INSIGHT_SOON if has_insight else INSIGHT_NONE))

    @property
    def pieces(self) -> list[HudPiece]:
        """All pieces, shown or not; none before the match has started."""
        return [*(self._top.pieces if self._top is not None else ()), *self.foot.pieces, *chain(*self.over_picture)]

    @property
    def insight_panels(self) -> list[InsightPanel]:
        """The AI insight of each seat."""
        return [piece for piece in self.pieces if isinstance(piece, InsightPanel)]

    @property
    def _keeps_secrets(self) -> bool:
        """Whether AI insight would reveal cards to an opponent at this screen."""
        return self.facts is not None and keeps_secrets(self.facts.match)

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
            self._began_at, self._counted = now, True
            self._reminder.restart(now)
        self.toasts.update(now)
        if self._top is None or self.facts is None:
            return
        self.facts.pace_words, self.facts.trainer = self.pace_words, self.trainer
        self.facts.shown = self.shown
        self.facts.online_words = self.online_words
        rules, held = self.facts.match.stage.rules.text, self._held_words(self.facts.match)
        parts = (held, self.series_words, rules)
        self.foot.words = "   ·   ".join(part for part in parts if part)
        for piece in self.pieces:
            piece.update(now)
        if self._absences is None or self.facts.match.over:
            return
        self._remind(now)
        went, back = self._absences.update(now)
        for agents, words in (
            (went, _("{player} does not answer; {seat} plays on without it")),
            (back, _("{player} is back and plays {seat}")),
        ):
            for agent in agents:
                self.say(words.format(player=self.facts.label(agent), seat=_(self._spec.seat_title(agent))))

    def _remind(self, now: float) -> None:
        """Say how to serve, or show the keys again, where the people here seem to wait for it."""
        assert self.facts is not None
        hub = self._engine.devices
        pressed_at = now if hub.down else hub.pressed_at
        late, stalled = self.facts.late_serves
        match self._reminder.due(now, pressed_at=pressed_at, late=late, stalled=stalled):
            case "serve":
                self.say(self._reminder.serve_words(), about="reminder")
            case "keys":
                self._began_at, self._counted = now, False

    def _held_words(self, match: Match) -> str:
        """Return the settings that stay between presses; a message follows each change."""
        devices = {agent: seat for agent, seat in match.mapping.items() if isinstance(seat, DeviceController)}
        held = {agent: device.setting for agent, device in devices.items() if device.setting}
        for agent, words in held.items():
            if self._held.get(agent, words) != words:
                self.say(f"{_(self._spec.seat_title(agent))}: {words}", about=f"hands of {agent}")
        self._held = held
        return ", ".join(f"{_(self._spec.seat_title(agent))}: {words}" for agent, words in held.items())

    def _hint(self) -> str:
        """Return how to pause with the devices in use, and the other keys."""
        on_pads = {choice.kind for choice in self._lineup.values() if choice.is_human} == {"gamepad"}
        kind, action = ("gamepad", "start") if on_pads else ("keyboard", "back")
        pause = self._engine.bindings.menu(kind).labels(action)[0]
        words = _("{key} pause   F1 controls   F4 view") if self.pauses else _("{key} menu   F1 controls   F4 view")
        return words.format(key=pause)

    def arrange(self, theme: Theme, area: pygame.Rect, *, moves: int) -> Arrangement:
        """Divide the part of the canvas that the match has; `moves`: pixels for the panel of moves."""
        settings = self._engine.settings
        shown = settings.show_hud
        insight, sides = InsightPanel.width(theme) + theme.gap, self._sides_of_insight() if shown else set()
        top = self._top.height(theme, settings) if self._top is not None and shown else 0
        self._areas = arrange(
            theme, (area.x, area.y, area.w, area.h), top=top,
            foot=self.foot.height(theme) if shown else 0, moves=moves, insight=insight,
            keys=self._strip.height(theme, area.w) if settings.keep_controls and not self._spec.turn_based else 0,
            insight_sides=frozenset(sides if area.w - moves > 3 * insight else ()),
        )  # fmt: skip
        return self._areas

    def _sides_of_insight(self) -> set[int]:
        """Return the sides of the picture that AI insight takes, 0 left, 1 right; the picture leaves them free."""
        shown = [agent for agent, piece in self._over_picture() if piece.content() is not None]
        if len(self._spec.teams) > 1:
            self._insight_sides |= {self._spec.side_of(self._spec.team_of(agent)) for agent in shown}
        else:
            self._insight_sides |= set(range(min(len(shown), 2)))
        return self._insight_sides if InsightPanel.is_on(self._engine.settings) else set()

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        """Draw the bars above and below."""
        settings, areas = self._engine.settings, self._areas
        self.foot.hint = self._hint() if self.hears_keys else ""
        if areas.keys.h:
            self._strip.draw(canvas, theme, areas.keys)
        if not settings.show_hud:
            return
        if self._top is not None:
            self._top.show(canvas, theme, settings, areas.top)
        self.foot.message = self._message_for_foot(theme)
        self._in_foot = not self.foot.message and self._draws_keys_in_foot(canvas, theme)
        if areas.foot.h and not self._in_foot:
            self.foot.draw(canvas, theme, settings, areas.foot)

    def draw_messages(self, canvas: pygame.Surface, theme: Theme, *, keys: bool = True) -> None:
        """Draw over the picture: its pieces, the keys at the start unless a page shows them, the messages."""
        settings, areas = self._engine.settings, self._areas
        if settings.show_hud:
            draw_at_sides(canvas, theme, areas.around, self._spec, self._over_picture())
        if keys and self._draws_keys_over_picture:
            self._strip.draw(canvas, theme, areas.picture, share=self.controls_shown)
        if self.correcting:
            self._draw_correcting(canvas, theme)
        if not areas.foot.h:
            is_shown = self.hears_keys and self._now - self._moved_at < POINTER_SHOWN
            self.foot.draw_alone(canvas, theme, shown=is_shown)
        if not (self.foot.message and settings.show_hud):
            self.toasts.draw(canvas, above=areas.foot.top if areas.foot.h else None, look=theme)

    @property
    def _draws_keys_over_picture(self) -> bool:
        return self.controls_shown > 0 and not self._in_foot and not self._areas.keys.h

    @property
    def controls_shown(self) -> float:
        """How visible the keys are, 0 … 1: they fade by themselves, over a running match at once."""
        if self._spec.turn_based:
            return 0.0
        if self._engine.settings.keep_controls:
            return 1.0
        seconds = CONTROLS_SHOWN if self._in_foot or not self._counted else FADE
        return min(1.0, max(0.0, (seconds - (self._now - self._began_at)) / FADE))

    def _draws_keys_in_foot(self, canvas: pygame.Surface, theme: Theme) -> bool:
        """Draw the keys of the only person in the foot, where they hide nothing; False if that is not possible."""
        area = self._areas.foot
        since = self._now - self._began_at
        if self._spec.turn_based or since >= CONTROLS_SHOWN or not area.h or self._areas.keys.h:
            return False
        room = pygame.Rect(area.left + theme.margin, area.top, self.foot.room(theme, area), area.h)
        share = min(1.0, (CONTROLS_SHOWN - since) / FADE)
        if not self._strip.draw_line(canvas, theme, room, share=share):
            return False
        self.foot.draw_hint(canvas, theme, area)
        return True

    def _message_for_foot(self, theme: Theme) -> str:
        """Return the newest messages, where the foot has room for them: there they hide nothing of the game."""
        newest = [*reversed(self.toasts.messages), *reversed(self._engine.toasts.messages)]
        joined = ("   ·   ".join(newest[:count]) for count in range(len(newest), 0, -1))
        return next((text for text in joined if self.foot.fits(theme, self._areas.foot, text)), "")

    def draw_countdown(self, canvas: pygame.Surface, theme: Theme, number: int) -> None:
        """Draw the number over the picture, with who plays whom where no bar says it."""
        is_told = self._engine.settings.show_hud and LineupPiece.is_on(self._engine.settings)
        area = self._areas.picture
        keys = self._strip.height(theme, area.w) if self._draws_keys_over_picture else 0
        self._card.draw_countdown(canvas, theme, area, number, names=not is_told, keys=keys)

    def draw_starting(self, canvas: pygame.Surface, theme: Theme, progress: str, picture_of: PictureOf) -> None:
        """Draw the loading screen, on a picture of the game where there is one."""
        draw_backdrop(canvas, theme, picture_of)
        self._card.draw_loading(canvas, theme, self._strip, progress)

    def _draw_correcting(self, canvas: pygame.Surface, theme: Theme) -> None:
        """Draw whose moves are being corrected, at the top of the picture."""
        area, colour = self._areas.picture, theme.colours.focus
        seats = ", ".join(
            f"{_(self._spec.seat_title(agent))}, {self._names.of_label(label)}"
            for agent, label in self.correcting.items()
        )
        words = theme.fitted(
            _("Correcting {seats}").format(seats=seats), width=area.w - 4 * theme.gap, size=themes.SMALL, bold=True,
            colour=colour,
        )  # fmt: skip
        plate = words.get_rect().inflate(theme.px(24), theme.px(10))
        plate.midtop = area.centerx, area.top + theme.px(2)
        theme.draw_panel(canvas, plate, edge=colour)
        canvas.blit(words, words.get_rect(center=plate.center))
