"""Presets of a training: how long it lasts, its settings, and an estimate of what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents.seats.controller import LEVELS
from arcade.games.spec import GameSpec
from arcade.language import N_, _, duration_text, local_number
from arcade.session.training.speed import PICTURE_FAMILIES, Source, Speed

if TYPE_CHECKING:
    from agents.snapshots.card import SnapshotCard

SNAPSHOTS = 8
"""Snapshots that a training of any length makes on its way."""

LEAST_BETWEEN = 0.5
"""Minutes between two snapshots at least."""

EVALUATED_EVERY = 20
"""Seconds of training between two evaluations, which cost about a tenth of the time."""

NICE = 15

_STAYS = N_("It continues when you close the arcade.")
_ENDS = N_("It ends when you close the arcade; what it has learnt is saved.")


@dataclass(frozen=True, slots=True)
class Preset:
    """One of the buttons above the form of a new run."""

    name: str
    title: str
    help: str
    minutes: float
    settings: dict[str, Any] = field(default_factory=dict)  # over those that follow from the time


QUICK = Preset("quick", N_("Quick"), N_("A first opponent in five minutes."), 5)
STRONG = Preset(
    "strong",
    N_("Strong"),
    N_("An hour: for a stronger opponent."),
    60,
    {"network": {"hidden": [128, 128]}},
)
OVERNIGHT = Preset(
    "overnight", N_("Overnight"), N_("Eight hours: trains while you sleep."), 8 * 60,
    {"network": {"hidden": [256, 256]}, "opponents": {"weighting": "variance"}},
)  # fmt: skip
PRESETS = {preset.name: preset for preset in (QUICK, STRONG, OVERNIGHT)}


def closing_text(*, stays: bool) -> str:
    """Return what closing the window means for a training."""
    return _(_STAYS if stays else _ENDS)


def preset_settings(preset: Preset, spec: GameSpec, speed: Speed) -> dict[str, Any]:
    """The settings of a preset for a game, nested as in a settings file."""
    return settings_for(spec, preset.minutes, speed) | preset.settings


def settings_for(spec: GameSpec, minutes: float, speed: Speed) -> dict[str, Any]:
    """The settings of a training of `minutes`, which freezes and evaluates often enough to be followed."""
    scripted = ["scripted?level=easy" if spec.has_levels else "scripted"] if spec.scripted else []
    return {
        "minutes": float(minutes),
        "freeze": {
            "minutes": max(LEAST_BETWEEN, minutes / SNAPSHOTS), "save_steps": 0, "at_end": True,
            "placement_games": 4 if minutes <= QUICK.minutes else 16,
        },
        "evaluation": {
            "steps": max(1, round(speed.steps_per_second * EVALUATED_EVERY)), "games": 32,
            "against": [*scripted, "random"],
        },
        "resources": {"nice": NICE},
    }  # fmt: skip


SOURCES = {
    Source.RUNS: N_("{time}: about {steps} steps, judging by your past runs of this game."),
    Source.OTHERS: N_("{time}: about {steps} steps, judging by your past runs of other games."),
}  # fmt: skip
UNKNOWN = N_(
    "{time} of training. How strong the AI becomes depends on this computer: your first training shows how fast it is."
)
AS_STRONG = {
    "easy": N_("At least as many steps as the easy AI was trained for; the strength may differ."),
    "normal": N_("At least as many steps as the normal AI was trained for; the strength may differ."),
    "hard": N_("At least as many steps as the hard AI was trained for; the strength may differ."),
    "expert": N_("At least as many steps as the expert AI was trained for; the strength may differ."),
}
BELOW = N_("Fewer steps than the easy AI was trained for.")
GROWTH = (
    (100_000, N_("It may learn the basics.")),
    (2_000_000, N_("It may become a fair opponent.")),
    (float("inf"), N_("It may become hard to beat.")),
)
"""Steps up to which each sentence holds, for games without bundled snapshots."""

PICTURES_COST = 5
"""Times the steps that a game of pictures needs."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a training of some minutes may come to."""

    minutes: float
    steps: int
    source: Source
    strength: str  # a sentence for people

    @property
    def text(self) -> str:
        """The whole estimate for people."""
        if self.source is Source.GUESS:
            return _(UNKNOWN).format(time=duration_text(self.minutes * 60))
        steps = _(SOURCES[self.source]).format(time=duration_text(self.minutes * 60), steps=rounded_text(self.steps))
        return f"{steps} {_(self.strength)}"


def estimate(spec: GameSpec, minutes: float, speed: Speed, bundled: Sequence[SnapshotCard]) -> Estimate:
    """Estimate a training; `bundled` are cards of snapshots whose strength is known, the levels of the game."""
    steps = int(speed.steps_per_second * minutes * 60)
    return Estimate(minutes, steps, speed.source, _strength(spec, steps, bundled))


def _strength(spec: GameSpec, steps: int, bundled: Sequence[SnapshotCard]) -> str:
    rising = sorted(card.step for card in bundled if card.plays(spec.agents[0]))
    if not rising:
        needed = steps / (PICTURES_COST if spec.family in PICTURE_FAMILIES else 1)
        return next(sentence for most, sentence in GROWTH if needed <= most)
    reached = sum(step <= steps for step in rising)
    return AS_STRONG[LEVELS[(reached * len(LEVELS) - 1) // len(rising)]] if reached else BELOW


def rounded_text(count: float) -> str:
    """A number with two figures that count: ``620,000``, ``1.5 million``."""
    if count >= 1e6:
        return _("{count} million").format(count=local_number(f"{float(f'{count / 1e6:.2g}'):g}"))
    return local_number(f"{int(float(f'{count:.2g}')):,}")
