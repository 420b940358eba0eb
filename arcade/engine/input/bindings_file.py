"""controls.toml in ARCADE_HOME: the player's changes to the key bindings, also editable by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.files import ChangesFile, changing_toml, home, load_toml, merged
from arcade.engine.input.default_bindings import CONTROLS, MENUS, Sources
from arcade.engine.input.sources import is_key, is_pad_source

WHAT = "controls"
_HEAD = """\
PettingZoo Arcade: the key bindings; also on the controls page.
A [[layout]] names a device, and perhaps a game and a seat of it; controls that it lacks keep their defaults.
Keys are named by their places on an American keyboard."""
_SECTIONS, _NAMES = ("menu", "layout", "actions"), ("device", "game", "seat")


class KeyBindingsError(UserError, ValueError):
    """Invalid key bindings."""


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """The seats and devices of a change; "" means all."""

    game: str = ""
    seat: str = ""  # only within a game
    device: str = ""  # "keyboard:wasd", "keyboard:1", "gamepad", "gamepad:GUID", "gamepad:GUID#2"
    section: str = "layout"  # binds controls; "menu": menu actions, of a kind of device; "actions": those of a game

    def __post_init__(self) -> None:
        kind = self.device.partition(":")[0]
        if kind not in CONTROLS and self.device:
            raise KeyBindingsError(f"expected a device like keyboard:wasd or gamepad:GUID, got: {self.device!r}")
        if (self.seat or self.section == "actions") and not self.game:
            what = f"seat {self.seat!r}" if self.seat else "the actions"
            raise KeyBindingsError(f"expected a game for {what}, got none")


Changes = Mapping[Scope, Sources]
"""All differences from the defaults: sources by control or menu action; controls by the action of a game."""


def controls_path() -> Path:
    """Return the path of the player's key bindings."""
    return home() / "controls.toml"


def load_changes(path: Path | None = None) -> tuple[Changes, str]:
    """Return the changes and a warning, "" without one.

    An invalid file is renamed to ``controls.toml.bad``, and the defaults apply.
    """
    return load_toml(path or controls_path(), _read, default={}, known=_SECTIONS, what=WHAT)


def changes_file(changes: Changes, path: Path | None = None) -> ChangesFile[Changes]:
    """The file of the changes that were read from it."""
    return ChangesFile(changes, lambda now, before: save_changes(now, path, before=before))


def save_changes(changes: Changes, path: Path | None = None, *, before: Changes | None = None) -> None:
    """Write the changes, or only those scopes that differ from `before`, so that another window's stay.

    Foreign sections stay, and an invalid file is renamed to ``.bad``.
    """
    with changing_toml(path or controls_path(), head=_HEAD, what=WHAT) as document:
        if before is not None and len(document):
            with suppress(KeyBindingsError):  # else written anew
                changes = merged(_read(document.unwrap()), changes, before)
        for section in _SECTIONS:
            document.pop(section, None)
            tables = {
                scope: {name: list(sources) for name, sources in changes[scope].items()}
                for scope in sorted(changes)
                if scope.section == section
            }
            if tables and section == "menu":
                document[section] = {scope.device: menu for scope, menu in tables.items()}
            elif tables:
                document[section] = [
                    {**{name: value for name in _NAMES if (value := getattr(scope, name))}, "controls": controls}
                    for scope, controls in tables.items()
                ]


def _read(raw: Mapping[str, Any]) -> Changes:
    changes: dict[Scope, Sources] = {}
    for where, scope, controls in _entries(raw):
        changes[scope] = check(scope, {**changes.get(scope, {}), **_lists(controls, where)})
    return changes


def _entries(raw: Mapping[str, Any]) -> Iterator[tuple[str, Scope, Any]]:
    """Yield the name, scope and controls of each table."""
    for kind, menu in _mapping(raw.get("menu", {}), "[menu]").items():
        yield f"[menu.{kind}]", Scope(device=kind, section="menu"), menu
    for section in ("layout", "actions"):
        tables = raw.get(section, [])
        if not isinstance(tables, list):
            raise KeyBindingsError(f"expected [[{section}]], got: {tables!r}")
        for number, table in enumerate(tables, 1):
            where = f"[[{section}]] {number}"
            if unknown := ", ".join(sorted(set(_mapping(table, where)) - {*_NAMES, "controls"})):
                raise KeyBindingsError(f"expected device, game, seat and controls in {where}, got: {unknown}")
            names = {name: table.get(name, "") for name in _NAMES}
            if wrong := [name for name, value in names.items() if not isinstance(value, str)]:
                raise KeyBindingsError(f"expected {wrong[0]} as text in {where}, got: {names[wrong[0]]!r}")
            yield where, Scope(**names, section=section), table.get("controls", {})


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise KeyBindingsError(f"expected a table in {where}, got: {value!r}")
    return value


def _lists(value: Any, where: str) -> dict[str, Sequence[str]]:
    for name, sources in _mapping(value, where).items():
        if not isinstance(sources, list) or not all(isinstance(source, str) for source in sources):
            raise KeyBindingsError(f'expected {name} = ["…", …] in {where}, got: {sources!r}')
    return dict(value)


def check(scope: Scope, changes: Mapping[str, Sequence[str]]) -> Sources:
    """Return the changes as stored; raises KeyBindingsError for unknown sources or controls, or an unusable menu."""
    kind, where = scope.device.partition(":")[0], scope.device or scope.game or "bindings without a device"
    is_source: Callable[[str], bool] = is_key if kind == "keyboard" else is_pad_source
    known = CONTROLS.get(kind, ())
    if scope.section == "actions":
        known, is_source = tuple(changes), CONTROLS["gamepad"].__contains__
    elif scope.section == "menu":
        known, where = tuple(MENUS.get(scope.device, ())), f"the menus of a {scope.device}"
    for control, sources in changes.items():
        if control not in known:
            raise KeyBindingsError(f"expected {' '.join(known) or 'no controls'} in {where}, got: {control!r}")
        if wrong := ", ".join(source for source in sources if not is_source(source)):
            names = ", ".join(CONTROLS["gamepad"]) if scope.section == "actions" else "keys or buttons"
            raise KeyBindingsError(f"expected names of {names} for {control} in {where}, got: {wrong}")
    found = {control: tuple(dict.fromkeys(sources)) for control, sources in changes.items()}
    if scope.section == "menu":
        _check_menu(scope.device, found)
    return found


def _check_menu(kind: str, changes: Sources) -> None:
    """Raise KeyBindingsError for an action with no or a shared source."""
    if kind not in MENUS:
        raise KeyBindingsError(f"expected menu keys of a {' or a '.join(MENUS)}, got: {kind!r}")
    if empty := [action for action, sources in changes.items() if not sources]:
        raise KeyBindingsError(f"expected a key or button for every menu action, got none for: {', '.join(empty)}")
    menu = {**MENUS[kind], **changes}
    for source in {source for sources in changes.values() for source in sources}:
        if len(doing := [action for action, sources in menu.items() if source in sources]) > 1:
            raise KeyBindingsError(f"expected one menu action for {source}, got: {', '.join(doing)}")


def scopes_of(device: str, game: str, seat: str) -> Iterator[Scope]:
    """Yield the scopes that apply to a device in a seat, the widest first."""
    kind, _, identity = device.partition(":")
    devices = [device]
    if kind == "gamepad":
        devices = list(dict.fromkeys([kind, f"{kind}:{identity.partition('#')[0]}".rstrip(":"), device]))
    for where in dict.fromkeys([("", ""), (game, ""), (game, seat if game else "")]):
        yield from (Scope(*where, device=one) for one in devices)
