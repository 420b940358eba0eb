"""Read and write ARCADE_HOME/settings.toml."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from agents.files import changing_toml, home, load_toml
from arcade.session.settings.declaration import declared
from arcade.session.settings.settings import Settings

FILE = "settings.toml"  # in ARCADE_HOME
_HUD = "hud_"  # before the name of a HUD piece, as a key


def load_settings(
    path: Path | None = None,
    *,
    kind: type[Settings] = Settings,
    hud_pieces: Callable[[], Collection[str]] | None = None,
) -> tuple[Settings, str]:
    """Return the settings and a warning for the user, or ""; never fails.

    `kind` declares them; `hud_pieces` returns the names of all HUD pieces, and is called if the file has one.  A file
    that is invalid is kept as ``settings.toml.bad`` beside it, and the defaults are used.
    """
    known = [setting.name for setting in declared(kind)]

    def read(raw: Mapping[str, Any]) -> Settings:
        keys = [key for key in raw if key.startswith(_HUD)]
        if keys and hud_pieces is not None:
            names = hud_pieces()
            keys = [key for key in keys if key.removeprefix(_HUD) in names]
        values = {name: raw[name] for name in known if name in raw}
        known.extend(keys)
        return kind(**values, hud={key.removeprefix(_HUD): raw[key] for key in keys})

    return load_toml(path or home() / FILE, read, default=kind(), known=known, what="settings")


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write the settings atomically; comments in the file stay, and an invalid file is kept as ``.bad``."""
    head = "PettingZoo Arcade; also on its settings page"
    with changing_toml(path or home() / FILE, head=head, what="settings") as document:
        document.update({setting.name: getattr(settings, setting.name) for setting in declared(type(settings))})
        document.update({_HUD + name: on for name, on in settings.hud.items()})
