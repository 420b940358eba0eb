"""Lock-step: matches of many pairings side by side in one batch of games, one inference a tick for each entrant."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.errors import UserError
from agents.policies.batch import BatchPolicy
from agents.seats.controller import ControllerError
from arcade.match.batch.make import make_batch
from arcade.match.batch.vector_env import flat
from arcade.tournaments.plan import Fixture
from arcade.tournaments.rows import Row, played_row
from arcade.tournaments.table import Table
from trainer.sampling.seat_words import make_policy

GAMES, STAGES = 256, 32
"""Matches side by side: in a game with a batch engine of its own, and of single envs."""

NOBODY = -1
"""In place of an entrant's number: the match there is over, or left to be played alone."""


def width(table: Table) -> int:
    """How many matches stand side by side."""
    return GAMES if table.spec.batch else STAGES


class LockStep:
    """Plays the fixtures of one list, the next one wherever a match is over.

    Each match comes out as it would alone.  Those that met with trouble (an entrant that fails, a move that is not
    legal, a game that breaks) are `left`: played alone it shows whose trouble it is.
    """

    def __init__(self, table: Table, fixtures: Sequence[Fixture]) -> None:
        self.left: list[Fixture] = []
        self._table, self._waiting = table, deque(fixtures)
        self._games = min(len(fixtures), width(table))
        self._policies: dict[int, BatchPolicy] = {}  # by entrant
        self._broken: set[int] = set()
        self._freed: list[int] = []  # games whose match was left
        self._now: list[Fixture | None] = [None] * self._games

    def play(self) -> Iterator[list[Row]]:
        """All of them; yields rows as matches end."""
        if not self._waiting:
            return
        try:
            self._batch = make_batch(self._table.spec, self._games)
        except UserError:
            self._leave_all()
            return
        try:
            self._begin_all()
            while any(self._now):
                rows = self._tick()
                if rows:
                    yield rows
        except UserError:  # of the game: nobody knows of which
            self._leave_all()
        finally:
            self._batch.close()

    def _begin_all(self) -> None:
        batch = self._batch
        self._entrants = np.full((self._games, len(batch.agents)), NOBODY)
        self._returns = np.zeros(self._entrants.shape)
        self._ticks = np.zeros(self._games, np.intp)
        self._begin(range(self._games))

    def _tick(self) -> list[Row]:
        batch = self._batch
        batch.step(self._decide())
        live = self._entrants[:, 0] != NOBODY
        self._ticks += live
        self._returns += batch.rewards * live[:, None]
        over = live & (batch.over | (self._ticks >= self._table.plan.max_ticks))
        ended = np.flatnonzero(over).tolist()
        rows = [self._row(game) for game in ended]
        if ended or self._freed:
            free, self._freed = [*ended, *self._freed], []
            self._begin(free)
        return rows

    def _row(self, game: int) -> Row:
        fixture = self._now[game]
        assert fixture is not None
        returns = dict(zip(self._batch.agents, self._returns[game].tolist(), strict=True))
        ended = "finished" if self._batch.over[game] else "max_ticks"
        return played_row(self._table, fixture, returns, ticks=int(self._ticks[game]), ended=ended)

    def _begin(self, games: Sequence[int]) -> None:
        """The next fixtures in these games, nobody in those that are left over."""
        begun, seeds = [], []
        for game in games:
            fixture = self._now[game] = self._next()
            self._entrants[game] = NOBODY
            if fixture is not None:
                begun.append(game)
                seeds.append(fixture.seed)
        self._batch.reset(np.array(begun, np.intp), np.array(seeds, np.int64))
        self._returns[begun], self._ticks[begun] = 0, 0
        for game in begun:
            self._seat(game)

    def _next(self) -> Fixture | None:
        while self._waiting:
            fixture = self._waiting.popleft()
            if not self._broken & set(fixture.entrants):
                return fixture
            self.left.append(fixture)
        return None

    def _seat(self, game: int) -> None:
        fixture, batch = self._now[game], self._batch
        assert fixture is not None
        lineup, seeds = self._table.lineup(fixture), np.array(self._table.seat_seeds(fixture))
        self._entrants[game] = [lineup[agent] for agent in batch.agents]
        for entrant in set(lineup.values()):
            policy = self._policy(entrant)
            if policy is not None:
                places = np.flatnonzero(self._entrants[game] == entrant)
                policy.begin(game * len(batch.agents) + places, seeds[places])

    def _policy(self, entrant: int) -> BatchPolicy | None:
        """None where it cannot be made: its matches are left."""
        if entrant not in self._policies and entrant not in self._broken:
            word, snapshot = self._table.entrant(entrant).word, self._table.snapshots.get(entrant)
            try:
                self._policies[entrant] = make_policy(word, self._batch.spec, self._batch.places, snapshot)
            except UserError:
                self._broken.add(entrant)
        return self._policies.get(entrant)

    def _decide(self) -> list[NDArray[Any]]:
        """(N, G, *action shape) for each group."""
        batch = self._batch
        actions = [group.no_actions() for group in batch.groups]
        for number, group in enumerate(batch.groups):
            lanes = np.flatnonzero(batch.acting[:, group.columns])
            whose = self._entrants[:, group.columns].ravel()[lanes]
            order = np.argsort(whose, kind="stable")
            cuts = np.flatnonzero(np.diff(whose[order])) + 1
            for own in np.split(order, cuts) if len(lanes) else ():
                self._ask(number, int(whose[own[0]]), lanes[own], actions[number])
        return actions

    def _ask(self, number: int, entrant: int, lanes: NDArray[np.intp], actions: NDArray[Any]) -> None:
        """The actions of the entrant that has these lanes of a group, into their places."""
        group = self._batch.groups[number]
        masks = None if group.masks is None else flat(group.masks)[lanes]
        policy = None if entrant == NOBODY else self._policy(entrant)
        if policy is not None:
            try:
                seats = self._batch.seats_of(number, lanes)
                flat(actions)[lanes] = policy.act(seats, flat(group.observations)[lanes], masks)
                return
            except ControllerError:
                self._broken.add(entrant)
        flat(actions)[lanes] = self._any_legal(number, len(lanes), masks)
        self._leave(lanes // len(group.agents))

    def _any_legal(self, number: int, count: int, masks: NDArray[np.int8] | None) -> NDArray[Any]:
        """For matches that count no more, and are stepped until all are over."""
        space = self._batch.groups[number].action_space
        if masks is not None:
            legal: NDArray[Any] = masks.argmax(axis=1) + int(space.start)
            return legal
        return np.stack([np.asarray(space.sample()) for _ in range(count)])

    def _leave(self, games: NDArray[np.intp]) -> None:
        for game in dict.fromkeys(games.tolist()):
            fixture = self._now[game]
            if fixture is not None:
                self.left.append(fixture)
                self._freed.append(game)
            self._now[game] = None
            self._entrants[game] = NOBODY

    def _leave_all(self) -> None:
        self.left += [fixture for fixture in (*self._now, *self._waiting) if fixture is not None]
        self._now, self._waiting = [None] * self._games, deque()
