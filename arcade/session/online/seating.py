"""The seats of an online match: the players of this machine, those of others, and seats that are open."""

from __future__ import annotations

from collections.abc import Mapping

from agents.engines.engine import present_seats
from agents.seats.controller import AgentID, SeatChoice
from arcade.games.spec import GameSpec
from arcade.language import N_
from arcade.session.seating import SeatGroup, Seating, default_opponent
from arcade.session.services import Services
from arcade.together.messages import Player

OPEN = SeatChoice("online")
"""A seat for people who join."""


ELSEWHERE = ("online", "remote", "idle")
"""Kinds of players that do not play here."""


def played_elsewhere(player: Player) -> SeatChoice:
    """The choice of a seat that another machine plays."""
    return SeatChoice("online", player.name)


class OnlineSeating(Seating):
    """Offers players that can play here, and to leave the seat open; `others` are the seats of other machines."""

    takes_remote = False
    others: Mapping[AgentID, Player] = {}
    takeable: frozenset[AgentID] = frozenset()  # AI seats of a match under way, which this machine may take

    @property
    def default(self) -> SeatChoice:
        return OPEN

    @property
    def lineup(self) -> dict[AgentID, SeatChoice]:
        return super().lineup | {agent: played_elsewhere(player) for agent, player in self.others.items()}

    @property
    def substitute(self) -> SeatChoice:
        """The AI that fills an open seat."""
        return default_opponent(self.spec, snapshots=self.snapshots, engines=self.engines)

    @property
    def own(self) -> dict[AgentID, SeatChoice]:
        """The players of this machine."""
        return {agent: choice for agent, choice in self.lineup.items() if choice.kind != OPEN.kind}

    @property
    def open(self) -> list[AgentID]:
        """The seats without a player; where the match is under way, others are left to their AI."""
        return [agent for agent, choice in self.lineup.items() if choice == OPEN and agent not in self.takeable]

    def yield_taken(self) -> None:
        """Give up the seats here that others have, each for an open one, if there is one."""
        for agent in self.others:
            choice = self._choices[agent]
            if choice != OPEN:
                self._choices[agent] = OPEN
                if free := self.open:
                    self.put(free[0], choice)

    def groups(self, agent: AgentID) -> tuple[SeatGroup, ...]:
        found = [SeatGroup(N_("Others"), (OPEN,))]
        for group in super().groups(agent):
            choices = tuple(one for one in group.choices if not (one.is_even or one.kind in ELSEWHERE))
            if choices:
                found.append(SeatGroup(group.title, choices, group.is_folded))
        return tuple(found)


def online_seating(
    services: Services, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice] | None = None
) -> OnlineSeating:
    """The seating with the devices, snapshots and engines of now."""
    return OnlineSeating(
        spec, devices=services.devices.seats, snapshots=services.library.names(spec.id),
        engines=present_seats(spec.id), lineup=lineup,
    )  # fmt: skip
