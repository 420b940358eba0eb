"""The table of tournament formats, by name."""

from __future__ import annotations

from arcade.tournaments.formats.format import Format
from arcade.tournaments.formats.informative import Informative
from arcade.tournaments.formats.round_robin import RoundRobin
from arcade.tournaments.formats.sequential import Sequential
from arcade.tournaments.formats.swiss import Swiss

FORMATS: dict[str, Format] = {form.name: form for form in (RoundRobin(), Swiss(), Informative(), Sequential())}
"""By the name that a plan and the command line use; the first one is the default."""
