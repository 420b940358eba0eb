"""A new snapshot's first matches for the ladder, so that it is rated as soon as it exists."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from agents.home import home
from agents.ladder import Ladder
from agents.onnx_policy import OnnxPolicy
from agents.snapshot import Snapshot, SnapshotStore
from arcade.games.spec import GameSpec
from trainer.league.evaluation import PlayedGame, Series

OPPONENTS = 3
WAITING = 12
"""Series left to play at most; where freezes come faster than they can be placed, the oldest are left out."""


class Placement:
    """Plays `games` against each of three pool members, spread over the pool, and adds the results to the ladder.

    `place` only says that they are to be played; `work` plays them, as much as there is time for.
    Nothing happens with no ladder, no games, or a game of other than two teams.
    """

    def __init__(self, spec: GameSpec, ladder: Ladder | None, *, games: int) -> None:
        self._spec, self._ladder = spec, ladder
        self._games = games if ladder is not None and len(spec.teams) == 2 else 0
        self._waiting: deque[tuple[Snapshot, Snapshot]] = deque()
        self._series: Series | None = None  # of the first that waits

    @property
    def pending(self) -> bool:
        """Whether matches are left to play."""
        return bool(self._waiting)

    def place(self, snapshot: Snapshot, pool: Sequence[str], store: SnapshotStore) -> None:
        others = [name for name in pool if name != snapshot.card.name]
        if not self._games or not others:
            return
        last = len(others) - 1
        chosen = dict.fromkeys(others[round(last * i / (OPPONENTS - 1))] for i in range(OPPONENTS))
        self._waiting.extend((snapshot, store.get(name, game=self._spec.id)) for name in chosen)
        while len(self._waiting) > WAITING:
            del self._waiting[1]  # the first may be under way

    def work(self, seconds: float) -> None:
        """Play for about so long."""
        end = time.monotonic() + seconds
        while self._waiting and (left := end - time.monotonic()) > 0:
            first, second = self._waiting[0]
            self._series = self._series or self._begin(first, second)
            if self._series.advance(seconds=left):
                self._book(self._series.played, first.card.name, second.card.name)
                self._waiting.popleft()
                self._series = None

    def close(self) -> None:
        """Drop what is left to play; twice does no harm."""
        self._waiting.clear()
        if self._series is not None:
            self._series.close()
            self._series = None

    def _begin(self, first: Snapshot, second: Snapshot) -> Series:
        players = OnnxPolicy(first).act, OnnxPolicy(second).act
        return Series(self._spec, *players, games=self._games, seed=first.card.step)

    def _book(self, played: list[PlayedGame], first: str, second: str) -> None:
        for game in played:
            self._ladder.add(match_row(self._spec, game, first, second), source="trainer")


def match_row(spec: GameSpec, game: PlayedGame, first: str, second: str) -> dict[str, Any]:
    """The result of one game as the ladder keeps it; labels are the snapshots' names, as in any other match."""
    lineup, placements = {}, {}
    for team, members in enumerate(spec.teams):
        own = game.outcome if team == game.team else 1.0 - game.outcome
        for agent in members:
            lineup[str(agent)] = first if team == game.team else second
            placements[str(agent)] = 1 if own >= 0.5 else 2
    return {
        "game": spec.id, "seed": game.seed, "ticks": game.ticks, "lineup": lineup, "returns": game.returns,
        "teams": [[str(agent) for agent in team] for team in spec.teams], "placements": placements,
    }  # fmt: skip


def open_ladder() -> Ladder:
    """The ladder of ARCADE_HOME."""
    return Ladder(home() / "ladder.sqlite")
