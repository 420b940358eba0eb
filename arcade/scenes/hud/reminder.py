"""Reminder: how to serve, or which keys there are, when the people at this screen seem to wait for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.input.key_bindings import KeyBindings
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.scenes.hud.seat_cards import seat_cards

PATIENCE = 6.0
"""Seconds without a press before a reminder; the same again before it is repeated."""

LATE = 3
"""Penalties for a serve that does not come, one every two seconds or so, before a reminder, and between two."""


class Reminder:
    """Of a real-time game with people in it; ask once a frame of play::

    reminder.restart(now)                                   # as play begins or continues
    reminder.due(now, pressed_at=…, late=…, stalled=…)      # "": nothing to say
    """

    def __init__(self, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], bindings: KeyBindings) -> None:
        """`lineup` is read each time: it changes as players take seats."""
        self._spec, self._lineup, self._bindings = spec, lineup, bindings
        self._idle_since = 0.0  # without a press
        self._late = 0  # at the last reminder of a serve
        self._serving: Collection[AgentID] = ()  # the seats one of which has to serve

    def restart(self, now: float) -> None:
        """Begin to wait anew."""
        self._idle_since = now

    def due(
        self, now: float, *, pressed_at: float, late: int = 0, stalled: Collection[AgentID] = ()
    ) -> Literal["", "serve", "keys"]:
        """Return what to remind of; `pressed_at`: when a key or button last went down.

        `late` is how many penalties the game gave to the seats `stalled` since the last point: the game itself knows
        whose serve it is, and whether the ball is in play.
        """
        if self._spec.turn_based or not any(choice.is_human for choice in self._lineup.values()):
            return ""
        self._idle_since = max(self._idle_since, pressed_at)
        self._late = min(self._late, late)  # a point begins a new count
        if late - self._late >= LATE:
            self._late, self._serving = late, stalled
            if self.serve_words():
                self._idle_since = now
                return "serve"
        if now - self._idle_since > PATIENCE:
            self._idle_since = now
            return "keys"
        return ""

    def serve_words(self) -> str:
        """Return which key of each person who has to serve puts the ball into play; "" for no person."""
        cards = seat_cards(self._spec, self._lineup, self._bindings)
        found = []
        for card in cards:
            if not set(card.agents) & set(self._serving):
                continue
            controls = next((row.controls for row in card.controls.rows if row.begins), ())
            key = next((label for control in controls for label in card.own.labels(control)), "")
            if key and len(cards) > 1:
                seat = self._spec.seat_title(card.agents[0])
                found.append(_("{key} ({seat})").format(key=key, seat=seat))
            elif key:
                found.append(key)
        return _("To serve, press {keys}").format(keys=_(" or ").join(found)) if found else ""
