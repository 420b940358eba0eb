"""Queries, exports and reports of the ladder for the command line."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO

from agents.errors import UserError
from agents.files import replacing
from agents.home import home
from agents.ladder.ladder import GameTotal, Ladder
from arcade.arguments import game_on
from arcade.games import facts_of

if TYPE_CHECKING:
    from agents.ladder.ratings.standings import GameStandings
    from agents.ladder.ratings.views import Line


Form = Literal["text", "json", "csv"]

EXPORTED = (
    "id", "key", "game", "time", "seed", "source", "ended", "ticks", "lineup", "teams", "placements", "returns",
    "settings",
)  # fmt: skip
"""Columns of an exported result; the last five are JSON."""


def open_ladder() -> Ladder:
    """The ladder of ARCADE_HOME, to be read."""
    return Ladder(home() / "ladder.sqlite", reading=True)


def list_games(form: Form) -> None:
    """Every game with results."""
    from agents.ladder.ratings.views import write_csv
    from arcade.commands import ladder_text

    with open_ladder() as ladder:
        lines = [total._asdict() for total in ladder.totals()]
    if form == "json":
        print(json.dumps({"games": lines}))
    elif form == "csv":
        write_csv(GameTotal._fields, lines, sys.stdout)
    else:
        ladder_text.print_games(lines)


def show(game: str, *, view: str, player: str, form: Form) -> None:
    """One view of a game's standings, of `player` alone where one is named."""
    from agents.ladder.ratings.views import find_view, header, write_csv
    from arcade import api
    from arcade.commands import ladder_text

    found = api.ladder(game)
    shown = find_view(found, view)
    _check_player(found, player)
    lines = [line for line in shown.lines(found) if not player or shown.is_of(line, player)]
    if form == "json":
        print(json.dumps({**header(found), view.replace("-", "_"): lines}))
    elif form == "csv":
        write_csv(shown.fields, lines, sys.stdout)
    else:
        ladder_text.print_view(found, shown, lines, by_pair=bool(player))


def recompute(games: Sequence[str], *, as_json: bool) -> None:
    """Rate all matches of the games again and print the number of changed ratings."""
    with open_ladder() as ladder:
        done = [_recompute(ladder, game) for game in games_on(ladder, games)]
    if as_json:
        print(json.dumps({"recomputed": done}))
        return
    for one in done:
        outcome = f"{one['changed']} ratings changed" if one["changed"] else "the same ratings"
        print(f"{one['game']}: {one['results']} results, {outcome}")


def _recompute(ladder: Ladder, game: str) -> Line:
    facts = facts_of(game)
    changed = ladder.recompute(game)
    if facts is not None and facts.roles:
        changed += ladder.recompute(game, roles=facts.roles)
    return {"game": game, "results": len(ladder.results(game)), "changed": changed}


def export(games: Sequence[str], *, out: Path | None, form: Literal["json", "csv"]) -> None:
    """Every result of the games, one a line, into `out` or onto standard output."""
    with open_ladder() as ladder:
        rows = (row for game in games_on(ladder, games) for row in ladder.results(game))
        with _opened(out) as file:
            (_write_json if form == "json" else _write_csv)(rows, file)


@contextmanager
def _opened(out: Path | None) -> Iterator[TextIO]:
    """Open standard output, or a file that is replaced only when complete."""
    if out is None:
        yield sys.stdout
        return
    try:
        with replacing(out) as aside, aside.open("w", encoding="utf-8", newline="") as file:
            yield file
    except OSError as error:
        raise UserError(f"expected to write {out}, got: {error}; name another one with --out") from error


def games_on(ladder: Ladder, games: Sequence[str]) -> list[str]:
    """The given games, or all with results; raises GameError."""
    return [game_on(ladder, game) for game in games] or ladder.games()


def _check_player(found: GameStandings, player: str) -> None:
    known = sorted({word for standing in found.table for word in (standing.name, standing.label)})
    if player and player not in known:
        raise UserError(f"expected --player {', '.join(known) or 'of a game with matches'}, got: {player!r}")


def _write_json(rows: Iterator[dict[str, Any]], file: TextIO) -> None:
    for row in rows:
        file.write(json.dumps({name: row[name] for name in EXPORTED}) + "\n")


def _write_csv(rows: Iterator[dict[str, Any]], file: TextIO) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(EXPORTED)
    for row in rows:
        values = (row[name] for name in EXPORTED)
        writer.writerow([json.dumps(value) if isinstance(value, (dict, list)) else value for value in values])


def report(games: Sequence[str], *, out: Path, as_json: bool) -> None:
    """Write the report of the games, or of all that have results, and print where it is.

    Raises UserError, where possible before the work.
    """
    from agents.errors import UserError
    from arcade import api
    from arcade.reports import check_libraries, write_report

    check_libraries()
    if out.exists() and not out.is_dir():
        raise UserError(f"expected a folder for the report, got: {str(out)!r}; name another one with --out")
    with open_ladder() as ladder:
        found = [*dict.fromkeys(games_on(ladder, games))]
    if not found:
        raise UserError("expected a ladder with results, got: none; play a match, or `arcade ladder run GAME`")
    page, *files = write_report([api.ladder(game) for game in found], out)
    if as_json:
        print(json.dumps({"page": str(page), "files": [str(path) for path in files]}))
    else:
        print(f"{page}: the page; {len(files)} pictures and tables beside it")
