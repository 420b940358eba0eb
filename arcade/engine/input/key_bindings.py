"""KeyBindings: the control of each key and button, for every device, game and seat, and the conflicts between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from agents.seats.controller import AgentID
from arcade import language
from arcade.engine.input.bindings_file import Changes, Scope, check, scopes_of
from arcade.engine.input.default_bindings import (
    DIRECTIONS,
    GAMEPAD,
    HALVES,
    KEYBOARD,
    MENUS,
    Sources,
    whole_keyboard,
)
from arcade.engine.input.events import Device
from arcade.engine.input.pad_families import Family, button_name
from arcade.engine.input.sources import is_half, source_label
from arcade.language import N_, _


@dataclass(frozen=True)
class DeviceBindings:
    """The resolved bindings of one device in one seat; in menus the controls are menu actions."""

    kind: str  # "keyboard" or "gamepad"
    sources: Sources  # of each control
    actions: Sources = field(default_factory=dict)  # the player's own controls for actions of the seat's game

    def labels(self, control: str) -> tuple[str, ...]:
        """Return the names of the keys or buttons for `control`: ("W",) or ("A button",)."""
        return tuple(source_label(self.kind, source) for source in self.sources.get(control, ()))

    def controls_of(self, source: str) -> tuple[str, ...]:
        """Return the controls of `source`; a stick to the left is both "left" and "x-"."""
        return self._by_source.get(source, ())

    @cached_property
    def _by_source(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for control, sources in self.sources.items():
            for source in sources:
                found[source] = (*found.get(source, ()), control)
        return found


class HeldControls:
    """Tracks the held controls: a control with two sources is held until both are released.

    Only directions repeat, each for its first source.
    """

    def __init__(self, bindings: DeviceBindings) -> None:
        self.bindings = bindings
        self._holders: dict[str, list[str]] = {}  # control → the sources that hold it, oldest first

    def update(self, source: str, pressed: bool, *, repeated: bool = False) -> Iterator[tuple[str, bool]]:
        """Yield the changed (or repeated) controls, and whether they are down."""
        for control in self.bindings.controls_of(source):
            holders = self._holders.setdefault(control, [])
            if repeated:
                if control in DIRECTIONS and holders[:1] == [source]:
                    yield control, True
            elif pressed != (source in holders):
                (holders.append if pressed else holders.remove)(source)
                if len(holders) == pressed:
                    yield control, pressed

    def holds(self, source: str) -> bool:
        """Whether the source is down."""
        return any(source in self._holders.get(control, ()) for control in self.bindings.controls_of(source))

    def clear(self) -> None:
        """Release everything."""
        self._holders.clear()


_KEY_FIELDS = {"enter": "accept", "esc": "back", "tab": "next", "pageup": "previous", "p": "start"}
_HALF_FIELDS = {"space": "wasd", "u": "ijkl"}
_BUTTON_FIELDS = {"a": "accept", "b": "back", "l": "previous", "r": "next", "start": "start"}


class KeyBindings:
    """All key bindings.  A change overrides those of wider scopes: seat, game, device, default.

    ``keyboard:wasd`` is a half, ``keyboard`` all halves together, ``keyboard:1`` a separate keyboard.  `identify` turns
    a word such as ``gamepad:0`` into the pad's permanent identity: GUID, and a number among pads of one model.  `save`
    gets the changes each time.
    """

    def __init__(
        self, changes: Changes | None = None, *, identify: Callable[[str], str] = lambda word: "",
        save: Callable[[Changes], None] = lambda changes: None,
    ) -> None:  # fmt: skip
        self._changes = changes or {}
        self._identify, self._save = identify, save
        self._made, self._menus, self._names = cache(self._make), cache(self._make_menu), cache(self._make_names)
        self.version = 0  # counts changes, for code that caches bindings
        self.family: Family = "xbox"  # of the pad whose buttons are named in texts
        self.pad: Device | None = None  # that pad, if there is one

    def of(self, word: str, *, game: str = "", agent: AgentID = "", guid: str = "") -> DeviceBindings:
        """Return the bindings of the device `word` in a seat of a game; `guid`: a pad's identity, if known."""
        return self._made(self.device_of(word, guid=guid), game, str(agent))

    def together(self, halves: Iterable[str], *, game: str = "", agent: AgentID = "") -> DeviceBindings:
        """Return some halves of the keyboard as one device."""
        found = {half: self.of(f"keyboard:{half}", game=game, agent=agent).sources for half in halves}
        return DeviceBindings("keyboard", whole_keyboard(found), self.actions(game, agent))

    def half_of(self, key: str) -> Device:
        """Return the half of the keyboard of a key; the arrows for a key of none."""
        now = (half for half in HALVES if self.of(f"keyboard:{half}").controls_of(key))
        usual = (half for half, controls in HALVES.items() if any(key in keys for keys in controls.values()))
        return KEYBOARD[next(now, next(usual, "arrows"))]

    def menu(self, kind: str) -> DeviceBindings:
        """Return the menu bindings of a "keyboard" or a "gamepad"."""
        return self._menus(kind)

    def fill_in(self, text: str) -> str:
        """Fill in the menu keys and buttons of a text: ``"{enter} or {a}: choose"``.

        The keys: enter, space, u (of each half), esc, tab, p, pageup; the buttons, as `family` calls them: a, b, l,
        r, start.
        """
        return text.format_map(self._names(self.family, self.pad, language.version)) if "{" in text else text

    def device_of(self, word: str, *, guid: str = "") -> str:
        """Return the device of `word` for a Scope: a gamepad by its identity, if known."""
        if not word.startswith("gamepad"):
            return word
        identity = guid or self._identify(word)
        return f"gamepad:{identity}" if identity else "gamepad"

    def change(self, scope: Scope, changes: Mapping[str, Sequence[str]]) -> None:
        """Set the sources of some controls; raises KeyBindingsError as `check` does."""
        self._apply({**self._changes, scope: check(scope, {**self._changes.get(scope, {}), **changes})})

    def reset(self, scope: Scope) -> None:
        """Drop the changes of exactly that scope."""
        self._apply({other: found for other, found in self._changes.items() if other != scope})

    def actions(self, game: str, agent: AgentID = "") -> Sources:
        """Return the player's own controls for actions of a game, for SeatControls.changed."""
        scopes = [Scope(game, seat, section="actions") for seat in dict.fromkeys(("", str(agent)))] if game else []
        return {action: found for scope in scopes for action, found in self._changes.get(scope, {}).items()}

    def _apply(self, changes: Changes) -> None:
        self._changes = changes
        for cached in (self._made, self._menus, self._names):
            cached.cache_clear()
        self.version += 1
        self._save(changes)

    def _make_menu(self, kind: str) -> DeviceBindings:
        return DeviceBindings(kind, {**MENUS[kind], **self._changes.get(Scope(device=kind, section="menu"), {})})

    def _make_names(self, family: Family, pad: Device | None, _version: int) -> Mapping[str, str]:
        keys, buttons = self.menu("keyboard"), self.menu("gamepad")
        found = {name: keys.labels(action)[0] for name, action in _KEY_FIELDS.items()}
        for name, half in _HALF_FIELDS.items():
            own = [key for key in keys.sources["accept"] if self.of(f"keyboard:{half}").controls_of(key)]
            found[name] = source_label("keyboard", own[0]) if own else found["enter"]
        for name, action in _BUTTON_FIELDS.items():
            found[name] = button_name(family, buttons.sources[action][0], pad)
        return found

    def _make(self, device: str, game: str, seat: str) -> DeviceBindings:
        kind, _, slot = device.partition(":")
        if device == "keyboard":
            return self.together(HALVES, game=game, agent=seat)
        base = GAMEPAD if kind == "gamepad" else HALVES.get(slot) or whole_keyboard()
        sources = dict(base)
        for scope in scopes_of(device, game, seat):
            sources |= self._changes.get(scope, {})
        return DeviceBindings(kind, sources, self.actions(game, seat))


