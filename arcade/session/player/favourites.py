"""GameShelf: favourite and recent games, seats and title of the last one, unrated matches: ARCADE_HOME/games.json."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.files import ChangesFile, NewestWriter, home, locked, merged, read_json, replace_file, set_aside
from agents.seats.controller import AgentID, SeatChoice, SeatError
from agents.seats.kinds import parse_seat

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec

MOST_RECENT = 12
_CLOCK = re.compile(r"[1-9]\d{0,2}\+\d{1,3}")


@dataclass(frozen=True, slots=True)
class ShelvedGames:
    """Ids of games."""

    favourites: tuple[str, ...] = ()  # in the order they were chosen
    recent: tuple[str, ...] = ()  # the one played last first
    seats: Mapping[str, str] = field(default_factory=dict)  # of the last match: agent → seat word
    title: str = ""  # of the game played last, in English; "": not known yet
    clocks: Mapping[str, str] = field(default_factory=dict)  # board game → its clock, as in "3+2"; "": none
    unrated: Mapping[str, int] = field(default_factory=dict)  # person → matches that did not come to the ladder

    def with_favourite(self, game: str, on: bool) -> ShelvedGames:
        """Return the games with `game` among the favourites, or without it."""
        others = tuple(other for other in self.favourites if other != game)
        return replace(self, favourites=(*others, game) if on else others)

    def with_played(self, game: str, seats: Mapping[str, str], title: str) -> ShelvedGames:
        """Return the games with `game` as the newest, of that title, played with those seats."""
        others = tuple(other for other in self.recent if other != game)
        return replace(self, recent=(game, *others)[:MOST_RECENT], seats=seats, title=title)

    def merged_into(self, theirs: ShelvedGames, before: ShelvedGames) -> ShelvedGames:
        """Return `theirs` with what differs between `before` and these."""
        added = tuple(game for game in self.favourites if game not in before.favourites)
        moved = {*before.favourites} - {*self.favourites} | {*added}
        newest = (
            self if (self.recent, self.seats, self.title) != (before.recent, before.seats, before.title) else theirs
        )
        recent = dict.fromkeys((*self._played_since(before), *theirs.recent))
        people = {**theirs.unrated, **self.unrated}
        return ShelvedGames(
            favourites=(*(game for game in theirs.favourites if game not in moved), *added),
            recent=tuple(recent)[:MOST_RECENT], seats=newest.seats, title=newest.title,
            clocks=merged(theirs.clocks, self.clocks, before.clocks),
            unrated={person: self._unrated_since(person, before) + theirs.unrated.get(person, 0) for person in people},
        )  # fmt: skip

    def _played_since(self, before: ShelvedGames) -> tuple[str, ...]:
        for count in range(len(self.recent)):
            played, rest = self.recent[:count], self.recent[count:]
            if rest == tuple(game for game in before.recent if game not in played)[: len(rest)]:
                return played
        return self.recent

    def _unrated_since(self, person: str, before: ShelvedGames) -> int:
        return max(0, self.unrated.get(person, 0) - before.unrated.get(person, 0))


class GameShelf:
    """The favourite and recent games; `save` is called with all of them after a change."""

    def __init__(
        self,
        games: ShelvedGames | None = None,
        *,
        save: Callable[[ShelvedGames], None] = lambda games: None,
        flush: Callable[[], None] = lambda: None,
    ) -> None:
        """`flush` waits until all is saved."""
        self._games, self._save, self._flush = games or ShelvedGames(), save, flush

    def close(self) -> None:
        """Wait until all changes are saved; can be called twice."""
        self._flush()

    def is_favourite(self, game: str) -> bool:
        """Whether the game with this id is a favourite."""
        return game in self._games.favourites

    def mark(self, game: str, on: bool = True) -> None:
        """Make a game a favourite, or no favourite."""
        if on != self.is_favourite(game):
            self._change(self._games.with_favourite(game, on))

    def note_played(
        self, game: str, lineup: Mapping[AgentID, SeatChoice] | None = None, *, title: str = ""
    ) -> None:  # fmt: skip
        """Note that a match of `game` begins, with that lineup."""
        seats = {str(agent): str(choice) for agent, choice in (lineup or {}).items()}
        games = self._games
        if (games.recent[:1], games.seats, games.title) != ((game,), seats, title):
            self._change(games.with_played(game, seats, title))

    @property
    def clocks(self) -> Mapping[str, str]:
        """The clock that was chosen last for each board game."""
        return self._games.clocks

    def note_clock(self, game: str, clock: str) -> None:
        """Remember the clock of a board game, as in "3+2", "" for none."""
        self._change(replace(self._games, clocks={**self._games.clocks, game: clock}))

    def unrated(self, person: str) -> int:
        """The number of matches of a person that did not come to the ladder."""
        return self._games.unrated.get(person, 0)

    def note_unrated(self, people: Iterable[str]) -> None:
        """Count a match of these people that does not come to the ladder."""
        counts = {**self._games.unrated, **{person: self.unrated(person) + 1 for person in people}}
        self._change(replace(self._games, unrated=counts))

    @property
    def last(self) -> str:
        """The id of the game played last; "" for none."""
        return next(iter(self._games.recent), "")

    @property
    def last_title(self) -> str:
        """The title of the game played last, for the time before the catalogue is loaded; "" where it is not known."""
        return self._games.title

    def note_title(self, game: str, title: str) -> None:
        """Note the title of the game played last, where it is `game` and the title is another one."""
        if game == self.last and title != self._games.title:
            self._change(replace(self._games, title=title))

    def last_lineup(
        self, spec: GameSpec, person: SeatChoice, *, devices: Sequence[SeatChoice], snapshots: Sequence[str]
    ) -> dict[AgentID, SeatChoice] | None:
        """Return the lineup of the last match of `spec`, a single person with the device that was pressed.

        None where it cannot be had again: another game, a device or a snapshot that is gone.  The seats are those of a
        file: what they would run need not be trusted here.
        """
        seats = self._games.seats
        if self.last != spec.id or set(seats) != set(spec.agents):
            return None
        try:
            lineup = {agent: parse_seat(seats[str(agent)]) for agent in spec.agents}
        except SeatError:
            return None
        people = [agent for agent, choice in lineup.items() if choice.is_human]
        if len(people) == 1:
            lineup[people[0]] = person
        here = {*devices, person}
        return lineup if all(_is_here(choice, here, snapshots) for choice in lineup.values()) else None

    def favourites(self, games: Iterable[GameSpec]) -> list[GameSpec]:
        """Return the favourites among `games`, in the order they were chosen."""
        return _found(self._games.favourites, games)

    def recent(self, games: Iterable[GameSpec]) -> list[GameSpec]:
        """Return the recent ones among `games`, the one played last first."""
        return _found(self._games.recent, games)

    def _change(self, games: ShelvedGames) -> None:
        self._games = games
        self._save(games)


def _found(ids: Sequence[str], games: Iterable[GameSpec]) -> list[GameSpec]:
    """Games that are not installed now stay in the file."""
    known = {spec.id: spec for spec in games}
    return [known[id] for id in ids if id in known]


def _is_here(choice: SeatChoice, devices: Collection[SeatChoice], snapshots: Sequence[str]) -> bool:
    if choice.is_human:
        return choice in devices
    return choice.kind != "snapshot" or choice.argument in ("latest", "best", *snapshots)


def load_shelf(path: Path) -> tuple[ShelvedGames, str]:
    """Return the games and a warning for the user, or ""; never fails.

    An invalid file is kept as ``games.json.bad`` beside it.
    """
    try:
        return _read(read_json(path)), ""
    except FileNotFoundError:
        return ShelvedGames(), ""
    except (OSError, ValueError, RecursionError) as error:
        return ShelvedGames(), set_aside(path, error, what="favourite and recent games")


def save_shelf(games: ShelvedGames, path: Path, *, before: ShelvedGames | None = None) -> None:
    """Write the games atomically, or change what differs from `before`, so that another window's changes stay."""
    with locked(path.parent):
        if before is not None and path.exists():
            theirs, warning = load_shelf(path)
            games = games if warning else games.merged_into(theirs, before)
        replace_file(path, json.dumps(asdict(games), indent=2) + "\n")


