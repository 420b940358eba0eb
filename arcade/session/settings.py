"""Settings of the user: their declarations, and ARCADE_HOME/settings.toml; a new setting is one field of Settings.

Imported before the first frame, and therefore without pydantic, whose import takes half as long as that frame.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum, StrEnum
from pathlib import Path
from typing import Any, Self

from agents.files import ChangesFile, changing_toml, home, load_toml
from arcade.language import LANGUAGES, N_, _, offered
from arcade.match.recording.format import OBSERVATIONS, SEATS
from arcade.palettes import PALETTES


class SettingsError(ValueError):
    """A setting of the wrong type or out of its range; the message names it."""


class Applies(Enum):
    """When a change takes effect, as text for its page."""

    AT_ONCE = ""
    NEXT_MATCH = N_(" Applies from the next match.")
    NEXT_START = N_(" Applies when the window opens.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting: its limits, its text and its page."""

    name: str = ""  # of the field that declares it, and the key in settings.toml
    page: str = ""  # title of its settings page; "": on none
    label: str = ""
    help: str = ""
    applies: Applies = Applies.AT_ONCE
    kind: type = bool
    low: float = False  # inclusive limits of a number, or of the length of a text
    high: float = True
    choices: tuple[str, ...] = ()  # of a setting with a few values
    offered: Callable[[str], tuple[str, ...]] | None = None  # the choices on the page, by the value; None: all
    labels: tuple[str, ...] = ()  # of the choices on the page; (): the choices with a capital
    span: tuple[float, float, float] = (0, 1, 0.1)  # a number on its page: lowest, highest, step
    shown: str = "{:.0%}"  # format of a number on its page

    @property
    def hint(self) -> str:
        """The whole explanation on its page."""
        return _(self.help) + _(self.applies.value)

    @property
    def choice_labels(self) -> tuple[str, ...]:
        """The choices as text for its page."""
        return self.labels or tuple(choice.capitalize() for choice in self.choices)

    def options(self, value: str) -> dict[str, str]:
        """The choices on its page while it is `value`, with their labels."""
        labels = dict(zip(self.choices, self.choice_labels, strict=True))
        return labels if self.offered is None else {one: labels[one] for one in self.offered(value)}

    def check(self, value: Any) -> None:
        """Raise SettingsError for a value of the wrong type or out of its limits."""
        got = f"got: {self.name} = {value!r}"
        if self.choices:
            if value not in self.choices:
                raise SettingsError(f"expected {self.name} among {', '.join(self.choices)}, {got}")
            return
        fits = type(value) is self.kind or (self.kind is float and type(value) is int)
        if fits and self.low <= (len(value) if self.kind is str else value) <= self.high:
            return
        limits = (
            f"{self.low} to {self.high} characters"
            if self.kind is str
            else f"{self.kind.__name__} in {self.low} … {self.high}"
        )
        raise SettingsError(f"expected {self.name} = {limits}, {got}")


def toggle(default: bool, **texts: Any) -> Any:
    """A field of Settings that is on or off."""
    return _field(default, Setting(**texts))


def choice(default: str, choices: Collection[str], **texts: Any) -> Any:
    """A field of Settings that is one of several values; `labels` name them on the page."""
    return _field(default, Setting(kind=str, choices=tuple(choices), **texts))


def number(default: float, low: float, high: float, **texts: Any) -> Any:
    """A field of Settings between two limits, both inclusive; a whole number where `default` is one."""
    return _field(default, Setting(kind=type(default), low=low, high=high, **texts))


def text(default: str, low: int, high: int, **texts: Any) -> Any:
    """A field of Settings of `low` to `high` characters."""
    return _field(default, Setting(kind=str, low=low, high=high, **texts))


def declared(kind: type[Any]) -> tuple[Setting, ...]:
    """All settings that the dataclass `kind` declares, in the order of their pages."""
    return tuple(replace(one.metadata["setting"], name=one.name) for one in fields(kind) if "setting" in one.metadata)


def _field(default: Any, setting: Setting) -> Any:
    return field(default=default, metadata={"setting": setting})


