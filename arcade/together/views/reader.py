"""ViewReader: ticks from the views of a host, each part checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.seats.controller import AgentID
from agents.wire.encoding import WireError, unpack
from arcade.games.spec import GameSpec
from arcade.match.stage.contract import ContractError, TickCheck
from arcade.match.stage.tick import Tick
from arcade.together.messages import View, printable
from arcade.together.views.pictures import PictureReader, unzipped
from arcade.together.views.shapes import SHAPES, checked_table

MAX_SEEN = 2**23
"""Bytes of one observation."""

ENDS = ("terminated", "truncated")


class ViewReader:
    """Of one machine, whose `own` seats have these spaces."""

    def __init__(self, spec: GameSpec, spaces: Mapping[AgentID, tuple[Any, Any]]) -> None:
        self._spec = spec
        self._agents = {str(agent): agent for agent in spec.agents}
        self._check = TickCheck(spaces).check
        self._pictures = PictureReader()
        self._returns: dict[AgentID, float] = {}

    def read(self, view: View, own: tuple[AgentID, ...]) -> Tick:
        """The tick of a view; raises ValueError for what is none of this game."""
        try:
            return self._read(view, own)
        except (ContractError, WireError) as error:
            raise ValueError(str(error)) from error

    def _read(self, view: View, own: tuple[AgentID, ...]) -> Tick:
        acting = tuple(self._agent(word) for word in view.acting)
        ends = {self._agent(word): end for word, end in view.ends.items()}
        if wrong := [end for end in ends.values() if end not in ENDS]:
            raise ValueError(f"expected one of {', '.join(ENDS)}, got: {wrong[0]}")
        tick = Tick(
            view.tick, acting, rewards=self._rewards(view), ended=tuple(ends), score=tuple(view.score),
            terminations={agent: end == ENDS[0] for agent, end in ends.items()},
            truncations={agent: end == ENDS[1] for agent, end in ends.items()},
        )  # fmt: skip
        self._add_seats(tick, view, own)
        if view.picture is not None:
            tick.frame = self._pictures.read(view.picture)
        tick.text = "\n".join(map(printable, view.text.splitlines()))
        return tick

    def _agent(self, word: str) -> AgentID:
        if word not in self._agents:
            raise ValueError(f"expected a seat among {', '.join(self._agents)}, got: {word}")
        return self._agents[word]

    def _rewards(self, view: View) -> dict[AgentID, float]:
        """What the sums have grown by since the last view."""
        found = {self._agent(word): value for word, value in view.returns.items()}
        rewards = {agent: value - self._returns.get(agent, 0.0) for agent, value in found.items()}
        self._returns.update(found)
        return rewards

    def _add_seats(self, tick: Tick, view: View, own: tuple[AgentID, ...]) -> None:
        """Add what this machine's seats see, and check it as what a game returns."""
        seen: dict[AgentID, Any] = {}
        masks: dict[AgentID, Any] = {}
        tables: dict[AgentID | None, Any] = {}
        for word, seat in view.seats.items():
            agent = self._agent(word)
            if agent not in own:
                raise ValueError(f"expected views of this machine's own seats, got one of {word}")
            if seat.seen:
                seen[agent] = unpack(unzipped(seat.seen, most=MAX_SEEN))
            if seat.mask:
                masks[agent] = unpack(unzipped(seat.mask, most=MAX_SEEN))
            if seat.table is not None and self._spec.table in SHAPES:
                tables[agent] = checked_table(seat.table, self._spec)
        if view.table is not None and self._spec.table in SHAPES:
            tables[None] = checked_table(view.table, self._spec)
        complete = tuple(agent for agent in tick.acting if agent in seen)
        self._check(Tick(0, complete, seen, masks, tick.rewards))
        tick.observations = {agent: seen.get(agent) for agent in tick.acting}
        tick.action_masks = {agent: masks.get(agent) for agent in tick.acting}
        tick.views = tables