def open_shelf() -> tuple[GameShelf, str]:
    """Return the games of ARCADE_HOME, which are saved after each change, and the warning of `load_shelf`."""
    path = home() / "games.json"
    games, warning = load_shelf(path)
    file = ChangesFile(games, lambda now, before: save_shelf(now, path, before=before))
    writer = NewestWriter[ShelvedGames](file.save, what="favourite and recent games")
    return GameShelf(games, save=writer.write, flush=writer.flush), warning


def _read(raw: Any) -> ShelvedGames:
    recent = _ids(raw, "recent")[:MOST_RECENT]
    clocks = {game: clock for game, clock in _texts(raw, "clocks").items() if not clock or _CLOCK.fullmatch(clock)}
    title = raw.get("title", "")
    return ShelvedGames(
        favourites=_ids(raw, "favourites"), recent=recent, seats=_texts(raw, "seats"), clocks=clocks,
        title=title if isinstance(title, str) else "", unrated=_counts(raw, "unrated"),
    )  # fmt: skip


def _ids(raw: Any, name: str) -> tuple[str, ...]:
    found = raw.get(name, []) if isinstance(raw, dict) else None
    if not isinstance(found, list) or not all(isinstance(game, str) for game in found):
        raise ValueError(f"an object without a list of game ids called {name!r}")
    return tuple(dict.fromkeys(found))


def _texts(raw: Any, name: str) -> dict[str, str]:
    found = raw.get(name, {})
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in (*found, *found.values())):
        raise ValueError(f"an object whose {name!r} are not texts by name")
    return dict(found)


def _counts(raw: Any, name: str) -> dict[str, int]:
    found = raw.get(name, {})
    if not isinstance(found, dict) or not all(type(count) is int and count >= 0 for count in found.values()):
        raise ValueError(f"an object whose {name!r} are not counts by name")
    return dict(found)
