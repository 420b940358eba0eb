"""What the arcade keeps of people and their choices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.write_paths.path import SavedTwicePath, WritePath


class SettingsPath(SavedTwicePath):
    name = "settings"
    values = (False, True)

    def save(self, home: Path, value: bool) -> None:
        from arcade.session.settings import Settings, save_settings

        save_settings(Settings(fullscreen=value))

    def found(self, home: Path) -> Any:
        from arcade.session.settings import load_settings

        settings, warning = load_settings()
        assert not warning, warning
        return settings.fullscreen


class PeoplePath(SavedTwicePath):
    name = "people"
    values = (("Ann",), ("Ann", "Bob"))

    def save(self, home: Path, value: tuple[str, ...]) -> None:
        from arcade.session.people import Person, save_people

        save_people(tuple(map(Person, value)), home / "people.toml")

    def found(self, home: Path) -> Any:
        from arcade.session.people import load_people

        people, warning = load_people(home / "people.toml")
        assert not warning, warning
        return [person.name for person in people]


class TrustedWordsPath(SavedTwicePath):
    name = "trusted words"
    values = ("one", "two")

    def save(self, home: Path, value: str) -> None:
        from agents.trust import note

        note(f"uci:{value}", id="", place=f"/{value}")

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


class FavouritesPath(SavedTwicePath):
    name = "favourites"
    values = (("house/volley",), ("house/volley", "classic/chess_v6"))

    def save(self, home: Path, value: tuple[str, ...]) -> None:
        from arcade.session.player.favourites import ShelvedGames, save_shelf

        save_shelf(ShelvedGames(favourites=value), home / "games.json")

    def found(self, home: Path) -> Any:
        from arcade.session.player.favourites import load_shelf

        games, warning = load_shelf(home / "games.json")
        assert not warning, warning
        return list(games.favourites)


class AllowedKeyPath(SavedTwicePath):
    name = "allowed key"
    values = ((bytes(range(32)), "Ann"), (bytes(32), "Bob"))

    def save(self, home: Path, value: tuple[bytes, str]) -> None:
        from agents.wire.keys import Keys

        key, name = value
        Keys().allow(key, name=name)

    def found(self, home: Path) -> Any:
        from agents.wire.keys import Keys

        return sorted(Keys().allowed().values())


class MembershipPath(SavedTwicePath):
    name = "match to come back to"
    values = ("one", "two")

    def save(self, home: Path, value: str) -> None:
        from agents.seats.controller import SeatChoice
        from arcade.session.online.membership import Membership
        from arcade.together.ways.codes import SessionCode

        code = SessionCode("127.0.0.1", 5777, bytes(32), bytes(10)).text
        Membership(code, value, {"left_0": SeatChoice("keyboard")}).write()

    def found(self, home: Path) -> Any:
        from arcade.session.online.membership import Membership

        found = Membership.read()
        assert found is not None
        return found.match
