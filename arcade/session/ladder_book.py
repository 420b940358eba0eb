"""LadderBook: the ladder's file for its pages, read and rated in the worker."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agents.errors import UserError
from arcade import language
from arcade.language import _
from arcade.session.player.file_texts import ladder_text
from arcade.session.worker import Worker

if TYPE_CHECKING:
    from agents.ladder.ladder import Ladder
    from agents.ladder.ratings.standings import Course, GameStandings
    from agents.ladder.ratings.views import Line
    from arcade.session.services import Library

AGAIN = 2.0
"""Seconds between two reads of the file, while the pages are shown."""

PATIENCE = 10.0
"""The pause between two reads, in multiples of the time of the last one, where that is longer."""


@dataclass(frozen=True, slots=True)
class LadderSheet:
    """The data of one game for all pages."""

    standings: GameStandings
    courses: tuple[Course, ...]  # as in the table
    lines: Mapping[str, list[Line]]  # of each view that is shown as a table, by its name
    shown: Mapping[str, str] = field(default_factory=dict)  # what people read for each name

    @property
    def names(self) -> tuple[str, ...]:
        """The names of `standings.pairs`."""
        return self.standings.pairs.names

    def partner(self, name: str) -> str:
        """Return the opponent that the player has met most; there must be another player."""
        place = self.names.index(name)
        games = self.standings.pairs.games[place].copy()
        games[place] = -1
        return self.names[int(games.argmax())]


class _Found(NamedTuple):
    games: list[str]
    game: str
    sheet: LadderSheet | None  # None without any result
    took: float
    notice: str


class LadderBook:
    """One read at a time; `changed` is called after a change."""

    def __init__(self, worker: Worker, path: Path, library: Library, *, game: str, changed: Callable[[], None]) -> None:
        """`game`: shown first; "" for the game rated last."""
        self.worker, self.path, self.library, self.game, self.changed = worker, path, library, game, changed
        self.games: list[str] = []  # those with a result, by title
        self.sheet: LadderSheet | None = None  # of `game`; None before it is read and where there is no result
        self.read = False  # whether the file was read
        self.trouble = ""  # why it cannot be read
        self.notice = ""  # about matches that are lost or cannot be read
        self._ladder: Ladder | None = None
        self._busy = self._closed = False
        self._next = 0.0  # time of the next read
        self._language = 0  # its version, in which the players are named

    def title(self, game: str) -> str:
        """Return the title of a game; made from its id where it is not in the catalogue."""
        spec = self.library.find(game)
        return _(spec.title) if spec is not None else _plain(game)

    def choose(self, game: str) -> None:
        """Show another game, at once."""
        if game != self.game:
            self.game, self.sheet, self._next = game, None, 0.0

    def name_again(self) -> None:
        """Name the players again, after snapshots got their names."""
        if self._closed:
            return
        if self.sheet is not None:
            self.sheet = self._named(self.sheet)
            self.changed()

    def update(self, now: float) -> None:
        """Read the file again when it is time, and name the players again in another language."""
        if self.sheet is not None and self._language != language.version:
            self.name_again()
        if not self._busy and not self._closed and now >= self._next:
            self._busy, self._next = True, now + AGAIN
            game = self.game
            self.worker.submit(lambda: self._look(game), done=self._take, failed=self._fail, errors=UserError)

    def close(self) -> None:
        """Close the file once it is no longer read; can be called twice."""
        self._closed = True
        if not self._busy and self._ladder is not None:
            self.worker.submit(self._ladder.close)
            self._ladder = None

    def _look(self, game: str) -> _Found:
        """In the worker."""
        from agents.ladder.ladder import Ladder

        begun = time.monotonic()
        if self._ladder is None:
            self._ladder = Ladder(self.path, reading=True)
        games = sorted(self._ladder.games(), key=lambda name: (self.title(name).lower(), name))
        order = [game] if game else sorted(games, key=self._ladder.last, reverse=True)
        sheets = ((name, self._make_sheet(name)) for name in order)
        chosen = next((found for found in sheets if found[1].names), None)
        if chosen is None and order:  # no game has ratings
            chosen = order[0], self._make_sheet(order[0])
        game, sheet = chosen or ("", None)
        return _Found(games, game, sheet, time.monotonic() - begun, self._ladder.notice)

    def _make_sheet(self, game: str) -> LadderSheet:
        from agents.ladder.ratings.standings import courses, standings
        from agents.ladder.ratings.views import views_of
        from arcade.games import facts_of

        assert self._ladder is not None
        made = standings(self._ladder, game, facts=facts_of(game))
        if self.sheet is not None and self.sheet.standings is made:
            return self.sheet
        shown = [view for view in views_of(made) if view.most != 0]
        lines = {view.name: [*islice(view.lines(made), view.most)] for view in shown}
        return LadderSheet(made, tuple(courses(made, made.pairs.names)), lines)

    def _take(self, found: _Found) -> None:
        self._busy = False
        if self._closed:
            self.close()
        elif self.game in ("", found.game):  # else another one was chosen meanwhile
            self._next += PATIENCE * found.took
            before = self.sheet.standings if self.sheet is not None else None
            is_same = (found.sheet.standings if found.sheet is not None else None) is before
            is_new = (
                not is_same or found.notice != self.notice or found.games != self.games or not self.read or self.trouble
            )
            self.game, self.games, self.read, self.trouble = found.game, found.games, True, ""
            self.notice = found.notice
            if not is_same:
                self.sheet = self._named(found.sheet) if found.sheet is not None else None
            if is_new:
                self.changed()

    def _named(self, sheet: LadderSheet) -> LadderSheet:
        """Return the sheet with what people read for its players."""
        from arcade.session.ladder_texts import shown_names

        self._language = language.version
        spec = self.library.find(self.game)
        names = self.library.player_names(spec) if spec is not None else None
        return replace(sheet, shown=shown_names(sheet.standings, names))

    def _fail(self, error: BaseException) -> None:
        self._busy = False
        if self._closed:
            self.close()
        elif (trouble := ladder_text(error, self.path)) != self.trouble:
            self.trouble, self.read = trouble, True
            self.changed()


def _plain(game: str) -> str:
    return game.rpartition("/")[2].partition("_v")[0].replace("_", " ").title()
