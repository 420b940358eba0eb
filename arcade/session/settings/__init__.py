"""Settings of the user; each is declared once, in settings.py."""

from arcade.session.settings.declaration import (
    Applies,
    Setting,
    SettingsError,
    choice,
    declared,
    number,
    text,
    toggle,
)
from arcade.session.settings.files import SettingsWriter, load_settings, save_settings, settings_path
from arcade.session.settings.settings import Page, Settings

__all__ = [
    "Applies", "Page", "Setting", "Settings", "SettingsError", "SettingsWriter", "choice", "declared",
    "load_settings", "number", "save_settings", "settings_path", "text", "toggle",
]  # fmt: skip
