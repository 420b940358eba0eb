"""Sound: short synthesised effects, silent without a sound device.  Captions: a line of text for each."""

from __future__ import annotations

import logging
import os
import sys
import threading
from typing import Any, Literal, get_args

import pygame

from arcade.engine.ui import theme

Effect = Literal["move", "accept", "back", "point", "hit", "join", "win", "lose", "warning"]
EFFECTS: tuple[str, ...] = get_args(Effect)

RATE = 44_100  # samples a second
_DRIVER = "SDL_AUDIODRIVER"
_user_driver = os.environ.get(_DRIVER)  # before PettingZoo sets another
_log = logging.getLogger(__name__)

# effect → notes of (start and end pitch in Hz, seconds, loudness in 0 … 1)
_NOTES: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "move": ((520, 560, 0.035, 0.25),),
    "accept": ((520, 520, 0.05, 0.35), (780, 780, 0.09, 0.35)),
    "back": ((520, 390, 0.10, 0.3),),
    "point": ((660, 660, 0.07, 0.4), (880, 880, 0.14, 0.4)),
    "hit": ((220, 130, 0.06, 0.5),),
    "join": ((392, 392, 0.07, 0.4), (523, 523, 0.07, 0.4), (784, 784, 0.14, 0.4)),
    "win": ((523, 523, 0.11, 0.4), (659, 659, 0.11, 0.4), (784, 784, 0.11, 0.4), (1047, 1047, 0.3, 0.4)),
    "lose": ((392, 392, 0.16, 0.35), (330, 330, 0.16, 0.35), (262, 247, 0.4, 0.35)),
    "warning": ((440, 440, 0.12, 0.4), (370, 370, 0.18, 0.4)),
}


CAPTION_SECONDS = 1.5
# Menus have no captions: their steps are visible.
CAPTIONS: dict[str, str] = {
    "point": "a point", "hit": "a hit", "join": "a player joins", "win": "fanfare: won", "lose": "low notes: lost",
    "warning": "warning",
}  # fmt: skip


class Sound:
    """Plays effects by name, silent until `open`, which the loop calls after its first frame."""

    def __init__(self, *, volume: float = 0.7, mute: bool = False) -> None:
        self.set_volume(volume, mute=mute)
        self.played: dict[str, int] = {}  # effect → count
        self.newest = ""  # the last effect with a caption
        self.failure = ""  # why there is no sound
        self._sounds: dict[str, Any] = {}
        self._closed = threading.Event()
        self._opener: threading.Thread | None = None

    def open(self) -> None:
        """Open the device and make the effects in a thread; can be called twice."""
        if self._opener is None:
            self._opener = threading.Thread(target=self._open, name="sound", daemon=True)
            self._opener.start()

    def set_volume(self, volume: float, *, mute: bool = False) -> None:
        """Set the volume of later effects, 0 … 1; `mute` silences at once."""
        if not 0 <= volume <= 1:
            raise ValueError(f"expected 0 <= volume <= 1, got: {volume}")
        self.volume, self.mute = volume, mute
        if mute and pygame.mixer.get_init():
            pygame.mixer.stop()

    def play(self, effect: Effect) -> None:
        """Start an effect, unless muted or without a device."""
        if effect not in EFFECTS:
            raise ValueError(f"expected an effect of {', '.join(EFFECTS)}, got: {effect!r}")
        self.played[effect] = self.played.get(effect, 0) + 1
        if effect in CAPTIONS:
            self.newest = effect
        sound = self._sounds.get(effect)
        if sound is not None and not self.mute and self.volume > 0:
            sound.set_volume(self.volume)
            sound.play()

    def close(self) -> None:
        """Close the device; can be called twice."""
        self._closed.set()
        if self._opener is not None:
            self._opener.join(5.0)
        self._sounds = {}
        if pygame.mixer.get_init():
            pygame.mixer.quit()

    def _open(self) -> None:
        try:
            _undo_pettingzoo()
            pygame.mixer.init(RATE, size=-16, channels=1, buffer=512)
            for effect in EFFECTS:
                if self._closed.is_set():
                    return
                self._sounds[effect] = pygame.mixer.Sound(buffer=synthesise(effect))
        except (pygame.error, OSError) as error:
            self.failure = str(error)
            _log.info("no sound: %s", error)


class Captions:
    """The captions of a Sound, drawn after the scenes, each for `CAPTION_SECONDS`."""

    def __init__(self, sound: Sound) -> None:
        self._sound = sound
        self._played = 0
        self._until = float("-inf")
        self.text = ""  # the present caption

    def update(self, now: float) -> None:
        """Notice the sounds since the last call."""
        played = sum(self._sound.played.get(effect, 0) for effect in CAPTIONS)
        if played != self._played:
            self._played, self._until = played, now + CAPTION_SECONDS
        self.text = f"♪ {CAPTIONS[self._sound.newest]}" if now < self._until else ""

    def draw(self, canvas: pygame.Surface) -> None:
        """Draw a plate at the lower left."""
        if self.text:
            picture = theme.text(self.text)
            plate = picture.get_rect().inflate(32, 16)
            plate.bottomleft = (theme.GAP, canvas.get_height() - 56)
            theme.draw_panel(canvas, plate, fill=theme.GROUND, edge=theme.EDGE)
            canvas.blit(picture, picture.get_rect(center=plate.center))


def _undo_pettingzoo() -> None:
    """Restore the user's audio driver: PettingZoo's import sets "dsp", which few machines have."""
    if "pettingzoo" in sys.modules and os.environ.get(_DRIVER) == "dsp":
        if _user_driver in (None, "dsp"):
            del os.environ[_DRIVER]
        else:
            os.environ[_DRIVER] = _user_driver


def synthesise(effect: str) -> bytes:
    """Return an effect as little-endian int16 samples, one channel, RATE a second."""
    import numpy as np  # on demand: the first frame does not need it

    notes = []
    for start, end, seconds, loudness in _NOTES[effect]:
        count = int(RATE * seconds)
        pitch = np.linspace(start, end, count)
        phase = 2 * np.pi * np.cumsum(pitch) / RATE
        wave = np.sin(phase) + 0.25 * np.sin(2 * phase) + 0.1 * np.sin(3 * phase)
        fade = np.minimum(1.0, np.arange(count) / (0.004 * RATE)) * np.linspace(1.0, 0.0, count) ** 1.5
        notes.append(loudness * wave / 1.35 * fade)
    return bytes((np.concatenate(notes) * 32_000).astype("<i2").tobytes())
