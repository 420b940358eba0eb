"""KeyBindings: which key or button does which control, for every device, game and seat; kept in controls.toml."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agents.errors import UserError
from agents.seats.controller import AgentID
from arcade.engine.input.default_bindings import CONTROLS, GAMEPAD, HALVES, MENUS, Sources, whole_keyboard
from arcade.engine.input.sources import is_key, is_pad_source, source_words


class KeyBindingsError(UserError, ValueError):
    """A layout that cannot be; the message names what is wrong."""


@dataclass(frozen=True)
class DeviceBindings:
    """The sources of each control of one device; the same for menus, where the controls are menu actions."""

    kind: str  # "keyboard" or "gamepad"
    sources: Sources

    def words(self, control: str) -> tuple[str, ...]:
        """What to press for `control`, for people: ("W",) or ("A button",); () where nothing does it."""
        return tuple(source_words(self.kind, source) for source in self.sources.get(control, ()))

    def controls_of(self, source: str) -> tuple[str, ...]:
        """What `source` does; a stick to the left is both "left" and "x-"."""
        return self._by_source.get(source, ())

    def with_sources(self, changes: Sources) -> DeviceBindings:
        """With other sources for some controls."""
        return DeviceBindings(self.kind, {**self.sources, **changes})

    @cached_property
    def _by_source(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for control, sources in self.sources.items():
            for source in sources:
                found[source] = (*found.get(source, ()), control)
        return found


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """What a change holds for; "" is all of them."""

    game: str = ""
    seat: str = ""  # only within a game
    device: str = ""  # "keyboard:wasd", "keyboard:1", "gamepad", "gamepad:GUID", "gamepad:GUID#2"

    def __post_init__(self) -> None:
        kind = self.device.partition(":")[0]
        if kind not in CONTROLS and self.device:
            raise KeyBindingsError(f"expected a device like keyboard:wasd or gamepad:GUID, got: {self.device!r}")
        if self.seat and not self.game:
            raise KeyBindingsError(f"expected a game beside seat {self.seat!r}, got none")


_KEY_FIELDS = {"enter": "accept", "esc": "back", "tab": "next", "pageup": "previous", "p": "start"}
_HALF_FIELDS = {"space": "wasd", "u": "ijkl"}
_BUTTON_FIELDS = {"a": "accept", "b": "back", "l": "previous", "r": "next", "start": "start"}


@dataclass
class Changes:
    """All that differs from the defaults, as it stands in the file."""

    menus: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)  # kind → action → sources
    layouts: dict[Scope, dict[str, tuple[str, ...]]] = field(default_factory=dict)  # → control → sources
    actions: dict[Scope, dict[str, tuple[str, ...]]] = field(default_factory=dict)  # → action of a game → controls

    def copy(self) -> Changes:
        """One that no longer changes when this does."""
        return Changes(*({key: dict(found) for key, found in part.items()} for part in self._parts()))

    def _parts(self) -> tuple[Mapping[Any, Sources], ...]:
        return self.menus, self.layouts, self.actions


class KeyBindings:
    """Every layout there is.  What a change leaves unsaid holds from the wider scope: seat, game, device, default.

    ``keyboard:wasd`` is a half, ``keyboard`` all halves together, ``keyboard:1`` a keyboard of its own.  A gamepad is
    known by its identity (GUID, and a number among pads of one model), which outlives plugging; `identify` finds the
    identity of a word such as ``gamepad:0``.  `save` is handed the changes each time.
    """

    def __init__(
        self,
        changes: Changes | None = None,
        *,
        identify: Callable[[str], str] = lambda word: "",
        save: Callable[[Changes], None] = lambda changes: None,
    ) -> None:
        self._changes = changes or Changes()
        self._identify, self._save = identify, save
        self._kept: dict[tuple[str, str, str], DeviceBindings] = {}  # (device, game, seat) → its layout
        self.version = 0  # counts changes; whoever keeps a layout looks here

    def of(self, word: str, *, game: str = "", agent: AgentID = "", guid: str = "") -> DeviceBindings:
        """The layout of the device named `word` in a seat of a game; `guid` is a pad's identity where it is known."""
        device = self.device_of(word, guid=guid)
        key = (device, game, str(agent))
        if key not in self._kept:
            self._kept[key] = self._make(device, game, str(agent))
        return self._kept[key]

    def together(self, halves: Iterable[str], *, game: str = "", agent: AgentID = "") -> DeviceBindings:
        """Some halves of the keyboard in one pair of hands."""
        found = {half: self.of(f"keyboard:{half}", game=game, agent=agent).sources for half in halves}
        return DeviceBindings("keyboard", whole_keyboard(found))

    def menu(self, kind: str) -> DeviceBindings:
        """What steps through menus on a "keyboard" or a "gamepad"."""
        key = (kind, "menu", "")
        if key not in self._kept:
            self._kept[key] = DeviceBindings(kind, {**MENUS[kind], **self._changes.menus.get(kind, {})})
        return self._kept[key]

    def tell(self, words: str) -> str:
        """Words with fields for what steps through menus, filled in: ``"{enter} or {a}: choose"``.

        enter, space, u (each half's own), esc, tab, p and pageup are keys; a, b, l, r and start buttons.
        """
        return words.format_map(self._names) if "{" in words else words

    def device_of(self, word: str, *, guid: str = "") -> str:
        """How `word`'s device is written in a Scope: a gamepad by its identity, as far as that is known."""
        if not word.startswith("gamepad"):
            return word
        identity = guid or self._identify(word)
        return f"gamepad:{identity}" if identity else "gamepad"

    def changed(self, scope: Scope) -> Sources:
        """What differs in exactly that scope."""
        return dict(self._changes.layouts.get(scope, {}))

    def change(self, scope: Scope, changes: Mapping[str, Sequence[str]]) -> None:
        """Set the sources of some controls; raises KeyBindingsError for an unknown source or control."""
        known = check_layout(scope, changes)
        self._changes.layouts.setdefault(scope, {}).update(known)
        self._took_place()

    def reset(self, scope: Scope) -> None:
        """What differs in exactly that scope is forgotten; the wider ones hold."""
        self._changes.layouts.pop(scope, None)
        self._took_place()

    def change_menu(self, kind: str, changes: Mapping[str, Sequence[str]]) -> None:
        """Other sources for menu actions; raises KeyBindingsError where one would have none, or two the same."""
        known = check_menu(kind, {**self._changes.menus.get(kind, {}), **changes})
        self._changes.menus.setdefault(kind, {}).update(known)
        self._took_place()

    def reset_menu(self, kind: str) -> None:
        """The defaults again."""
        self._changes.menus.pop(kind, None)
        self._took_place()

    def actions(self, game: str, agent: AgentID = "") -> Mapping[str, tuple[str, ...]]:
        """The controls that the player gave to actions of a game, for SeatControls.changed; {} where none."""
        wide = self._changes.actions.get(Scope(game), {})
        return {**wide, **(self._changes.actions.get(Scope(game, str(agent)), {}) if agent != "" else {})}

    def change_actions(self, game: str, changes: Mapping[str, Sequence[str]], *, agent: AgentID = "") -> None:
        """Other controls for some actions of a game (in one seat); none given: what was changed is forgotten."""
        scope = Scope(game, str(agent))
        if changes:
            found = self._changes.actions.setdefault(scope, {})
            found.update({action: tuple(controls) for action, controls in changes.items()})
        else:
            self._changes.actions.pop(scope, None)
        self._took_place()

    def _took_place(self) -> None:
        self._kept.clear()
        self.__dict__.pop("_names", None)
        self.version += 1
        self._save(self._changes.copy())

    @cached_property
    def _names(self) -> Mapping[str, str]:
        keys, buttons = self.menu("keyboard"), self.menu("gamepad")
        found = {name: keys.words(action)[0] for name, action in _KEY_FIELDS.items()}
        for name, half in _HALF_FIELDS.items():
            own = [key for key in keys.sources["accept"] if self.of(f"keyboard:{half}").controls_of(key)]
            found[name] = source_words("keyboard", own[0]) if own else found["enter"]
        for name, action in _BUTTON_FIELDS.items():
            button = buttons.sources[action][0]
            found[name] = button.upper() if len(button) == 1 else source_words("gamepad", button)
        return found

    def _make(self, device: str, game: str, seat: str) -> DeviceBindings:
        kind, _, slot = device.partition(":")
        if device == "keyboard":
            return self.together(HALVES, game=game, agent=seat)
        base = GAMEPAD if kind == "gamepad" else HALVES.get(slot) or whole_keyboard()
        layout = DeviceBindings(kind, base)
        for scope in _scopes(device, game, seat):
            layout = layout.with_sources(self._changes.layouts.get(scope, {}))
        return layout


