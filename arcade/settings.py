"""Settings: what the user chose, in ARCADE_HOME/settings.toml."""

from __future__ import annotations

import logging
import os
import threading
import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.home import home

_log = logging.getLogger(__name__)


class Settings(BaseModel):
    """Every field changes something a player notices; change one with ``settings.model_copy(update={…})``."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    player_name: str = Field("Player", min_length=1, max_length=24, description="Your name in results")
    volume: float = Field(0.7, ge=0, le=1, description="Loudness of the effects")
    mute: bool = Field(False, description="No sound at all")
    fullscreen: bool = Field(False, description="Fill the screen")
    window_width: int = Field(1280, ge=320, le=7680, description="Width of the window at start, in pixels")
    window_height: int = Field(720, ge=180, le=4320, description="Height of the window at start, in pixels")
    whole_pixels: bool = Field(True, description="Scale game pictures by whole numbers only")
    show_hud: bool = Field(True, description="Names, scores and late answers over the game")
    pause_unfocused: bool = Field(True, description="Pause when another window takes the keyboard")
    record_matches: bool = Field(False, description="Keep a replay of every match")

    def changed(self, **fields: object) -> Settings:
        """A copy with these fields changed; raises pydantic's ValidationError for a value out of range."""
        return Settings.model_validate({**self.model_dump(), **fields})


def settings_path() -> Path:
    """Where the settings lie."""
    return home() / "settings.toml"


def load_settings(path: Path | None = None) -> tuple[Settings, str]:
    """The settings and a warning for people ("" when all is well); never fails.

    A file that cannot be used is kept as ``settings.toml.bad`` beside it, and the defaults hold.
    """
    path = path or settings_path()
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        settings = Settings.model_validate(raw)
    except FileNotFoundError:
        return Settings(), ""
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as error:
        return Settings(), _set_aside(path, error)
    unknown = sorted(set(raw) - set(Settings.model_fields))
    if unknown:
        known = ", ".join(Settings.model_fields)
        return settings, f"expected settings among {known}, got: {', '.join(unknown)} in {path}; ignored"
    return settings, ""


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write them so that a kill at any instant leaves the old or the new file; the user's comments stay."""
    import tomlkit  # on demand: most starts only read

    path = path or settings_path()
    try:
        document = tomlkit.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        document = tomlkit.document()
        document.add(tomlkit.comment("PettingZoo Arcade; also on its settings page"))
    document.update(settings.model_dump())
    aside = path.with_name(f"{path.name}.{os.getpid()}.part")
    with open(aside, "w", encoding="utf-8") as file:
        file.write(tomlkit.dumps(document))
        file.flush()
        os.fsync(file.fileno())
    os.replace(aside, path)


class SettingsWriter:
    """Writes settings in a thread of its own, so that a slow disk never holds up the window; the newest win."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._next: Settings | None = None
        self._thread: threading.Thread | None = None

    def write(self, settings: Settings) -> None:
        """Write `settings` soon; returns at once."""
        with self._lock:
            self._next = settings
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="settings")
                self._thread.start()

    def flush(self) -> None:
        """Wait until all is on disk."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while True:
            with self._lock:
                settings, self._next = self._next, None
                if settings is None:
                    self._thread = None
                    return
            try:
                save_settings(settings, self._path)
            except OSError as error:
                _log.warning("the settings could not be written: %s", error)


def _set_aside(path: Path, error: Exception) -> str:
    bad = path.with_name(path.name + ".bad")
    try:
        os.replace(path, bad)
        kept = f"it is kept as {bad}"
    except OSError:
        kept = "it stays where it is"
    return f"expected settings in {path}, got: {_first_words(error)}; {kept} and the defaults are used"


def _first_words(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        return f"{field} = {first['input']!r} ({first['msg']})"
    return str(error).splitlines()[0] if str(error) else type(error).__name__
