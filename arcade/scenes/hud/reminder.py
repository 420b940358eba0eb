"""Reminder: how to serve, or which keys there are, when the people at this screen seem to wait for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from agents.seats.controller import Action, AgentID, SeatChoice
from arcade.engine.input.key_bindings import KeyBindings
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.scenes.hud.seat_cards import seat_cards

PATIENCE = 6.0
"""Seconds without a press, or without a serve, before a reminder; the same again before it is repeated."""

RALLY = 15.0
"""Seconds that a rally may take, after a serve, until the score changes; the game does not say whether one is on."""


class Reminder:
    """Of a real-time game with people in it; ask once a frame of play::

    reminder.restart(now)                                   # as play begins or continues
    reminder.due(now, pressed_at=…, score=…, actions=…)     # "": nothing to say
    """

    def __init__(self, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], bindings: KeyBindings) -> None:
        """`lineup` is read each time: it changes as players take seats."""
        self._spec, self._lineup, self._bindings = spec, lineup, bindings
        self._waits = any(row.begins for agent in spec.agents for row in spec.controls_of(agent).rows)
        self._quiet_since = self._idle_since = 0.0  # without a serve; without a press
        self._scored_at = 0.0
        self._score: object = None  # not known yet

    def restart(self, now: float) -> None:
        """Begin to wait anew."""
        self._quiet_since = self._idle_since = now
        self._scored_at = max(self._scored_at, now - RALLY)

    def due(
        self, now: float, *, pressed_at: float, score: object, actions: Mapping[AgentID, Action]
    ) -> Literal["", "serve", "keys"]:
        """Return what to remind of; `pressed_at`: when a key or button last went down, `actions`: the newest."""
        if self._spec.turn_based or not any(choice.is_human for choice in self._lineup.values()):
            return ""
        self._idle_since = max(self._idle_since, pressed_at)
        serving = {self._lineup[agent].is_human for agent, action in actions.items() if self._begins(agent, action)}
        if True in serving:
            self._quiet_since = now + RALLY
        elif serving:  # AI tries to serve all the time, also when it is not its serve
            self._quiet_since = max(self._quiet_since, self._scored_at + RALLY)
        if score != self._score:
            if self._score is not None:
                self._quiet_since = self._scored_at = now
            self._score = score
        if self._waits and now - self._quiet_since > PATIENCE:
            self.restart(now)
            return "serve"
        if now - self._idle_since > PATIENCE:
            self._idle_since = now
            return "keys"
        return ""

    def serve_words(self) -> str:
        """Return which key of each person puts the ball into play."""
        cards = seat_cards(self._spec, self._lineup, self._bindings)
        found = []
        for card in cards:
            controls = next((row.controls for row in card.controls.rows if row.begins), ())
            key = next((label for control in controls for label in card.own.labels(control)), "")
            if key and len(cards) > 1:
                seat = self._spec.seat_title(card.agents[0])
                found.append(_("{key} ({seat})").format(key=key, seat=seat))
            elif key:
                found.append(key)
        return _("To serve, press {keys}").format(keys=_(" or ").join(found)) if found else ""

    def _begins(self, agent: AgentID, action: Action) -> bool:
        """Whether the action puts the ball into play."""
        names = self._spec.names_of(agent)
        return self._waits and 0 <= int(action) < len(names) and "fire" in names[int(action)]
