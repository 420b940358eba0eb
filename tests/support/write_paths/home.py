"""What the arcade keeps of people and their choices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.write_paths.path import WritePath


class SettingsPath(WritePath):
    name = "settings"

    def prepare(self, home: Path) -> None:
        from arcade.session.settings import Settings, save_settings

        save_settings(Settings(fullscreen=False))

    def write(self, home: Path) -> None:
        from arcade.session.settings import Settings, save_settings

        save_settings(Settings(fullscreen=True))

    def found(self, home: Path) -> Any:
        from arcade.session.settings import load_settings

        settings, warning = load_settings()
        assert not warning, warning
        return settings.fullscreen


class PeoplePath(WritePath):
    name = "people"

    def prepare(self, home: Path) -> None:
        self._save(home, "Ann")

    def write(self, home: Path) -> None:
        self._save(home, "Ann", "Bob")

    def _save(self, home: Path, *names: str) -> None:
        from arcade.session.people import Person, save_people

        save_people(tuple(map(Person, names)), home / "people.toml")

    def found(self, home: Path) -> Any:
        from arcade.session.people import load_people

        people, warning = load_people(home / "people.toml")
        assert not warning, warning
        return [person.name for person in people]


class TrustedWordsPath(WritePath):
    name = "trusted words"

    def prepare(self, home: Path) -> None:
        from agents.trust import note

        note("uci:one", id="", place="/one")

    def write(self, home: Path) -> None:
        from agents.trust import note

        note("uci:two", id="", place="/two")

    def found(self, home: Path) -> Any:
        from agents.trust import read_trusted

        return sorted(read_trusted())


class SecretPath(WritePath):
    name = "secret"

    def write(self, home: Path) -> None:
        from agents.files.private import keys_folder, read_private

        read_private(keys_folder() / "signing", lambda: bytes(32))

    def found(self, home: Path) -> Any:
        path = home / "keys" / "signing"
        return path.read_bytes().hex() if path.exists() else None


class FavouritesPath(WritePath):
    name = "favourites"

    def prepare(self, home: Path) -> None:
        self._save(home, "house/volley")

    def write(self, home: Path) -> None:
        self._save(home, "house/volley", "classic/chess_v6")

    def _save(self, home: Path, *games: str) -> None:
        from arcade.session.player.favourites import ShelvedGames, save_shelf

        save_shelf(ShelvedGames(favourites=games), home / "games.json")

    def found(self, home: Path) -> Any:
        from arcade.session.player.favourites import load_shelf

        games, warning = load_shelf(home / "games.json")
        assert not warning, warning
        return list(games.favourites)


class AllowedKeyPath(WritePath):
    name = "allowed key"

    def prepare(self, home: Path) -> None:
        from agents.wire.keys import Keys

        Keys().allow(bytes(range(32)), name="Ann")

    def write(self, home: Path) -> None:
        from agents.wire.keys import Keys

        Keys().allow(bytes(32), name="Bob")

    def found(self, home: Path) -> Any:
        from agents.wire.keys import Keys

        return sorted(Keys().allowed().values())


class MembershipPath(WritePath):
    name = "match to come back to"

    def prepare(self, home: Path) -> None:
        self._write("one")

    def write(self, home: Path) -> None:
        self._write("two")

    def _write(self, match: str) -> None:
        from agents.seats.controller import SeatChoice
        from arcade.session.online.membership import Membership
        from arcade.together.ways.codes import SessionCode

        code = SessionCode("127.0.0.1", 5777, bytes(32), bytes(10)).text
        Membership(code, match, {"left_0": SeatChoice("keyboard")}).write()

    def found(self, home: Path) -> Any:
        from arcade.session.online.membership import Membership

        found = Membership.read()
        assert found is not None
        return found.match
