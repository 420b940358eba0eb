"""controls.toml in ARCADE_HOME: the player's changes to the key bindings, also editable by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.files import load_toml, replace_file, toml_document
from agents.home import home
from arcade.engine.input.default_bindings import CONTROLS, MENUS, Sources
from arcade.engine.input.sources import is_key, is_pad_source

WHAT = "controls"
_HEAD = """\
PettingZoo Arcade: which key or button does what; also on the controls page.
A [[layout]] names a device and may name a game and a seat of it; what it leaves unsaid is as usual.
Keys are named by where they lie on an American keyboard."""
_SECTIONS, _NAMES = ("menu", "layout", "actions"), ("device", "game", "seat")


class KeyBindingsError(UserError, ValueError):
    """Invalid key bindings."""


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """The seats and devices of a change; "" means all."""

    game: str = ""
    seat: str = ""  # only within a game
    device: str = ""  # "keyboard:wasd", "keyboard:1", "gamepad", "gamepad:GUID", "gamepad:GUID#2"

    def __post_init__(self) -> None:
        kind = self.device.partition(":")[0]
        if kind not in CONTROLS and self.device:
            raise KeyBindingsError(f"expected a device like keyboard:wasd or gamepad:GUID, got: {self.device!r}")
        if self.seat and not self.game:
            raise KeyBindingsError(f"expected a game beside seat {self.seat!r}, got none")


@dataclass
class Changes:
    """All differences from the defaults, as in the file."""

    menus: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)  # kind → action → sources
    layouts: dict[Scope, dict[str, tuple[str, ...]]] = field(default_factory=dict)  # → control → sources
    actions: dict[Scope, dict[str, tuple[str, ...]]] = field(default_factory=dict)  # → action of a game → controls

    def copy(self) -> Changes:
        """Return an independent copy."""
        parts: tuple[Mapping[Any, Sources], ...] = (self.menus, self.layouts, self.actions)
        return Changes(*({key: dict(found) for key, found in part.items()} for part in parts))


def controls_path() -> Path:
    """Return the path of the player's key bindings."""
    return home() / "controls.toml"


def load_changes(path: Path | None = None) -> tuple[Changes, str]:
    """Return the changes and a warning, "" without one.

    An invalid file is renamed to ``controls.toml.bad``, and the defaults apply.
    """
    return load_toml(path or controls_path(), _read, default=Changes(), known=_SECTIONS, what=WHAT)


def save_changes(changes: Changes, path: Path | None = None) -> None:
    """Write the changes; foreign sections stay, and an invalid file is renamed to ``.bad``."""
    import tomlkit  # on demand: most starts only read

    path = path or controls_path()
    document = toml_document(path, head=_HEAD, what=WHAT)
    sections = {
        "menu": {kind: _as_lists(menu) for kind, menu in changes.menus.items()},
        "layout": [_table(scope, found) for scope, found in sorted(changes.layouts.items())],
        "actions": [_table(scope, found) for scope, found in sorted(changes.actions.items())],
    }
    for section, value in sections.items():
        document.pop(section, None)
        if value:
            document[section] = value
    replace_file(path, tomlkit.dumps(document))


def _as_lists(found: Sources) -> dict[str, list[str]]:
    return {control: list(sources) for control, sources in found.items()}


def _table(scope: Scope, found: Sources) -> dict[str, Any]:
    named = {name: value for name in _NAMES if (value := getattr(scope, name))}
    return {**named, "controls": _as_lists(found)}


def _read(raw: Mapping[str, Any]) -> Changes:
    changes = Changes()
    for kind, menu in _mapping(raw.get("menu", {}), "[menu]").items():
        changes.menus[kind] = check_menu(kind, _lists(menu, f"[menu.{kind}]"))
    for _, scope, found in _entries(raw, "layout"):
        changes.layouts.setdefault(scope, {}).update(check_layout(scope, found))
    for where, scope, found in _entries(raw, "actions"):
        if not scope.game:
            raise KeyBindingsError(f"expected a game in {where}, got none")
        if wrong := sorted({control for controls in found.values() for control in controls} - set(CONTROLS["gamepad"])):
            known = ", ".join(CONTROLS["gamepad"])
            raise KeyBindingsError(f"expected controls among {known} in {where}, got: {', '.join(wrong)}")
        changes.actions.setdefault(scope, {}).update(found)
    return changes


