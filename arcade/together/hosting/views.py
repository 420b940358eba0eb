"""HostViews: sends each machine the ticks of a match that the host alone runs, as its own seats may know them.

All that is sent of the game is made in `_view`: the views of the receiver's seats and of a spectator, its seats'
observations and legal actions, and what is public.  Seed, actions and pictures of a game with secrets are not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agents.seats.controller import HUMAN_KINDS, Action, AgentID
from agents.wire.encoding import pack
from arcade.match.play.result import Recorder
from arcade.match.stage.tick import Tick
from arcade.together.hosting.guests import Guest
from arcade.together.hosting.host_view import HostView
from arcade.together.messages import MAX_WORDS, Picture, Reveal, SeatView, View
from arcade.together.views.pictures import PictureWriter, zipped
from arcade.together.views.shapes import SHAPES

ANSWER_EVERY = 0.5
"""Seconds between two answers to one machine that asks for the present."""


class HostViews(Recorder):
    """Of a host.  Hears each tick of its match."""

    def __init__(self, session: HostView, clock: Callable[[], float]) -> None:
        self._session, self._clock = session, clock
        self._tick: Tick | None = None
        self._returns: dict[AgentID, float] = dict.fromkeys(session.play.spec.agents, 0.0)
        self._pictures = PictureWriter(clock())
        self._answered: dict[int, float] = {}
        self.is_on = session.terms.mode.has_views
        if self.is_on:
            session.play.watch(self)

    def tick(self, tick: Tick, actions: dict[AgentID, Action], seconds: float) -> None:
        self._tick = tick
        for agent, reward in tick.rewards.items():
            self._returns[agent] += float(reward)
        picture = self._draw(tick, self._clock())
        for guest in self._session.guests:
            if guest.is_live:
                self._session.send(guest, self._view(guest, tick, picture))

    def answer(self, guest: Guest, first: int) -> bool:
        """Show the present, and after the end all; returns whether it was time for it."""
        session, now = self._session, self._clock()
        if now - self._answered.get(guest.number, 0.0) < ANSWER_EVERY:
            return False
        self._answered[guest.number] = now
        guest.is_live = True
        if self._tick is not None:
            session.send(guest, self._view(guest, self._tick, self._pictures.newest))
        result = session.play.result
        if result is not None:
            terms = session.terms
            session.send(guest, Reveal(seed=terms.seed, nonce=terms.nonce, actions=result.actions))
            if first <= len(session.play.log):
                session.send(guest, session.play.log.message(first))
        return True

    def _draw(self, tick: Tick, now: float) -> Picture | None:
        if tick.frame is None or self._session.play.spec.secret:
            return None
        return self._pictures.write(tick.frame, now)

    def _view(self, guest: Guest, tick: Tick, picture: Picture | None) -> View:
        """The only place where what a machine is sent of the game is chosen."""
        spec = self._session.play.spec
        is_known = not spec.secret or spec.table in SHAPES or tick.over  # rewards tell no more than the table does
        return View(
            tick=tick.index, acting=[str(agent) for agent in tick.acting],
            returns={str(agent): total for agent, total in self._returns.items() if is_known or agent in guest.seats},
            ends={str(agent): end for agent, end in tick.ends.items()},
            score=[None if one is None else float(one) for one in tick.score],
            seats={str(agent): self._seat_view(agent, tick) for agent in guest.seats},
            table=tick.views.get(None) if spec.table in SHAPES else None,
            picture=picture, text="" if spec.secret else tick.text[:MAX_WORDS],
        )  # fmt: skip

    def _seat_view(self, agent: AgentID, tick: Tick) -> SeatView:
        spec, mask = self._session.play.spec, tick.action_masks.get(agent)
        is_asked = agent in tick.acting
        is_person = self._session.lineup[str(agent)].kind in HUMAN_KINDS
        sees = is_asked and (spec.secret or tick.frame is None or not is_person)
        return SeatView(
            seen=packed(tick.observations[agent]) if sees else b"",
            mask=packed(mask) if is_asked and mask is not None else b"",
            table=tick.views.get(agent) if spec.table in SHAPES else None,
        )  # fmt: skip


def packed(value: Any) -> bytes:
    """An observation or a mask as it travels."""
    return zipped(pack(value))
