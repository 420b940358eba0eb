"""Results of matches for a ladder, as `Ladder.add` takes them, and a ladder of the first version."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any


def duel(
    one: str,
    two: str,
    *,
    winner: int | None = 0,
    game: str = "house/volley",
    level: str = "",
    when: float = 1e9,
    kinds: tuple[str, str] = ("keyboard", "level"),
    **changes: Any,
) -> dict[str, Any]:
    """A match of two; `winner` None: a draw.  `level` is that of the second player."""
    agents, places = ("left_0", "right_0"), (1, 1) if winner is None else (1, 2) if winner == 0 else (2, 1)
    reports = ({"kind": kinds[0]}, {"kind": kinds[1], **({"level": level} if level else {})})
    return {
        "game": game, "seed": 1, "ticks": 900, "seconds": 60.0, "time": when, "ended": "finished",
        "lineup": dict(zip(agents, (one, two), strict=True)), "teams": [[agent] for agent in agents],
        "placements": dict(zip(agents, places, strict=True)), "returns": {"left_0": 5.0, "right_0": -5.0},
        "seats": dict(zip(agents, reports, strict=True)),
    } | changes  # fmt: skip


def together(
    one: str, two: str, *, score: float, game: str = "butterfly/pistonball_v6", **changes: Any
) -> dict[str, Any]:
    """A match of one team of two."""
    kinds = changes.pop("kinds", ("keyboard", "random"))
    return duel(one, two, game=game, kinds=kinds) | {
        "teams": [["left_0", "right_0"]], "placements": {"left_0": 1, "right_0": 1},
        "returns": {"left_0": score, "right_0": score},
    } | changes  # fmt: skip


def write_version_1(path: Path) -> None:
    """A ladder as 0.1.0 left it, with one match."""
    connection = sqlite3.connect(path)
    connection.executescript("""
        CREATE TABLE results (
            id INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, time REAL NOT NULL, seed TEXT NOT NULL,
            source TEXT NOT NULL, ended TEXT NOT NULL, ticks INTEGER NOT NULL, lineup TEXT NOT NULL,
            teams TEXT NOT NULL, placements TEXT NOT NULL, returns TEXT NOT NULL, settings TEXT NOT NULL
        );
        CREATE INDEX results_by_game ON results (game, id);
        INSERT INTO results VALUES (7, 'old', 1700000000.5, '3', 'arcade', 'finished', 12,
            '{"a": "ann", "b": "bob"}', '[["a"], ["b"]]', '{"a": 1, "b": 2}', '{"a": 1.0, "b": 0.0}', '{"speed": 1}');
        PRAGMA user_version = 1;
    """)
    connection.close()
