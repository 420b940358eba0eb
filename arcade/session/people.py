"""People: the players here by name, in ARCADE_HOME/people.toml, their devices, and their seats at this screen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.files import ChangesFile, NewestWriter, changing_toml, home, load_toml
from agents.seats.controller import AgentID, Controller, SeatChoice
from agents.seats.kinds import parse_seat
from arcade.language import N_, _
from arcade.session.settings import Settings

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.play.lineup import Devices
    from arcade.match.play.match import Match

LONGEST = 24
"""Characters of a name."""

UNNAMED = N_("Player")
"""The name of a player who never typed one; the first run saves it in the player's language."""

_HEAD = """\
PettingZoo Arcade: the players here; also on the settings page "People".
recorded: whether this person agreed to have the name in recordings."""


class PersonError(ValueError):
    """An invalid name; the message says why."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person who plays here; raises PersonError for an invalid name."""

    name: str  # 1 … 24 printable characters, without spaces at either end
    recorded: bool = False  # agreed to have the name in recordings

    def __post_init__(self) -> None:
        good = isinstance(self.name, str) and self.name.isprintable() and self.name == self.name.strip()
        if not good or not 1 <= len(self.name) <= LONGEST:
            raise PersonError(f"expected a name of 1 to {LONGEST} characters, got: {self.name!r}")
        if not isinstance(self.recorded, bool):
            raise PersonError(f"expected recorded = true or false for {self.name}, got: {self.recorded!r}")

    def sign(self, controller: Controller) -> None:
        """Give `controller` this name, in recordings too if the person agreed."""
        controller.label, controller.person = self.name, self.name if self.recorded else ""


class People:
    """All known people, sorted by name, and their devices today."""

    def __init__(
        self,
        people: Iterable[Person] = (),
        *,
        settings: Callable[[], Settings] = Settings,
        save: Callable[[tuple[Person, ...]], None] = lambda people: None,
    ) -> None:
        """`settings` name the owner; `save` is called with all people after a change."""
        self._settings, self._save = settings, save
        self._known = _sorted(people)
        self._devices: dict[SeatChoice, str] = {}  # device → name

    def __iter__(self) -> Iterator[Person]:
        return iter(self._known)

    def find(self, name: str) -> Person | None:
        """Return the person with that name, ignoring case."""
        return next((person for person in self._known if person.name.casefold() == name.casefold()), None)

    def put(self, person: Person, *, instead_of: str = "") -> None:
        """Add a person, or replace the one called `instead_of`, who keeps the device; raises PersonError."""
        self._change([*(known for known in self._known if known.name != instead_of), person])
        self._devices = {device: person.name if n == instead_of else n for device, n in self._devices.items()}

    def remove(self, name: str) -> None:
        """Remove a person, whose device then has no holder."""
        self._change([person for person in self._known if person.name != name])
        self._devices = {device: n for device, n in self._devices.items() if n != name}

    def holder(self, device: SeatChoice) -> Person | None:
        """Return the holder of `device`; None for the default player."""
        return self.find(self._devices.get(device, ""))

    def give(self, device: SeatChoice, name: str) -> None:
        """Give `device` to that person, who leaves any other; "" for the default player."""
        self._devices = {other: n for other, n in self._devices.items() if other != device and n != name}
        if name:
            self._devices[device] = name

    @property
    def owner(self) -> Person:
        """The person of the settings, who plays with every device without a holder."""
        settings = self._settings()
        name = "".join(letter for letter in settings.player_name if letter.isprintable()).strip()
        return Person(name or _(UNNAMED), settings.name_recordings)

    def player(self, device: SeatChoice, *, taken: Collection[str] = ()) -> Person:
        """Return the player with `device`: its holder, else the owner, and a guest where that name is `taken`."""
        holder, owner = self.holder(device), self.owner
        if holder is not None and holder.name not in taken:
            return holder
        if owner.name not in taken:
            known = self.find(owner.name)
            return Person(owner.name, owner.recorded or (known is not None and known.recorded))
        if owner.name in (UNNAMED, _(UNNAMED)):
            names = (f"{owner.name} {number}" for number in count(2))
        else:
            guest = _("Guest")
            names = (guest if number == 1 else f"{guest} {number}" for number in count(1))
        return Person(next(name for name in names if name not in taken))

    def seated(self, lineup: Mapping[AgentID, SeatChoice]) -> dict[SeatChoice, Person]:
        """Return the player with each device of `lineup`; devices with a holder are named first."""
        devices = dict.fromkeys(choice for choice in lineup.values() if choice.is_human)
        found: dict[SeatChoice, Person] = {}
        for device in sorted(devices, key=lambda device: self.holder(device) is None):
            found[device] = self.player(device, taken={person.name for person in found.values()})
        return found

    def names(self, lineup: Mapping[AgentID, SeatChoice]) -> dict[AgentID, str]:
        """Return the names of the people in their seats."""
        seated = self.seated(lineup)
        return {agent: seated[device].name for agent, device in lineup.items() if device in seated}

    def _change(self, people: Iterable[Person]) -> None:
        self._known = _sorted(people)
        self._save(self._known)


