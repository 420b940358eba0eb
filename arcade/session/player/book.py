"""PlayerBook: what the ladder knows about each person here, read in the worker and extended by each result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import UserError
from arcade.session.player.file_texts import ladder_text

if TYPE_CHECKING:  # the title is on screen before these are imported
    from agents.ladder.ladder import Ladder, Moment
    from agents.snapshots.store import SnapshotStore
    from arcade.games.spec import GameSpec
    from arcade.session.player.achievements import Progress
    from arcade.session.player.history import PlayerHistory
    from arcade.session.player.suggestions import Challenge
    from arcade.session.worker import Worker

CLONING = ("BC", "MARWIL")
"""Algorithms of snapshots that imitate a person."""

Courses = Mapping[str, Sequence["Moment"]]
"""Name on the ladder (with its role, where roles differ) → its ratings, oldest first."""


@dataclass(frozen=True)
class PlayerSheet:
    """One person's matches, ratings and achievements."""

    history: PlayerHistory
    ratings: Mapping[str, Courses]  # game → its courses
    achievements: Sequence[Progress]
    last: int = 0  # the newest result on the ladder that was read
    levelled: frozenset[str] = field(default=frozenset(), repr=False)  # games with AI of difficulty levels

    def today(self, games: Sequence[GameSpec], day: date) -> Challenge | None:
        """Return the opponent of that day."""
        from arcade.session.player.suggestions import todays_opponent

        return todays_opponent(games, lambda spec: spec.id in self.levelled, day)


class PlayerBook:
    """The sheets of people by name; those of the last read are kept::

    book.read("Ann", lambda sheet: show(sheet))      # at first, and after each match
    book.sheets["Ann"].history.totals.wins
    """

    def __init__(
        self,
        worker: Worker,
        path: Path,
        *,
        games: Callable[[], Sequence[GameSpec]],
        store: Callable[[], SnapshotStore],
    ) -> None:
        """`path`: of the ladder; `games` returns the catalogue, `store`, in the worker, the snapshots."""
        self._worker, self._path, self._games, self._store = worker, path, games, store
        self.sheets: dict[str, PlayerSheet] = {}
        self.trouble = ""  # why the ladder could not be read the last time

    def read(self, name: str, done: Callable[[PlayerSheet], None] = lambda sheet: None) -> None:
        """Read what is new about `name`, in the worker; then call `done`, unless the ladder cannot be read."""
        known, games = self.sheets.get(name), self._games()

        def finish(sheet: PlayerSheet) -> None:
            self.sheets[name], self.trouble = sheet, ""
            done(sheet)

        def fail(error: BaseException) -> None:
            self.trouble = ladder_text(error, self._path)

        self._worker.submit(lambda: self._read(name, known, games), done=finish, failed=fail, errors=UserError)

    def _read(self, name: str, known: PlayerSheet | None, games: Sequence[GameSpec]) -> PlayerSheet:
        """In the worker."""
        from agents.ladder.ladder import Ladder
        from arcade.session.player.achievements import progress_of
        from arcade.session.player.history import PlayerHistory
        from arcade.session.player.matches import matches_of

        cards = self._store().list()
        levelled = frozenset(card.game for card in cards) | {spec.id for spec in games if spec.has_levels}
        history, ratings = (known.history, dict(known.ratings)) if known else (PlayerHistory(name), {})
        last = known.last if known else 0
        if self._path.exists():
            clones = [card.name for card in cards if card.algorithm in CLONING]
            with Ladder(self._path, reading=True) as ladder:
                newest = ladder.newest()  # later ones wait for the next read
                new, *found = (matches_of(one, ladder.results_of(one, last, newest)) for one in (name, *clones))
                for game in {match.game for match in new}:
                    ratings[game] = _courses(ladder, game, name)
            of_clones = sorted((match for matches in found for match in matches), key=lambda match: match.number)
            history, last = history.extended(new, of_clones), newest
        return PlayerSheet(history, ratings, progress_of(history, games), last, levelled)


def _courses(ladder: Ladder, game: str, name: str) -> Courses:
    from agents.ladder.ratings.rows import player_name
    from arcade.games import facts_of

    facts = facts_of(game)
    roles = facts.roles if facts is not None else {}
    names = {player_name(name, role) for role in (roles.values() or ("",))}
    return ladder.history(game, roles=roles, names=names)
