"""People: who plays here, by name, in ARCADE_HOME/people.toml, and which device each of them holds today."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agents.files import NewestWriter, load_toml, replace_file, toml_document
from agents.home import home
from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID, Controller
from arcade.session.settings import Settings

LONGEST = 24
"""Characters of a name."""

_HEAD = """\
PettingZoo Arcade: who plays here; also on the settings page "People".
recorded: whether this person agreed to have the name in recordings."""


class PersonError(ValueError):
    """An invalid name; the message says why."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person who plays here; raises PersonError for an invalid name."""

    name: str  # 1 … 24 printable characters, none of them space at an end
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
    """All known people by name; immutable."""

    def __init__(self, people: Iterable[Person] = ()) -> None:
        """Raises PersonError for two with the same name, ignoring case."""
        self._by_name: dict[str, Person] = {}
        for person in sorted(people, key=lambda person: person.name.casefold()):
            if person.name.casefold() in self._by_name:
                raise PersonError(f"expected one person of each name, got: {person.name} twice")
            self._by_name[person.name.casefold()] = person

    def __iter__(self) -> Iterator[Person]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, People) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def find(self, name: str) -> Person | None:
        """Return the person with that name, ignoring case."""
        return self._by_name.get(name.casefold())

    def with_person(self, person: Person, *, instead_of: str = "") -> People:
        """Return the same with one more, in place of `instead_of` where that is given."""
        return People([*self.without(instead_of), person])

    def without(self, name: str) -> People:
        """Return the same without that person."""
        return People(person for person in self if person.name != name)


class Company:
    """The known people, and the device that each holds today."""

    def __init__(
        self,
        people: People,
        *,
        settings: Callable[[], Settings] = Settings,
        writer: NewestWriter[People] | None = None,
    ) -> None:
        """`settings` name the owner, and `writer` saves changes."""
        self.people, self._settings = people, settings
        self._writer = writer
        self._held: dict[SeatChoice, str] = {}

    def change(self, people: People) -> None:
        """Replace the known people; a device of a person who is gone has no holder."""
        self.people = people
        self._held = {device: name for device, name in self._held.items() if people.find(name)}
        if self._writer is not None:
            self._writer.write(people)

    def write_now(self) -> None:
        """Wait until changes are on disk; not for a window."""
        if self._writer is not None:
            self._writer.flush()

    def rename(self, old: str, person: Person) -> None:
        """Rename a person, who keeps the device."""
        held = {device: person.name if name == old else name for device, name in self._held.items()}
        people = self.people.with_person(person, instead_of=old)
        self._held = held
        self.change(people)

    def holder(self, device: SeatChoice) -> Person | None:
        """Return the holder of `device`; None for the default player."""
        return self.people.find(self._held.get(device, ""))

    def give(self, device: SeatChoice, name: str) -> None:
        """Give `device` to that person, who leaves any other; "" for the default player."""
        self._held = {other: held for other, held in self._held.items() if other != device and held != name}
        if name:
            self._held[device] = name

    @property
    def owner(self) -> Person:
        """The person of the settings, who plays with every device without a holder."""
        settings = self._settings()
        name = "".join(letter for letter in settings.player_name if letter.isprintable()).strip()
        return Person(name or "Player", settings.name_recordings)

    def who(self, device: SeatChoice, *, taken: Collection[str] = ()) -> Person:
        """Return the player with `device`: its holder, else the owner, numbered while the name is `taken`."""
        holder, owner = self.holder(device), self.owner
        if holder is not None and holder.name not in taken:
            return holder
        if owner.name not in taken:
            known = self.people.find(owner.name)
            return Person(owner.name, owner.recorded or (known is not None and known.recorded))
        number = next(n for n in range(2, len(taken) + 3) if f"{owner.name} {n}"[-LONGEST:] not in taken)
        return Person(f"{owner.name} {number}"[-LONGEST:].strip())

    def seated(self, lineup: Mapping[AgentID, SeatChoice]) -> dict[SeatChoice, Person]:
        """Return the player with each device of `lineup`; devices with a holder are named first."""
        devices = dict.fromkeys(choice for choice in lineup.values() if choice.is_human)
        found: dict[SeatChoice, Person] = {}
        for device in sorted(devices, key=lambda device: self.holder(device) is None):
            found[device] = self.who(device, taken={person.name for person in found.values()})
        return found


def people_path() -> Path:
    """The path of the file of people."""
    return home() / "people.toml"


def load_people(path: Path | None = None) -> tuple[People, str]:
    """Return people and a warning for the user ("" when all is well); never fails.

    A file that cannot be used is kept as ``people.toml.bad`` beside it, and no people are known.
    """
    return load_toml(path or people_path(), _read, default=People(), known=("person",), what="people")


def save_people(people: People, path: Path | None = None) -> None:
    """Write them so that a kill at any instant leaves the old or the new file; a spoilt one is kept as ``.bad``."""
    import tomlkit  # on demand: most starts only read

    path = path or people_path()
    document = toml_document(path, head=_HEAD, what="people")
    document["person"] = [asdict(person) for person in people]
    replace_file(path, tomlkit.dumps(document))


def open_company(settings: Callable[[], Settings] = Settings, path: Path | None = None) -> tuple[Company, str]:
    """Those who are known, kept in the file as they change; and a warning as from `load_people`."""
    people, warning = load_people(path)
    writer: NewestWriter[People] = NewestWriter(lambda newest: save_people(newest, path), what="people")
    return Company(people, settings=settings, writer=writer), warning


def _read(raw: Mapping[str, Any]) -> People:
    rows = raw.get("person", [])
    if not isinstance(rows, list) or not all(
        isinstance(row, dict) and set(row) <= {"name", "recorded"} for row in rows
    ):
        raise PersonError("expected [[person]] tables with name and recorded")
    return People(Person(row.get("name", ""), row.get("recorded", False)) for row in rows)
