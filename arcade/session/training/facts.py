"""What a trainer tells, taken at its word only where it makes sense: anybody may sit at the other end of a socket."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

LARGEST = 1e15
"""Values beyond it, either way, are no measurement."""

LONGEST = 80  # characters of a name
MOST_MEMBERS, MOST_POLICIES = 4096, 16
ENDPOINT = re.compile(r"tcp://(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.%]+\]):(?P<port>\d{1,5})")
WEIGHTINGS = ("uniform", "variance", "hard")
RATIOS = ("play_against_latest_model_ratio", "newest_ratio", "fixed_ratio")
_HERE, _ANYWHERE = ("127.0.0.1", "localhost", "[::1]"), ("0.0.0.0", "*", "[::]")


def number(value: object) -> float | None:
    """A finite number of a size that can be drawn, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        return None
    return float(value)


def whole(value: object) -> int | None:
    """A count: a whole number from 0 on, None for anything else."""
    found = number(value)
    return int(found) if found is not None and found >= 0 and found == math.floor(found) else None


def words(value: object, *, most: int = LONGEST) -> str:
    """A line of text that can be drawn, of `most` characters, "" for anything else."""
    return "".join(c for c in value[: 4 * most] if c.isprintable())[:most] if isinstance(value, str) else ""


def is_share(value: object) -> bool:
    found = number(value)
    return found is not None and 0.0 <= found <= 1.0


def endpoint(value: object) -> str:
    """``tcp://host:port`` as it came, "" for anything else: files and local sockets are not for a trainer to name."""
    match = ENDPOINT.fullmatch(value) if isinstance(value, str) else None
    return value if match and 0 < int(match["port"]) < 65536 else ""  # type: ignore[return-value]


def reached_from(control: str, events: object) -> str:
    """`events` as it is reached from where `control` was: a trainer that listens everywhere, or thinks so of itself,
    cannot know its own name."""
    if isinstance(events, str):
        events = events.replace("tcp://*:", "tcp://0.0.0.0:")
    found, here = ENDPOINT.fullmatch(endpoint(events)), ENDPOINT.fullmatch(control)
    if found is None or here is None:
        return ""
    elsewhere = found["host"] in _HERE and here["host"] not in _HERE
    return f"tcp://{here['host']}:{found['port']}" if elsewhere or found["host"] in _ANYWHERE else found[0]


@dataclass(frozen=True, slots=True)
class TrainerFacts:
    """The last status; the defaults stand for what was never told."""

    state: str = ""  # starting, running, paused, stopped …
    asked: str = ""  # the state it is about to be in
    run: str = ""
    game: str = ""
    algorithm: str = ""
    step: int = 0
    iteration: int = 0
    snapshots: int = 0
    policies: tuple[str, ...] = ()
    ratios: tuple[tuple[str, float], ...] = ()  # of its matchmaking, in the order of RATIOS
    weighting: str = ""

    def updated(self, data: Mapping[str, Any]) -> TrainerFacts:
        """With what `data` tells and makes sense."""
        told: dict[str, Any] = {}
        for field in fields(self):
            value = data.get(field.name)
            if field.type == "str" and words(value):
                told[field.name] = words(value)
            elif field.type == "int" and (count := whole(value)) is not None:
                told[field.name] = count
        if isinstance(policies := data.get("policies"), list):
            told["policies"] = tuple(filter(None, map(words, policies[:MOST_POLICIES])))
        return replace(self, **told | _matchmaking(data.get("matchmaking")))


def _matchmaking(data: object) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        return {}
    told: dict[str, Any] = {"ratios": tuple((name, float(data[name])) for name in RATIOS if is_share(data.get(name)))}
    if data.get("weighting") in WEIGHTINGS:
        told["weighting"] = data["weighting"]
    return told


NOTHING_TOLD = TrainerFacts()


@dataclass(frozen=True, slots=True)
class PoolMember:
    """One opponent of the pool; None: never told, or not yet known."""

    name: str
    kind: str = ""
    games: int = 0
    win_rate: float | None = None  # of the learning policy against it, 0 … 1
    low: float | None = None
    high: float | None = None
    rating: float | None = None
    sigma: float | None = None
    weight: float | None = None  # its share of the draws
    frozen_at: int | None = None  # env step


def read_pool(data: Mapping[str, Any]) -> dict[str, tuple[PoolMember, ...]]:
    """Policy → the members of its pool, of a ``pool`` event; entries without a name are left out."""
    policies = data.get("policies")
    if not isinstance(policies, Mapping):
        return {}
    pools = {}
    for name, entries in list(policies.items())[:MOST_POLICIES]:
        if words(name) and isinstance(entries, list):
            members = [_member(entry) for entry in entries[:MOST_MEMBERS] if isinstance(entry, Mapping)]
            pools[words(name)] = tuple(member for member in members if member.name)
    return pools


def _member(data: Mapping[str, Any]) -> PoolMember:
    def rate(name: str) -> float | None:
        return float(data[name]) if is_share(data.get(name)) else None

    return PoolMember(
        name=words(data.get("name")), kind=words(data.get("kind")), games=whole(data.get("games")) or 0,
        win_rate=rate("win_rate"), low=rate("low"), high=rate("high"),
        rating=number(data.get("rating")), sigma=number(data.get("sigma")), weight=number(data.get("weight")),
        frozen_at=whole(data.get("frozen_at")),
    )  # fmt: skip