def _sorted(people: Iterable[Person]) -> tuple[Person, ...]:
    """Sort people by name; raises PersonError for two with the same name, ignoring case."""
    known: dict[str, Person] = {}
    for person in sorted(people, key=lambda person: person.name.casefold()):
        if known.setdefault(person.name.casefold(), person) is not person:
            raise PersonError(f"expected one person of each name, got: {person.name} twice")
    return tuple(known.values())


def load_people(path: Path) -> tuple[tuple[Person, ...], str]:
    """Return people and a warning for the user, or ""; never fails.

    An invalid file is kept as ``people.toml.bad`` beside it, and no people are known.
    """
    return load_toml(path, _read, default=(), known=("person",), what="people")


def save_people(people: tuple[Person, ...], path: Path, *, before: Collection[Person] | None = None) -> None:
    """Write people atomically, or change what differs from `before`, so that another window's changes stay.

    An invalid file is kept as ``.bad``.
    """
    with changing_toml(path, head=_HEAD, what="people") as document:
        kept: list[Person] = []
        if before is not None:
            gone = {person.name.casefold() for person in (*before, *people)}
            with suppress(PersonError):  # else written anew
                kept = [person for person in _read(document.unwrap()) if person.name.casefold() not in gone]
        document["person"] = [asdict(person) for person in _sorted((*kept, *people))]


def open_people(settings: Callable[[], Settings] = Settings) -> tuple[People, str]:
    """Return the people of the file, which follows their changes, and the warning of `load_people`."""
    path = home() / "people.toml"
    people, warning = load_people(path)
    file = ChangesFile(people, lambda now, before: save_people(now, path, before=before))
    writer = NewestWriter[tuple[Person, ...]](file.save, what="people")
    return People(people, settings=settings, save=writer.write), warning


def _read(raw: Mapping[str, Any]) -> tuple[Person, ...]:
    rows = raw.get("person", [])
    if not isinstance(rows, list) or not all(
        isinstance(row, dict) and set(row) <= {"name", "recorded"} for row in rows
    ):
        raise PersonError("expected [[person]] tables with name and recorded")
    return _sorted(Person(row.get("name", ""), row.get("recorded", False)) for row in rows)


class PlayerDevices:
    """Devices are named by their seat words, such as ``keyboard:wasd`` or ``gamepad:0``.  This base class has none."""

    @property
    def seats(self) -> tuple[SeatChoice, ...]:
        """The seat choices of all connected devices."""
        return ()

    def factories(self, spec: GameSpec) -> Devices:
        """Make the controllers of people's seats in a match of `spec`."""
        return {}

    def plays(self, word: str, controller: Controller) -> bool:
        """Whether `controller` uses the device `word`."""
        return False

    def is_gone(self, word: str) -> bool:
        """Whether the device is disconnected."""
        return False


def seat_choice_of(word: str) -> SeatChoice:
    """Return the seat choice of a person who starts with the device `word`: that gamepad, or the whole keyboard."""
    return parse_seat(word) if word.startswith("gamepad") else SeatChoice("keyboard")


def people_at(match: Match) -> list[AgentID]:
    """Return the seats of people at this screen, in order."""
    return [agent for agent in match.spec.agents if getattr(match.mapping[agent], "word", "")]


def viewer_of(match: Match) -> AgentID | None:
    """Return the seat of the only person at this screen, or of the one who looks alone; else None."""
    people = people_at(match)
    if len(people) == 1:
        return people[0]
    return next((agent for agent in people if getattr(match.mapping[agent], "options", ())), None)
