"""Settings: what the user chose, in ARCADE_HOME/settings.toml.

Read before the first frame, and therefore without pydantic, whose import alone takes half as long as that frame.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from agents.files import NewestWriter, load_toml, replace_file, toml_document
from agents.home import home
from arcade.match.recording.options import OBSERVATIONS, SEATS
from arcade.palettes import PALETTES

OPPOSITES = ("newest", "first", "neutral")
"""What left and right at once may mean."""


class SettingsError(ValueError):
    """A setting of the wrong type or out of its range; the message names it."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every field changes something a player notices; raises SettingsError for a value that cannot be."""

    player_name: str = "Player"  # in results; 1 to 24 characters
    volume: float = 0.7  # loudness of the effects, 0 … 1
    mute: bool = False  # no sound at all
    fullscreen: bool = False
    window_width: int = 1280  # of the window at start, in pixels, 320 … 7680
    window_height: int = 720  # in pixels, 180 … 4320
    whole_pixels: bool = True  # game pictures are scaled up by whole numbers only
    show_hud: bool = True  # names, scores and late answers over the game
    pause_unfocused: bool = True  # pause when another window takes the keyboard
    record_matches: bool = True  # keep a replay of every match
    record_observations: str = "auto"  # what seats saw, in replays: one of OBSERVATIONS
    record_seats: str = "all"  # whose observations those are: one of SEATS
    name_recordings: bool = False  # the player agreed to have their name in recordings
    replay_gigabytes: float = 2.0  # room for replays that nobody keeps; the oldest go, 0.1 … 1000
    hud_scores: bool = True  # pieces of the HUD: scores by team
    hud_clock: bool = True
    hud_turn: bool = True  # whose turn it is
    hud_lineup: bool = True  # who sits where, with device icons
    hud_network: bool = True  # late ticks and round-trip times
    hud_rate: bool = True  # ticks a second where the game cannot keep its own rate
    hud_mind: bool = False  # what an AI seat thinks of its actions
    palette: str = "night"  # the colours of all screens; a name of arcade.palettes
    ui_scale: float = 1.0  # how large text and controls are, 1 … 3
    reduce_flashing: bool = False  # no quick changes of brightness
    opposites: str = "newest"  # what left and right at once mean: one of OPPOSITES
    stick_dead_zone: float = 0.2  # of full deflection, 0 … 0.9
    stick_curve: float = 1.0  # exponent of a stick's deflection: above 1 finer in the middle, 0.25 … 4
    attract: bool = True  # the title plays games by itself when nobody touches anything
    captions: bool = False  # words for sounds

    def __post_init__(self) -> None:
        for name, (kind, low, high) in _LIMITS.items():
            value = getattr(self, name)
            known = type(value) is kind or (kind is float and type(value) is int)
            size = len(value) if kind is str and known else value
            if not known or not low <= size <= high:
                what = f"{low} to {high} characters" if kind is str else f"{kind.__name__} in {low} … {high}"
                raise SettingsError(f"expected {name} = {what}, got: {name} = {value!r}")
        for name, words in _WORDS.items():
            if getattr(self, name) not in words:
                raise SettingsError(f"expected {name} among {', '.join(words)}, got: {name} = {getattr(self, name)!r}")

    def changed(self, **changes: Any) -> Settings:
        """A copy with these fields changed; raises SettingsError for a value that cannot be."""
        return replace(self, **changes)


_LIMITS: Mapping[str, tuple[type, float, float]] = {
    "player_name": (str, 1, 24),
    "volume": (float, 0, 1),
    "mute": (bool, False, True),
    "fullscreen": (bool, False, True),
    "window_width": (int, 320, 7680),
    "window_height": (int, 180, 4320),
    "whole_pixels": (bool, False, True),
    "show_hud": (bool, False, True),
    "pause_unfocused": (bool, False, True),
    "record_matches": (bool, False, True),
    "record_observations": (str, 1, 24),
    "record_seats": (str, 1, 24),
    "name_recordings": (bool, False, True),
    "replay_gigabytes": (float, 0.1, 1000),
    "hud_scores": (bool, False, True),
    "hud_clock": (bool, False, True),
    "hud_turn": (bool, False, True),
    "hud_lineup": (bool, False, True),
    "hud_network": (bool, False, True),
    "hud_rate": (bool, False, True),
    "hud_mind": (bool, False, True),
    "palette": (str, 1, 24),
    "ui_scale": (float, 1, 3),
    "reduce_flashing": (bool, False, True),
    "opposites": (str, 1, 24),
    "stick_dead_zone": (float, 0, 0.9),
    "stick_curve": (float, 0.25, 4),
    "attract": (bool, False, True),
    "captions": (bool, False, True),
}
_WORDS: Mapping[str, Collection[str]] = {
    "palette": PALETTES, "opposites": OPPOSITES, "record_observations": OBSERVATIONS, "record_seats": SEATS,
}  # fmt: skip
FIELDS = tuple(field.name for field in fields(Settings))


def settings_path() -> Path:
    """Where the settings lie."""
    return home() / "settings.toml"


def load_settings(path: Path | None = None) -> tuple[Settings, str]:
    """The settings and a warning for people ("" when all is well); never fails.

    A file that cannot be used is kept as ``settings.toml.bad`` beside it, and the defaults hold.
    """
    return load_toml(
        path or settings_path(),
        lambda raw: Settings(**{name: raw[name] for name in FIELDS if name in raw}),
        default=Settings(), known=FIELDS, what="settings",
    )  # fmt: skip


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write them so that a kill at any instant leaves the old or the new file; the user's comments stay.

    A file that was spoilt meanwhile is kept as ``.bad``.
    """
    import tomlkit  # on demand: most starts only read

    path = path or settings_path()
    document = toml_document(path, head="PettingZoo Arcade; also on its settings page", what="settings")
    document.update(asdict(settings))
    replace_file(path, tomlkit.dumps(document))


class SettingsWriter(NewestWriter[Settings]):
    """Writes settings in a thread of its own, so that a slow disk never holds up the window; the newest win."""

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(lambda settings: save_settings(settings, path), what="settings")
