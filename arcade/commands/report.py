"""``arcade ladder report``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path


def report(games: Sequence[str], *, out: Path, as_json: bool) -> None:
    """Write the report of the games, or of all that have results, and print where it is.

    Raises UserError, where possible before the work.
    """
    from agents.errors import UserError
    from arcade import api
    from arcade.commands.ladder_queries import games_on, open_ladder
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
