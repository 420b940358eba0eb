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
    from arcade.reports import Chapter, chapter_of, check_libraries, write_report

    check_libraries()
    if out.exists() and not out.is_dir():
        raise UserError(f"expected a folder for the report, got: {str(out)!r}; name another one with --out")
    chapters: list[Chapter] = []
    with open_ladder() as ladder:
        asked = dict.fromkeys(games_on(ladder, games))
    for game in asked:
        chapters.append(chapter_of(api.ladder(game), taken=[chapter.folder for chapter in chapters]))
    if not chapters:
        raise UserError("expected a ladder with results, got: none; play a match, or `arcade ladder run GAME`")
    page, *files = write_report(chapters, out)
    if as_json:
        print(json.dumps({"page": str(page), "files": [str(path) for path in files]}))
    else:
        print(f"{page}: the page; {len(files)} pictures and tables beside it")
