"""Placement matches: a new snapshot's first matches for the ladder, so that it is rated at once."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.online import UNKNOWN, Rating, draw_share, expected_reduction
from agents.ladder.ratings.rows import player_name
from agents.seats.controller import AgentID, SeatSpec
from agents.snapshots.store import Snapshot, SnapshotError, SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.opponents import SCRIPTED, make_policy
from arcade.match.batch.sides import SideResult, play_sides

ROUND = 4
"""Matches with one opponent, sides alternating; then the ratings choose the next opponent."""

WAITING, MOST_WAITING = 4, 64
"""Where more snapshots wait, older ones get one round each; beyond the second number the oldest are left out."""

MOST_ROUNDS = 2
"""With one opponent: more add little information."""

Lineup = Mapping[AgentID, str]
"""Agent to the label of its player: the name of a snapshot, or "scripted"."""


@dataclass
class Newcomer:
    """A snapshot that is being placed."""

    snapshot: Snapshot
    own: Lineup  # itself and its mates
    others: Mapping[AgentID, list[str]]  # candidates for each seat of the other side
    left: int  # games
    met: Counter[str] = field(default_factory=Counter)
    rounds: int = 0  # begun


class Placement:
    """Plays up to `games` matches of each new snapshot against the most informative opponents, for the ladder.

    Opponents are members of its pool and other rated snapshots of the store, so that runs are comparable.  `place` only
    queues matches; `work` plays them.  Against several teams each has an opponent of its own where there are enough; in
    a game of one team the snapshot plays in all seats, for its score.  Nothing happens without a ladder or games.
    """

    def __init__(self, spec: GameSpec, ladder: Ladder | None, store: SnapshotStore, *, games: int) -> None:
        self.ladder, self._store = ladder, store
        self._spec, self._roles = spec, spec.facts().roles
        self._games = games if ladder is not None else 0
        self._queue: deque[Newcomer] = deque()
        self._matches = self._play()
        self._opponents: Lineup = {}  # in the series under way

    @property
    def pending(self) -> bool:
        """Whether matches are left to play."""
        return bool(self._queue)

    def place(self, snapshot: Snapshot, own: Lineup, others: Mapping[AgentID, Sequence[str]]) -> None:
        """Queue a snapshot with the labels of its side, and the candidates for each seat of the other side."""
        if not self._games or not own or not (others or len(self._spec.teams) == 1):
            return
        rated = {rating.name for rating in self._ratings().values()}
        names = {agent: self._candidates(snapshot, agent, pool, rated) for agent, pool in others.items()}
        if not self._queue:
            self._matches = self._play()
        if all(names.values()):
            games = min(self._games, MOST_ROUNDS * ROUND * max(map(len, names.values()), default=1))
            self._queue.append(Newcomer(snapshot, own, names, games))
        for older in list(self._queue)[1:-WAITING]:  # the first may be under way
            older.left = min(older.left, ROUND)
        if len(self._queue) > MOST_WAITING:
            del self._queue[1]

    def work(self, seconds: float) -> None:
        """Play for about so long."""
        end = time.monotonic() + seconds
        for _ in self._matches:
            if time.monotonic() >= end:
                break

    def close(self) -> None:
        """Drop what is left to play; twice does no harm."""
        self._queue.clear()
        self._matches.close()

    def give_up(self) -> None:
        """Stop for good."""
        self.close()
        self.ladder, self._games = None, 0

    def _play(self) -> Generator[None, None, None]:
        """Play the series of all newcomers, and yield after each tick."""
        while self._queue:
            newcomer = self._queue[0]
            try:
                played = yield from self._begin(newcomer)
                self._record(played, newcomer)
            except SnapshotError:  # one of them was deleted or broken; `store.refused` says why
                self._exclude_broken(newcomer)
            if newcomer.left <= 0 or not all(newcomer.others.values()):
                self._queue.popleft()

    def _ratings(self) -> dict[str, Rating]:
        assert self.ladder is not None
        return {rating.name: rating for rating in self.ladder.ratings(self._spec.id, roles=self._roles)}

    def _candidates(self, snapshot: Snapshot, agent: AgentID, pool: Sequence[str], rated: set[str]) -> list[str]:
        """The pool, the scripted player, and rated snapshots of other runs with the same inputs and outputs."""
        cards = {card.name: card for card in self._store.list(self._spec.id) if card.plays(agent)}
        kinds = [(cards[name].observation, cards[name].action) for name in pool[-1:] if name in cards]
        elsewhere = [
            name for name, card in cards.items()
            if (card.observation, card.action) in kinds and self._name(name, agent) in rated
        ]  # fmt: skip
        scripted = [SCRIPTED] if self._spec.scripted else []
        return [name for name in dict.fromkeys([*pool, *elsewhere, *scripted]) if name != snapshot.card.name]

    def _name(self, label: str, agent: AgentID) -> str:
        return player_name(label, self._roles.get(str(agent), ""))

    def _begin(self, newcomer: Newcomer) -> Generator[None, None, list[SideResult]]:
        self._opponents = self._choose(newcomer)
        newcomer.met.update(set(self._opponents.values()))
        newcomer.rounds += 1
        names = {*newcomer.own.values(), *self._opponents.values()}
        snapshots = {name: self._store.get(name, game=self._spec.id) for name in names - {SCRIPTED}}
        players = {name: make_policy(name, self._spec, self._places, snapshots.get(name)) for name in names}
        sides = [{agent: players[name] for agent, name in side.items()} for side in (newcomer.own, self._opponents)]
        card = newcomer.snapshot.card
        teams = [t for t, members in enumerate(self._spec.teams) if any(card.plays(str(a)) for a in members)]
        games, seed = min(ROUND, newcomer.left), card.step + newcomer.rounds
        return play_sides(self._spec, sides[0], sides[1], games=games, seed=seed, teams=teams)

    def _choose(self, newcomer: Newcomer) -> Lineup:
        ratings, name = self._ratings(), newcomer.snapshot.card.name
        seat = next(agent for agent, label in newcomer.own.items() if label == name)
        own, draw, chosen = ratings.get(self._name(name, seat), UNKNOWN), draw_share(ratings.values()), {}
        met = Counter(newcomer.met)
        for members in self._spec.teams:
            for agent in (agent for agent in members if agent in newcomer.others):
                names = newcomer.others[agent]
                known = [ratings.get(self._name(one, agent), UNKNOWN) for one in names]
                chosen[agent] = most_informative(names, known, own, met, draw=draw)
            if len(self._spec.teams) > 2:
                met.update({chosen[agent] for agent in members if agent in chosen})
        return chosen

    @cached_property
    def _places(self) -> tuple[SeatSpec, ...]:
        with make_vector_env(self._spec, 1) as env:
            return env.places

    def _exclude_broken(self, newcomer: Newcomer) -> None:
        names = {*newcomer.own.values(), *self._opponents.values()} - {SCRIPTED}
        broken = {name for name in names if not self._store.is_whole(name)}
        if not broken or broken & set(newcomer.own.values()):
            newcomer.left = 0
        newcomer.others = {a: [n for n in names if n not in broken] for a, names in newcomer.others.items()}

    def _record(self, played: list[SideResult], newcomer: Newcomer) -> None:
        assert self.ladder is not None
        for game in played:
            self.ladder.add(match_row(self._spec, game, newcomer.own, self._opponents), source="trainer")
        newcomer.left -= len(played)


def most_informative(
    names: Sequence[str], known: Sequence[Rating], own: Rating, met: Mapping[str, int], *, draw: float = 0.0
) -> str:
    """Among the names met least often, the one whose match is most informative about `own`.

    `draw` is the probability of a draw between equals.
    """
    least = np.array([met.get(name, 0) for name in names])
    return names[int(np.where(least == least.min(), expected_reduction(own, known, draw=draw), -1.0).argmax())]


def match_row(spec: GameSpec, game: SideResult, first: Lineup, second: Lineup) -> dict[str, Any]:
    """The result of one match as the ladder keeps it; labels are the snapshots' names, as in any other match."""
    result = game.result
    lineup = {str(agent): (first if spec.team_of(agent) == game.team else second)[agent] for agent in spec.agents}
    kinds = {agent: SCRIPTED if label == SCRIPTED else "snapshot" for agent, label in lineup.items()}
    return {
        "game": spec.id, "seed": result.seed, "ticks": result.ticks, "lineup": lineup, "returns": result.returns,
        "teams": result.teams, "placements": result.placements, "actions": result.actions,
        "seats": {agent: {"kind": kind} for agent, kind in kinds.items()},
    }  # fmt: skip
