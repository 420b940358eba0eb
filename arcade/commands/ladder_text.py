"""What ``arcade ladder`` prints for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from agents.ladder.ratings.standings import GameStandings

Line = Mapping[str, Any]

MATRIX_PLAYERS = 12
"""So many fit a grid; more are listed pair by pair."""


WIDE = 100
"""Columns of a terminal from which on the kinds of players are told."""

_FIRST_SEAT_KNOWN = 200.0
"""Half of the interval, in points of Elo, up to which a figure says something."""


_LEFT_OUT = "broken off, or seats that changed hands"


def print_games(lines: Sequence[Line]) -> None:
    """A line for each game."""
    if not lines:
        print("no results yet; play some: arcade play house/volley --headless --episodes 10")
        return
    table = _table("game", "results", "players", "last match")
    for line in lines:
        table.add_row(*_words(line["game"], f"{line['results']:,}", line["players"], _when(line["last"])))
    Console().print(table)


def print_view(standings: GameStandings, view: str, lines: Sequence[Line], *, by_pair: bool) -> None:
    """One view; `by_pair` lists a matrix pair by pair instead of as a grid."""
    game = standings.facts.id
    if not standings.table:
        left_out = f", {standings.left_out:,} left out ({_LEFT_OUT})" if standings.left_out else ""
        print(f"no matches of {game} yet{left_out}; play some: arcade play {game} --headless --episodes 10")
        return
    if not lines:
        print(_NOTHING[view])
        return
    if view in ("matrix", "cross-play") and not by_pair and len(standings.table) <= MATRIX_PLAYERS:
        Console().print(_grid(view, lines))
    else:
        name = "scores" if view == "ratings" and standings.facts.cooperative else view
        Console().print(_listed(_COLUMNS[name], lines))
    if view == "ratings":
        print(_footer(standings))


def _footer(standings: GameStandings) -> str:
    words = [f"{standings.matches:,} matches"]
    if standings.left_out:
        words.append(f"{standings.left_out:,} more left out ({_LEFT_OUT})")
    first = standings.first_seat
    if first is not None and (half := (first.high - first.low) / 2) < _FIRST_SEAT_KNOWN:
        words.append(f"the first seat is worth {first.elo:+.0f} ± {half:.0f} Elo")
    if standings.batch is not None and standings.batch.draw >= 0.005:
        words.append(f"equals draw {standings.batch.draw:.0%}")
    return "; ".join(words)


def _listed(columns: Mapping[str, Callable[[Line], object]], lines: Sequence[Line]) -> Table:
    wide = Console().width >= WIDE
    used = {
        name: tell for name, tell in columns.items()
        if (wide or name != "kind") and any(tell(line) not in ("", "–") for line in lines)
    }  # fmt: skip
    table = _table(*used)
    for line in lines:
        table.add_row(*_words(*(tell(line) for tell in used.values())))
    return table


def _grid(view: str, lines: Sequence[Line]) -> Table:
    own, its, value = ("name", "other", "rate") if view == "matrix" else ("label", "partner", "mean")
    names = list(dict.fromkeys(line[own] for line in lines))
    cells = {
        (line[own], line[its]): f"{line[value]:.0%}" if view == "matrix" else f"{line[value]:.2f}" for line in lines
    }
    table = _table("won by" if view == "matrix" else "mean score of", *(str(i) for i in range(1, len(names) + 1)))
    for place, name in enumerate(names, 1):
        table.add_row(*_words(f"{place} {name}", *(cells.get((name, other), "–") for other in names)))
    return table


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        is_word = column in _WORDS or (number == 0 and column)
        table.add_column(column, justify="left" if is_word else "right", no_wrap=not is_word)
    return table


def _words(*values: object) -> list[Text]:
    """As they are: brackets in a name are no colours."""
    return [Text(str(value)) for value in values]


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def _spread(middle: float | None, low: float | None, high: float | None, form: str) -> str:
    if middle is None:
        return "–"
    return f"{middle:{form}}" if low is None or high is None else f"{middle:{form}} ± {(high - low) / 2:{form}}"


def _get(name: str, form: str = "") -> Callable[[Line], object]:
    return lambda line: format(line[name], form)


def _estimate(name: str, form: str, low: str, high: str) -> Callable[[Line], object]:
    return lambda line: _spread(line[name], line[low], line[high], form)


_WORDS = ("who", "kind", "against", "beats", "who beats", "with", "game", "last match", "when")
_COLUMNS: Mapping[str, Mapping[str, Callable[[Line], object]]] = {
    "ratings": {
        "": _get("place"), "who": _get("name"), "kind": _get("kind"),
        "rating (95 %)": _estimate("mu", ".1f", "low", "high"), "Elo": _get("elo", ".0f"),
        "batch Elo (95 %)": _estimate("batch_elo", ".0f", "batch_low", "batch_high"),
        "matches": _get("games", ","), "won": _get("wins"), "drawn": _get("draws"), "lost": _get("losses"),
    },
    "scores": {
        "": _get("place"), "who": _get("name"), "kind": _get("kind"),
        "alone (95 %)": _estimate("alone", ".2f", "alone_low", "alone_high"),
        "matches": lambda line: line["alone_games"] or "–",
        "with others (95 %)": _estimate("mixed", ".2f", "mixed_low", "mixed_high"),
        "matches ": lambda line: line["mixed_games"] or "–",
    },
    "matrix": {
        "who": _get("name"), "against": _get("other"), "matches": _get("games"), "won": _get("wins"),
        "drawn": _get("draws"), "lost": _get("losses"), "rate": _get("rate", ".0%"),
        "95 %": lambda line: f"{line['low']:.0%} to {line['high']:.0%}",
    },
    "cross-play": {
        "who": _get("label"), "with": _get("partner"), "matches": _get("games"),
        "mean score": lambda line: f"{line['mean']:.2f}" + (f" ± {line['half']:.2f}" if line["half"] else ""),
    },
    "cycles": {
        "who": _get("first"), "beats": _get("second"), "who beats": _get("third"),
        "rates": lambda line: " ".join(f"{line[name]:.0%}" for name in ("first_rate", "second_rate", "third_rate")),
        "each above": _get("low", ".0%"),
    },
    "history": {
        "when": lambda line: _when(line["time"]), "match": _get("result"), "who": _get("name"),
        "rating (95 %)": _estimate("mu", ".1f", "low", "high"), "Elo": _get("elo", ".0f"),
    },
}  # fmt: skip
_NOTHING = {
    "ratings": "nothing to rate yet",
    "matrix": "nobody has met another yet",
    "cycles": "no rings: among any three who beat each other for sure, one beats both others",
    "history": "nothing to rate yet",
    "cross-play": "no matches with scores yet",
}
