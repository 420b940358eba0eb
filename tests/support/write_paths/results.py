"""The ladder and tournaments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.write_paths.path import SavedTwicePath


class LadderPath(SavedTwicePath):
    name = "ladder"
    values = ("one", "two")
    rates = True

    def save(self, home: Path, value: str) -> None:
        from agents.ladder.ladder import Ladder
        from tests.support.ladder_rows import duel

        with Ladder(home / "ladder.sqlite") as ladder:
            ladder.add(duel("Ann", "Bob"), key=value)
            if self.rates:
                ladder.rating("house/volley", "Ann")

    def found(self, home: Path) -> Any:
        import sqlite3

        from agents.ladder.ladder import Ladder

        with Ladder(home / "ladder.sqlite") as ladder:
            assert not ladder.notice, ladder.notice
            keys = [row["key"] for row in ladder.results("house/volley")]
        connection = sqlite3.connect(home / "ladder.sqlite")
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.close()
        return keys


class NewLadderPath(LadderPath):
    """The same where there is no file yet."""

    name = "new ladder"
    rates = False

    def prepare(self, home: Path) -> None:
        """Nothing."""


class TournamentPath(SavedTwicePath):
    """The plan of a new tournament; its matches go on the ladder, one by one."""

    name = "tournament"
    values = ("first", "second")

    def save(self, home: Path, value: str) -> None:
        from contextlib import suppress

        from arcade.tournaments.pairings import Entrant, TournamentError
        from arcade.tournaments.plan import TournamentPlan, write_plan

        entrants = tuple(Entrant(word=word, label=word, sides=(0, 1)) for word in ("random", "scripted"))
        with suppress(TournamentError):  # it is there
            write_plan(TournamentPlan(id=value, game="house/volley", entrants=entrants))

    def found(self, home: Path) -> Any:
        from arcade.tournaments.plan import NEWEST, read_plan

        plans = sorted(path.parent.name for path in (home / "tournaments").glob("*/plan.json"))
        assert all(len(read_plan(name).entrants) == 2 for name in plans)
        assert read_plan(NEWEST).id in plans
        return plans
