"""The ratings of a versus game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from agents.ladder.ratings.standings import GameStandings, Standing
from agents.ladder.ratings.views.view import Column, Kind, Line, View, field, interval

ROOM = 150.0
"""Points of Elo on the window's axis beyond the strongest and the weakest; intervals may be cut off there."""


def placed(standings: GameStandings, more: Callable[[Standing], Line]) -> Iterator[Line]:
    """Yield a line a player, with the place in its role and `more`."""
    places: Counter[str] = Counter()
    for one in standings.table:
        places[one.role] += 1
        player = {"name": one.name, "label": one.label, "role": one.role, "kind": one.kind}
        yield {"place": places[one.role], **player, **more(one)}


def _rating(one: Standing) -> Line:
    rating, batch = one.rating, one.batch
    assert rating is not None  # a versus game
    return {
        "mu": rating.mu, "sigma": rating.sigma, "low": rating.low, "high": rating.high, "ordinal": rating.ordinal,
        "elo": rating.elo, "batch_elo": batch and batch.elo, "batch_low": batch and batch.low,
        "batch_high": batch and batch.high, "games": rating.games, "wins": rating.wins, "draws": rating.draws,
        "losses": rating.losses,
    }  # fmt: skip


PLAYER_COLUMNS = (
    Column("", field("place"), width=0.35),
    Column("Player", field("name"), Kind.NAME, width=2.4),
    Column("Kind", field("kind"), Kind.WORD, width=1.05),
)
"""The first columns of a view with a line a player."""

RATINGS = View(
    name="ratings",
    title="Table",
    caption="Ranked by conservative rating (mu - 3 sigma); with 95 % intervals",
    empty="nothing to rate yet",
    fields=(
        "place", "name", "label", "role", "kind", "mu", "sigma", "low", "high", "ordinal", "elo", "batch_elo",
        "batch_low", "batch_high", "games", "wins", "draws", "losses",
    ),
    columns=(
        *PLAYER_COLUMNS,
        Column("OpenSkill", interval("mu", "low", "high", ".1f"), width=1.3),
        Column(
            "Elo over all matches", interval("batch_elo", "batch_low", "batch_high", ".0f"), width=4.2, scale="elo",
            margin=ROOM,
        ),
        Column("Elo", field("elo", ".0f"), width=0.6),
        Column("Matches", field("games", ","), width=0.9),
        Column("Won", field("wins", ","), width=0.6),
        Column("Drawn", field("draws", ","), width=0.75),
        Column("Lost", field("losses", ","), width=0.6),
    ),
    lines=lambda standings: placed(standings, _rating),
)  # fmt: skip