TV = "tv"  # the picture shape of a television

GLYPHS = ("auto", "xbox", "playstation", "nintendo", "keyboard")
"""Values of the setting `button_glyphs`: the devices whose buttons hints show."""


class Page(StrEnum):
    """Titles of the settings pages, in their order."""

    GENERAL, DISPLAY, ACCESSIBILITY = N_("General"), N_("Display"), N_("Accessibility")
    HUD, INPUT, SOUND, RECORDING, ABOUT = N_("View"), N_("Controls"), N_("Sound"), N_("Recording"), N_("About")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The user's settings; raises SettingsError for a value out of its limits."""

    player_name: str = text(
        "Player", 1, 24, page=Page.GENERAL, label=N_("Your name"),
        help=N_("Shown in matches, results and on the ladder.")
    )  # fmt: skip
    language: str = choice(
        "system", LANGUAGES, labels=tuple(LANGUAGES.values()), offered=offered, page=Page.GENERAL, label=N_("Language"),
        help=N_("System: the language of this computer, or English."),
    )  # fmt: skip
    pause_unfocused: bool = toggle(
        True, page=Page.GENERAL, label=N_("Pause in the background"),
        help=N_("Pauses the match when another window gets the keyboard."),
    )  # fmt: skip
    countdown: bool = toggle(
        True, page=Page.GENERAL, label=N_("Countdown"),
        help=N_("Counts 3-2-1 before a real-time match starts or continues."),
    )  # fmt: skip
    attract: bool = toggle(
        True, page=Page.GENERAL, label=N_("Games on the title"),
        help=N_("Half a minute without input plays matches of different games. Any press ends them."),
    )  # fmt: skip

    relay: str = text(
        "", 0, 120, page=Page.GENERAL, label=N_("Relay server"),
        help=N_("For matches that you host online, where others cannot reach this computer: HOST:PORT. Empty: none.")
    )  # fmt: skip

    palette: str = choice(
        "night", PALETTES, labels=(N_("Night"), N_("Daylight"), N_("High contrast")), page=Page.ACCESSIBILITY,
        label=N_("Colours"),
        help=N_("All of them suit the common kinds of colour blindness."),
    )  # fmt: skip
    ui_scale: float = number(
        1.0, 1, 3, page=Page.ACCESSIBILITY, label=N_("Text size"), span=(1, 3, 0.25), shown="{:g}×",
        help=N_("The size of all text and controls."),
    )  # fmt: skip
    reduce_flashing: bool = toggle(
        False, page=Page.ACCESSIBILITY, label=N_("Reduce flashing"),
        help=N_("Softens quick changes of brightness in large parts of a game's picture."),
    )  # fmt: skip
    reduce_motion: bool = toggle(
        False, page=Page.ACCESSIBILITY, label=N_("Reduce motion"),
        help=N_("Screens change at once, without transitions."),
    )  # fmt: skip
    fullscreen: bool = toggle(
        False, page=Page.DISPLAY, label=N_("Fullscreen"), help=N_("Fills the screen. F11 does it anywhere.")
    )  # fmt: skip
    window_width: int = number(1280, 320, 7680)  # pixels; the page has one row for both
    window_height: int = number(720, 180, 4320)
    whole_pixels: bool = toggle(
        True, page=Page.DISPLAY, label=N_("Whole pixels"),
        help=N_("Enlarges games by whole numbers where that fills most of the space: sharper, and a little smaller."),
    )  # fmt: skip
    vsync: bool = toggle(
        False, page=Page.DISPLAY, label=N_("Vertical sync"), applies=Applies.NEXT_START,
        help=N_("Draws in step with the screen, which avoids torn pictures and delays them a little."),
    )  # fmt: skip
    frame_limit: int = number(
        60, 30, 240, page=Page.DISPLAY, label=N_("Frame rate"), span=(30, 240, 30), shown=N_("{:.0f} fps"),
        help=N_("Most pictures of the window in a second. Games keep their own speed."),
    )  # fmt: skip

    picture_shape: str = choice(
        TV, (TV, "square"), labels=(N_("TV"), N_("Square pixels")), page=Page.DISPLAY, label=N_("Picture shape"),
        help=N_("Of games that were made for a television: 4 to 3 as it showed them, or with square pixels."),
    )  # fmt: skip

    show_hud: bool = toggle(
        True, page=Page.HUD, label=N_("Show the bars"), help=N_("Names, scores and keys around the picture.")
    )
    keep_controls: bool = toggle(
        False, page=Page.HUD, label=N_("Keep the controls in sight"),
        help=N_("Off: the keys fade after some seconds of play, and F1 shows them."),
    )  # fmt: skip
    hud: Mapping[str, bool] = field(default_factory=dict)  # HUD pieces, by name, that are not as they are by default

    opposites: str = choice(
        "newest", ("newest", "first", "neutral"), labels=(N_("Newest"), N_("First"), N_("Neither")), page=Page.INPUT,
        label=N_("Left and right at once"),
        help=N_("Which of two opposite directions counts while both are held."),
    )  # fmt: skip
    stick_dead_zone: float = number(
        0.2, 0, 0.9, page=Page.INPUT, label=N_("Stick dead zone"), span=(0, 0.9, 0.05),
        help=N_("The share of its range that a stick moves before it counts. Raise it where a character drifts."),
    )  # fmt: skip
    stick_curve: float = number(
        1.0, 0.25, 4, page=Page.INPUT, label=N_("Stick curve"), span=(0.25, 4, 0.25), shown="{:g}",
        help=N_("The exponent of a stick's deflection: above 1 small movements do less, below 1 they do more."),
    )  # fmt: skip

    button_glyphs: str = choice(
        "auto", GLYPHS, labels=(N_("Automatic"), N_("Xbox"), N_("PlayStation"), N_("Nintendo"), N_("Keyboard")),
        page=Page.INPUT, label=N_("Button pictures"),
        help=N_("The buttons that hints show. Automatic: those of the device used last."),
    )  # fmt: skip
    vibration: bool = toggle(
        True, page=Page.INPUT, label=N_("Vibration"), help=N_("Gamepads that can vibrate do so for hits and points.")
    )  # fmt: skip

    volume: float = number(0.7, 0, 1, page=Page.SOUND, label=N_("Volume"), help=N_("Volume of all sounds."))
    game_volume: float = number(
        1.0, 0, 1, page=Page.SOUND, label=N_("Game sounds"),
        help=N_("Hits, points and results, as a share of the volume.")
    )  # fmt: skip
    menu_volume: float = number(
        0.6, 0, 1, page=Page.SOUND, label=N_("Menu sounds"),
        help=N_("Steps and choices, as a share of the volume.")
    )  # fmt: skip
    music_volume: float = number(
        0.3, 0, 1, page=Page.SOUND, label=N_("Music"),
        help=N_("A quiet piece in menus, as a share of the volume. Matches have none.")
    )  # fmt: skip
    mute: bool = toggle(False, page=Page.SOUND, label=N_("Mute"), help=N_("No sound at all."))
    captions: bool = toggle(False, page=Page.ACCESSIBILITY, label=N_("Captions"), help=N_("Names each sound in words."))
    narrator: bool = toggle(
        False, page=Page.ACCESSIBILITY, label=N_("Narrator"),
        help=N_("Reads screens, scores and boards aloud by the system's voice.")
    )  # fmt: skip

    record_matches: bool = toggle(
        True, page=Page.RECORDING, label=N_("Record matches"), applies=Applies.NEXT_MATCH,
        help=N_("Records every match, to replay, share and train from."),
    )  # fmt: skip
    name_recordings: bool = toggle(
        False, page=Page.RECORDING, label=N_("Your name in recordings"),
        help=N_("Off: recordings and datasets say “person 1”. Results and the ladder on this machine still name you."),
    )  # fmt: skip
    replay_gigabytes: float = number(
        2.0, 0.1, 1000, page=Page.RECORDING, label=N_("Storage limit"), applies=Applies.NEXT_START, span=(0.5, 20, 0.5),
        shown="{:g} GB", help=N_("Beyond it the oldest recordings are deleted, except those that you keep."),
    )  # fmt: skip
    record_observations: str = choice(
        "auto", OBSERVATIONS, labels=(N_("Automatic"), N_("Always"), N_("Never")), page=Page.RECORDING,
        label=N_("Observations"), applies=Applies.NEXT_MATCH,
        help=N_("Automatic: only of games that cannot be replayed exactly from seed and actions. Always makes large "
        "files."),
    )  # fmt: skip
    record_seats: str = choice(
        "all", SEATS, labels=(N_("All"), N_("People")), page=Page.RECORDING, label=N_("Observed seats"),
        applies=Applies.NEXT_MATCH,
        help=N_("The seats whose observations are recorded: all of them, or those of people."),
    )  # fmt: skip

    def __post_init__(self) -> None:
        for setting in declared(type(self)):
            setting.check(getattr(self, setting.name))
        for name, on in self.hud.items():
            if type(on) is not bool:
                raise SettingsError(f"expected hud_{name} = true or false, got: hud_{name} = {on!r}")

    def changed(self, **changes: Any) -> Self:
        """Return a copy with these fields changed; raises SettingsError for a value out of its limits."""
        return replace(self, **changes)

    def reset(self, page: str = "") -> Self:
        """Return a copy with the defaults of a page, the HUD's pieces with theirs; "": of all pages.

        The player keeps the name.
        """
        names = [one.name for one in declared(type(self)) if page in ("", one.page) and one.name != "player_name"]
        if page in ("", Page.DISPLAY):
            names += _WINDOW_SIZE
        default = type(self)()
        changes = {name: getattr(default, name) for name in names}
        return replace(self, **changes, hud={} if page in ("", Page.HUD) else self.hud)


