"""controls.toml: the layouts that a player changed, in ARCADE_HOME; written by the arcade, readable by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents.files import load_toml, replace_file, toml_document
from agents.home import home
from arcade.engine.input.default_bindings import CONTROLS
from arcade.engine.input.key_bindings import Changes, KeyBindingsError, Scope, check_layout, check_menu

WHAT = "controls"
_HEAD = """\
PettingZoo Arcade: which key or button does what; also on the controls page.
A [[layout]] names a device and may name a game and a seat of it; what it leaves unsaid is as usual.
Keys are named by where they lie on an American keyboard."""
_SECTIONS = ("menu", "layout", "actions")


def controls_path() -> Path:
    """Where the layouts lie."""
    return home() / "controls.toml"


def load_changes(path: Path | None = None) -> tuple[Changes, str]:
    """What was changed and a warning for people ("" when all is well); never fails.

    A file that cannot be used is kept as ``controls.toml.bad`` beside it, and the defaults hold.
    """
    return load_toml(path or controls_path(), _read, default=Changes(), known=_SECTIONS, what=WHAT)


def save_changes(changes: Changes, path: Path | None = None) -> None:
    """Write them; sections that are not ours stay, and so does a file that was spoilt meanwhile, as ``.bad``."""
    import tomlkit  # on demand: most starts only read

    path = path or controls_path()
    document = toml_document(path, head=_HEAD, what=WHAT)
    for section, value in _written(changes).items():
        document.pop(section, None)
        if value:
            document[section] = value
    replace_file(path, tomlkit.dumps(document))


def _written(changes: Changes) -> dict[str, Any]:
    """Plain data, section by section."""
    menus = {kind: {action: list(found) for action, found in menu.items()} for kind, menu in changes.menus.items()}
    return {
        "menu": menus,
        "layout": [_table(scope, found) for scope, found in sorted(changes.layouts.items())],
        "actions": [_table(scope, found) for scope, found in sorted(changes.actions.items())],
    }


def _table(scope: Scope, found: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    named = {name: value for name in ("device", "game", "seat") if (value := getattr(scope, name))}
    return {**named, "controls": {control: list(sources) for control, sources in found.items()}}


def _read(raw: Mapping[str, Any]) -> Changes:
    changes = Changes()
    for kind, menu in _mapping(raw.get("menu", {}), "[menu]").items():
        changes.menus[kind] = check_menu(kind, _lists(menu, f"[menu.{kind}]"))
    for place, table in enumerate(_tables(raw, "layout")):
        scope, found = _entry(table, f"[[layout]] {place + 1}")
        changes.layouts.setdefault(scope, {}).update(check_layout(scope, found))
    for place, table in enumerate(_tables(raw, "actions")):
        scope, found = _entry(table, f"[[actions]] {place + 1}")
        if not scope.game:
            raise KeyBindingsError(f"expected a game in [[actions]] {place + 1}, got none")
        if wrong := sorted({control for controls in found.values() for control in controls} - set(CONTROLS["gamepad"])):
            known = ", ".join(CONTROLS["gamepad"])
            raise KeyBindingsError(
                f"expected controls among {known} in [[actions]] {place + 1}, got: {', '.join(wrong)}"
            )
        changes.actions.setdefault(scope, {}).update(found)
    return changes


def _entry(table: Mapping[str, Any], where: str) -> tuple[Scope, dict[str, tuple[str, ...]]]:
    unknown = set(table) - {"device", "game", "seat", "controls"}
    if unknown:
        raise KeyBindingsError(
            f"expected device, game, seat and controls in {where}, got: {', '.join(sorted(unknown))}"
        )
    names = {name: table.get(name, "") for name in ("device", "game", "seat")}
    wrong = next((name for name, value in names.items() if not isinstance(value, str)), None)
    if wrong:
        raise KeyBindingsError(f"expected {wrong} as text in {where}, got: {names[wrong]!r}")
    return Scope(**names), _lists(table.get("controls", {}), where)


def _tables(raw: Mapping[str, Any], section: str) -> list[Mapping[str, Any]]:
    found = raw.get(section, [])
    if not isinstance(found, list):
        raise KeyBindingsError(f"expected [[{section}]], got: {found!r}")
    return [_mapping(table, f"[[{section}]]") for table in found]


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise KeyBindingsError(f"expected a table in {where}, got: {value!r}")
    return value


def _lists(value: Any, where: str) -> dict[str, tuple[str, ...]]:
    """Name → words."""
    for name, words in _mapping(value, where).items():
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise KeyBindingsError(f'expected {name} = ["…", …] in {where}, got: {words!r}')
    return {name: tuple(words) for name, words in value.items()}
