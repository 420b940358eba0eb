"""Which games come out the same again from a seed and the actions: measured, and kept in a table.

``exact.json`` beside this file is what ships; ``exact.json`` in ARCADE_HOME is what was measured on this machine
(`arcade games --measure`), which counts more.  Either is one JSON object::

    {"format": 1, "games": {"atari/pong_v3": {"ticks": 600, "differs": "", "alike": true, "versions": {…}}, …}}
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path

from agents.home import home

NAME = "exact.json"
SHIPPED = Path(__file__).with_name(NAME)
MAX_BYTES = 4 * 2**20
_FORMAT = 1
_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Exactness:
    """What playing a game again showed: in other processes, in another order of episodes, drawn and not."""

    ticks: int  # that were compared
    differs: str = ""  # where it first came out another way, in words; "" where all came out the same
    alike: bool = True  # whether the seats observe the same drawn and undrawn
    versions: Mapping[str, str] = field(default_factory=dict)  # of the packages that it is made with

    def __post_init__(self) -> None:
        kinds = {"ticks": int, "differs": str, "alike": bool, "versions": Mapping}
        wrong = [name for name, kind in kinds.items() if not isinstance(getattr(self, name), kind)]
        if wrong or not all(isinstance(word, str) for pair in self.versions.items() for word in pair):
            raise TypeError(f"a row with wrong {', '.join(wrong) or 'versions'}")

    @property
    def exact(self) -> bool:
        return not self.differs

    @property
    def words(self) -> str:
        """For people: the finding, and with what it was found."""
        found = f"differs {self.differs}" if self.differs else f"the same over {self.ticks} ticks"
        seen = "" if self.alike else ", drawn and undrawn each in its own way"
        made = ", ".join(f"{package} {version}" for package, version in self.versions.items())
        return f"{found}{seen}" + (f" ({made})" if made else "")


def exactness_of(game: str) -> Exactness | None:
    """What was measured of the game, here or before it shipped; None where nothing was."""
    return _kept(own_table()).get(game) or _kept(SHIPPED).get(game)


def own_table() -> Path:
    """Where this machine's own measurements are kept."""
    return home() / NAME


def read_table(path: Path) -> dict[str, Exactness]:
    """The table in a file, {} where there is none; raises ValueError for a file that is no table."""
    if not path.exists():
        return {}
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"expected a table of at most {MAX_BYTES} bytes, got a larger file: {path}")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ValueError(f"expected a table, got lists within lists: {path}") from error
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise ValueError(f"expected a table of format {_FORMAT}, got another file: {path}")
    try:
        return {game: Exactness(**row) for game, row in data["games"].items()}
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"expected the rows of a table, got: {error} in {path}") from error


def table_text(table: Mapping[str, Exactness]) -> str:
    """What `read_table` reads, a line a game."""
    rows = ",\n".join(f"{json.dumps(game)}: {json.dumps(asdict(found))}" for game, found in sorted(table.items()))
    return f'{{"format": {_FORMAT}, "games": {{\n{rows}\n}}}}\n'


def _kept(path: Path) -> Mapping[str, Exactness]:
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return {}
    return _read_once(path, changed)


@lru_cache(maxsize=8)
def _read_once(path: Path, changed: int) -> Mapping[str, Exactness]:
    """`changed` makes a table that was written anew another one."""
    try:
        return read_table(path)
    except (OSError, ValueError) as error:
        _log.warning("the table of games that repeat themselves is left aside: %s", error)
        return {}