FILE = "settings.toml"  # in ARCADE_HOME
_WINDOW_SIZE = ["window_width", "window_height"]  # they have one row on their page
_HUD = "hud_"  # before the name of a HUD piece, as a key


def is_first_start() -> bool:
    """Whether this player has no settings yet."""
    return not (home() / FILE).exists()


def load_settings(
    path: Path | None = None,
    *,
    kind: type[Settings] = Settings,
    hud_pieces: Callable[[], Collection[str]] | None = None,
) -> tuple[Settings, str]:
    """Return the settings and a warning for the user, or ""; never fails.

    `kind` declares them; `hud_pieces` returns the names of all HUD pieces, and is called if the file has one.  A file
    that is invalid is kept as ``settings.toml.bad`` beside it, and the defaults are used.
    """
    known = [setting.name for setting in declared(kind)]

    def read(raw: Mapping[str, Any]) -> Settings:
        keys = [key for key in raw if key.startswith(_HUD)]
        if keys and hud_pieces is not None:
            names = hud_pieces()
            keys = [key for key in keys if key.removeprefix(_HUD) in names]
        values = {name: raw[name] for name in known if name in raw}
        known.extend(keys)
        return kind(**values, hud={key.removeprefix(_HUD): raw[key] for key in keys})

    return load_toml(path or home() / FILE, read, default=kind(), known=known, what="settings")


def settings_file(settings: Settings, path: Path | None = None) -> ChangesFile[Settings]:
    """Return the file of the settings that were read from it."""
    return ChangesFile(settings, lambda now, before: save_settings(now, path, before=before))


def save_settings(settings: Settings, path: Path | None = None, *, before: Settings | None = None) -> None:
    """Write the settings atomically, or only those that differ from `before`.

    Comments in the file stay, and an invalid file is kept as ``.bad``.
    """
    path, head = path or home() / FILE, "PettingZoo Arcade; also on its settings page"
    with changing_toml(path, head=head, what="settings") as document:
        known = before if len(document) else None  # a new file has them all
        for name in (setting.name for setting in declared(type(settings))):
            if known is None or getattr(known, name) != getattr(settings, name):
                document[name] = getattr(settings, name)
        hud = dict(known.hud) if known is not None else {}
        for name in hud.keys() - settings.hud.keys():
            document.pop(_HUD + name, None)
        document.update({_HUD + name: on for name, on in settings.hud.items() if hud.get(name) is not on})