_CONTROLS: Mapping[str, str] = {
    "up": N_("Up"), "down": N_("Down"), "left": N_("Left"), "right": N_("Right"), "a": N_("Main action (A)"),
    "b": N_("Second action (B)"), "x": N_("Third action (X)"), "y": N_("Fourth action (Y)"),
    "l": N_("Left shoulder (L)"), "r": N_("Right shoulder (R)"), "accept": N_("Choose"), "back": N_("Back"),
    "next": N_("Next page"), "previous": N_("Previous page"), "start": N_("Pause and start"),
    "switch": N_("Take or give a seat"),
}  # fmt: skip

# Menu actions during a match; there a gamepad's `back` belongs to the game.
_PAUSES = N_("pauses the match")
_IN_A_MATCH = {"start": _PAUSES, "back": _PAUSES, "switch": N_("takes or gives a seat")}
_FUNCTION_KEYS = frozenset(f"f{number}" for number in range(1, 13))


def control_label(control: str) -> str:
    """Return the name of a control or menu action on screens: "Up", "Main action (A)", "Stick left"."""
    return source_label("gamepad", control) if is_half(control) else _(_CONTROLS[control])


def conflicts(bindings: KeyBindings, word: str, *, game: str = "", agent: str = "", guid: str = "") -> tuple[str, ...]:
    """Return a sentence for each conflict in the bindings of the device `word` in a seat."""
    own = bindings.of(word, game=game, agent=agent, guid=guid)
    halves = HALVES.keys() - {own_half} if (own_half := word.partition(":")[2]) in HALVES else ()
    others = {KEYBOARD[half].name.split()[0]: bindings.of(f"keyboard:{half}", game=game) for half in sorted(halves)}
    missing = [control for control in (*DIRECTIONS, "a") if not own.sources.get(control)]
    free, several = _("{control} has no key or button"), _("{key} does several things: {controls}")
    used = _("{key}: {control}, and {use}")
    shared = _("{key}: {control}, and {other} of {device}")
    found = [free.format(control=control_label(control)) for control in missing]
    for control, source in ((control, source) for control, sources in own.sources.items() for source in sources):
        key, text = _called(own, source), control_label(control)
        for other in taken_by(own, source, control):
            both = sorted((control, other), key=list(own.sources).index)
            found.append(several.format(key=key, controls=", ".join(map(control_label, both))))
        found += [used.format(key=key, control=text, use=_(use)) for use in _match_keys(bindings, own.kind, source)]
        for half, device in others.items():
            theirs = map(control_label, device.controls_of(source))
            found += [shared.format(key=key, control=text, other=other, device=half) for other in theirs]
    return tuple(dict.fromkeys(found))


def taken_by(own: DeviceBindings, source: str, control: str) -> tuple[str, ...]:
    """Return the other controls of `source`; a stick may be an axis and a direction."""
    return tuple(other for other in own.controls_of(source) if other != control and is_half(other) == is_half(control))


def _match_keys(bindings: KeyBindings, kind: str, source: str) -> Iterator[str]:
    """Yield the other uses of the source in a match."""
    actions = [action for action in bindings.menu(kind).controls_of(source) if kind == "keyboard" or action != "back"]
    yield from dict.fromkeys(_IN_A_MATCH[action] for action in actions if action in _IN_A_MATCH)
    if source in _FUNCTION_KEYS:
        yield N_("a key of the arcade in a match")


def _called(own: DeviceBindings, source: str) -> str:
    words = source_label(own.kind, source)
    return _("Key {key}").format(key=words) if own.kind == "keyboard" else words
