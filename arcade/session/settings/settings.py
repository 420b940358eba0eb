"""Settings: all settings; a new one is one field here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from arcade.match.recording.format import OBSERVATIONS, SEATS
from arcade.palettes import PALETTES
from arcade.session.settings.declaration import Applies, SettingsError, choice, declared, number, text, toggle


class Page(StrEnum):
    """Titles of the settings pages, in their order."""

    GENERAL, DISPLAY, HUD, INPUT = "General", "Display", "HUD", "Input"
    SOUND, PEOPLE, RECORDING = "Sound", "People", "Recording"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The user's settings; raises SettingsError for a value out of its limits."""

    pause_unfocused: bool = toggle(
        True, page=Page.GENERAL, label="Pause in the background",
        help="Pauses the match when another window gets the keyboard.",
    )  # fmt: skip
    attract: bool = toggle(
        True, page=Page.GENERAL, label="Games on the title",
        help="Half a minute without input plays matches of different games. Any press ends them.",
    )  # fmt: skip

    palette: str = choice(
        "night", PALETTES, page=Page.DISPLAY, label="Colours",
        help="All of them suit the common kinds of colour blindness.",
    )  # fmt: skip
    ui_scale: float = number(
        1.0, 1, 3, page=Page.DISPLAY, label="Size", span=(1, 3, 0.25), shown="{:g} x",
        help="Size of text and controls. F3, or a gamepad's right stick, looks around an enlarged page.",
    )  # fmt: skip
    reduce_flashing: bool = toggle(
        False, page=Page.DISPLAY, label="Reduce flashing",
        help="Softens quick changes of brightness in large parts of a game's picture.",
    )  # fmt: skip
    fullscreen: bool = toggle(
        False, page=Page.DISPLAY, label="Fullscreen", help="Fills the screen. F11 does it anywhere."
    )  # fmt: skip
    window_width: int = number(1280, 320, 7680)  # pixels; the page has one row for both
    window_height: int = number(720, 180, 4320)
    whole_pixels: bool = toggle(
        True, page=Page.DISPLAY, label="Whole pixels",
        help="Enlarges games by whole numbers where that fills most of the space: sharper, and a little smaller.",
    )  # fmt: skip

    show_hud: bool = toggle(True, page=Page.HUD, label="Show the HUD", help="The bars around the picture.")
    hud: Mapping[str, bool] = field(default_factory=dict)  # HUD pieces, by name, that are not as they are by default

    opposites: str = choice(
        "newest", ("newest", "first", "neutral"), page=Page.INPUT, label="Left and right at once",
        help="Which of two opposite directions counts while both are held: the newest, the first, or neither "
        "(neutral).",
    )  # fmt: skip
    stick_dead_zone: float = number(
        0.2, 0, 0.9, page=Page.INPUT, label="Stick dead zone", span=(0, 0.9, 0.05),
        help="The share of its range that a stick moves before it counts. Raise it where a character drifts.",
    )  # fmt: skip
    stick_curve: float = number(
        1.0, 0.25, 4, page=Page.INPUT, label="Stick curve", span=(0.25, 4, 0.25), shown="{:g}",
        help="The exponent of a stick's deflection: above 1 small movements do less, below 1 they do more.",
    )  # fmt: skip

    volume: float = number(0.7, 0, 1, page=Page.SOUND, label="Volume", help="Volume of all sounds.")
    mute: bool = toggle(False, page=Page.SOUND, label="Mute", help="No sound at all.")
    captions: bool = toggle(False, page=Page.SOUND, label="Captions", help="Names each sound in words.")

    player_name: str = text(
        "Player", 1, 24, page=Page.PEOPLE, label="Your name", help="Shown in matches, results and on the ladder."
    )  # fmt: skip
    name_recordings: bool = toggle(
        False, page=Page.PEOPLE, label="Your name in recordings",
        help="Off: recordings and datasets say “person 1”. Results and the ladder on this machine still name you.",
    )  # fmt: skip

    record_matches: bool = toggle(
        True, page=Page.RECORDING, label="Record matches", applies=Applies.NEXT_MATCH,
        help="Records every match, to replay, share and train from.",
    )  # fmt: skip
    replay_gigabytes: float = number(
        2.0, 0.1, 1000, page=Page.RECORDING, label="Storage limit", applies=Applies.NEXT_START, span=(0.5, 20, 0.5),
        shown="{:g} GB", help="Beyond it the oldest recordings are deleted, except those that you keep.",
    )  # fmt: skip
    record_observations: str = choice(
        "auto", OBSERVATIONS, page=Page.RECORDING, label="Observations", applies=Applies.NEXT_MATCH,
        help="Auto: only of games that cannot be replayed exactly from seed and actions. Always makes large files.",
    )  # fmt: skip
    record_seats: str = choice(
        "all", SEATS, page=Page.RECORDING, label="Observed seats", applies=Applies.NEXT_MATCH,
        help="The seats whose observations are recorded: all of them, or those of people.",
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
