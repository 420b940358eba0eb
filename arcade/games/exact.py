"""Games that repeat an episode exactly from its seed and actions, as measured by `arcade games measure`.

``exact.json`` in ARCADE_HOME has this machine's measurements and overrides the shipped ``exact.json`` beside this file.
Each is one JSON object::

    {"format": 1, "games": {"atari/pong_v3": {"ticks": 600, "differs": "", "alike": true, "versions": {…}}, …}}
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

from agents.files import FileError, home, read_file

NAME = "exact.json"
SHIPPED = Path(__file__).with_name(NAME)
MAX_BYTES = 4 * 2**20
_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Exactness:
    """The result of repeating a game: in other processes, in another order of episodes, with and without rendering."""

    ticks: int  # compared
    differs: str = ""  # the first difference, in words; "" for none
    alike: bool = True  # whether observations are the same with and without rendering
    saves: bool = False  # whether play from a saved state repeats exactly too
    forks: bool = False  # whether it does from a copy of the whole process, where other copies do not
    versions: Mapping[str, str] = field(default_factory=dict)  # of the packages that it depends on

    @property
    def exact(self) -> bool:
        return not self.differs

    @property
    def text(self) -> str:
        """The finding, and the versions it was found with, for people."""
        found = f"differs {self.differs}" if self.differs else f"the same over {self.ticks} ticks"
        seen = "" if self.alike else ", with other observations when rendered"
        made = ", ".join(f"{package} {version}" for package, version in self.versions.items())
        return f"{found}{seen}" + (f" ({made})" if made else "")


@dataclass(frozen=True)
class _Table:
    format: Literal[1]
    games: dict[str, Exactness]


def exactness_of(game: str) -> Exactness | None:
    """Return the measurement of the game, made here or shipped; None without one."""
    paths = (path for path in (own_table(), SHIPPED) if path.exists())
    tables = (_cached_table(path, path.stat().st_mtime_ns) for path in paths)
    return next((table[game] for table in tables if game in table), None)


def own_table() -> Path:
    """Return the path of this machine's own measurements."""
    return home() / NAME


def read_table(path: Path) -> dict[str, Exactness]:
    """Read a table, {} if the file does not exist; raises ValueError for a file that is no table."""
    import msgspec  # on demand, to open the window sooner

    if not path.exists():
        return {}
    try:
        return msgspec.json.decode(read_file(path, most=MAX_BYTES), type=_Table).games
    except (msgspec.MsgspecError, FileError) as error:
        raise ValueError(f"expected a table of format 1 in {path}, got: {error}") from None


def table_text(table: Mapping[str, Exactness]) -> str:
    """Return the text that `read_table` reads, a line a game."""
    rows = ",\n".join(f"{json.dumps(game)}: {json.dumps(asdict(found))}" for game, found in sorted(table.items()))
    return f'{{"format": 1, "games": {{\n{rows}\n}}}}\n'


@lru_cache(maxsize=8)
def _cached_table(path: Path, changed: int) -> Mapping[str, Exactness]:
    """Read a table again when `changed`, its modification time, is new."""
    try:
        return read_table(path)
    except (OSError, ValueError) as error:
        _log.warning("ignoring a table of exact games: %s", error)
        return {}
