"""Sound: short synthesised effects, silent without a sound device.  Captions: a line of text for each."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

import pygame

from arcade.engine.ui.theme import Theme
from arcade.language import N_, _

Effect = Literal[
    "move", "accept", "back", "point", "point lost", "hit", "join", "win", "lose", "warning", "countdown", "start",
    "achievement",
]  # fmt: skip
EFFECTS: tuple[str, ...] = get_args(Effect)
MENU_EFFECTS = ("move", "accept", "back")
"""Steps in menus, which have a volume of their own; all others belong to matches."""

_DRIVER = "SDL_AUDIODRIVER"
_user_driver = os.environ.get(_DRIVER)  # before PettingZoo sets another
_log = logging.getLogger(__name__)

# effect → notes: seconds from its start, pitch in Hz, seconds, level, instrument, pitch at its end
_NOTES: Mapping[str, Sequence[tuple[Any, ...]]] = {
    "move": [(0, 988, 0.07, 1.0)],
    "accept": [(0, 659, 0.16, 0.7), (0.05, 988, 0.20, 1.0)],
    "back": [(0, 659, 0.14, 0.7), (0.05, 440, 0.18, 1.0)],
    "point": [(0, 784, 0.28, 0.8), (0.08, 1175, 0.36, 1.0)],
    "point lost": [(0, 392, 0.28, 0.9), (0.08, 294, 0.36, 1.0)],
    "hit": [(0, 210, 0.10, 1.0, "drum", 120)],
    "join": [(0, 392, 0.24, 0.8), (0.07, 523, 0.24, 0.9), (0.14, 784, 0.32, 1.0)],
    "win": [
        (0, 523, 0.35, 0.8), (0.11, 659, 0.35, 0.8), (0.22, 784, 0.35, 0.8),
        (0.33, 1047, 0.6, 1.0), (0.33, 659, 0.6, 0.5, "flute"), (0.33, 784, 0.6, 0.4, "flute"),
    ],
    "lose": [(0, 392, 0.4, 0.9, "flute"), (0.16, 330, 0.4, 0.9, "flute"), (0.32, 262, 0.6, 1.0, "flute", 247)],
    "warning": [(0, 440, 0.22, 1.0, "flute"), (0.13, 349, 0.3, 1.0, "flute")],
    "countdown": [(0, 523, 0.14, 1.0)],
    "start": [(0, 1047, 0.40, 1.0), (0, 784, 0.40, 0.5)],
    "achievement": [(0, 784, 0.3, 0.7), (0.09, 988, 0.3, 0.8), (0.18, 1319, 0.55, 1.0)],
}  # fmt: skip

_TUNINGS: Mapping[str, Sequence[float]] = {"hit": (1.0, 1.06, 0.95), "move": (1.0, 1.02, 0.98)}
"""Of effects that are heard often: each time another one."""

SAMPLES = 44_100
"""Samples a second, those of `synthesise`."""
MUSIC_CHANNEL = 0
"""The channel that no effect uses."""
FADE = 0.005
"""Of the volume by which the music comes and goes in each frame."""

MUSIC_AFTER = 2.0
"""Seconds from the opening until the music is made, most of a second of work: the first pages load meanwhile."""

HEARD = 400
"""Newest sounds that are kept for a clip of the last half minute."""

CAPTION_SECONDS = 1.5
# Menus have no captions: their steps are visible.
CAPTIONS: dict[str, str] = {
    "point": N_("a point"), "point lost": N_("a point lost"), "hit": N_("a hit"), "join": N_("a player joins"),
    "win": N_("fanfare: won"), "lose": N_("low notes: lost"), "warning": N_("warning"),
    "countdown": N_("countdown"), "start": N_("the match starts"), "achievement": N_("fanfare: an achievement"),
}  # fmt: skip


class Sound:
    """Plays effects by name, silent until `open`, which the loop calls after its first frame."""

    def __init__(
        self, *, volume: float = 0.7, game: float = 1.0, menu: float = 1.0, music: float = 0.0, mute: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._clock = clock
        self._samples: dict[str, list[bytes]] = {}  # of `_sounds`
        self.set_volume(volume, game=game, menu=menu, music=music, mute=mute)
        self.played: dict[str, int] = {}  # effect → count
        self.newest = ""  # the last effect with a caption
        self.heard: deque[tuple[float, bytes, float]] = deque(maxlen=HEARD)  # when, samples, volume; for clips
        self.failure = ""  # why there is no sound
        self._sounds: dict[str, list[Any]] = {}  # effect → one for each of its tunings
        self._level = 0.0  # of the music at present
        self._piece: Any = None  # the music, once it is made
        self._composer: threading.Thread | None = None
        self._closed = threading.Event()
        self._opener: threading.Thread | None = None
        self._opened_at = 0.0

    def open(self) -> None:
        """Open the device and make the effects in a thread; can be called twice."""
        if self._opener is None:
            self._opened_at = self._clock()
            self._opener = threading.Thread(target=self._open, name="sound", daemon=True)
            self._opener.start()

    def set_volume(
        self, volume: float, *, game: float = 1.0, menu: float = 1.0, music: float = 0.0, mute: bool = False
    ) -> None:
        """Set the volume of later effects, 0 … 1, and the shares of it for those of games and of menus, and for music.

        `mute` silences at once.
        """
        for name, value in {"volume": volume, "game": game, "menu": menu, "music": music}.items():
            if not 0 <= value <= 1:
                raise ValueError(f"expected 0 <= {name} <= 1, got: {value}")
        self.volume, self.game, self.menu, self.music, self.mute = volume, game, menu, music, mute
        if mute and pygame.mixer.get_init():
            pygame.mixer.stop()

    def play(self, effect: Effect) -> None:
        """Start an effect, unless muted or without a device."""
        if effect not in EFFECTS:
            raise ValueError(f"expected an effect of {', '.join(EFFECTS)}, got: {effect!r}")
        self.played[effect] = self.played.get(effect, 0) + 1
        if effect in CAPTIONS:
            self.newest = effect
        tunings = self._sounds.get(effect)
        if tunings and not self.mute and (volume := self.volume_of(effect)) > 0:
            tuning = self.played[effect] % len(tunings)
            sound, samples = tunings[tuning], self._samples[effect][tuning]
            sound.set_volume(volume)
            sound.play()
            self.heard.append((self._clock(), samples, volume))

    def volume_of(self, effect: Effect) -> float:
        """The volume of an effect, 0 … 1, unless muted."""
        return self.volume * (self.menu if effect in MENU_EFFECTS else self.game)

    def follow(self, *, in_match: bool) -> None:
        """Play the music in menus, and let matches have silence; called each frame."""
        volume = 0.0 if in_match or self.mute else self.volume * self.music
        if self._piece is None:
            is_open = self._opener is not None and not self._opener.is_alive() and bool(self._sounds)
            if volume and is_open and self._composer is None and self._clock() >= self._opened_at + MUSIC_AFTER:
                self._composer = threading.Thread(target=self._compose, name="music", daemon=True)
                self._composer.start()
            return
        channel, before = pygame.mixer.Channel(MUSIC_CHANNEL), 0.0 if self.mute else self._level
        self._level = max(volume, before - FADE) if volume < before else min(volume, before + FADE)
        if self._level and not channel.get_busy():
            channel.play(self._piece, loops=-1)
        if self._level != before:
            channel.set_volume(self._level)
            if not self._level:
                channel.stop()

    def _compose(self) -> None:
        piece = make_music()
        if not self._closed.is_set():
            self._piece = pygame.mixer.Sound(buffer=piece)

    def close(self) -> None:
        """Close the device; can be called twice."""
        self._closed.set()
        for thread in (self._opener, self._composer):
            if thread is not None:
                thread.join(5.0)
        self._sounds, self._piece = {}, None
        if pygame.mixer.get_init():
            pygame.mixer.quit()

    def _open(self) -> None:
        try:
            _undo_pettingzoo()
            pygame.mixer.init(SAMPLES, size=-16, channels=1, buffer=512)
            pygame.mixer.set_reserved(MUSIC_CHANNEL + 1)
            for effect in EFFECTS:
                if self._closed.is_set():
                    return
                self._samples[effect] = make_effect(effect)
                self._sounds[effect] = [pygame.mixer.Sound(buffer=samples) for samples in self._samples[effect]]
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
        self.text = f"[{_(CAPTIONS[self._sound.newest])}]" if now < self._until else ""

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        """Draw a plate at the lower left."""
        if self.text:
            picture = theme.text(self.text)
            plate = picture.get_rect().inflate(theme.px(32), theme.px(16))
            plate.bottomleft = (theme.gap, canvas.get_height() - theme.px(56))
            theme.draw_panel(canvas, plate, fill=theme.colours.ground, edge=theme.colours.edge)
            canvas.blit(picture, picture.get_rect(center=plate.center))


def _undo_pettingzoo() -> None:
    """Restore the user's audio driver: PettingZoo's import sets "dsp", which few machines have."""
    if "pettingzoo" in sys.modules and os.environ.get(_DRIVER) == "dsp":
        if _user_driver in (None, "dsp"):
            del os.environ[_DRIVER]
        else:
            os.environ[_DRIVER] = _user_driver


def make_music() -> bytes:
    """Return the music of the menus as samples of `synthesise`."""
    from arcade.engine.audio.music import make_piece  # on demand: the first frame does not need numpy

    return make_piece()


def make_effect(effect: str) -> list[bytes]:
    """Return an effect as samples of `synthesise`, one for each of its tunings."""
    from arcade.engine.audio.synthesis import Note, synthesise  # on demand: the first frame does not need numpy

    notes = [Note(*note) for note in _NOTES[effect]]
    return [synthesise(notes, tuning=tuning) for tuning in _TUNINGS.get(effect, (1.0,))]