def check_layout(scope: Scope, changes: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The changes as they are kept; raises KeyBindingsError for a source or control that is none."""
    kind = scope.device.partition(":")[0]
    return _checked(kind, changes, CONTROLS.get(kind, ()), where=scope.device or "a layout without a device")


def check_menu(kind: str, changes: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """All changes of one kind as they are stored.

    Raises KeyBindingsError where an action would have no source, or where two actions share one.
    """
    if kind not in MENUS:
        raise KeyBindingsError(f"expected menu keys of a {' or a '.join(MENUS)}, got: {kind!r}")
    checked = _checked(kind, changes, tuple(MENUS[kind]), where=f"the menus of a {kind}")
    empty = [action for action, sources in checked.items() if not sources]
    if empty:
        raise KeyBindingsError(f"expected a key or button for every menu action, got none for: {', '.join(empty)}")
    layout = DeviceBindings(kind, {**MENUS[kind], **checked})
    for source in {source for sources in checked.values() for source in sources}:
        if len(doing := layout.controls_of(source)) > 1:
            raise KeyBindingsError(f"expected one menu action for {source}, got: {', '.join(doing)}")
    return checked


def _checked(
    kind: str, changes: Mapping[str, Sequence[str]], controls: Sequence[str], *, where: str
) -> dict[str, tuple[str, ...]]:
    is_source = is_key if kind == "keyboard" else is_pad_source
    for control, sources in changes.items():
        if control not in controls:
            raise KeyBindingsError(f"expected {' '.join(controls) or 'no controls'} in {where}, got: {control!r}")
        wrong = [source for source in sources if not is_source(source)]
        if wrong:
            raise KeyBindingsError(
                f"expected names of keys or buttons for {control} in {where}, got: {', '.join(wrong)}"
            )
    return {control: tuple(dict.fromkeys(sources)) for control, sources in changes.items()}


def _scopes(device: str, game: str, seat: str) -> Iterator[Scope]:
    """Every scope that holds for a device in a seat, the widest first."""
    kind, _, identity = device.partition(":")
    devices = [device]
    if kind == "gamepad":
        devices = list(dict.fromkeys([kind, f"{kind}:{identity.partition('#')[0]}".rstrip(":"), device]))
    for where in dict.fromkeys([("", ""), (game, ""), (game, seat if game else "")]):
        yield from (Scope(*where, device=one) for one in devices)
