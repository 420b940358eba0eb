"""What the user chose: each setting is declared once, in settings.py; files and pages follow from the declaration."""

from arcade.session.settings.declaration import (
    Applies,
    Form,
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
    "Applies", "Form", "Page", "Setting", "Settings", "SettingsError", "SettingsWriter", "choice", "declared",
    "load_settings", "number", "save_settings", "settings_path", "text", "toggle",
]  # fmt: skip
