"""Opponents: whoever plays the seats that do not learn, by number: snapshots, seat words, and nobody twice.

A snapshot's bytes arrive before it is in play and go when neither new nor old episodes need them, so that memory does
not grow with the pool.  An opponent that fails is dropped: whoever had it goes on against random play, unbooked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.errors import UserError
from agents.snapshots.store import Snapshot
from arcade.games.spec import GameSpec
from arcade.match.batch.vector_env import SeatGroup
from trainer.sampling.players import Player, RandomPlayer
from trainer.sampling.seat_words import make_player

LIVE = -1
"""In place of an opponent's number: a learning policy sits there."""

KEPT = 32
"""Players that are in play no more and kept all the same: they may be soon."""


class Opponents:
    """Numbers are given to names as they come and never change."""

    def __init__(self, spec: GameSpec, groups: Sequence[SeatGroup]) -> None:
        self._spec, self._groups = spec, groups
        self._number: dict[str, int] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._players: dict[int, Player] = {}
        self._stand_in = RandomPlayer(groups)
        self.names: list[str] = []
        self.dropped: dict[str, str] = {}  # name to why

    @property
    def snapshots(self) -> dict[str, Snapshot]:
        """Those whose bytes are here, by name."""
        return dict(self._snapshots)

    def number(self, name: str) -> int:
        """Of a snapshot's name or a seat word."""
        if name not in self._number:
            self._number[name] = len(self.names)
            self.names.append(name)
        return self._number[name]

    def hold(self, snapshots: Mapping[str, Snapshot], *, needed: Collection[str]) -> None:
        """Take in snapshots, and let go of those that are not `needed`, but for a few."""
        self._snapshots |= snapshots
        spare = [name for name in self._snapshots if name not in needed]
        for name in spare[: max(0, len(spare) - KEPT)]:
            del self._snapshots[name]
            self._close(self.number(name))

    def act(
        self, number: int, group: int, lanes: NDArray[np.intp], observations: NDArray[Any],
        masks: NDArray[np.int8] | None, rng: np.random.Generator,
    ) -> NDArray[Any]:  # fmt: skip
        """The env's actions of opponent `number` in lanes of a group of seats."""
        name = self.names[number]
        if name not in self.dropped:
            try:
                return self._player(number).act(group, lanes, observations, masks, rng)
            except UserError as error:
                self.dropped[name] = str(error)
                self._close(number)
        return self._stand_in.act(group, lanes, observations, masks, rng)

    def begin(self, group: int, lanes: NDArray[np.intp]) -> None:
        """New episodes begin in these lanes of a group of seats."""
        for player in self._players.values():
            player.begin(group, lanes)

    def close(self) -> None:
        """Free all players; twice does no harm."""
        for number in list(self._players):
            self._close(number)

    def _player(self, number: int) -> Player:
        player = self._players.get(number)
        if player is None:
            name = self.names[number]
            player = self._players[number] = make_player(name, self._spec, self._groups, self._snapshots.get(name))
        return player

    def _close(self, number: int) -> None:
        player = self._players.pop(number, None)
        if player is not None:
            player.close()
