"""Synthesis of the sound effects: notes of a few instruments, with one loudness for all effects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RATE = 44_100  # samples a second
LOUDNESS = 0.16  # root mean square of an effect's loudest 50 ms, of 1
PEAK = 0.9  # most of a sample, of 1
_WINDOW = RATE // 20
_FADE = 0.006  # seconds at the end of each note


class Note(NamedTuple):
    """One note."""

    at: float  # seconds from the effect's start
    pitch: float  # Hz
    seconds: float
    level: float = 1.0  # beside the effect's other notes
    instrument: str = "marimba"
    end: float = 0.0  # pitch at its end; 0: the same


def _sine(pitch: Floats) -> Floats:
    tone: Floats = np.sin(2 * np.pi * np.cumsum(pitch) / RATE)
    return tone


def _marimba(pitch: Floats, time: Floats) -> Floats:
    """A wooden bar: the fundamental, and the fourth partial, which fades four times as fast."""
    length = len(time) / RATE
    body: Floats = _sine(pitch) * np.exp(-5 * time / length)
    bar: Floats = 0.35 * _sine(4 * pitch) * np.exp(-20 * time / length)
    return body + bar


def _flute(pitch: Floats, time: Floats) -> Floats:
    """A soft tone that swells for 20 ms."""
    length = len(time) / RATE
    swell = np.minimum(1.0, time / 0.02) * np.exp(-2.5 * time / length)
    tone: Floats = (_sine(pitch) + 0.2 * _sine(2 * pitch) + 0.08 * _sine(3 * pitch)) * swell
    return tone


def _drum(pitch: Floats, time: Floats) -> Floats:
    """A low skin with a short tap of filtered noise."""
    noise = np.random.default_rng(0).standard_normal(len(time))
    tap = np.convolve(noise, np.ones(12) / 12, mode="same") * np.exp(-time / 0.006)
    skin: Floats = _sine(pitch) * np.exp(-5 * time * RATE / len(time)) + 0.6 * tap
    return skin


_INSTRUMENTS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "marimba": _marimba, "flute": _flute, "drum": _drum,
}  # fmt: skip


def synthesise(notes: Sequence[Note], *, tuning: float = 1.0) -> bytes:
    """Return notes as little-endian int16 samples, one channel, RATE a second; `tuning` multiplies all pitches."""
    mix = np.zeros(round(RATE * max(note.at + note.seconds for note in notes)) + 1)
    for note in notes:
        wave = _play(note, tuning)
        start = round(RATE * note.at)
        mix[start : start + len(wave)] += wave
    gain = min(LOUDNESS / loudness(mix), PEAK / np.abs(mix).max())
    return bytes((mix * gain * 32_767).astype("<i2").tobytes())


def loudness(samples: Floats) -> float:
    """Return the root mean square of the loudest 50 ms; shorter samples count as 50 ms."""
    total = np.concatenate((np.zeros(_WINDOW), np.cumsum(samples**2)))
    return float(np.sqrt((total[_WINDOW:] - total[:-_WINDOW]).max() / _WINDOW))


def _play(note: Note, tuning: float) -> Floats:
    count = int(RATE * note.seconds)
    time = np.arange(count) / RATE
    pitch = np.geomspace(note.pitch, note.end or note.pitch, count) * tuning
    fade = np.minimum(1.0, (note.seconds - time) / _FADE) * np.minimum(1.0, time / 0.002)
    wave: Floats = note.level * _INSTRUMENTS[note.instrument](pitch, time) * fade
    return wave
