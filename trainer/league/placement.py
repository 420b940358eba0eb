"""A new snapshot's first matches for the ladder, so that it is rated as soon as it exists."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from agents.controller import AgentID
from agents.home import home
from agents.ladder import Ladder
from agents.snapshot import Snapshot, SnapshotError, SnapshotStore
from arcade.games.spec import GameSpec
from trainer.league.evaluation import PlayedGame, Series
from trainer.sampling.players import SnapshotPlayer

OPPONENTS = 3
WAITING = 12
"""Series left to play at most; where freezes come faster than they can be placed, the oldest are left out."""


Lineup = Mapping[AgentID, str]
"""Agent to the name of the snapshot that plays its seat."""


class Placement:
    """Plays `games` against each of three pool members, spread over the pool, and adds the results to the ladder.

    `place` only says that they are to be played; `work` plays them, as much as there is time for.
    Nothing happens with no ladder, no games, or a game of other than two teams.
    """

    def __init__(self, spec: GameSpec, ladder: Ladder | None, *, games: int) -> None:
        self.ladder = ladder
        self._spec = spec
        self._games = games if ladder is not None and len(spec.teams) == 2 else 0
        self._waiting: deque[tuple[Snapshot, Lineup, Lineup, SnapshotStore]] = deque()
        self._series: Series | None = None  # of the first that waits

    @property
    def pending(self) -> bool:
        """Whether matches are left to play."""
        return bool(self._waiting)

    def place(
        self, snapshot: Snapshot, own: Lineup, others: Mapping[AgentID, Sequence[str]], store: SnapshotStore
    ) -> None:  # fmt: skip
        """`own` are the new one and its mates on the seats that its side may take, `others` whom each seat of the
        other side may get, oldest first."""
        drawn = {agent: _spread([n for n in names if n != snapshot.card.name]) for agent, names in others.items()}
        if not self._games or not drawn or not all(drawn.values()):
            return
        lineups = [{agent: names[i % len(names)] for agent, names in drawn.items()} for i in range(OPPONENTS)]
        different = [lineup for i, lineup in enumerate(lineups) if lineup not in lineups[:i]]
        self._waiting.extend((snapshot, own, lineup, store) for lineup in different)
        while len(self._waiting) > WAITING:
            del self._waiting[1]  # the first may be under way

    def work(self, seconds: float) -> None:
        """Play for about so long."""
        end = time.monotonic() + seconds
        while self._waiting and (left := end - time.monotonic()) > 0:
            snapshot, own, others, store = self._waiting[0]
            try:
                self._series = self._series or self._begin(snapshot, own, others, store)
                if not self._series.advance(seconds=left):
                    continue
                self._book(self._series.played, own, others)
            except SnapshotError:
                pass  # one of the pool was deleted or broken: `store.refused` says why, and there are others
            self._waiting.popleft()
            self._series = None

    def close(self) -> None:
        """Drop what is left to play; twice does no harm."""
        self._waiting.clear()
        if self._series is not None:
            self._series.close()
            self._series = None

    def _begin(self, snapshot: Snapshot, own: Lineup, others: Lineup, store: SnapshotStore) -> Series:
        names = dict.fromkeys([*own.values(), *others.values()])
        players = {name: SnapshotPlayer(store.get(name, game=self._spec.id)) for name in names}
        sides = [{agent: players[name] for agent, name in lineup.items()} for lineup in (own, others)]
        teams = [t for t, members in enumerate(self._spec.teams) if any(snapshot.card.plays(str(a)) for a in members)]
        return Series(self._spec, sides[0], sides[1], games=self._games, seed=snapshot.card.step, teams=teams)

    def _book(self, played: list[PlayedGame], own: Lineup, others: Lineup) -> None:
        assert self.ladder is not None
        for game in played:
            self.ladder.add(match_row(self._spec, game, own, others), source="trainer")


def _spread(names: Sequence[str]) -> list[str]:
    """The first, the last and those evenly between."""
    last = len(names) - 1
    return list(dict.fromkeys(names[round(last * i / (OPPONENTS - 1))] for i in range(OPPONENTS))) if names else []


def match_row(spec: GameSpec, game: PlayedGame, first: Lineup, second: Lineup) -> dict[str, Any]:
    """The result of one game as the ladder keeps it; labels are the snapshots' names, as in any other match."""
    lineup, placements = {}, {}
    for team, members in enumerate(spec.teams):
        own = game.outcome if team == game.team else 1.0 - game.outcome
        for agent in members:
            lineup[str(agent)] = (first if team == game.team else second)[agent]
            placements[str(agent)] = 1 if own >= 0.5 else 2
    return {
        "game": spec.id, "seed": game.seed, "ticks": game.ticks, "lineup": lineup, "returns": game.returns,
        "teams": [[str(agent) for agent in team] for team in spec.teams], "placements": placements,
    }  # fmt: skip


def open_ladder() -> Ladder:
    """The ladder of ARCADE_HOME."""
    return Ladder(home() / "ladder.sqlite")
