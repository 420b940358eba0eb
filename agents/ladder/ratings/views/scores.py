"""The scores of a cooperative game."""

from __future__ import annotations

from agents.ladder.ratings.standings import Standing
from agents.ladder.ratings.views.ratings import PLAYER_COLUMNS, placed
from agents.ladder.ratings.views.view import Column, Line, View, field, interval
from agents.statistics import Mean


def _score(one: Standing) -> Line:
    assert one.score is not None  # a cooperative game
    return _mean("alone", one.score.alone) | _mean("mixed", one.score.mixed)


def _mean(name: str, mean: Mean | None) -> Line:
    parts = (mean.mean, mean.low, mean.high, mean.count) if mean else (None, None, None, 0)
    return dict(zip((name, f"{name}_low", f"{name}_high", f"{name}_games"), parts, strict=True))


SCORES = View(
    name="ratings",
    title="Table",
    caption="Mean score of a match with its 95 % interval, the best alone first",
    empty="nothing to rate yet",
    fields=(
        "place", "name", "label", "role", "kind", "alone", "alone_low", "alone_high", "alone_games", "mixed",
        "mixed_low", "mixed_high", "mixed_games",
    ),
    columns=(
        *PLAYER_COLUMNS,
        Column("Score alone", interval("alone", "alone_low", "alone_high", ".4g"), width=3.4, scale="score"),
        Column("Matches", field("alone_games", ","), width=0.85),
        Column("Score with others", interval("mixed", "mixed_low", "mixed_high", ".4g"), width=3.4, scale="score"),
        Column("Matches", field("mixed_games", ","), width=0.85),
    ),
    lines=lambda standings: placed(standings, _score),
    cooperative=True,
)  # fmt: skip
