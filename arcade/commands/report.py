"""What ``arcade ladder report`` does, behind its options."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path


def report(games: Sequence[str], *, out: Path, as_json: bool) -> None:
    """Write the report of the games, or of all that have results, and say where it is.

    Raises UserError, before anything is reckoned where that can be told.
    """
    from agents.errors import UserError
    from agents.ladder.ratings.standings import standings
    from arcade.commands.ladder_queries import games_on, open_ladder
    from arcade.games import facts_of
    from arcade.reports import Chapter, chapter_of, check_libraries, write_report

    check_libraries()
    if out.exists() and not out.is_dir():
        raise UserError(f"expected a folder for the report, got: {str(out)!r}; name another one with --out")
    chapters: list[Chapter] = []
    with open_ladder() as ladder:
        for game in dict.fromkeys(games_on(ladder, games)):
            found = standings(ladder, game, facts=facts_of(game))
            chapters.append(chapter_of(found, taken=[chapter.folder for chapter in chapters]))
    if not chapters:
        raise UserError("expected a ladder with results, got: none; play a match, or `arcade ladder run GAME`")
    page, *files = write_report(chapters, out)
    if as_json:
        print(json.dumps({"page": str(page), "files": [str(path) for path in files]}))
    else:
        print(f"{page}: the page; {len(files)} pictures and tables beside it")
