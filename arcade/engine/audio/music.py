"""Music: the quiet piece of the menus, made of the same instruments as the effects."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arcade.engine.audio.synthesis import RATE, Note, synthesise

BAR = 4.0  # seconds
_CHORDS = (
    (131, 196, 247, 330), (110, 165, 196, 262), (87, 175, 220, 330), (98, 147, 220, 247),
    (131, 196, 247, 294), (82, 165, 196, 247), (87, 131, 220, 262), (98, 196, 247, 294),
)  # fmt: skip
"""Pitches in Hz of each bar, its bass first: C, A minor, F, G; C, E minor, F, G."""
_MELODY = ((0.0, 1), (1.0, 3), (1.5, 2), (2.5, 3), (3.0, 1))
"""Seconds in a bar, and the tone of its chord, an octave higher."""


def make_piece() -> bytes:
    """Return the piece as samples of `synthesise`; its end leads into its beginning, since it is played in a loop."""
    whole = np.frombuffer(synthesise(list(_notes())), "<i2").astype(np.int32)
    count = round(RATE * BAR * len(_CHORDS))
    loop, rest = whole[:count].copy(), whole[count:]
    loop[: len(rest)] += rest  # what still sounds of the last bar
    return bytes(np.clip(loop, -32_767, 32_767).astype("<i2").tobytes())


def _notes() -> Iterator[Note]:
    for bar, chord in enumerate(_CHORDS):
        at = bar * BAR
        yield Note(at, chord[0], 1.2 * BAR, 0.8, "flute")
        for pitch in chord[1:]:
            yield Note(at + 0.05, pitch, 1.2 * BAR, 0.35, "flute")
        for place, (beat, tone) in enumerate(_MELODY):
            if (bar + place) % 3:  # never twice the same bar
                yield Note(at + beat, 2 * chord[tone], 1.4, 0.45)
