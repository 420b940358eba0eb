"""A new snapshot's first matches for the ladder, so that it is rated as soon as it exists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.home import home
from agents.ladder import Ladder
from agents.onnx_policy import OnnxPolicy
from agents.snapshot import Snapshot, SnapshotStore
from arcade.games.spec import GameSpec
from trainer.evaluation import PlayedGame, play_series

OPPONENTS = 3


class Placement:
    """Plays `games` against each of three pool members, spread over the pool, and adds the results to the ladder.

    Nothing happens with no ladder, no games, or a game of other than two teams.
    """

    def __init__(self, spec: GameSpec, ladder: Ladder | None, *, games: int) -> None:
        self._spec, self._ladder = spec, ladder
        self._games = games if ladder is not None and len(spec.teams) == 2 else 0

    def place(self, snapshot: Snapshot, pool: Sequence[str], store: SnapshotStore) -> None:
        others = [name for name in pool if name != snapshot.card.name]
        if not self._games or not others:
            return
        last = len(others) - 1
        chosen = dict.fromkeys(others[round(last * i / (OPPONENTS - 1))] for i in range(OPPONENTS))
        for name in chosen:
            opponent = store.get(name, game=self._spec.id)
            first, second = OnnxPolicy(snapshot), OnnxPolicy(opponent)
            played = play_series(self._spec, first.act, second.act, games=self._games, seed=snapshot.card.step)
            for game in played:
                self._ladder.add(match_row(self._spec, game, snapshot.card.name, name), source="trainer")


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