def _entries(raw: Mapping[str, Any], section: str) -> Iterator[tuple[str, Scope, dict[str, tuple[str, ...]]]]:
    """Yield the name, scope and controls of each table of a section."""
    tables = raw.get(section, [])
    if not isinstance(tables, list):
        raise KeyBindingsError(f"expected [[{section}]], got: {tables!r}")
    for number, table in enumerate(tables, 1):
        where = f"[[{section}]] {number}"
        if unknown := sorted(set(_mapping(table, where)) - {*_NAMES, "controls"}):
            raise KeyBindingsError(f"expected device, game, seat and controls in {where}, got: {', '.join(unknown)}")
        names = {name: table.get(name, "") for name in _NAMES}
        if wrong := [name for name, value in names.items() if not isinstance(value, str)]:
            raise KeyBindingsError(f"expected {wrong[0]} as text in {where}, got: {names[wrong[0]]!r}")
        yield where, Scope(**names), _lists(table.get("controls", {}), where)


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise KeyBindingsError(f"expected a table in {where}, got: {value!r}")
    return value


def _lists(value: Any, where: str) -> dict[str, tuple[str, ...]]:
    """Return name → texts."""
    for name, words in _mapping(value, where).items():
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise KeyBindingsError(f'expected {name} = ["…", …] in {where}, got: {words!r}')
    return {name: tuple(words) for name, words in value.items()}


def check_layout(scope: Scope, changes: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the changes as stored; raises KeyBindingsError for an unknown source or control."""
    kind = scope.device.partition(":")[0]
    return _checked(kind, changes, CONTROLS.get(kind, ()), where=scope.device or "bindings without a device")


def check_menu(kind: str, changes: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the changes of one kind as stored; raises KeyBindingsError for an action with no or a shared source."""
    if kind not in MENUS:
        raise KeyBindingsError(f"expected menu keys of a {' or a '.join(MENUS)}, got: {kind!r}")
    checked = _checked(kind, changes, tuple(MENUS[kind]), where=f"the menus of a {kind}")
    if empty := [action for action, sources in checked.items() if not sources]:
        raise KeyBindingsError(f"expected a key or button for every menu action, got none for: {', '.join(empty)}")
    menu = {**MENUS[kind], **checked}
    for source in {source for sources in checked.values() for source in sources}:
        if len(doing := [action for action, sources in menu.items() if source in sources]) > 1:
            raise KeyBindingsError(f"expected one menu action for {source}, got: {', '.join(doing)}")
    return checked


def _checked(
    kind: str, changes: Mapping[str, Sequence[str]], controls: Sequence[str], *, where: str
) -> dict[str, tuple[str, ...]]:
    is_source = is_key if kind == "keyboard" else is_pad_source
    for control, sources in changes.items():
        if control not in controls:
            raise KeyBindingsError(f"expected {' '.join(controls) or 'no controls'} in {where}, got: {control!r}")
        if wrong := ", ".join(source for source in sources if not is_source(source)):
            raise KeyBindingsError(f"expected names of keys or buttons for {control} in {where}, got: {wrong}")
    return {control: tuple(dict.fromkeys(sources)) for control, sources in changes.items()}


def scopes_of(device: str, game: str, seat: str) -> Iterator[Scope]:
    """Yield the scopes that apply to a device in a seat, the widest first."""
    kind, _, identity = device.partition(":")
    devices = [device]
    if kind == "gamepad":
        devices = list(dict.fromkeys([kind, f"{kind}:{identity.partition('#')[0]}".rstrip(":"), device]))
    for where in dict.fromkeys([("", ""), (game, ""), (game, seat if game else "")]):
        yield from (Scope(*where, device=one) for one in devices)
