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
from arcade.session.settings.files import load_settings, save_settings
from arcade.session.settings.settings import Page, Settings

__all__ = [
    "Applies", "Page", "Setting", "Settings", "SettingsError", "choice", "declared",
    "load_settings", "number", "save_settings", "text", "toggle",
]  # fmt: skip
