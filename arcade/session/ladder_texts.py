"""What people read on the ladder: names of players, titles of views, and facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from arcade.language import N_, _, local_number, ngettext, percent

if TYPE_CHECKING:
    from agents.ladder.ratings.standings import GameStandings, Standing
    from agents.ladder.ratings.views import Line, View
    from agents.ladder.ratings.views.view import Cell
    from arcade.session.player_names import PlayerNames

FEW_MATCHES = N_("The line begins with the second match.")
"""In place of a chart of ratings that has a single point."""

FIRST_SEAT_KNOWN = 200.0
"""The widest half interval, in points of Elo, with which the first seat's advantage is shown."""

DECLARED = (
    N_("Ratings"), N_("Over time"), N_("All pairs"), N_("Two players"), N_("Cycles"), N_("Statistics"),
    N_("Player"), N_("Kind"), N_("Rating"), N_("Matches"), N_("Won"), N_("Drawn"), N_("Lost"), N_("Conservative"),
    N_("Elo"), N_("OpenSkill"), N_("Nash share"), N_("Against Nash"), N_("α-rank"), N_("Cyclic"),
    N_("Elo over all matches"), N_("Score alone"), N_("Score with others"), N_("First"), N_("beats"), N_("Rates"),
    N_("Ratings with 95% intervals, ranked by conservative rating"),
    N_("Ranked by conservative rating (mu - 3 sigma); with 95% intervals"),
    N_("Mean score of a match with its 95% interval, the best alone first"),
    N_("person"), N_("snapshot"), N_("engine"), N_("remote"), N_("python"), N_("scripted"), N_("random"), N_("idle"),
    N_("provisional"),
)  # fmt: skip
"""Texts that the views declare, who know no language."""


def shown_names(standings: GameStandings, names: PlayerNames | None) -> dict[str, str]:
    """Return what people read for each player of the standings; no two are the same."""
    shown = {one.name: _shown_name(standings, one, names) for one in standings.table}
    shown |= {name: shown.get(name, name) for name in standings.pairs.names}
    counts = Counter(shown.values())
    return {name: text if counts[text] == 1 else f"{text} ({name})" for name, text in shown.items()}


def _shown_name(standings: GameStandings, one: Standing, names: PlayerNames | None) -> str:
    kind = "keyboard" if one.kind == "person" else one.kind
    label = names.of_label(one.label, kind) if names is not None else one.label
    seats = [agent for agent, role in standings.facts.roles.items() if role == one.role]
    if not one.role or names is None or not seats:
        return f"{label} [{one.role}]" if one.role else label
    role = re.sub(r" \d+$", "", names.spec.seat_title(seats[0]))  # "Chaser" of three numbered ones
    return _("{player}, {role}").format(player=label, role=role)


def shown_lines(view: View, lines: list[Line], shown: Mapping[str, str]) -> list[Line]:
    """Return the lines with names and kinds as people read them."""
    fields = [field for field in view.players if field in view.fields]
    return [
        line | {field: shown.get(line[field], line[field]) for field in fields}
        | ({"kind": _(line["kind"])} if "kind" in line else {})
        for line in lines
    ]  # fmt: skip


def shown_cell(cell: Cell) -> Cell:
    """Return a cell in the language in use."""
    return cell if isinstance(cell, str) else replace(cell, note=_(cell.note))


def matches_text(standings: GameStandings) -> str:
    """Return how many matches count."""
    count = standings.matches
    parts = [ngettext("{count} match counts", "{count} matches count", count).format(count=local_number(f"{count:,}"))]
    if standings.left_out:
        left = local_number(f"{standings.left_out:,}")
        parts.append(_("{count} left out (ended early, or with changed seats)").format(count=left))
    if standings.repeats:
        parts.append(
            _("{count} left out as repeats of the same moves").format(count=local_number(f"{standings.repeats:,}"))
        )
    return "  ·  ".join(parts)


def statistics_text(standings: GameStandings) -> str:
    """Return all facts about the ratings."""
    batch, first, parts = standings.batch, standings.first_seat, [matches_text(standings)]
    if first is not None and (first.high - first.low) / 2 < FIRST_SEAT_KNOWN:
        elo, low, high = (local_number(f"{value:+.0f}") for value in first)
        parts.append(_("the first seat is worth {elo} Elo ({low} to {high})").format(elo=elo, low=low, high=high))
    if batch is not None and standings.matches:
        parts.append(_("draws between equals: {share}").format(share=percent(batch.draw)))
        if not batch.converged:
            parts.append(_("Elo over all matches has not converged"))
    if standings.facts.cooperative:
        parts.append(_("rated by score"))
    if standings.facts.roles:
        parts.append(_("rated by role"))
    return "  ·  ".join(parts)
